"""Why a move is refused."""

from __future__ import annotations

from rules.engine import Action, Code, Refusal
from rules.games.jul_gonu.moves import moves, restores
from rules.games.jul_gonu.opening import STEPS, State


def check_pass(state: State) -> Refusal | None:
    return STEPS.check_pass(moves(state))


def check_move(state: State, source: str, target: str) -> Refusal | None:
    return STEPS.check_move(state, source, target) or _check_ko(state, source, target)


def _check_ko(state: State, source: str, target: str) -> Refusal | None:
    if not (state.options.ko and restores(state, Action("move", (source, target)))):
        return None
    text = f"{source} to {target} would restore a position of a moment ago"
    return Refusal(Code.REPEATS, "JULG-8.6", text, {"from": source, "to": target})
