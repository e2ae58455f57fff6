"""Comparison of a finished game with the best play, for games that are solved exactly; hints for puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.projections.choices import action_with_text
from companion_api.seat_view import SeatView
from rules.engine.action import Action
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import is_solved, solver_of


def is_hint_allowed(table: SeatView) -> bool:
    """Whether a hint is allowed: in a solved game played alone; two players get the comparison after the game."""
    alone = len(table.seats) == 1 and is_solved(table.game.card.id)
    return alone and table.game.turn(table.state).kind is TurnKind.SEAT


def hint_for(table: SeatView) -> Action | None:
    """The best action, from what this seat knows."""
    solver = solver_of(table.game.card.id) if is_hint_allowed(table) else None
    return solver.hint(table.state) if solver else None


def study_of(history: History) -> dict[str, Any]:
    """The shortest solution of a puzzle, board by board, and the moves of a game that gave something away."""
    solver = solver_of(history.game.card.id)
    solution = _solution(history, solver) if history.game.card.seats == (1,) else None
    return {"solution": solution, "better": [] if solution else list(_better(history, solver))}


def _states(history: History) -> list[Any]:
    return [history.first, *(entry.state for entry in history.entries)]


def _solution(history: History, solver: Any) -> dict[str, Any] | None:
    """Fewest moves from the first position that people played from, with the boards on the way."""
    game, taken = history.game, next(iter(history.game.outcome(history.state).scores), 0)
    if whole := getattr(solver, "solution", None):
        found = whole(history.first, history.state)
        counts = "left"
        if found is None:
            return None
    elif route := getattr(solver, "route", None):
        states = [state for state in _states(history) if game.turn(state).kind is TurnKind.SEAT]
        found = next(((state, route_actions) for state in states if (route_actions := route(state))), None)
        counts = "moves"
        if found is None:
            return {"counts": counts, "needed": None, "taken": taken, "steps": []}
    else:
        return None
    state, route_actions = found
    steps: list[dict[str, Any]] = [{"action": None, "layout": game.layout(state).to_json(), "scores": []}]
    for action in route_actions:
        state = game.advance(state, action)
        done, layout = action_with_text(game, action), game.layout(state).to_json()
        steps.append({"action": done, "layout": layout, "scores": list(game.outcome(state).scores)})
    needed = next(iter(game.outcome(state).scores), len(route_actions))
    return {"counts": counts, "needed": needed, "taken": taken, "steps": steps}


def _better(history: History, solver: Any) -> Iterator[dict[str, Any]]:
    """`index` counts the actions; `code`: what was given away (`win`, `draw`), or `route` where a solution existed."""
    value, route = getattr(solver, "value", None), getattr(solver, "route", None)
    game, states = history.game, _states(history)
    for index, entry in enumerate(history.entries):
        before = states[index]
        turn = game.turn(before)
        if entry.is_laid or turn.kind is TurnKind.CHANCE:
            continue
        if value is not None and turn.kind is TurnKind.SEAT:
            best_sign, played_sign = _sign(value(before)), _sign_after(history, value, entry.state, turn.seats[0])
            if played_sign < best_sign and (best := solver.hint(before)):
                code = "win" if best_sign > 0 else "draw"
                better = [action_with_text(game, best)]
                yield {"index": index, "seat": turn.seats[0], "code": code, "actions": better}
        elif route is not None and (route_actions := route(before)):
            better = [action_with_text(game, action) for action in route_actions]
            yield {"index": index, "seat": None, "code": "route", "actions": better}


def _sign(value: int | None) -> int:
    return 0 if value is None else 1 if value > 0 else -1


def _sign_after(history: History, value: Any, state: Any, seat: int) -> int:
    """Value of a state for the seat that has just moved: 1 win, 0 draw, -1 loss."""
    game = history.game
    outcome = game.outcome(state)
    if outcome.over:
        return 0 if outcome.drawn or not outcome.winners else 1 if seat in outcome.winners else -1
    sign = _sign(value(state))
    return sign if seat in game.turn(state).seats else -sign
