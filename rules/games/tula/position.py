"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Action, Seat
from rules.engine.fields import a_flag, a_list, a_number, an_object, at_most, each_once, no_such, refuse_unknown
from rules.games.tula.deeds import DEEDS, settle, show_action
from rules.games.tula.opening import Options, State, check_stock, opening_state, read_tile
from rules.games.tula.temple import Temple, bits, temple
from rules.pieces import Piece

_FIELDS = ("gone", "present", "face_up", "stack", "mercy_used", "demerits", "pending")


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...]) -> State:
    """Fields: gone or present (places), face_up (tiles by place), stack (tiles), mercy_used, demerits, pending."""
    start = opening_state(options)
    refuse_unknown("tula", data, _FIELDS)
    built = temple(start.options.setup)
    stack = [read_tile(str(code)) for code in a_list("stack", data.get("stack", []), '["S4"]')]
    present = _present(data, built, len(stack))
    gone = tuple(bits(built.full & ~present))
    at_most("tiles gone from the temple for the stack", len(stack), len(gone))
    face_up = an_object("face_up", data.get("face_up", {}), '{"3:3-5": "S4"}')
    shown = {_standing(str(name), built, present): read_tile(str(code)) for name, code in face_up.items()}
    known: dict[int, Piece] = {**shown, **dict(zip(gone[len(gone) - len(stack) :], stack, strict=True))}
    check_stock(tuple(known.values()), built)
    pending = data.get("pending")
    state = replace(
        start,
        tiles=tuple(known.get(number) for number in range(len(built.spots))),
        present=present,
        face_up=sum(1 << place for place in shown),
        stack=gone,
        demerits=a_number("demerits", data.get("demerits", 0), 0, None),
        mercy_used=a_flag("mercy_used", data.get("mercy_used", False)),
        pending=None if pending is None else _standing(str(pending), built, present),
    )
    return settle(state)


def _present(data: Mapping[str, object], built: Temple, taken: int) -> int:
    """Places with a tile; if only a stack is given, the same number of tiles is taken from the top."""
    if "present" in data:
        return _places(data["present"], built)
    if "gone" in data:
        return built.full & ~_places(data["gone"], built)
    return built.full >> min(taken, len(built.spots))


def _places(value: object, built: Temple) -> int:
    mask, listed = 0, a_list("gone and present", value, '["4:4-4"]')
    each_once("gone and present", listed)
    for item in listed:
        text = str(item)
        layer = built.layer(int(text)) if text.isdecimal() and len(text) < 3 else 0
        mask |= layer or 1 << _place(text, built)
    return mask


def _place(text: str, built: Temple) -> int:
    name = text.replace("(", "").replace(")", "").replace(",", "-").replace(" ", "")
    if name not in built.names:
        raise no_such("place", text, f"layer:x-y, for example {built.names[-1]}, or a layer")
    return built.names.index(name)


def _standing(text: str, built: Temple, present: int) -> int:
    """The place of a tile that is not gone."""
    place = _place(text, built)
    if not present >> place & 1:
        raise ValueError(f"the tile on {text:.20} is gone")
    return place


def read_shorthand(state: State, text: str) -> Action | None:
    """ "reveal 3:(3,5)" as the rulebook writes places; a tile alone ("S3") is the result of a turn."""
    words = text.translate(_PLAIN_PLACES).split()
    if len(words) == 2 and words[0] in _VERBS and _PLACE_NAME.match(words[1]):
        return Action(words[0], (words[1],))
    if len(words) != 1 or state.pending is None:
        return None
    try:
        return show_action(state, state.pending, read_tile(words[0]))
    except ValueError:
        return None


_VERBS = {deed.verb.name for deed in DEEDS}
_PLACE_NAME = re.compile(r"\d{1,2}:\d{1,2}-\d{1,2}\Z")
_PLAIN_PLACES = str.maketrans({"(": "", ")": "", ",": "-"})
