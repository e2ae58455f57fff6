"""Counts of action sequences of a given depth, for comparison with known numbers."""

from __future__ import annotations

from typing import Any

from rules.engine.contract import AnyGame


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
