"""Arguments as values: nothing of an action has to be taken apart by whoever tells it."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.playout import walk
from rules.games import game
from tests.tiers import GAMES

CODE = re.compile(r"[tcdp][SMCA?][0-5?]?|[SMCA][na0-5]|[SMCA]-[A-F]|x-?\d+y-?\d+")

TWO_OF_SUNS = {"kind": "tile", "suit": "suns", "value": "2"}
SPACE = {"place": "x0y-2", "called": "0/-2"}


def words_in(value: Any) -> list[str]:
    """What is told as it stands."""
    if isinstance(value, str):
        return [value]
    return [word for each in value.get("all", ()) for word in words_in(each)] + [value.get("called") or ""]


@pytest.mark.parametrize("name", GAMES)
def test_every_argument_is_a_value_and_no_code_is_left_in_words(name: str) -> None:
    rules, seen = game(name), set[str]()
    for state, _ in islice(walk(rules, 3), 120):
        for action in islice(rules.legal(state), 12):
            values = [value.to_json() for value in rules.values(action)]
            assert len(values) == len(action.args), action
            assert json.loads(json.dumps(values)) == values
            assert [word for value in values for word in words_in(value) if CODE.fullmatch(word)] == [], action
            seen.add(action.verb)
    assert seen


@pytest.mark.parametrize(
    ("name", "action", "values"),
    [
        ("decay", "pawn_step(S2,M+M)", [TWO_OF_SUNS, {"all": [{"suit": "moons", "count": 2}], "joint": " + "}]),
        ("zombie", "open(0:1,draw)", [{"place": "0:1"}, {"word": "draw", "of": "code.room"}]),
        ("dectana", "grow(1W@x0y-2)", [{"kind": "pyramid", "size": "small", **SPACE, "way": "W"}]),
        ("ice_floe", "sanction(2)", [{"seat": 2}]),
        ("ice_floe", "add_coin(a,S)", [{"value": "ace"}, {"suit": "suns"}]),
        ("dodgem", "move(nowhere,b1)", [{"place": "nowhere"}, {"place": "b1"}]),
        ("san_andreas", "roll(S0+what)", ["S0+what"]),
        ("fuji_san", "deal(554344221335/311400512200)", [{"word": "easy", "of": "code.deal"}]),
    ],
)  # fmt: skip
def test_codes_are_read_as_their_game_writes_them(name: str, action: str, values: list[Any]) -> None:
    """What is no code stands as it is."""
    assert [value.to_json() for value in game(name).values(parse_action(action))] == values
