"""From state to state: deal, dice, climb, carry and descent (FUJI-3 to FUJI-5, FUJI-9)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Action
from rules.games.fuji_san.climbing import moves, occupied
from rules.games.fuji_san.mountain import GROUND_ROW, INDEX, SUMMIT_ROW, WIDTH, read_layout
from rules.games.fuji_san.opening import State
from rules.games.fuji_san.search import is_lost
from rules.pieces import SUITS, Suit

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


def play(state: State, action: Action) -> State:
    if action.verb == "deal":
        return begin(replace(state, values=read_layout(action[0]), phase="ascent"))
    if action.verb == "roll":
        dice = tuple(int(number) for number in action.args)
        return replace(state, dice=dice, phase="rescue", end="" if any(dice) else "failed")
    if action.verb == "rescue":
        return _rescue(state, SUITS.index(Suit(action[0])))
    if action.verb == "carry":
        return settle(replace(state, phase="descent", foot=action.args))
    return _move(state, INDEX[action[0]], INDEX[target_of(action)])


def target_of(action: Action) -> str:
    """A sidestep and a crossing have only one target; it need not be said."""
    if len(action.args) > 1:
        return action[1]
    file, row = action[0][0], action[0][1]
    if action.verb == "side":
        return file + ("1" if row == "2" else "2")
    return ("h" if file == "g" else "g") + row


def rescued_to(start: int, number: int) -> int:
    """Straight inward from the ground."""
    return start + number if start in (INDEX["a2"], INDEX["a1"]) else start - number


def _rescue(state: State, seat: int) -> State:
    number = state.dice[seat]
    priests = list(state.priests)
    priests[seat] = rescued_to(priests[seat], number)
    after = replace(state, priests=tuple(priests), phase="ascent", moves=state.moves + (number > 0))
    return settle(after) if moves(after) else replace(after, end="failed")


def _move(state: State, source: int, target: int) -> State:
    leaves = state.phase == "descent" and state.options.ground == "vacate" and GROUND_MASK >> target & 1
    goal = -1 if leaves else target
    priests = tuple(goal if place == source else place for place in state.priests)
    return settle(State(state.options, state.values, priests, state.phase, state.dice, state.foot, state.moves + 1))


DEFAULT_CARRY = Action("carry", ("a2", "a1", "n2", "n1"))
