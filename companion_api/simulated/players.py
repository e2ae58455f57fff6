"""Players of a simulated table who play to win a little: by the solver of the game in one seat, and otherwise by
looking at a few actions and where random play leads from each. Budgets are counted in actions, not in time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.turn import TurnKind
from rules.games import solver_of

Choose = Callable[[AnyGame, Any, random.Random], Action]
CANDIDATES = 6
"""So many actions are looked at."""
AHEAD = 30
"""So many actions are played after each of them."""
WIN = 50
"""What a win is worth beside the points by which somebody is ahead."""
SOLVED_SEAT = 0
"""Who plays by the solver, where there is one: two perfect players would only draw."""


def by_luck(game: AnyGame, state: Any, rng: random.Random) -> Action:
    """Any legal action."""
    return game.sample(state, rng)


def to_win(game: AnyGame, state: Any, rng: random.Random) -> Action:
    """The action of somebody who would like to win; what dice, shuffled coins and sealed choices do is left to luck."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT:
        return game.sample(state, rng)
    seat = turn.seats[0]
    solver = solver_of(game.card.id) if seat == SOLVED_SEAT else None
    advised = solver.hint(state) if solver else None
    return advised or _looked_ahead(game, state, seat, rng)


def _looked_ahead(game: AnyGame, state: Any, seat: int, rng: random.Random) -> Action:
    drawn = (game.sample(state, rng) for _ in range(2 * CANDIDATES))
    candidates = list(dict.fromkeys(drawn))[:CANDIDATES]
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda action: _worth(game, _later(game, game.advance(state, action), rng), seat))


def _later(game: AnyGame, state: Any, rng: random.Random) -> Any:
    for _ in range(AHEAD):
        if game.turn(state).is_over:
            break
        state = game.advance(state, game.sample(state, rng))
    return state


def _worth(game: AnyGame, state: Any, seat: int) -> int:
    outcome = game.outcome(state)
    others = [points for number, points in enumerate(outcome.scores) if number != seat]
    ahead = outcome.scores[seat] - max(others, default=0) if outcome.scores else 0
    if not outcome.over or outcome.drawn or not outcome.winners:
        return ahead
    return ahead + (WIN if seat in outcome.winners else -WIN)
