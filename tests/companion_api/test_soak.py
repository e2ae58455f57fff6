"""A short soak: the same as `python -m tests.bench soak`, and proof that its checks can fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion_api.log.databases import SqliteLog
from companion_api.log.event import EventKind
from companion_api.projections.choices import events_for
from companion_api.session import Session
from rules.engine.playout import walk
from rules.games import game
from tests.bench.soak import invariants
from tests.bench.soak.phones import Acknowledged, Heard
from tests.bench.soak.run import SoakPlan, soak, traceback_in
from tests.bench.soak.served import Sample


@pytest.mark.long
@pytest.mark.timeout(900)
def test_five_minutes_in_which_everything_goes_wrong(tmp_path: Path) -> None:
    report = soak(SoakPlan(minutes=5.0, phones=6, chaos_every_s=3.0, play_every_s=0.3))
    assert report.problems == []
    assert report.chaos["killed"] >= 1
    assert report.chaos["database locked"] >= 1
    assert report.figures["lives of the server"] >= 2
    assert report.figures["acknowledged posts"] > 3
    assert report.figures["events heard by phones"] > 20
    page = report.write(tmp_path)
    assert "everything held" in page.read_text()
    assert page.read_text().count("<polyline") >= 2


@pytest.fixture
def log(tmp_path: Path) -> SqliteLog:
    """A table of a game with sealed votes."""
    log = SqliteLog(tmp_path / "companion.db")
    session = Session.begin(log, "t", game("ice_floe"), {}, None)
    for number, (_, action) in enumerate(walk(game("ice_floe"), 5)):
        session.act("table", action.id, expected=None, key=f"k{number}")
        if number > 120:
            break
    return log


def heard(log: SqliteLog) -> Heard:
    return Heard("t", list(events_for(Session(log, "t").known(None))))


def test_a_good_log_and_a_good_phone_pass(log: SqliteLog) -> None:
    assert not list(invariants.log_is_whole(log, "t"))
    assert not list(invariants.phones_heard_all(log, [heard(log)]))
    assert not list(invariants.no_secret_was_told(log, [heard(log)]))
    assert not list(invariants.nothing_is_lost(log, [Acknowledged("t", "k0", 2)]))


def test_a_lost_event_is_found(log: SqliteLog) -> None:
    assert list(invariants.nothing_is_lost(log, [Acknowledged("t", "gone", 3)]))
    assert list(invariants.nothing_is_lost(log, [Acknowledged("t", "k0", 3)]))
    log._connection.execute("DELETE FROM events WHERE seq = 5")
    assert list(invariants.log_is_whole(log, "t"))


def test_a_gap_and_an_event_told_twice_are_found(log: SqliteLog) -> None:
    one = heard(log)
    assert list(invariants.phones_heard_all(log, [Heard("t", [*one.events[:3], *one.events[4:]])]))
    assert list(invariants.phones_heard_all(log, [Heard("t", [*one.events[:3], *one.events[2:]])]))


def test_a_told_secret_is_found(log: SqliteLog) -> None:
    session = Session(log, "t")
    all_seeing = [
        {**event, "actions": [{**action, "id": raw.data["action"]} for action in event["actions"]]}
        if raw.kind is EventKind.ACTION
        else event
        for event, raw in zip(heard(log).events, session.events, strict=True)
    ]
    assert list(invariants.phones_heard_all(log, [Heard("t", all_seeing)]))
    assert list(invariants.no_secret_was_told(log, [Heard("t", all_seeing)]))


def test_growth_is_found() -> None:
    steady = [Sample(float(at), 1, 400.0, 30, at / 10) for at in range(600)]
    assert not list(invariants.flat(steady))
    assert list(invariants.flat([replace(one, memory_mb=400 + one.at / 2) for one in steady]))
    assert list(invariants.flat([replace(one, handles=30 + int(one.at / 10)) for one in steady]))


def test_of_a_traceback_its_error_is_told_and_not_what_came_after_it() -> None:
    said = "Ready.\nTraceback (most recent call last):\n  File one\n    it()\nOSError: no room\nPhones: here\n"
    assert traceback_in(said) == "File one it() OSError: no room"
    assert traceback_in("Phones: here") == ""
