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
from rules.notation.errors import UnknownSubmoveError, quoted
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
class _OnPiece:
    piece: PieceId


@dataclass(frozen=True, slots=True)
class Shift(_OnPiece):
    """Moves pieces; stacking order as with `Drop`."""

    to: Location
    under: bool = False
    beside: PieceId | None = None


@dataclass(frozen=True, slots=True)
class Turn(_OnPiece):
    """Rotates clockwise by `degrees`, in place or around a place."""

    degrees: float
    around: Location | None = None


class Raise(_OnPiece): ...


class Remove(_OnPiece): ...


class Flip(_OnPiece): ...


@dataclass(frozen=True, slots=True)
class _TwoPieces(_OnPiece):
    other: PieceId


class Capture(_TwoPieces):
    """Moves pieces to the place of others, which are removed."""


class Swap(_TwoPieces): ...


@dataclass(frozen=True, slots=True)
class _WithSpec(_OnPiece):
    spec: PieceSpec


class Replace(_WithSpec): ...


class Change(_WithSpec):
    """Changes only the fields given by the spec."""


Submove = Drop | Shift | Raise | Remove | Capture | Swap | Flip | Turn | Replace | Change


@lru_cache(maxsize=4096)
def parse_submove(token: str) -> Submove:
    """The signs are tried in the order of the reference reader."""
    for sign, read in _SIGNS:
        if match := sign.search(token):
            return read(token[: match.start()], token[match.end() :])
    raise UnknownSubmoveError(say("{token} is not a submove", token=quoted(token)))


def _target(text: str, under: bool) -> tuple[Location, bool, PieceId | None]:
    """Location, Location%Id or %Id, which is also the place of that piece."""
    if "%" not in text:
        return parse_location(text), under, None
    where, _, piece = text.partition("%")
    beside = parse_piece_id(piece)
    return (parse_location(where) if where else PlaceOf(beside)), under, beside


def _drop(under: bool) -> Callable[[str, str], Submove]:
    return lambda spec, target: Drop(parse_spec(spec), *_target(target, under))


def _shift(under: bool) -> Callable[[str, str], Submove]:
    return lambda piece, target: Shift(parse_piece_id(piece), *_target(target, under))


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
            raise UnknownSubmoveError(say("{token} is not a submove", token=quoted(before)))
        return make(parse_piece_id(after) if after else ACTIVE)

    return read


def _pair(make: Callable[[PieceId, PieceId], Submove]) -> Callable[[str, str], Submove]:
    return lambda first, second: make(parse_piece_id(first), parse_piece_id(second))


def _with_spec(make: Callable[[PieceId, PieceSpec], Submove]) -> Callable[[str, str], Submove]:
    return lambda piece, spec: make(parse_piece_id(piece), parse_spec(spec))


_SIGNS: tuple[tuple[re.Pattern[str], Callable[[str, str], Submove]], ...] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"\$>", _spin),
        ("@>", _turn),
        ("@", _drop(under=False)),
        (r"(?<![(<,])-", _shift(under=False)),
        (r"\*", _prefix(Remove)),
        (r"(?<![(<,])\+", _prefix(Flip)),
        ("~", _with_spec(Change)),
        ("=", _with_spec(Replace)),
        (r":(?![^\[]*\])", _pair(Capture)),
        ("_", _shift(under=True)),
        (r"\\", _drop(under=True)),
        ("#", _pair(Swap)),
        ("!", _prefix(Raise)),
    )
)


_TEXT_SIGNS: dict[type[Submove], str] = {
    Remove: "*", Flip: "+", Raise: "!", Capture: ":", Swap: "#", Change: "~", Replace: "=",
}  # fmt: skip


def submove_text(submove: Submove) -> str:
    match submove:
        case Drop(spec, to, under, beside):
            return spec_text(spec) + ("\\" if under else "@") + _target_text(to, beside)
        case Shift(piece, to, under, beside):
            return piece_text(piece) + ("_" if under else "-") + _target_text(to, beside)
        case Turn(piece, degrees, around):
            centre = "" if around is None else f"|{location_text(around)}"
            return f"{piece_text(piece)}@>{number_text(degrees)}{centre}"
        case Capture(piece, other) | Swap(piece, other):
            return f"{piece_text(piece)}{_TEXT_SIGNS[type(submove)]}{piece_text(other)}"
        case Change(piece, spec) | Replace(piece, spec):
            return f"{piece_text(piece)}{_TEXT_SIGNS[type(submove)]}{spec_text(spec)}"
        case Raise(piece) | Remove(piece) | Flip(piece):
            return f"{_TEXT_SIGNS[type(submove)]}{piece_text(piece)}"


def _target_text(to: Location, beside: PieceId | None) -> str:
    return location_text(to) + ("" if beside is None else f"%{piece_text(beside)}")
