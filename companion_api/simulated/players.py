"""Players for simulated tables: the game's solver in one seat, otherwise a few candidate actions rated by random
playouts. Budgets count actions, not time."""

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
"""Candidate actions per turn."""
PLAYOUT_ACTIONS = 30
"""Length of a playout in actions."""
WIN_POINTS = 50
"""Points of a win, compared with the lead in points."""
SOLVED_SEAT = 0
"""The seat played by the solver; two perfect players would only draw."""


def choose_randomly(game: AnyGame, state: Any, rng: random.Random) -> Action:
    """A random legal action."""
    return game.sample(state, rng)


def choose_to_win(game: AnyGame, state: Any, rng: random.Random) -> Action:
    """An action chosen to win; dice, shuffles and sealed choices stay random."""
    turn = game.turn(state)
    if turn.kind is not TurnKind.SEAT:
        return game.sample(state, rng)
    seat = turn.seats[0]
    solver = solver_of(game.card.id) if seat == SOLVED_SEAT else None
    hint = solver.hint(state) if solver else None
    return hint or _best_by_playouts(game, state, seat, rng)


def _best_by_playouts(game: AnyGame, state: Any, seat: int, rng: random.Random) -> Action:
    samples = (game.sample(state, rng) for _ in range(2 * CANDIDATES))
    candidates = list(dict.fromkeys(samples))[:CANDIDATES]
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda action: _evaluate(game, _play_out(game, game.advance(state, action), rng), seat))


def _play_out(game: AnyGame, state: Any, rng: random.Random) -> Any:
    for _ in range(PLAYOUT_ACTIONS):
        if game.turn(state).is_over:
            break
        state = game.advance(state, game.sample(state, rng))
    return state


def _evaluate(game: AnyGame, state: Any, seat: int) -> int:
    outcome = game.outcome(state)
    others = [points for number, points in enumerate(outcome.scores) if number != seat]
    lead = outcome.scores[seat] - max(others, default=0) if outcome.scores else 0
    if not outcome.over or outcome.drawn or not outcome.winners:
        return lead
    return lead + (WIN_POINTS if seat in outcome.winners else -WIN_POINTS)
