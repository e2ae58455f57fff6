"""The submoves of PPN as values, parsed from tokens and written as canonical text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rules.notation.address import (
    ACTIVE,
    Location,
    PieceId,
    PlaceOf,
    location_text,
    parse_location,
    parse_number,
    parse_piece_id,
    piece_text,
)
from rules.notation.errors import UnknownSubmoveError, shortened
from rules.notation.spec import PieceSpec, number_text, parse_spec, spec_text
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class Drop:
    """Adds a piece: on top of all or `under` all, or next to `beside` in the stacking order."""

    spec: PieceSpec
    to: Location
    under: bool = False
    beside: PieceId | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """Moves pieces; stacking order as with `Drop`."""

    piece: PieceId
    to: Location
    under: bool = False
    beside: PieceId | None = None


@dataclass(frozen=True, slots=True)
class Raise:
    piece: PieceId


@dataclass(frozen=True, slots=True)
class Remove:
    piece: PieceId


@dataclass(frozen=True, slots=True)
class Capture:
    piece: PieceId
    captured: PieceId


@dataclass(frozen=True, slots=True)
class Swap:
    first: PieceId
    second: PieceId


@dataclass(frozen=True, slots=True)
class Flip:
    piece: PieceId


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotates clockwise by `degrees`, in place or around a place."""

    piece: PieceId
    degrees: float
    around: Location | None = None


@dataclass(frozen=True, slots=True)
class Replace:
    piece: PieceId
    spec: PieceSpec


@dataclass(frozen=True, slots=True)
class Change:
    """Changes only the fields given by the spec."""

    piece: PieceId
    spec: PieceSpec


Submove = Drop | Shift | Raise | Remove | Capture | Swap | Flip | Turn | Replace | Change


@lru_cache(maxsize=4096)
def parse_submove(token: str) -> Submove:
    """The signs are tried in the order of the reference reader."""
    for sign, split, read in _SIGNS:
        if sign in token:
            parts = split(token)
            if parts is not None:
                return read(*parts)
    raise UnknownSubmoveError(say("{token} is not a submove", token=repr(shortened(token))))


def _at(pattern: str) -> Callable[[str], tuple[str, str] | None]:
    """Splits a token at the first match."""
    compiled = re.compile(pattern)

    def split(token: str) -> tuple[str, str] | None:
        match = compiled.search(token)
        return (token[: match.start()], token[match.end() :]) if match else None

    return split


def _target(text: str) -> tuple[Location, PieceId | None]:
    """Location, Location%Id or %Id, which is also the place of that piece."""
    if "%" not in text:
        return parse_location(text), None
    where, _, piece = text.partition("%")
    beside = parse_piece_id(piece)
    return (parse_location(where) if where else PlaceOf(beside)), beside


def _drop(under: bool) -> Callable[[str, str], Submove]:
    return lambda spec, target: Drop(parse_spec(spec), *_place_in_order(target, under))


def _shift(under: bool) -> Callable[[str, str], Submove]:
    return lambda piece, target: Shift(parse_piece_id(piece), *_place_in_order(target, under))


def _place_in_order(target: str, under: bool) -> tuple[Location, bool, PieceId | None]:
    to, beside = _target(target)
    return to, under, beside


def _turn(piece: str, rest: str) -> Submove:
    angle, bar, place = rest.partition("|")
    if bar:
        return Turn(parse_piece_id(piece), parse_number(angle), parse_location(place))
    angle, dollar, other = rest.partition("$")
    around = PlaceOf(parse_piece_id(other)) if dollar else None
    return Turn(parse_piece_id(piece), parse_number(angle), around)


def _spin(piece: str, angle: str) -> Submove:
    found = parse_piece_id(piece)
    return Turn(found, parse_number(angle), PlaceOf(found))


def _prefix(make: Callable[[PieceId], Submove]) -> Callable[[str, str], Submove]:
    """Reader of a sign before its piece, with nothing before the sign."""

    def read(before: str, after: str) -> Submove:
        if before:
            raise UnknownSubmoveError(say("{token} is not a submove", token=repr(shortened(before))))
        return make(parse_piece_id(after) if after else ACTIVE)

    return read


def _pair(make: Callable[[PieceId, PieceId], Submove]) -> Callable[[str, str], Submove]:
    return lambda first, second: make(parse_piece_id(first), parse_piece_id(second))


def _with_spec(make: Callable[[PieceId, PieceSpec], Submove]) -> Callable[[str, str], Submove]:
    return lambda piece, spec: make(parse_piece_id(piece), parse_spec(spec))


_Sign = tuple[str, Callable[[str], tuple[str, str] | None], Callable[[str, str], Submove]]
_SIGNS: tuple[_Sign, ...] = (
    ("$>", _at(r"\$>"), _spin),
    ("@>", _at("@>"), _turn),
    ("@", _at("@"), _drop(under=False)),
    ("-", _at(r"(?<![(<,])-"), _shift(under=False)),
    ("*", _at(r"\*"), _prefix(Remove)),
    ("+", _at(r"(?<![(<,])\+"), _prefix(Flip)),
    ("~", _at("~"), _with_spec(Change)),
    ("=", _at("="), _with_spec(Replace)),
    (":", _at(r":(?![^\[]*\])"), _pair(Capture)),
    ("_", _at("_"), _shift(under=True)),
    ("\\", _at(r"\\"), _drop(under=True)),
    ("#", _at("#"), _pair(Swap)),
    ("!", _at("!"), _prefix(Raise)),
)


# Canonical text -------------------------------------------------------------------------------------------------


def submove_text(submove: Submove) -> str:
    match submove:
        case Drop(spec, to, under, beside):
            return spec_text(spec) + ("\\" if under else "@") + _target_text(to, beside)
        case Shift(piece, to, under, beside):
            return piece_text(piece) + ("_" if under else "-") + _target_text(to, beside)
        case Turn(piece, degrees, around):
            centre = "" if around is None else f"|{location_text(around)}"
            return f"{piece_text(piece)}@>{number_text(degrees)}{centre}"
        case Change(piece, spec):
            return f"{piece_text(piece)}~{spec_text(spec)}"
        case Replace(piece, spec):
            return f"{piece_text(piece)}={spec_text(spec)}"
        case _:
            return _short_text(submove)


def _target_text(to: Location, beside: PieceId | None) -> str:
    return location_text(to) + ("" if beside is None else f"%{piece_text(beside)}")


def _short_text(submove: Raise | Remove | Flip | Capture | Swap) -> str:
    match submove:
        case Capture(piece, captured):
            return f"{piece_text(piece)}:{piece_text(captured)}"
        case Swap(first, second):
            return f"{piece_text(first)}#{piece_text(second)}"
        case Remove(piece):
            return f"*{piece_text(piece)}"
        case Flip(piece):
            return f"+{piece_text(piece)}"
        case Raise(piece):
            return f"!{piece_text(piece)}"
