"""Counts the positions at a depth. Known numbers catch any slip in a game's rules."""

from __future__ import annotations

from typing import Any

from rules.engine.contract import AnyGame


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """How many sequences of that many actions there are; a finished game counts once where it ends."""
    if depth == 0 or game.turn(state).is_over:
        return 1
    if depth == 1:
        return sum(1 for _ in game.legal(state))
    return sum(perft(game, game.advance(state, action), depth - 1) for action in game.legal(state))


def divide(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """The same, per first action."""
    return {action.id: perft(game, game.advance(state, action), depth - 1) for action in game.legal(state)}
