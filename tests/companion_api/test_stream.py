"""The stream: every event once and in order, also over a broken line; late phones get what they missed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.session import Session
from companion_api.settings import Settings
from rules.engine.playout import walk
from rules.games import game
from tests.companion_api.phones import Server
from tests.companion_api.served import in_thread
from tests.tiers import full

Table = tuple[str, Session, str]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A served table: address, session, a spectator's token."""
    app = make_app(Settings(data=tmp_path))
    session = app.state.tables.begin("dodgem", {}, None)
    token = app.state.tables.keys.sign(Token(session.table, Role.SPECTATOR))
    with in_thread(app) as address:
        yield address, session, token


def moves(count: int) -> list[str]:
    found = [action.id for _, action in walk(game("dodgem"), 5)]
    assert len(found) >= count
    return found[:count]


def act(session: Session, action: str) -> None:
    session.act("table", action, expected=None, key=None)


def read(table: Table, count: int, last_id: int | None = None, after: str = "") -> list[dict[str, Any]]:
    """The next `count` events of the stream; then the line breaks."""
    address, _, token = table
    headers = {"authorization": f"Bearer {token}"}
    if last_id is not None:
        headers["last-event-id"] = str(last_id)
    events, kind = [], ""
    with httpx.stream("GET", f"{address}/api/events{after}", headers=headers, timeout=20) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        for line in response.iter_lines():
            if line.startswith("event:"):
                kind = line.removeprefix("event:").strip()
            elif line.startswith("data:") and kind == "event":
                events.append(json.loads(line.removeprefix("data:")))
                if len(events) == count:
                    break
    return events


def test_a_phone_gets_all_that_was_and_all_that_comes(table: Table) -> None:
    session, actions = table[1], moves(6)
    for action in actions[:3]:
        act(session, action)
    later = threading.Timer(0.3, lambda: any(map(partial(act, session), actions[3:])))
    later.start()
    events = read(table, 7)
    assert [event["seq"] for event in events] == list(range(1, 8))
    assert [event["actions"][0]["id"] for event in events[1:]] == actions
    later.join()


def test_a_broken_line_goes_on_where_it_broke(table: Table) -> None:
    session = table[1]
    for action in moves(12):
        act(session, action)
    seen: list[int] = []
    for count in (1, 4, 2, 6):
        seen += [event["seq"] for event in read(table, count, last_id=seen[-1] if seen else None)]
    assert seen == list(range(1, 14))


def test_the_browsers_own_number_wins_over_the_address(table: Table) -> None:
    for action in moves(4):
        act(table[1], action)
    assert read(table, 1, last_id=3, after="?after=1")[0]["seq"] == 4


@pytest.mark.parametrize("last_id", ["x", "-1", "²", "9" * 30])
def test_a_senseless_number_breaks_nothing(table: Table, last_id: str) -> None:
    address, _, token = table
    headers = {b"authorization": f"Bearer {token}".encode(), b"last-event-id": last_id.encode("latin-1")}
    with httpx.stream("GET", f"{address}/api/events", headers=headers, timeout=20) as response:
        assert response.status_code == 200
        assert next(response.iter_lines())


def test_an_undo_and_a_correction_come_as_events(table: Table) -> None:
    session = table[1]
    for action in ("move(a1,b1)", "move(f6,e6)"):
        act(session, action)
    session.undo("host", 1, expected=None, key=None)
    session.correct("host", 2, ["move(a2,b2)"], expected=None, key=None)
    kinds = [event["kind"] for event in read(table, 5)]
    assert kinds == ["started", "action", "action", "undo", "corrected"]


def test_whoever_is_late_gets_what_is_newer(server: Server) -> None:
    phone = server.host()
    phone.post("actions", action="move(a1,b1)", expected=1)
    answer = phone.send("actions", action="move(f6,e6)", expected=1)
    assert answer.status_code == 409
    assert answer.json()["detail"]["seq"] == 2
    assert answer.json()["detail"]["events"][-1]["actions"][0]["id"] == "move(a1,b1)"


def test_a_post_sent_twice_is_done_once(server: Server) -> None:
    phone = server.host()
    answers = [phone.post("actions", action="move(a1,b1)", expected=1, key="k") for _ in range(3)]
    assert [answer["seq"] for answer in answers] == [2, 2, 2]
    assert server.session.seq == 2


@pytest.mark.parametrize("phones", [8, full(50)])
def test_flapping_phones_miss_nothing(phones: int, table: Table) -> None:
    """Every phone loses its line again and again while the game goes on."""
    session, actions = table[1], moves(7)
    seen: dict[int, list[int]] = {}

    def flap(number: int) -> None:
        mine: list[int] = seen.setdefault(number, [])
        while len(mine) < 8:
            mine += [event["seq"] for event in read(table, 1, last_id=mine[-1] if mine else 0)]

    threads = [threading.Thread(target=flap, args=(number,)) for number in range(phones)]
    for thread in threads:
        thread.start()
    for action in actions:
        act(session, action)
    for thread in threads:
        thread.join(timeout=60)
    assert all(mine[:8] == list(range(1, 9)) for mine in seen.values())
    assert len(seen) == phones
