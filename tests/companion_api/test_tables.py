"""What a server keeps open, and what it makes of a long past."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from companion_api import news
from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.log.event import EventKind
from companion_api.news import CHUNK_EVENTS, KEPT_BYTES, Hub
from companion_api.session import Session
from companion_api.settings import Settings

GUEST = Token("t", Role.SPECTATOR)


def long_past(session: Session, events: int) -> None:
    for number in range(events):
        session.log.append(session.table, EventKind.NOTE, "camera", {"text": f"{number} " + "x" * 300})
    session.join("host", "")


async def _all(hub: Hub, after: int) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    sent = after
    while True:
        sent, more = await hub.news.after(GUEST, sent)
        if not more:
            return found
        found += [json.loads(line[5:]) for line in more.decode().splitlines() if line.startswith("data:")]


def test_a_long_past_comes_in_pieces_and_whole(tmp_path: Path) -> None:
    app = make_app(Settings(data=tmp_path))
    session = app.state.tables.begin("dodgem", {}, None)
    long_past(session, 3 * CHUNK_EVENTS)
    for after in (0, 1, CHUNK_EVENTS, CHUNK_EVENTS + 7, session.seq - 1, session.seq):
        events = asyncio.run(_all(Hub(session), after))
        assert [event["seq"] for event in events] == list(range(after + 1, session.seq + 1))


def test_a_board_is_of_the_moment_that_its_version_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sits down while a board is worked out: the name comes with the version that follows, or never."""
    app = make_app(Settings(data=tmp_path))
    session = app.state.tables.begin("dodgem", {}, None)
    hub = Hub(session)
    work_out = news._parts
    monkeypatch.setattr(
        news, "_parts", lambda *args: (session.join("seat:0", "Ann", seat=0, phone="a"), work_out(*args))[1]
    )
    before, first = asyncio.run(hub.boards.now(GUEST))
    monkeypatch.undo()
    after, second = asyncio.run(hub.boards.now(GUEST))
    assert after == session.moment.version > before
    assert "Ann" in news.change(before, first, after, second).decode()


def test_phones_that_come_back_at_any_event_cost_bounded_memory(tmp_path: Path) -> None:
    """What was held for every number at which a phone had lost its line is what grew."""
    app = make_app(Settings(data=tmp_path))
    session = app.state.tables.begin("dodgem", {}, None)
    long_past(session, 5000)
    hub = Hub(session)

    async def flap() -> int:
        most = 0
        for after in range(0, session.seq, 40):
            await hub.news.after(GUEST, after)
            most = max(most, hub.news.kept_bytes)
        return most

    assert asyncio.run(flap()) <= KEPT_BYTES + 400 * CHUNK_EVENTS * 2
    assert hub.news.kept_bytes == sum(map(len, hub.news._chunks.values()))


def test_a_table_that_nobody_uses_is_closed_and_opens_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(Settings(data=tmp_path))
    tables = app.state.tables
    ids = [tables.begin("dodgem", {}, None).table for _ in range(4)]
    watched = tables.session(ids[0])
    app.state.camera_manager.watch(watched, "phone")
    tables.session(ids[1]).act("table", "move(a1,b1)", expected=None, key=None)
    state = tables.session(ids[1]).state
    monkeypatch.setattr("companion_api.tables.IDLE_S", -1.0)
    fresh = tables.begin("dodgem", {}, None)
    del tables._open[fresh.table]
    tables.session(fresh.table)  # opening one closes the idle ones
    assert set(tables._open) == {ids[0], fresh.table}
    assert tables.session(ids[0]) is watched
    assert tables.session(ids[1]).state == state
    app.state.camera_manager.stop()


def test_tables_that_people_have_left_for_the_next_one_do_not_stay_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen games in two hours kept sixteen tables in memory, each with all its boards."""
    app = make_app(Settings(data=tmp_path))
    tables = app.state.tables
    here = first = tables.begin("dodgem", {}, None)
    first.act("table", "move(a1,b1)", expected=None, key=None)
    left = first.state
    monkeypatch.setattr("companion_api.tables.MOVED_ON_S", -1.0)
    for _ in range(5):
        here.act("table", next(iter(here.game.legal(here.state))).id, expected=None, key=None)
        here = tables.after(here)
    assert len(tables._open) <= 2
    assert here.table in tables._open
    assert tables.current(tables.session(first.table)) is here
    assert len(tables.session(first.table).history.actions) == 2
    assert tables.session(first.table).history.undo(1).state == left
