"""Any position, from the fields that the rulebook describes, and moves as people type them."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine import Action
from rules.engine.positions import each_once, overlap
from rules.games.breakthrough.opening import BIT, LEADERS, SUITS, Options, State, opening_state
from rules.pieces import Suit

_FIELDS = (*(suit.value for suit in SUITS), "to_act")


def read_position(data: Mapping[str, object], options: Options) -> State:
    unknown = set(data) - set(_FIELDS)
    if unknown:
        raise ValueError(f"a position of breakthrough has {', '.join(_FIELDS)}, no {sorted(unknown)[0]!r}")
    start = opening_state(options).coins
    masks = (_mask(data.get(suit.value), suit, first) for suit, first in zip(SUITS, start, strict=True))
    suns, moons, crowns, arms = masks
    if overlap((suns, moons, crowns, arms)):
        raise ValueError("two coins are on the same space")
    to_act = str(data.get("to_act", LEADERS[0].value))
    if to_act not in LEADERS:
        raise ValueError(f"to_act must be {LEADERS[0]} or {LEADERS[1]}")
    return State(options, (suns, moons, crowns, arms), 0 if to_act == LEADERS[0] else 1)


def shorthand(text: str) -> Action | None:
    """ "a2-b3" is a move, and so is "a2xb3"."""
    words = tuple(text.replace("-", " ").replace("x", " ").split())
    return Action("move", words) if len(words) == 2 and all(word in BIT for word in words) else None


def _mask(places: object, suit: Suit, start: int) -> int:
    if places is None:
        return start
    most = start.bit_count()
    if not isinstance(places, (list, tuple)) or len(set(map(str, places))) > most:
        raise ValueError(f"{suit} must be a list of up to {most} spaces")
    for place in places:
        if not isinstance(place, str) or place not in BIT:
            raise ValueError(f"{suit}: there is no space {str(place)[:20]!r} on the board of breakthrough")
    each_once(suit, places)
    return sum(BIT[place] for place in places)
