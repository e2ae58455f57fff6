"""People who may come in and want more than is theirs: another's seat, hand, ruling, or the eyes of the table."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from companion_api.access import Brake, Role
from companion_api.app import make_app
from companion_api.log.event import EventKind
from companion_api.settings import Settings
from tests.companion_api.phones import Phone, Server
from tests.companion_api.served import in_thread
from tests.waiting import PATIENCE_S, until


@pytest.fixture(autouse=True)
def not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests come from one address."""
    monkeypatch.setattr("companion_api.routes.join._brake", Brake(tries=10_000, seconds=60))


def come_in(server: Server, **wanted: Any) -> Any:
    """As a phone does, by the code on the table."""
    code = server.tables.keys.code(server.session.table, Role.PLAYER)
    return TestClient(server.app).post("/api/join", json={"code": code, **wanted})


def joined(server: Server, seat: int, name: str) -> Phone:
    answer = come_in(server, seat=seat, name=name)
    assert answer.status_code == 200, answer.text
    return Phone(server.app, answer.json()["token"])


def test_a_token_that_was_kept_shows_nothing_of_whoever_sits_there_now(tmp_path: Path) -> None:
    """Sit down, keep the cookie, stand up: the next one's hand must not be seen with it, nor played."""
    with Server(tmp_path, "dectana", seats=["Anna", "Ben"]) as server:
        spy = joined(server, 1, "Eve")
        assert spy.get("board")["you"]["seat"] == 1
        spy.post("seat", seat=None)
        ben = joined(server, 1, "Ben")
        assert ben.get("board")["you"]["seat"] == 1
        seen = spy.get("board")["you"]
        assert (seen["seat"], seen["role"]) == (None, "spectator")
        first = next(iter(server.session.game.legal(server.session.state)))
        assert spy.send("actions", action=first.id).status_code == 403
        assert spy.get("history")[0]["kind"] == "started"


def test_a_stream_ends_when_its_phone_stands_up(tmp_path: Path) -> None:
    """The page opens it again, with what the phone may know now."""
    app = make_app(Settings(data=tmp_path))
    session = app.state.tables.begin("dectana", {}, ["Anna", "Ben"])
    code = app.state.tables.keys.code(session.table, Role.PLAYER)
    with in_thread(app) as address:
        token = httpx.post(f"{address}/api/join", json={"code": code, "seat": 1}).json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        with httpx.stream("GET", f"{address}/api/events", headers=headers, timeout=12) as stream:
            lines = stream.iter_lines()
            next(lines)
            httpx.post(f"{address}/api/seat", json={"seat": None}, headers=headers)
            for _ in lines:
                pass  # until it ends; a stream that goes on runs into the time limit


def test_nobody_takes_the_key_of_a_ruling_before_it_is_given(server: Server) -> None:
    """A ruling is written once per claim, under a key that can be guessed: who had used it would never be judged."""
    phone = server.phone(seat=0)
    phone.post("actions", action="move(a1,b1)")
    assert phone.send("undo", count=1, key="ruling 3").status_code == 422
    claim = server.host().post("claims", text="no", key="another")["seq"]
    until(lambda: server.session.disputes[claim].rulings)


def test_of_two_phones_that_want_a_seat_at_once_one_gets_it(server: Server) -> None:
    answers: list[int] = []
    threads = [
        threading.Thread(target=lambda n=name: answers.append(come_in(server, seat=0, name=n).status_code))
        for name in ("Anna", "Ben")
    ]
    with server.session.lock:  # both have found the seat free, if they look before it is their turn
        for thread in threads:
            thread.start()
        time.sleep(1.0)
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answers) == [200, 409]
    assert len(server.session.roster.holders(0)) == 1


def test_whoever_changes_seats_without_end_is_told_to_wait(server: Server) -> None:
    """Each change is an event that stays for ever."""
    phone = joined(server, 0, "Eve")
    answers = [phone.send("seat", seat=n % 2 or None, name="Eve").status_code for n in range(60)]
    assert 429 in answers
    assert server.session.seq < 40


def test_nobody_follows_into_a_seat_by_anothers_name(tmp_path: Path) -> None:
    """At the next table everybody is led to the seat with their name; anybody may call themselves Anna."""
    with Server(tmp_path, "dodgem", seats=["Anna", "Ben"]) as server:
        anna, eve = joined(server, 0, "Anna"), joined(server, 1, "Anna")
        host = server.host()
        made = host.post("tables", game="dectana", seats=["Anna", "Ben"])
        assert anna.post("follow")["seat"] == 0
        followed = eve.post("follow")
        assert (followed["role"], followed["seat"]) == ("spectator", None)
        session = server.tables.session(made["table"])
        assert len(session.roster.holders(0)) == 1


def test_who_shared_a_seat_shares_it_at_the_next_table_too(tmp_path: Path) -> None:
    with Server(tmp_path, "dodgem", seats=["Anna", "Ben"]) as server:
        anna, child = joined(server, 0, "Anna"), joined(server, 1, "Tom")
        asked = child.post("seat", seat=0, name="Tom")
        assert asked["asked"]
        phone = child.get("board")["you"]["phone"]
        anna.post("seat/share", phone=phone, seat=0, agree=True)
        child = Phone(server.app, child.post("seat", seat=0, name="Tom")["token"])
        server.host().post("tables", game="dodgem", options={"size": 4}, seats=["Anna", "Ben"])
        assert [anna.post("follow")["seat"], child.post("follow")["seat"]] == [0, 0]


def test_a_table_of_last_week_does_not_turn_the_eyes_away(server: Server) -> None:
    """Whoever ever sat at a table of this server has a token for it still."""
    server.app.state.camera_manager.phone(server.session)
    old = server.tables.begin("dodgem", {}, None)
    before = server.session
    server.session = old
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        server.phone(seat=0).client.websocket_connect("/api/camera/stream"),
    ):
        pass
    assert refused.value.code == 1008
    assert server.app.state.camera_manager.watched == {before.table}
    assert [event.kind for event in before.events] == [EventKind.STARTED]


def test_a_host_by_an_older_code_holds_the_seat_that_was_chosen(server: Server) -> None:
    code = server.tables.host_code(server.session)
    made = server.host().post("tables", game="dodgem", options={"size": 4})
    answer = TestClient(server.app).post("/api/join", json={"code": code, "name": "Anna", "seat": 1}).json()
    session = server.tables.session(made["table"])
    assert (answer["table"], answer["role"], answer["seat"]) == (made["table"], "host", 1)
    assert [guest.name for guest in session.roster.holders(1)] == ["Anna"]
