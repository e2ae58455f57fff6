"""The canonical spelling of every part of PPN: what `parse_submove` reads back as the same value."""

from __future__ import annotations

from rules.notation.address import (
    Active,
    All,
    AtStart,
    ById,
    FromTop,
    Location,
    Nearest,
    Offset,
    One,
    PieceId,
    PlaceOf,
    Point,
    TopAt,
)
from rules.notation.spec import PieceSpec
from rules.notation.submove import Capture, Change, Drop, Flip, Raise, Remove, Replace, Shift, Submove, Swap, Turn

_KIND_LETTERS = {"tile": "t", "coin": "c", "die": "d", "pawn": "p", "matchstick": "m", "saucer": "s"}
_KIND_LETTERS |= {"pyramid": "▲", "bit": "●", "card": "🂠", "board": "■"}
_SIDE_LETTERS = {"face": "f", "back": "b", "left": "l", "right": "r", "top": "x"}
_SUIT_LETTERS = " SMCA"
_ANGLE_LETTERS = {0.0: "^", 90.0: "<", 180.0: "v", 270.0: ">"}


def number_text(number: float) -> str:
    """Short, without an exponent, good to a millionth."""
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def spec_text(spec: PieceSpec) -> str:
    """Kind, side, suit, rank, angle; what a letter cannot say comes after a comma."""
    kind = spec.bit or _KIND_LETTERS.get(spec.kind or "", "")
    side = _SIDE_LETTERS.get(spec.side or "", "")
    letters = f"{'u' if spec.small else ''}{kind}{side}{_suit_letter(spec)}{_rank_letter(spec)}{_angle_letter(spec)}"
    return letters + "".join(f",{part}" for part in _exact(spec))


def _suit_letter(spec: PieceSpec) -> str:
    if spec.colour:
        return spec.colour
    return _SUIT_LETTERS[spec.suit] if spec.suit in (1, 2, 3, 4) else ""


def _rank_letter(spec: PieceSpec) -> str:
    if spec.rank is None or spec.rank > 9:
        return ""
    return "na"[spec.rank] if spec.rank < 2 else str(spec.rank)


def _angle_letter(spec: PieceSpec) -> str:
    return "" if spec.angle is None else _ANGLE_LETTERS.get(spec.angle, "")


def _exact(spec: PieceSpec) -> list[str]:
    parts = []
    if spec.angle is not None and spec.angle not in _ANGLE_LETTERS:
        parts.append(f"a{number_text(spec.angle)}")
    if spec.rank is not None and spec.rank > 9:
        parts.append(f"r{spec.rank}")
    if spec.suit is not None and spec.suit != _said_suit(spec):
        parts.append(f"s{spec.suit - 1}")
    if spec.set:
        parts.append(f"{spec.set}'")
    return parts


def _said_suit(spec: PieceSpec) -> int:
    return "RKGBYW".index(spec.colour) + 1 if spec.colour else (spec.suit if spec.suit in (1, 2, 3, 4) else 0)


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
