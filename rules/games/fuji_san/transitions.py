"""From state to state: deal, dice, climb, carry and descent (FUJI-3 to FUJI-5, FUJI-9)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Action
from rules.games.fuji_san.climbs import moves, occupied
from rules.games.fuji_san.mountain import GROUND_ROW, INDEX, SUMMIT_ROW, WIDTH
from rules.games.fuji_san.opening import State
from rules.games.fuji_san.search import is_lost

SUMMIT_MASK = SUMMIT_ROW | SUMMIT_ROW << WIDTH
GROUND_MASK = GROUND_ROW | GROUND_ROW << WIDTH


def begin(state: State) -> State:
    """The coins lie open: climb, or ask the dice (FUJI-3.6)."""
    if moves(state):
        return settle(state)
    return replace(state, phase="roll")


def settle(state: State) -> State:
    """The phase or the end that follows from where the priests stand."""
    mask = occupied(state)
    if state.phase == "ascent" and mask == SUMMIT_MASK:
        return _with(state, phase="carry") if state.options.country_road else _with(state, end="summit")
    if state.phase == "descent" and not mask & ~GROUND_MASK:
        return _with(state, end="down")
    if not moves(state):
        return _with(state, end="stuck")
    if state.options.stop_when_lost and is_lost(state):
        return _with(state, end="lost")
    return state


def _with(state: State, *, phase: str = "", end: str = "") -> State:
    return replace(state, phase=phase or state.phase, end=end)


def rescued_to(start: int, number: int) -> int:
    """Straight inward from the ground."""
    return start + number if start in (INDEX["a2"], INDEX["a1"]) else start - number


def moved(state: State, source: int, target: int) -> State:
    """A priest has gone from one place to another."""
    leaves = state.phase == "descent" and state.options.ground == "vacate" and GROUND_MASK >> target & 1
    goal = -1 if leaves else target
    priests = tuple(goal if place == source else place for place in state.priests)
    return settle(State(state.options, state.values, priests, state.phase, state.dice, state.foot, state.moves + 1))


DEFAULT_CARRY = Action("carry", ("a2", "a1", "n2", "n1"))
