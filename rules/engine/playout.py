"""Random games (for tests of the end of a game, measures of its speed, test positions) and perft counts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Playout:
    seed: int
    plies: int
    finished: bool
    outcome: Outcome


MAX_PLIES = 5000


def walk(
    game: AnyGame, seed: int, options: Mapping[str, object] | None = None, seats: object = None
) -> Iterator[tuple[Any, Action]]:
    """Each state of a random game with the action done in it."""
    rng = random.Random(seed)
    state = game.start(options, seats)
    for _ in range(MAX_PLIES):
        if game.turn(state).is_over:
            return
        action = game.sample(state, rng)
        yield state, action
        state = game.advance(state, action)


def play_out(
    game: AnyGame, seed: int, options: Mapping[str, object] | None = None, seats: object = None, limit: int = MAX_PLIES
) -> Playout:
    rng = random.Random(seed)
    state = game.start(options, seats)
    plies = 0
    while plies < limit and not game.turn(state).is_over:
        state = game.advance(state, game.sample(state, rng))
        plies += 1
    return Playout(seed, plies, game.turn(state).is_over, game.outcome(state))


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """Number of sequences of `depth` actions; a game that ends earlier counts once."""
    if depth == 0 or game.turn(state).is_over:
        return 1
    if depth == 1:
        return sum(1 for _ in game.legal(state))
    return sum(perft(game, game.advance(state, action), depth - 1) for action in game.legal(state))


def divide(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """`perft` by first action."""
    return {action.id: perft(game, game.advance(state, action), depth - 1) for action in game.legal(state)}
