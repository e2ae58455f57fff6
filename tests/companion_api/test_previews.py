"""What would be: previews, reasons, drawn alternatives; and the server's other small promises."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from companion_api.access import Role
from companion_api.app import make_app, safe_app
from companion_api.log.event import EventKind
from companion_api.log.store import LogUnavailableError
from companion_api.settings import Settings
from rules.games import game
from rules.sentence import say
from tests.companion_api.phones import Server
from tests.tiers import GAMES


def test_what_is_legal_is_previewed_with_its_effects(server: Server) -> None:
    told = server.host().get("why", params={"action": "move(a1,b1)"})
    assert told["ok"]
    assert told["effects"][0]["thing"] == {"kind": "coin", "suit": "suns", "value": None, "size": None, "mark": None}


@pytest.mark.parametrize(("source", "target"), [("a1", "c3"), ("a1", "a2"), ("f6", "f5")])
def test_two_taps_that_mean_nothing_legal_get_their_clause(server: Server, source: str, target: str) -> None:
    refusal = server.host().get("whynot", params={"source": source, "target": target})["refusal"]
    assert refusal["clause"].startswith("DODG")
    assert refusal["text"]


def test_of_what_is_nowhere_nothing_is_said(server: Server) -> None:
    assert server.host().get("whynot", params={"source": "zz", "target": "a1"})["refusal"] is None


def test_a_tile_and_a_free_spot_are_snapped_to_what_may_be_meant(tmp_path: Path) -> None:
    """Free-form Decay: tap a tile in the hand, then the table beside the board."""
    with Server(tmp_path, "decay") as server:
        session, rng, host = server.session, random.Random(1), server.host()
        while len(session.game.layout(session.state).board) < 3:
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
        item = next(item for item in host.get("board")["legal"] if item["id"].startswith("create_tile"))
        (tile,), (x, y) = item["touches"], (int(text) / 8 for text in item["id"][:-1].split(",")[1:])
        told = host.get("carried", params={"source": tile, "x": x + 0.15, "y": y - 0.1})
        host.post("actions", action=told["choices"][0]["id"])
        placed = next(p for p in session.game.layout(session.state).board if p.piece.code == tile)
        assert (placed.x, placed.y) == pytest.approx((x, y), abs=0.3)
        other = next(item for item in host.get("board")["legal"] if item["id"].startswith("create_tile"))["touches"][0]
        far = host.get("carried", params={"source": other, "x": 90, "y": 90})
        assert far["choices"] == []
        assert far["refusal"]["clause"].startswith("DECAY")
        nothing = host.get("carried", params={"source": "nothing", "x": 0, "y": 0})
        assert (nothing["choices"], nothing["refusal"]) == ([], None)
        assert host.ask("carried", params={"source": other, "x": "nan", "y": 1}).status_code == 422


def test_every_tile_that_may_be_moved_can_be_taken_up(tmp_path: Path) -> None:
    """One tile of Decay has hundreds of ways; they do not crowd the others out of what a phone is told."""
    with Server(tmp_path, "decay") as server:
        session, rng, host = server.session, random.Random(4), server.host()
        while getattr(session.game.turn(session.state), "phase", "") != "tile":
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
        movable = {session.game.touches(action) for action in session.game.legal(session.state)}
        listed = host.get("board")["legal"]
        assert {tuple(item["touches"]) for item in listed} == movable
        assert len({item["id"] for item in listed}) == len(listed)
        assert server.phone(Role.SPECTATOR).get("board")["open"] == listed, "the same for whoever looks on"
        source = max(movable)[0]
        spots = host.get("spots", params={"source": source})
        assert len(spots) > 5
        x, y = spots[0]
        assert host.get("carried", params={"source": source, "x": x, "y": y})["choices"]


def test_the_table_after_an_action_is_drawn_without_doing_it(server: Server) -> None:
    made = server.host().get("after", params={"action": "move(a1,b1)"})
    rules = game("dodgem")
    assert made["layout"] == rules.layout(rules.advance(rules.start(), rules.read(rules.start(), "a1-b1"))).to_json()
    assert server.session.seq == 1
    assert server.host().ask("after", params={"action": "move(a1,a5)"}).status_code == 422


@pytest.mark.parametrize("name", GAMES)
def test_every_alternative_can_really_be_chosen(name: str, tmp_path: Path) -> None:
    """Each drawn alternative of the last actions is legal in its place, so one tap corrects."""
    with Server(tmp_path, name) as server:
        session, rng, host = server.session, random.Random(3), server.host()
        for _ in range(12):
            session.act("table", session.game.sample(session.state, rng).id, expected=None, key=None)
        seq = session.event_of_action(-1)
        found = host.get(f"alternatives/{seq}")
        assert len(found) <= 6
        for other in found[:2]:
            host.post("corrections", seq=session.event_of_action(-1), actions=other["actions"])
            assert session.history.actions[-1].id == other["actions"][0]


@pytest.mark.parametrize("name", GAMES)
def test_points_over_time_end_where_the_game_stands(name: str, tmp_path: Path) -> None:
    with Server(tmp_path, name) as server:
        rng = random.Random(1)
        for _ in range(20):
            if not server.session.game.turn(server.session.state).is_over:
                action = server.session.game.sample(server.session.state, rng)
                server.session.act("table", action.id, expected=None, key=None)
        rows = server.host().get("scores")
        assert rows[-1]["scores"] == server.host().get("board")["scores"]
        assert len(rows) == len(server.session.history.entries) + 1


def test_safe_mode_serves_a_page_that_says_what_is_wrong() -> None:
    client = TestClient(safe_app(say("the disk is full; free some space")))
    assert client.get("/").status_code == 200
    answer = client.get("/api/board")
    assert answer.status_code == 503
    assert answer.json()["detail"] == "the disk is full; free some space"


def test_a_log_that_fails_is_told_and_the_service_goes_on(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk refuses one post; when there is room again the same post is taken."""
    log = server.tables.log
    host = server.host()
    pages = log._connection.execute("PRAGMA page_count").fetchone()[0]
    log._connection.execute(f"PRAGMA max_page_count = {pages}")
    status, number = 200, 0
    while status == 200 and number < 500:
        status = host.send("seat", seat=number % 2, name="x" * 40).status_code
        number += 1
    assert status == 503
    assert host.get("board")["seq"] == server.session.seq
    log._connection.execute("PRAGMA max_page_count = 100000")
    assert host.send("seat", seat=0).status_code == 200


def test_a_database_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(LogUnavailableError, match="sqlite:///FILE"):
        make_app(Settings(data=tmp_path, database="mysql://x"))


def test_the_prepared_position_of_a_record_is_kept_over_a_restart(server: Server) -> None:
    rules = game("dodgem")
    position = rules.advance(rules.start(), rules.read(rules.start(), "a1-b1"))
    card = rules.card
    data = {
        "game": card.id,
        "rules": card.version,
        "options": {},
        "seats": [{"name": "A", "suit": "suns"}, {"name": "B", "suit": "crowns"}],
        "first": rules.encode(position),
    }
    server.tables.log.append("laid", EventKind.STARTED, "import", data)
    assert server.tables.session("laid").state == position


def test_whoever_only_looks_on_is_offered_nothing_to_do(server: Server) -> None:
    assert server.phone(Role.SPECTATOR).get("board")["legal"] == []
    assert server.phone(seat=1).get("board")["legal"] == []
    assert server.phone(seat=0).get("board")["legal"] != []
