"""Who may not act now is told by the clause of the step that is being played, and by the own reason."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.card import read_options, read_seats
from rules.engine.playout import walk
from rules.engine.positions import set_up
from rules.engine.turn import TurnKind
from rules.games import game


def refusal(name: str, fields: dict[str, Any], text: str, *before: str, seats: Any = None, options: Any = None) -> Any:
    found = game(name)
    chosen: Any = read_options(found.card.options_type, options)
    people = read_seats(found.card, seats)
    state = set_up(found, fields, chosen, people)
    for action in before:
        assert found.refusal(state, parse_action(action)) is None, found.refusal(state, parse_action(action))
        state = found.apply(state, parse_action(action)).state
    return found.refusal(state, found.read(state, text))


DROWNED = {"pawns": {"M": [4, 0], "C": [2, 1]}, "line": ["S", "3", "M"]}
DRIFTING = {"phase": "drift"}
GW = {"pawns": {"S": [2, 1], "M": [4, 0]}, "line": ["S", "3", "M"]}
MICE = {"cheese": {"c3": "S0"}, "mice": {"S": "b2", "M": "g2", "C": "b7", "A": "g7"}}
ON_THE_WAY = {"layout": "easy", "priests": ["e1", "a2", "n2", "n1"]}
NUMBER: dict[str, Any] = {"phase": "number"}


@pytest.mark.parametrize(
    ("name", "fields", "before", "text", "clause", "says"),
    [
        ("ice_floe", NUMBER, [], "slide(a1,N)", "ICE-4.1", "tiles slide in the movement part"),
        ("ice_floe", NUMBER, [], "commit_number(3)", "ICE-4.12", "say which seat does it"),
        ("ice_floe", NUMBER, ["0:commit_number(3)"], "0:commit_number(4)", "ICE-4.12", "nothing left to choose"),
        ("ice_floe", {**NUMBER, "sanctioned": [1]}, [], "1:commit_number(4)", "ICE-4.26", "may not vote"),
        ("global_warming", GW, [], "decline", "GW-4.1", "set in secret"),
        ("global_warming", GW, ["0:commit(S,3)"], "0:commit(S,4)", "GW-4.1", "nothing left to choose"),
        ("global_warming", DROWNED, [], "0:commit(S,4)", "GW-4.2", "has drowned and does not choose"),
        ("penguin", DRIFTING, [], "drift(a1,40,0,0)", "PENG-9.8", "a tile at o1 would not touch"),
        ("four_blind_mice", {**MICE, "target": "c3", "phase": "bid"}, [], "time_up", "MICE-5.1", "rounds"),
        ("four_blind_mice", {**MICE, "phase": "choose"}, [], "1:uncover(c3)", "MICE-4.1", "seat 0 is to act"),
        ("zombie", {"rooms": {"0:0": "S0", "1:0": "A4"}, "phase": "move"}, [], "open(0:1)", "ZOMB-2.3", "one doorway"),
        ("fuji_san", {"layout": "easy"}, [], "climb(a2,a2)", "FUJI-4.1", "stays where it is"),
        ("fuji_san", ON_THE_WAY, [], "e1-e1", "FUJI-4.1", "stays where it is"),
        ("fuji_san", ON_THE_WAY, [], "side(e1,e1)", "FUJI-4.2", "stays where it is"),
        ("dodgem", {}, [], "a5-a5", "DODG-4.4", "stays where it is"),
    ],
)  # fmt: skip
def test_the_clause_is_that_of_the_step(
    name: str, fields: dict[str, Any], before: list[str], text: str, clause: str, says: str
) -> None:
    found = refusal(name, fields, text, *before)
    assert found is not None
    assert (found.clause, says in found.text) == (clause, True), found


def test_values_of_coins_are_written_in_any_of_their_ways() -> None:
    """San Andreas takes M0 in a position; `reveal(..,0)` and `reveal(..,null)` are the same."""
    cities = {"cities": ["M?@x2y14"], "phase": "score"}
    assert refusal("san_andreas", cities, "reveal(x2y14,0)", seats=4) is None
    assert refusal("san_andreas", cities, "reveal(x2y14,null)", seats=4) is None
    assert refusal("san_andreas", cities, "reveal(x2y14,7)", seats=4).code == "bad_argument"


SEATS = {"delegate_dash": 4, "decay": 4, "dectana": 3}


@pytest.mark.parametrize(
    ("name", "clauses"),
    [
        (
            "decay",
            {"create": "DECAY-3.3", "pawn": "DECAY-4.26", "slide": "DECAY-4.26", "take": "DECAY-5.16"},
        ),
        ("dectana", {"enter": "DEC-3.5", "turn": "DEC-3.4", "use": "DEC-4.3", "discard": "DEC-4.10"}),
        ("delegate_dash", {"move": "DASH-4.3", "caucus": "DASH-8.4", "take": "DASH-4.8", "convention": "DASH-5.4"}),
    ],
)  # fmt: skip
def test_every_step_of_the_larger_games_has_its_own_clause(name: str, clauses: dict[str, str]) -> None:
    """Whoever is not to act is told by the clause of the step, met in random games."""
    found = game(name)
    told: dict[str, set[str]] = {}
    for seed in range(3):
        for state, action in islice(walk(found, seed, None, SEATS[name]), 1200):
            turn = found.turn(state)
            if turn.kind is TurnKind.SEAT and not found.is_open_to_all(action):
                other = replace(action, seat=(turn.seats[0] + 1) % SEATS[name])
                in_convention = name == "delegate_dash" and turn.phase == "take" and not state.campaigning
                refused = found.refusal(state, other)
                assert refused is not None
                assert refused.code == "not_your_turn"
                told.setdefault("convention" if in_convention else turn.phase, set()).add(refused.clause)
    assert {phase: told.get(phase) for phase in clauses} == {phase: {clause} for phase, clause in clauses.items()}
