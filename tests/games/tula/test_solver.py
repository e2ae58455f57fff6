"""The solver and the hints of Tula."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.games import game
from rules.games.tula import solver
from rules.games.tula.temple import SETUPS, TempleSearch, matches, temple
from rules.pieces.piece import TILES

GAME = game("tula")


def shuffled(setup: str, seed: int) -> str:
    tiles = list(TILES) * temple(setup).packs
    random.Random(seed).shuffle(tiles)
    return "".join(piece.code[1:] for piece in tiles)


def replay(setup: str, tiles: str, solution: list[str], **options: object) -> Any:
    """Plays the solution, turning up everything that can be turned before every removal."""
    state = GAME.start({"setup": setup, "tiles": tiles, **options})
    for text in solution:
        while text != "start" and (turn := next((a for a in GAME.legal(state) if a.verb in ("reveal", "show")), None)):
            state = GAME.advance(state, turn)
        action = GAME.read(state, text)
        assert GAME.refusal(state, action) is None, text
        state = GAME.advance(state, action)
        if text == "start":
            state = GAME.advance(state, next(iter(GAME.legal(state))))
    return state


@pytest.mark.parametrize("setup", SETUPS)
def test_solutions_can_be_played(setup: str) -> None:
    solved = 0
    for seed in range(8):
        tiles = shuffled(setup, seed)
        found = solver.solve(f"{setup}: {tiles}")
        if found["solvable"]:
            solved += 1
            assert found["moves"] == len(temple(setup).spots)
            assert replay(setup, tiles, found["solution"]).end == "won"
    assert solved


@pytest.mark.full
def test_the_share_of_winnable_deals_is_the_known_one() -> None:
    """About 37 in 100 originals, 50 with mercy, 68 of variant 1."""
    deals = range(200)
    plain = sum(solver.solve(shuffled("original", seed))["solvable"] for seed in deals)
    mercy = sum(solver.solve(shuffled("original", seed), mercy=True)["solvable"] for seed in deals)
    first = sum(solver.solve(shuffled("variant1", seed), "variant1")["solvable"] for seed in deals)
    assert 60 <= plain <= 90
    assert 85 <= mercy <= 120
    assert 120 <= first <= 150


def test_refuted_deals_are_lost_by_brute_force_too() -> None:
    """A plain search over the game itself, without any of the solver's ideas, on small ends of the temple."""
    verdicts = set()
    for seed in range(40):
        tiles = shuffled("original", seed)
        names = temple("original").names
        fields = {"present": [*names[:9], names[13]], "stack": [tiles[46:]]}
        state = GAME.position(fields, GAME.card.options_type(tiles=tiles), ())
        path = TempleSearch(temple("original"), state.deal).solve(state.present, 23)
        verdicts.add(path is not None)
        assert (path is not None) == _can_be_won(state)
    assert verdicts == {True, False}


def _can_be_won(state: Any) -> bool:
    if state.end:
        return bool(state.end == "won")
    turn = next((action for action in GAME.legal(state) if action.verb in ("reveal", "show")), None)
    if turn:
        return _can_be_won(GAME.advance(state, turn))
    return any(_can_be_won(GAME.advance(state, action)) for action in GAME.legal(state))


def test_mercy_saves_a_deal() -> None:
    saved = 0
    for seed in range(40):
        tiles = shuffled("original", seed)
        found = solver.solve(tiles, mercy=True)
        if any("exchange" in step for step in found["solution"]):
            saved += 1
            assert not solver.solve(tiles)["solvable"]
            assert replay("original", tiles, found["solution"], mercy=True).end == "won"
    assert saved


@pytest.mark.parametrize(
    ("tiles", "setup"),
    [("S3", None), ("", None), ("S3" * 24, None), (shuffled("original", 1), "variant2"), ("x", "tower")],
)
def test_bad_input_is_a_value_error(tiles: str, setup: str | None) -> None:
    with pytest.raises(ValueError, match=r"tile|temple"):
        solver.solve(tiles, setup)


@pytest.mark.parametrize("options", [{}, {"mercy": True}, {"demerit": True, "line": True}])
def test_hints_are_legal_and_do_not_peek(options: dict[str, object]) -> None:
    rng = random.Random(4)
    state = GAME.start({"tiles": shuffled("original", 3), **options})
    while not GAME.turn(state).is_over:
        seat = GAME.turn(state).seat
        action = GAME.sample(state, rng) if seat is None else solver.hint(state)
        assert action
        if seat is not None:
            assert action == solver.hint(GAME.view(state, 0))
        assert GAME.refusal(state, action) is None
        state = GAME.advance(state, action)
    assert solver.hint(state) is None


def test_matching() -> None:
    assert [matches(TILES[0], other) for other in TILES].count(True) == 6 + 3
