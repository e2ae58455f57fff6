"""Any position, from the fields that the rulebook describes, and moves as people type them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action
from rules.engine.positions import each_once, overlap
from rules.games.alquerque.moves import STEPS, can_capture
from rules.games.alquerque.opening import BIT, LEADERS, QUIET, SUITS, Options, State, mask, opening_state
from rules.pieces import Suit

_FIELDS = (*(suit.value for suit in SUITS), "to_act", "capturing", "quiet")
_MOST = 6


def read_position(data: Mapping[str, object], options: Options) -> State:
    unknown = set(data) - set(_FIELDS)
    if unknown:
        raise ValueError(f"a position of alquerque has {', '.join(_FIELDS)}, no {sorted(unknown)[0]!r}")
    start = opening_state(options).coins
    masks = (_mask(data.get(suit.value), suit, first) for suit, first in zip(SUITS, start, strict=True))
    suns, moons, crowns, arms = masks
    if overlap((suns, moons, crowns, arms)):
        raise ValueError("two coins are on the same point")
    to_act = str(data.get("to_act", LEADERS[0].value))
    if to_act not in LEADERS:
        raise ValueError(f"to_act must be {LEADERS[0]} or {LEADERS[1]}")
    state = State(options, (suns, moons, crowns, arms), int(to_act == LEADERS[1]), quiet=_quiet(data.get("quiet", 0)))
    return _capturing(state, data.get("capturing"))


def _quiet(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < QUIET:
        raise ValueError(f"quiet must be a number from 0 to {QUIET - 1}")
    return value


def _capturing(state: State, place: object) -> State:
    if place is None:
        return state
    if not isinstance(place, str) or not BIT.get(place, 0) & state.army(state.to_act):
        raise ValueError(f"capturing must be the point of a coin of {LEADERS[state.to_act]}")
    going_on = State(state.options, state.coins, state.to_act, place)
    if not can_capture(going_on) or state.quiet:
        raise ValueError(
            f"capturing: the coin on {place} cannot go on capturing" + " with quiet turns" * bool(state.quiet)
        )
    return going_on


def shorthand(text: str) -> Action | None:
    """ "a2-b3" is a move and "a2xc4" a capture; a step of two points is a capture however it is written."""
    words = tuple(text.replace("-", " ").replace("x", " ").split())
    if len(words) != 2 or not all(word in BIT for word in words):
        return None
    return Action("move" if words[1] in STEPS[words[0]] and "x" not in text else "capture", words)


def _mask(places: object, suit: Suit, start: int) -> int:
    if places is None:
        return start
    if not isinstance(places, (list, tuple)) or len(set(map(str, places))) > _MOST:
        raise ValueError(f"{suit} must be a list of up to {_MOST} points")
    for place in places:
        if not isinstance(place, str) or place not in BIT:
            raise ValueError(f"{suit}: there is no point {str(place)[:20]!r} on the board of alquerque")
    each_once(suit, places)
    return mask(" ".join(places))
