"""Addresses in PPN: of places (Location) and of pieces (PieceId), parsed and written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin

from rules.notation.errors import (
    MAX_DEPTH,
    MAX_NUMBER,
    MAX_PIECES,
    LimitError,
    MoveError,
    quoted,
    shortened,
)
from rules.notation.spec import PieceSpec, number_text, parse_spec, spec_text
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Offset:
    """Relative to `base`; None: to each moving piece."""

    dx: float
    dy: float
    base: Location | None = None


@dataclass(frozen=True, slots=True)
class PlaceOf:
    """The place of a piece: of several that of the topmost, of `Nearest` the place searched from."""

    piece: PieceId


@dataclass(frozen=True, slots=True)
class Active:
    """The pieces touched by the last submove."""


@dataclass(frozen=True, slots=True)
class ById:
    id: str


@dataclass(frozen=True, slots=True)
class TopAt:
    where: Location


@dataclass(frozen=True, slots=True)
class Nearest:
    count: int
    where: Location


@dataclass(frozen=True, slots=True)
class FromTop:
    """Pieces exactly at a place, by rank from the top, which is 1."""

    where: Location
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class One:
    spec: PieceSpec


@dataclass(frozen=True, slots=True)
class All:
    spec: PieceSpec


@dataclass(frozen=True, slots=True)
class AtStart:
    """The piece found on the table at the start of the move."""

    piece: PieceId


Location = Point | Offset | PlaceOf
PieceId = Active | ById | TopAt | Nearest | FromTop | One | All | AtStart
ACTIVE = Active()

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_WHOLE_NUMBER = re.compile(rf"{_NUMBER}\Z")
_SQUARE = re.compile(r"([a-z]+)(\d+)\Z")
_POINT = re.compile(rf"\(({_NUMBER}),({_NUMBER})\)\Z")
_RELATIVE = re.compile(rf"<({_NUMBER}),({_NUMBER})>")
_STEPS = re.compile(r"(\d+\.?\d*|\.\d+)([A-Z]+)")
_BARE_ID = re.compile(r"[\d.]+\Z")
_COUNTED = re.compile(r"(\d{1,9})(?=\D)")
_BRACKETED = re.compile(r"(.*)\[([\d:,]+)\]\Z", re.DOTALL)
_INDEX = re.compile(r"(\d{1,4})(?::(\d{1,4}))?\Z")

_STRAIGHT = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
_STRAIGHT |= {"NE": (1, 1), "SE": (1, -1), "SW": (-1, -1), "NW": (-1, 1)}
_HALF_WINDS = {"ENE": 30, "NNE": 60, "NNW": 120, "WNW": 150, "WSW": 210, "SSW": 240, "SSE": 300, "ESE": 330}
_COMPASS = str.maketrans("URDL", "NESW")


def parse_number(text: str) -> float:
    if not _WHOLE_NUMBER.match(text):
        raise MoveError(say("{text} is not a number", text=quoted(text)))
    return _limited(float(text), text)


def _limited(number: float, text: str) -> float:
    if abs(number) > MAX_NUMBER:
        raise MoveError(say("{text} is farther away than any table", text=shortened(text)))
    return number


def _deeper(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise LimitError(say("places and pieces are nested deeper than {most}", most=MAX_DEPTH))
    return depth + 1


@lru_cache(maxsize=4096)
def parse_location(text: str, depth: int = 0) -> Location:
    if match := _SQUARE.match(text):
        return Point(_limited(_column(match[1]), text), _limited(float(match[2]), text))
    if match := _POINT.match(text):
        return Point(_limited(float(match[1]), text), _limited(float(match[2]), text))
    if text == "":
        return PlaceOf(ACTIVE)
    if text[0] == "&":
        return PlaceOf(parse_piece_id(text[1:], _deeper(depth)))
    return _offset(text, depth)


def _column(letters: str) -> float:
    """a is 1, z 26, aa 27."""
    if len(letters) > 4:
        raise MoveError(say("there is no column {letters}", letters=quoted(letters)))
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 96
    return float(number)


def _offset(text: str, depth: int) -> Offset:
    if match := _RELATIVE.match(text):
        dx, dy = parse_number(match[1]), parse_number(match[2])
    elif match := _STEPS.match(text):
        dx, dy = _steps(parse_number(match[1]), match[2])
    else:
        raise MoveError(say("{text} is not a place", text=quoted(text)))
    sign, rest = text[match.end() : match.end() + 1], text[match.end() + 1 :]
    if not sign:
        return Offset(dx, dy)
    if sign == "|":
        return Offset(dx, dy, parse_location(rest, _deeper(depth)))
    if sign == "$":
        return Offset(dx, dy, PlaceOf(parse_piece_id(rest, _deeper(depth))))
    raise MoveError(say("{text} is not a place", text=quoted(text)))


def _steps(count: float, direction: str) -> tuple[float, float]:
    compass = direction.translate(_COMPASS)
    if compass in _STRAIGHT:
        dx, dy = _STRAIGHT[compass]
        return count * dx, count * dy
    if compass in _HALF_WINDS:
        angle = radians(_HALF_WINDS[compass])
        return count * cos(angle), count * sin(angle)
    raise MoveError(say("there is no direction {direction}", direction=quoted(direction)))


@lru_cache(maxsize=4096)
def parse_piece_id(text: str, depth: int = 0) -> PieceId:
    if text == "":
        return ACTIVE
    first = text[0]
    if first == "^":
        return AtStart(parse_piece_id(text[1:], _deeper(depth)))
    if first == "?":
        return One(parse_spec(text[1:]))
    if first == "/":
        return All(parse_spec(text[1:]))
    if first.isdecimal():
        return _numbered(text, depth)
    if text[-1] == "]" and (match := _BRACKETED.match(text)):
        return FromTop(parse_location(match[1], depth), _ranks(match[2]))
    return TopAt(parse_location(text, depth))


def _numbered(text: str, depth: int) -> PieceId:
    """A bare number is an id; a number before a place is a count."""
    if _BARE_ID.match(text):
        return ById(text)
    match = _COUNTED.match(text)
    if not match or int(match[1]) == 0:
        raise MoveError(say("{text} names no piece", text=quoted(text)))
    return Nearest(int(match[1]), parse_location(text[match.end() :], depth))


def _ranks(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in text.split(","):
        match = _INDEX.match(part)
        low, high = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if max(low, high) > MAX_PIECES or min(low, high) < 1:
            raise MoveError(say("[{text}] counts no pieces", text=shortened(text)))
        found += range(low, high + 1) if low <= high else range(low, high - 1, -1)
        if len(found) > MAX_PIECES:
            raise LimitError(say("[{text}] counts more than {most} pieces", text=shortened(text), most=MAX_PIECES))
    return tuple(found)


def place_text(x: float, y: float) -> str:
    """b4 where there is such a square, else (1.5,2)."""
    if x == int(x) and y == int(y) and 1 <= x <= 702 and y >= 0:
        return f"{_letters(int(x))}{int(y)}"
    return f"({number_text(x)},{number_text(y)})"


def _letters(column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(97 + rest) + letters
    return letters


def location_text(where: Location) -> str:
    match where:
        case Point(x, y):
            return place_text(x, y)
        case PlaceOf(piece):
            return f"&{piece_text(piece)}"
        case Offset(dx, dy, base):
            offset = f"<{number_text(dx)},{number_text(dy)}>"
            return offset if base is None else f"{offset}|{location_text(base)}"


def piece_text(piece: PieceId) -> str:
    match piece:
        case TopAt(where):
            return location_text(where)
        case Nearest(count, where):
            return f"{count}{location_text(where)}"
        case FromTop(where, ranks):
            return f"{location_text(where)}[{_ranks_text(ranks)}]"
        case One(spec):
            return f"?{spec_text(spec)}"
        case All(spec):
            return f"/{spec_text(spec)}"
        case ById(id):
            return id
        case Active():
            return ""
        case AtStart(inner):
            return f"^{piece_text(inner)}"


def _ranks_text(ranks: tuple[int, ...]) -> str:
    if len(ranks) > 1 and ranks == tuple(range(ranks[0], ranks[-1] + 1)):
        return f"{ranks[0]}:{ranks[-1]}"
    return ",".join(map(str, ranks))
