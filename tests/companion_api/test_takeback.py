"""A step is taken back by whoever did it, by leave of whoever did it, or by the host; it can be put back."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.settings import Settings
from tests.companion_api.phones import Phone, Server


def sits(server: Server, seat: int, name: str) -> Phone:
    """A phone that has sat down, as people do."""
    phone = f"phone{seat}"
    server.session.join(f"seat:{seat}", name, seat=seat, phone=phone)
    return Phone(server.app, server.tables.keys.sign(Token(server.session.table, Role.PLAYER, seat, name, phone)))


def kinds(phone: Phone) -> list[str]:
    return [event["kind"] for event in phone.get("history") if event["kind"] not in ("started", "joined")]


def test_another_step_goes_only_by_leave_of_whoever_did_it_and_comes_back(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        ann, ben = sits(server, 0, "Ann"), sits(server, 1, "Ben")
        ann.post("actions", action="move(a1,b1)")
        before = ann.get("board")["layout"]
        asked = ben.post("undo")["seq"]
        assert kinds(ben) == ["action", "note"]
        told = ann.get("board")["takeback"]
        assert told == {"seq": asked, "by": "seat:1", "count": 1, "seats": [0]}
        assert ben.send("takeback", seq=asked, agree=True).status_code == 403  # not one's own to grant
        ann.post("takeback", seq=asked, agree=False)
        assert ann.get("board")["takeback"] is None
        asked = ben.post("undo")["seq"]
        ann.post("takeback", seq=asked, agree=True, key="yes")
        ann.post("takeback", seq=asked, agree=True, key="yes")  # the answer was lost
        assert kinds(ann) == ["action", "note", "note", "note", "undo"]
        undone = ann.get("history")[-1]
        assert (undone["by"], undone["seats"], undone["granted"]) == ("seat:1", [0], "seat:0")
        ben.post("redo")
        board = ann.get("board")
        assert (board["layout"], board["actions"], board["taken_back"]) == (before, 1, None)
        again = Phone(make_app(Settings(data=tmp_path)), ann.client.headers["authorization"].split()[1])
        assert again.get("board")["layout"] == before, "the log tells the same after a restart"


def test_one_goes_back_on_ones_own_step_and_the_host_on_any(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        ann, _ = sits(server, 0, "Ann"), sits(server, 1, "Ben")
        ann.post("actions", action="move(a1,b1)")
        ann.post("undo")
        assert kinds(ann) == ["action", "undo"]
        ann.post("redo")
        server.host().post("undo")
        assert kinds(ann) == ["action", "undo", "redo", "undo"]
        ann.post("actions", action="move(a2,b2)")
        assert ann.send("redo").status_code == 422  # the game has gone on


@pytest.mark.parametrize("answer", [{"action": "move(f6,e6)"}, None])
def test_what_is_asked_for_is_forgotten_when_the_game_goes_on(answer: dict[str, Any] | None, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        ann, ben = sits(server, 0, "Ann"), sits(server, 1, "Ben")
        ann.post("actions", action="move(a1,b1)")
        asked = ben.post("undo")["seq"]
        if answer is None:
            ben.post("takeback", seq=asked, agree=False)  # whoever asked thinks better of it
        else:
            server.host().post("actions", action=next(item["id"] for item in ben.get("board")["legal"]))
        assert ann.get("board")["takeback"] is None
        assert ann.send("takeback", seq=asked, agree=True).status_code == 409


def test_a_proposal_tells_no_secret(tmp_path: Path) -> None:
    """What was chosen in secret stays so, whoever asks to take it back."""
    with Server(tmp_path, "ice_floe", {"start_player": "0"}, 3) as server:
        people = [sits(server, seat, name) for seat, name in enumerate(("Ann", "Ben", "Cem"))]
        session = server.session
        rng = random.Random(2)
        while session.game.turn(session.state).kind.value != "all":
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
        item = people[0].get("board")["legal"][0]
        people[0].post("actions", action=item["id"])
        people[1].post("undo")
        secret = item["id"].split(":", 1)[-1]
        assert server.session.takeback is not None
        for other in people[1:]:
            assert secret not in str(other.get("history")[-2:])
            assert secret not in str(other.get("board")["takeback"])
