"""The clock is folded from the log: whose time goes, what stops it, and what a restart makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log
from companion_api.reducers import Clock, clock_after
from companion_api.session import Session
from companion_api.tables import Tables


def told(kind: EventKind, at: float, **data: object) -> Event:
    return Event("t", 1, at, kind, "host", dict(data))


def begun(minutes: int = 5, increment: int = 10) -> Clock:
    clock = clock_after(None, told(EventKind.CLOCK, 100.0, minutes=minutes, increment=increment), (0,), 2)
    assert clock is not None
    return clock


def after(clock: Clock | None, kind: EventKind, at: float, to_act: tuple[int, ...] = (0,), **data: object) -> Clock:
    clock = clock_after(clock, told(kind, at, **data), to_act, 2)
    assert clock is not None
    return clock


def test_time_goes_for_whoever_is_to_act_and_every_turn_adds_some() -> None:
    clock = after(begun(), EventKind.ACTION, 130.0, to_act=(1,))
    assert list(clock.left) == [300 - 30 + 10, 300]
    assert list(clock.at(145.0)) == [280, 285]
    again = after(clock, EventKind.ACTION, 150.0, to_act=(1,))
    assert list(again.left) == [280, 280], "the turn is not over: nothing is added"


def test_nothing_is_added_and_nobody_pays_while_the_table_decides() -> None:
    clock = after(begun(), EventKind.ACTION, 130.0, to_act=())
    assert clock.at(500.0) == clock.left


@pytest.mark.parametrize("kind", [EventKind.VERDICT, EventKind.CLAIM])
def test_it_stands_while_a_hand_is_disputed(kind: EventKind) -> None:
    held = after(begun(), kind, 110.0)
    assert held.held
    assert held.at(200.0) == (290, 300)
    assert not after(held, EventKind.RULING, 150.0).goes, "people still read what was ruled"
    assert after(held, EventKind.CORRECTED, 200.0).at(210.0) == (280, 300)
    assert after(held, EventKind.CLOCK, 200.0, run=True, held=False).goes


def test_people_stop_it() -> None:
    clock = after(begun(), EventKind.CLOCK, 120.0, run=False)
    assert after(clock, EventKind.ACTION, 400.0, to_act=(1,)).at(500.0) == (290, 300)


def test_a_clock_set_back_takes_nothing_away() -> None:
    assert begun().at(40.0) == (300, 300)


def test_it_is_taken_off() -> None:
    assert clock_after(begun(), told(EventKind.CLOCK, 120.0, minutes=0, increment=0), (0,), 2) is None


def test_a_restart_keeps_it_and_counts_nothing_while_the_server_was_away(log: Log, tmp_path: Path) -> None:
    session = Tables(log, tmp_path).begin("dodgem", {}, None)
    assert clock_of(session) is None, "off by default"
    session.set_clock("host", 5, 0, key=None)
    session.act("host", "move(a1,b1)", expected=None, key=None)
    before = clock_of(session)
    again = Tables(log, tmp_path).session(session.table)
    after_it = clock_of(again)
    assert before is not None
    assert after_it is not None
    assert after_it.left == before.left
    assert not after_it.run
    again.run_clock("seat:0", True)
    going = clock_of(again)
    assert going is not None
    assert going.goes
    assert list(going.ticking) == [1]


def clock_of(session: Session) -> Clock | None:
    return session.clock
