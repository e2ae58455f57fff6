"""The worked tests of Dodg'em, by their number, and the laws in every variant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rules.engine.action import parse_action
from rules.engine.playout import perft
from rules.games import game
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("dodgem")
PLAYER = Player(GAME)
refused, position = PLAYER.refused, PLAYER.position


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) if action.verb == "move" else action.id for action in GAME.legal(state)}


@pytest.mark.parametrize(
    ("number", "options", "expected"),
    [
        (1, {}, "a1-b1 a2-b2 a3-b3 a4-b4 a5-b5 a5-a6"),
        (15, {"direction": "vout"}, "a2-b2 a3-b3 a4-b4 a5-b5 a6-b6 a2-a1"),
    ],
)
def test_first_moves(number: int, options: dict[str, object], expected: str) -> None:
    assert legal(GAME.start(options)) == set(expected.split())


@pytest.mark.parametrize(
    ("number", "fields", "action", "clause"),
    [
        (2, {}, "a1-a2", "DODG-4.1"),
        (3, {}, "a5-b6", "DODG-4.4"),
        (5, {"suns": ["a6"]}, "exit a6", None),
        (6, {"suns": ["a5"]}, "exit a5", "DODG-4.2"),
        (7, {"suns": ["c6"]}, "exit c6", None),
        (10, {"suns": ["a1"], "crowns": ["a2"]}, "pass", "DODG-4.5"),
        (13, {"suns": ["b6"], "crowns": ["c6"]}, "b6-c6", "DODG-4.1"),
        (13, {"suns": ["b6"], "crowns": ["c6"]}, "b6-a6", None),
    ],
)
def test_refusals(number: int, fields: dict[str, object], action: str, clause: str | None) -> None:
    assert refused(position(**fields), action) == clause


def test_5_an_exit_is_counted() -> None:
    state = position(suns=["a6", "a1"], off=[0, 0])
    assert GAME.apply(state, parse_action("exit(a6)")).state.off == (1, 0)


def test_9_a_blocked_side_can_only_pass() -> None:
    assert legal(position(suns=["a1"], crowns=["a2", "b1"])) == {"pass"}


def test_11_the_fifth_coin_off_the_board_wins() -> None:
    state = GAME.apply(position(suns=["d6"], off=[4, 0]), parse_action("exit(d6)")).state
    assert GAME.outcome(state).winners == (0,)


def test_14_facing_leaves_over_file_f_only() -> None:
    state = GAME.start({"direction": "facing"})
    assert refused(state, "a5-a6") is None
    assert refused(position({"direction": "facing"}, suns=["a6"]), "exit a6") == "DODG-4.2"


def test_a_pass_is_counted_for_the_repetition() -> None:
    """DODG-5.2: crowns is blocked, suns steps to and fro; the fourth pass brings the position for the third time."""
    state = position(suns=["a2", "b3", "e1"], crowns=["a3"], off=[2, 4])
    for turn, action in enumerate(["move(e1,f1)", "pass", "move(f1,e1)", "pass"] * 2):
        assert GAME.refusal(state, parse_action(action)) is None, (turn, action)
        state = GAME.apply(state, parse_action(action)).state
    outcome = GAME.outcome(state)
    assert outcome.over
    assert outcome.drawn
    assert outcome.clause == "DODG-5.2"


@pytest.mark.parametrize(("direction", "reachable"), [("literal", 1750), ("facing", 1879), ("vout", 1963)])
def test_the_small_board_has_the_known_number_of_positions(direction: str, reachable: int) -> None:
    first = GAME.start({"direction": direction, "size": 3, "repetition_draw": 0})
    seen = {(first.coins, first.to_act)}
    todo = [first]
    while todo:
        state = todo.pop()
        for action in GAME.legal(state):
            after = GAME.advance(state, action)
            if (after.coins, after.to_act) not in seen:
                seen.add((after.coins, after.to_act))
                todo.append(after)
    assert len(seen) == reachable


def test_perft() -> None:
    assert [perft(GAME, GAME.start(), depth) for depth in range(4)] == [1, 6, 36, 300]


def test_playthrough() -> None:
    text = transcript(GAME, by_luck(GAME, 3, {"size": 4}), {"size": 4})
    check_playthrough(Path(__file__).with_name("playthrough.txt"), text)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"direction": "facing"},
        {"direction": "vout"},
        {"size": 3},
        {"size": 4, "block_loses": True},
        {"repetition_draw": 0},
    ],
)
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options) for seed in range(2)) > 20
