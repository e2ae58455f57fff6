"""Dice and draws by the server: from a seed whose hash was told first, the same for everybody who makes them again."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from companion_api.log.event import EventKind
from companion_api.reducers import generator, hash_of
from companion_api.session import Session
from rules.engine.turn import TurnKind
from rules.games import available, game
from tests.companion_api.phones import Server

LUCKY = [name for name in available() if TurnKind.CHANCE in game(name).card.turns]


def test_the_seed_stays_secret_until_the_end_and_explains_every_draw(tmp_path: Path) -> None:
    with Server(tmp_path, "zombie") as server:
        phone, session, rng = server.host(), server.session, random.Random(1)
        while session.game.turn(session.state).kind is not TurnKind.CHANCE:
            session.act("host", session.game.sample(session.state, rng), expected=None, key=None)
        phone.post("luck", key="a")
        seq = phone.post("luck", key="a")["seq"]  # sent again: nothing is drawn twice
        assert session.seq == seq
        seed = next(event.data["seed"] for event in session.events if event.kind is EventKind.LUCK)
        before = phone.get("board")["luck"]
        assert before["seed"] is None
        assert seed not in json.dumps([phone.get("history"), phone.get("board")])
        while not session.game.turn(session.state).is_over:
            session.act("host", session.game.sample(session.state, rng), expected=None, key=None)
        told = phone.get("board")["luck"]
        assert (told["hash"], hash_of(told["seed"])) == (before["hash"], before["hash"])
        drawn = [event for event in session.events if "luck" in event.data]
        assert [again(session, event.seq, told["seed"]) for event in drawn] == [e.data["action"] for e in drawn]


def again(session: Session, seq: int, seed: str) -> str:
    """The draw of an event, made once more of the seed and the position before it."""
    table = session.known(None)
    index = table.index_of(seq)
    assert index is not None
    number = session.events[seq - 1].data["luck"]
    return str(session.game.sample(table.before(index), generator(seed, number)).id)


@pytest.mark.parametrize("name", LUCKY)
def test_every_game_can_be_dealt_without_dice_or_camera(name: str, tmp_path: Path) -> None:
    """From the first chance to the first decision of people, one post."""
    options = {"penguin": {"start_player": "roll"}}.get(name, {})
    with Server(tmp_path, name, options) as server:
        host, session = server.host(), server.session
        for _ in range(40):
            if session.game.turn(session.state).kind is TurnKind.CHANCE:
                break
            host.post("actions", action=next(iter(session.game.legal(session.state))).id)
        else:
            pytest.fail("nothing was left to luck")
        phase = session.game.turn(session.state)
        host.post("luck")
        assert session.game.turn(session.state) != phase


def test_nothing_is_drawn_where_people_decide(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        assert server.host().send("luck").status_code == 422
