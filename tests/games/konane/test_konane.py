"""Konane clause by clause, against a second way to count, and the laws in every variant."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rules.engine.effects import EffectKind
from rules.engine.playout import perft, play_out, walk
from rules.games import game
from rules.games.konane import solver
from tests.conformance.laws import check_laws
from tests.conformance.playthrough import by_luck, check_playthrough, transcript
from tests.games.playing import Player

GAME = game("konane")
PLAYER = Player(GAME)
refused = PLAYER.refused
NO_COINS: dict[str, list[str]] = {"suns": [], "moons": [], "crowns": [], "arms": []}


def position(options: Mapping[str, object] | None = None, /, **fields: Any) -> Any:
    lists = {name: value.split() if name in NO_COINS else value for name, value in fields.items()}
    return GAME.position(NO_COINS | lists, GAME.card.options_type(**(options or {})), ())


def played(text: str, options: Mapping[str, object] | None = None) -> Any:
    state = GAME.start(options)
    for turn in text.split():
        action = GAME.read(state, turn)
        assert GAME.refusal(state, action) is None, turn
        state = GAME.apply(state, action).state
    return state


def legal(state: Any) -> set[str]:
    return {"-".join(action.args) for action in GAME.legal(state)}


def test_the_board_is_full_and_the_armies_alternate() -> None:
    """KONA-3.2: an army lies where file and rank are both odd or both even."""
    coins = [placed for placed in GAME.layout(GAME.start()) if placed.piece.kind.value == "coin"]
    assert len({placed.place for placed in coins}) == 24
    for placed in coins:
        first = placed.piece.code[1] in "SM"
        assert (ord(placed.place[0]) - 97 + int(placed.place[1]) - 1) % 2 == (0 if first else 1), placed.place
        assert (placed.piece.code[1] in "SC") == (int(placed.place[1]) <= 3), placed.place


def test_the_first_coin_comes_from_the_middle_or_a_corner() -> None:
    assert legal(GAME.start()) == {"c3", "b4", "a1", "d6"}
    anywhere = GAME.start({"first": "anywhere"})
    assert legal(anywhere) == {"a1", "c1", "b2", "d2", "a3", "c3", "b4", "d4", "a5", "c5", "b6", "d6"}
    assert refused(GAME.start(), "b2") == "KONA-4.1"


def test_the_second_coin_comes_from_beside_the_gap() -> None:
    state = played("c3")
    assert (GAME.turn(state).seat, GAME.turn(state).phase) == (1, "removing")
    assert legal(state) == {"c4", "d3", "c2", "b3"}
    assert legal(played("a1")) == {"a2", "b1"}
    assert refused(state, "b1") == "KONA-4.2"


@pytest.mark.parametrize(
    ("begun", "text", "clause"),
    [
        ("", "a1-a3", "KONA-4.1"),
        ("", "b1", "KONA-3.3"),
        ("", "remove(e1)", "KONA-2.1"),
        ("c3", "c3", "KONA-4.3"),
        ("c3", "a1", "KONA-3.3"),
        ("c3 b3", "c5-c3", None),
        ("c3 b3", "c5", "KONA-4.3"),
        ("c3 b3", "b1-b3", "KONA-3.3"),
        ("c3 b3", "c3-c5", "KONA-4.3"),
        ("c3 b3", "a1-a3", "KONA-4.3"),
        ("c3 b3", "c5-c4", "KONA-4.3"),
        ("c3 b3", "c5-d4", "KONA-4.4"),
        ("c3 b3", "jump(c5,c7)", "KONA-2.1"),
        ("c3 b3", "jump(z9,c3)", "KONA-2.1"),
        ("c3 b3", "pass", "KONA-4.5"),
        ("c3 b3", "1:jump(b1,b3)", "KONA-3.3"),
    ],
)
def test_refusals(begun: str, text: str, clause: str | None) -> None:
    assert refused(played(begun), text) == clause


def test_a_jump_goes_on_straight_and_may_stop() -> None:
    """KONA-4.4: over one or two coins in a line; the player says where it ends."""
    state = position(suns="a1", crowns="a2 a4", arms="a6 b3 d5")
    assert legal(state) == {"a1-a3", "a1-a5"}, "not round the corner over b3"
    step = GAME.apply(state, GAME.read(state, "a1-a5"))
    assert [effect.kind for effect in step.effects[:3]] == [EffectKind.MOVE, EffectKind.REMOVE, EffectKind.REMOVE]
    assert {effect.clause for effect in step.effects[:3]} == {"KONA-4.4"}
    assert step.state.army(1).bit_count() == 3
    assert refused(state, "a1-c3") == "KONA-4.4"
    assert refused(state, "jump(a1,a6)") == "KONA-4.3"


def test_a_jump_stops_before_a_gap_and_before_two_coins_in_a_row() -> None:
    far = position(suns="a1 a5", crowns="a2 a4")
    assert legal(far) == {"a1-a3", "a5-a3"}
    assert refused(far, "a1-a5") == "KONA-4.3"
    gap = position(suns="a1", crowns="a2", arms="b5")
    assert legal(gap) == {"a1-a3"}
    assert refused(gap, "a1-a5") == "KONA-4.3"


def test_suns_can_always_jump_after_the_second_turn() -> None:
    """KONA-8.3, also where the first coin may come from anywhere."""
    first = GAME.start({"first": "anywhere"})
    for gap in GAME.legal(first):
        opened = GAME.advance(first, gap)
        for beside in GAME.legal(opened):
            assert legal(GAME.advance(opened, beside)), (gap.id, beside.id)


def test_coins_that_have_left_lie_with_the_opponent() -> None:
    """Also the first ones, which their owners took off themselves (KONA-7.2)."""
    spent = {placed.key: placed.seat for placed in GAME.layout(played("c3 b3 c5-c3")) if placed.zone.value == "spent"}
    assert spent == {"suns-taken0": 1, "crowns-taken0": 0, "arms-taken0": 0}


@pytest.mark.parametrize(
    ("fields", "text", "winner"),
    [
        ({"suns": "a1", "crowns": "a2"}, "a1-a3", 0),
        ({"suns": "a1 c1", "crowns": "a2 b3", "to_act": "crowns"}, "a2-c2", None),
        ({"suns": "a1", "crowns": "b1 d5", "to_act": "suns"}, "a1-c1", 0),
        ({"suns": "b2 d6", "crowns": "b1", "to_act": "crowns"}, "b1-b3", 1),
    ],
)
def test_who_cannot_jump_has_lost(fields: dict[str, Any], text: str, winner: int | None) -> None:
    state = position(**fields)
    action = GAME.read(state, text)
    if winner is None:
        assert GAME.refusal(state, action) is not None
        return
    after = GAME.apply(state, action).state
    outcome = GAME.outcome(after)
    assert (outcome.over, outcome.winners, outcome.clause) == (True, (winner,), "KONA-5.1")
    assert not legal(after)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"suns": "a7"}, "no place 'a7'"),
        ({"suns": "b1"}, "b1 is a space of the other player's coins"),
        ({"crowns": "a1"}, "a1 is a space of the other player's coins"),
        ({"to_act": "moons"}, "to_act"),
        ({"cats": "a1"}, "no field 'cats'"),
        ({"suns": "a1", "moons": "a1"}, "two coins are on a1"),
    ],
)
def test_positions_that_cannot_be(fields: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        position(**fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"suns": ["a1"], "to_act": "crowns"},
        {"suns": ["a1"], "moons": [], "to_act": "suns"},
        {"crowns": ["b1", "d1", "a2", "c2", "b3"], "to_act": "crowns"},
        {"crowns": ["b1"]},
    ],
)
def test_who_has_all_coins_takes_the_first_one_off(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="takes one off"):
        GAME.position(fields, GAME.card.options_type(), ())


def test_a_position_after_the_first_coin() -> None:
    fields = {"suns": ["a1", "c1", "b2", "d2", "a3"], "to_act": "crowns"}
    assert legal(GAME.position(fields, GAME.card.options_type(), ())) == {"c4", "d3", "c2", "b3"}


def test_every_game_ends() -> None:
    assert all(play_out(GAME, seed).finished for seed in range(40))


# A second way to count: a set of stones by number, and nothing of the game --------------------------------------


Board = frozenset[complex]
FULL: Board = frozenset(complex(file, rank) for file in range(4) for rank in range(6))
AROUND = (1, -1, 1j, -1j)


def _black(stone: complex) -> bool:
    return (stone.real + stone.imag) % 2 == 0


def _openings() -> Iterator[Board]:
    """The board after the second turn, once for every way to get there."""
    for gap in (2 + 2j, 1 + 3j, 0j, 3 + 5j):
        yield from (FULL - {gap, gap + way} for way in AROUND if gap + way in FULL)


def _leaps(stones: Board, black: bool) -> Iterator[Board]:
    for stone in stones:
        if _black(stone) is black:
            for way in AROUND:
                left, at = stones - {stone}, stone
                while at + way in left and at + 2 * way in FULL - left:
                    left, at = left - {at + way}, at + 2 * way
                    yield left | {at}


def _count(stones: Board, black: bool, depth: int) -> int:
    """Games that end earlier count as one."""
    if depth == 0:
        return 1
    return sum(_count(after, not black, depth - 1) for after in _leaps(stones, black)) or 1


def test_perft() -> None:
    state = GAME.start()
    assert [perft(GAME, state, depth) for depth in range(3)] == [1, 4, 12]
    counted = [sum(_count(stones, True, depth) for stones in _openings()) for depth in range(5)]
    assert [perft(GAME, state, depth + 2) for depth in range(5)] == counted


def test_perft_of_long_jumps() -> None:
    stones = frozenset({0j, 3 + 1j, 1 + 3j, 3 + 5j, 1 + 0j, 1j, 2 + 1j, 3j, 2 + 3j})
    state = position(suns="a1 d2", moons="b4 d6", crowns="b1 a2 c2", arms="a4 c4")
    counted = [_count(stones, True, depth) for depth in range(5)]
    assert counted[1] == 5
    assert [perft(GAME, state, depth) for depth in range(5)] == counted


def _black_wins(stones: Board, black: bool) -> bool:
    return any(_black_wins(after, not black) is black for after in _leaps(stones, black)) is black


def _stones(state: Any) -> Board:
    coins = [placed.place for placed in GAME.layout(state).board if placed.piece.kind.value == "coin"]
    return frozenset(complex(ord(name[0]) - 97, int(name[1]) - 1) for name in coins)


def test_the_solver_says_who_wins() -> None:
    for seed in range(12):
        for state, _ in islice(walk(GAME, seed), 9, None):
            wins = _black_wins(_stones(state), state.to_act == 0) is (state.to_act == 0)
            assert solver.value(state) == wins, (seed, state)


def test_a_hint_keeps_a_won_game_won() -> None:
    """Crowns wins whatever Suns begins with: so says the solver, and so it plays."""
    assert [solver.value(GAME.start({"first": first})) for first in ("middle_or_corner", "anywhere")] == [0, 0]
    for seed in range(3):
        state, rng = GAME.start(), random.Random(seed)
        while not GAME.turn(state).is_over:
            hint = solver.hint(state) if state.to_act else GAME.sample(state, rng)
            assert hint is not None
            state = GAME.advance(state, hint)
        assert GAME.outcome(state).winners == (1,), seed


@pytest.mark.parametrize("options", [{}, {"first": "anywhere"}])
def test_laws(options: dict[str, object]) -> None:
    assert sum(check_laws(GAME, seed, options) for seed in range(3)) > 20


def test_playthrough() -> None:
    check_playthrough(Path(__file__).with_name("playthrough.txt"), transcript(GAME, by_luck(GAME, 3)))
