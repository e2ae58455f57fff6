"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.engine import Action, Seat
from rules.engine.fields import a_list, a_number, a_place, apart, numbers, one_of, refuse_unknown, unfit
from rules.games.fuji_san.climbs import DEFAULT_CARRY, begin, settle
from rules.games.fuji_san.mountain import GROUND, INDEX, NAMES, SUMMIT, read_layout, write_layout
from rules.games.fuji_san.opening import Options, State, opening_state
from rules.pieces import SUITS, parse_suit

_FIELDS = ("layout", "priests", "phase", "dice", "foot", "moves")
_PHASES = ("deal", "roll", "rescue", "ascent", "carry", "descent")


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...]) -> State:
    """Fields: layout, priests (places), phase, dice, foot, moves."""
    start = opening_state(options)
    refuse_unknown("fuji_san", data, _FIELDS)
    values = read_layout(str(data["layout"])) if "layout" in data else start.values
    priests = _priests(data["priests"], start.priests) if "priests" in data else start.priests
    phase = _phase(data.get("phase"), values)
    foot = _foot(data.get("foot")) if phase == "descent" else ()
    dice = tuple(numbers("dice", data.get("dice", []), 4, 5, "[1, 2, 3, 4]")) if phase == "rescue" else ()
    moved = a_number("moves", data.get("moves", 0), 0, 10**6)
    state = replace(start, values=values, priests=priests, phase=phase, dice=dice, foot=foot, moves=moved, end="")
    if phase in ("deal", "roll", "rescue", "carry"):
        return state
    at_start = phase == "ascent" and set(priests) == {INDEX[place] for place in GROUND}
    return begin(state) if at_start else settle(state)


def _phase(value: object, values: tuple[int, ...]) -> str:
    default = "ascent" if values else "deal"
    phase = one_of("phase", default if value is None else value, _PHASES)
    if (phase == "deal") != (not values):
        raise ValueError('before the deal there is no layout, after it there is one: give "layout"')
    return phase


def _priests(value: object, start: tuple[int, ...]) -> tuple[int, ...]:
    """Places by suit, or a plain list: a priest whose ground is in the list stays there, the others take the rest in
    order."""
    if isinstance(value, Mapping):
        places = {parse_suit(str(suit)): _place(place) for suit, place in value.items()}
        priests = tuple(places.get(suit, place) for suit, place in zip(SUITS, start, strict=True))
    else:
        rest = [_place(place) for place in a_list("priests", value, '["a2", "b1", "c2", "off"]', 4)]
        _all_apart(rest)
        homes = [place if place in rest else None for place in start]
        others = iter([place for place in rest if place not in homes])
        priests = tuple(next(others, -1) if home is None else home for home in homes)
    _all_apart(priests)
    return priests


def _all_apart(places: Sequence[int]) -> None:
    apart("priests", [NAMES[place] for place in places if place >= 0])


def _place(value: object) -> int:
    return -1 if value in (None, "off") else INDEX[a_place("priests", str(value), NAMES)]


def _foot(value: object) -> tuple[str, ...]:
    if value is None:
        return DEFAULT_CARRY.args
    if not isinstance(value, Mapping) or set(value) != set(SUMMIT) or set(value.values()) != set(GROUND):
        raise unfit("foot", 'where each summit coin lies, for example {"g2": "a2", "g1": "a1", ...}', value)
    return tuple(str(value[place]) for place in SUMMIT)


def read_shorthand(_state: State, text: str) -> Action | None:
    """ "a1-e1" is a climb, a sidestep or a crossing, depending on the places; 24 values are a deal."""
    words = text.lower().replace("-", " ").split()
    if len(words) == 2 and all(word in INDEX for word in words):
        return Action(_verb_between(*words), tuple(words))
    if words == ["carry"]:
        return DEFAULT_CARRY
    try:
        return Action("deal", (write_layout(read_layout(text)),)) if len(text) < 60 else None
    except ValueError:
        return None


def _verb_between(source: str, target: str) -> str:
    if source[0] == target[0] and source != target:
        return "side"
    return "cross" if {source[0], target[0]} == {"g", "h"} and source[1] == target[1] else "climb"
