"""The submoves of PPN as typed values, and how each is read from its one token."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from rules.notation.address import ACTIVE, Location, PieceId, PlaceOf, parse_location, parse_number, parse_piece_id
from rules.notation.errors import UnknownSubmoveError, shortened
from rules.notation.spec import PieceSpec, parse_spec
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class Drop:
    """A new piece: on top of everything or `under` everything, or next to `beside` in the order."""

    spec: PieceSpec
    to: Location
    under: bool = False
    beside: PieceId | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """Moves pieces; where in the order they come, as with `Drop`."""

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
    """Clockwise by `degrees`, on the spot or around a place."""

    piece: PieceId
    degrees: float
    around: Location | None = None


@dataclass(frozen=True, slots=True)
class Replace:
    piece: PieceId
    spec: PieceSpec


@dataclass(frozen=True, slots=True)
class Change:
    """Changes only what the spec says."""

    piece: PieceId
    spec: PieceSpec


Submove = Drop | Shift | Raise | Remove | Capture | Swap | Flip | Turn | Replace | Change

_MINUS = re.compile(r"(?<![(<,])-")
_PLUS = re.compile(r"(?<![(<,])\+")
_COLON = re.compile(r":(?![^\[]*\])")


@lru_cache(maxsize=4096)
def parse_submove(token: str) -> Submove:
    """Looks for the signs in the order in which the reference reader does."""
    for sign, find, read in _SIGNS:
        if sign in token:
            cut = find(token)
            if cut is not None:
                return read(*cut)
    raise UnknownSubmoveError(say("{token} is not a submove", token=repr(shortened(token))))


def _cut_at(sign: str) -> Callable[[str], tuple[str, str]]:
    def cut(token: str) -> tuple[str, str]:
        before, _, after = token.partition(sign)
        return before, after

    return cut


def _cut_where(pattern: re.Pattern[str]) -> Callable[[str], tuple[str, str] | None]:
    def cut(token: str) -> tuple[str, str] | None:
        match = pattern.search(token)
        return (token[: match.start()], token[match.end() :]) if match else None

    return cut


def _target(text: str) -> tuple[Location, PieceId | None]:
    """Location, Location%Id or %Id, which is the place of that piece too."""
    if "%" not in text:
        return parse_location(text), None
    where, _, piece = text.partition("%")
    beside = parse_piece_id(piece)
    return (parse_location(where) if where else PlaceOf(beside)), beside


def _drop(under: bool) -> Callable[[str, str], Submove]:
    return lambda spec, target: Drop(parse_spec(spec), *_arranged(target, under))


def _shift(under: bool) -> Callable[[str, str], Submove]:
    return lambda piece, target: Shift(parse_piece_id(piece), *_arranged(target, under))


def _arranged(target: str, under: bool) -> tuple[Location, bool, PieceId | None]:
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


def _alone(make: Callable[[PieceId], Submove]) -> Callable[[str, str], Submove]:
    """A sign that stands before its piece, and nothing else in the token."""

    def read(before: str, after: str) -> Submove:
        if before:
            raise UnknownSubmoveError(say("{token} is not a submove", token=repr(shortened(before))))
        return make(parse_piece_id(after) if after else ACTIVE)

    return read


def _both(make: Callable[[PieceId, PieceId], Submove]) -> Callable[[str, str], Submove]:
    return lambda first, second: make(parse_piece_id(first), parse_piece_id(second))


def _respecified(make: Callable[[PieceId, PieceSpec], Submove]) -> Callable[[str, str], Submove]:
    return lambda piece, spec: make(parse_piece_id(piece), parse_spec(spec))


_Sign = tuple[str, Callable[[str], tuple[str, str] | None], Callable[[str, str], Submove]]
_SIGNS: tuple[_Sign, ...] = (
    ("$>", _cut_at("$>"), _spin),
    ("@>", _cut_at("@>"), _turn),
    ("@", _cut_at("@"), _drop(under=False)),
    ("-", _cut_where(_MINUS), _shift(under=False)),
    ("*", _cut_at("*"), _alone(Remove)),
    ("+", _cut_where(_PLUS), _alone(Flip)),
    ("~", _cut_at("~"), _respecified(Change)),
    ("=", _cut_at("="), _respecified(Replace)),
    (":", _cut_where(_COLON), _both(Capture)),
    ("_", _cut_at("_"), _shift(under=True)),
    ("\\", _cut_at("\\"), _drop(under=True)),
    ("#", _cut_at("#"), _both(Swap)),
    ("!", _cut_at("!"), _alone(Raise)),
)
