"""The solver of Fuji-San against the printed puzzles and the community's own solver."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games import game
from rules.games.fuji_san import solver
from rules.games.fuji_san.climbs import SUMMIT_MASK, search, task_of
from rules.games.fuji_san.mountain import PRESETS

GAME = game("fuji_san")


def replay(found: dict[str, Any], options: dict[str, object], before: str = "") -> Any:
    state = GAME.start(options)
    for word in (*before.split(), *found["solution"]):
        action = GAME.read(state, word)
        assert GAME.refusal(state, action) is None, word
        state = GAME.advance(state, action)
    return state


@pytest.mark.parametrize(
    ("layout", "printed", "crossing"),
    [("easy", 12, 12), ("medium", 29, 27), ("hard", 39, 39), ("expert", 62, 62)],
)
def test_9_2_the_printed_lengths(layout: str, printed: int, crossing: int) -> None:
    for cross, length in ((False, printed), (True, crossing)):
        found = solver.solve(PRESETS[layout], summit_cross=cross)
        assert (found["solvable"], found["moves"]) == (True, length)
        state = replay(found, {"layout": layout, "summit_cross": cross})
        assert (state.end, state.moves) == ("summit", length)


def test_9_3_with_aces_as_null_only_the_easy_one_is_left() -> None:
    assert [solver.solve(layout, aces_null=True)["moves"] for layout in PRESETS] == [12, None, None, None]


def test_the_communitys_oracles() -> None:
    rescued = solver.solve("2nnna244naa5/335a45235432", dice="a2/55")
    assert (rescued["solvable"], rescued["moves"]) == (True, 12)
    state = replay(rescued, {"layout": "2nnna244naa5/335a45235432"}, "roll(S1+M2+C5+A5)")
    assert (state.end, state.moves) == ("summit", 12)
    failed = solver.solve("235334140030554141221205", dice="0000")
    assert (failed["solvable"], failed["moves"], failed["needs_dice"]) == (False, None, True)
    assert solver.solve("235334140030554141221205")["needs_dice"]
    assert solver.solve("medium")["moves"] == 27


def test_dice_without_a_slash_are_in_the_order_of_the_suits() -> None:
    found = solver.solve("2nnna244naa5335a45235432", dice="0005")
    assert found["solution"][:1] == ["rescue(arms)"] or not found["solvable"]


@pytest.mark.parametrize(("coins", "dice"), [("123", None), ("x" * 24, None), ("easy", "12"), ("easy", "abcd")])
def test_bad_input_is_a_value_error(coins: str, dice: str | None) -> None:
    with pytest.raises(ValueError, match="write"):
        solver.solve(coins, dice=dice)


@pytest.mark.parametrize(
    ("layout", "occupied", "vacate"), [("easy", 10, 7), ("medium", 13, 8), ("hard", 10, 7), ("expert", 11, 9)]
)
def test_9_4_the_shortest_descents(layout: str, occupied: int, vacate: int) -> None:
    for ground, length in (("occupied", occupied), ("vacate", vacate)):
        options = GAME.card.options_type(layout=layout, country_road=True, ground=ground)
        state = GAME.position({"priests": ["g2", "g1", "h2", "h1"], "phase": "descent"}, options, ())
        path = search(task_of(state), SUMMIT_MASK).path
        assert path
        assert len(path) - 1 == length


@pytest.mark.parametrize("ground", ["occupied", "vacate"])
def test_hints_lead_up_and_down(ground: str) -> None:
    state = GAME.start({"layout": "easy", "country_road": True, "ground": ground})
    assert solver.hint(GAME.start()) is None
    while not state.end:
        action = solver.hint(state)
        assert action
        assert GAME.refusal(state, action) is None
        state = GAME.advance(state, action)
    assert (state.end, state.moves) == ("down", 22 if ground == "occupied" else 19)


def test_the_hint_chooses_the_die() -> None:
    state = GAME.start({"layout": "2nnna244naa5/335a45235432"})
    state = GAME.advance(state, GAME.read(state, "roll(S1+M2+C5+A5)"))
    assert str(solver.hint(state)) == "rescue(suns)"
    hopeless = GAME.start({"layout": "hard", "aces_null": True})
    assert solver.hint(hopeless) is None
