"""The table model of PPN: pieces in stacking order from the bottom to the top, without rules and boards.

`suit` counts from 1 (suns, moons, crowns, arms; colours to 6), `rank` from 1 (null); None: unknown. Angles are degrees
counter-clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.notation.dialect import Dialect
from rules.notation.errors import MoveError
from rules.notation.spec import COLOURS, ONE_BASED_SETS, PieceSpec
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class TablePiece:
    kind: str
    side: str
    suit: int | None
    rank: int | None
    set: str
    x: float
    y: float
    angle: float
    id: str


Table = tuple[TablePiece, ...]
PIECEPACK = "piecepack"
_OTHER_SIDE = {"face": "back", "back": "face", "left": "right", "right": "left", "top": "base", "base": "top"}


def filled(spec: PieceSpec, x: float, y: float, id: str, dialect: Dialect) -> TablePiece:
    """A new piece of a spec, with the defaults of the format."""
    kind = spec.kind or _default_kind(spec)
    own_set = _set(spec, kind, dialect)
    suit = spec.suit or {"go": 2, "dice": 6}.get(own_set, 3 if own_set.startswith("checkers") else 1)
    if spec.rank is not None:
        rank = inside_rank(spec.rank, own_set)
    elif kind == "board":
        rank = {"go": 19, "marbles": 4}.get(own_set, 8)
    else:
        rank = 9 if kind == "bit" and own_set == "marbles" else 1
    return TablePiece(kind, spec.side or _default_side(spec, kind), suit, rank, own_set, x, y, spec.angle or 0.0, id)


def inside_rank(written: int, own_set: str) -> int:
    """The rank in `TablePiece` of a written rank."""
    return written if own_set in ONE_BASED_SETS else written + 1


def _default_kind(spec: PieceSpec) -> str:
    if spec.side in ("left", "right", "top"):
        return "pyramid"
    if spec.colour:
        return "bit"
    if (spec.suit is None) == (spec.rank is None):
        return "tile"
    return "coin"


def _default_side(spec: PieceSpec, kind: str) -> str:
    if kind in ("tile", "card"):
        return "back" if spec.suit is None or spec.rank is None else "face"
    if kind in ("coin", "saucer"):
        return "face" if spec.suit is None else "back"
    return {"pyramid": "top", "bit": "back"}.get(kind, "face")


def _set(spec: PieceSpec, kind: str, dialect: Dialect) -> str:
    if spec.set in ("chess", "checkers"):
        return f"{spec.set}{1 if spec.small else dialect.cell_width}"
    if spec.set:
        return spec.set
    if spec.colour:
        found = _coloured_set(spec, kind, dialect)
    else:
        plain = {"board": f"checkers{dialect.cell_width}", "card": "playing_cards_tarot", "bit": "go"}
        found = plain.get(kind, PIECEPACK)
    if not spec.small:
        return found
    small = {PIECEPACK: "subpack", "chess2": "chess1", "checkers2": "checkers1"}.get(found, found)
    if small not in ("subpack", "chess1", "checkers1"):
        raise MoveError(say("there is no small kind of the set {name}", name=repr(found)))
    return small


def _coloured_set(spec: PieceSpec, kind: str, dialect: Dialect) -> str:
    colour = COLOURS[spec.colour or "R"]
    if kind == "bit":
        own = {"s": "go", "c": f"checkers{dialect.cell_width}", "m": "meeples"}.get(spec.bit or "", dialect.bits)
        if own is None:
            raise MoveError(say("which coloured piece is meant? say c (draughts), m (meeple) or s (go stone)"))
        return own
    found = {"tile": f"dominoes_{colour}", "die": "dice", "pyramid": "icehouse_pieces"}.get(kind)
    if found is None:
        raise MoveError(say("there is no {kind} in the colour {colour}", kind=kind, colour=colour))
    return found


def matches(piece: TablePiece, spec: PieceSpec) -> bool:
    """Whether the piece has all features of the spec."""
    return (
        spec.kind in (None, piece.kind)
        and spec.side in (None, piece.side)
        and spec.suit in (None, piece.suit)
        and (spec.rank is None or piece.rank == inside_rank(spec.rank, piece.set))
        and (spec.set is None or spec.set in (piece.set, piece.set.rstrip("12")))
        and (spec.angle is None or same_angle(piece.angle, spec.angle))
    )


def same_angle(one: float, other: float) -> bool:
    return abs((one - other + 180.0) % 360.0 - 180.0) < 1e-6


def flipped(piece: TablePiece) -> TablePiece:
    new_id = _face_id(piece.id)
    if piece.kind == "die":
        return replace(piece, rank=None if piece.rank is None else (piece.rank + 2) % 6 + 1, id=new_id)
    if piece.kind == "pyramid":
        return replace(piece, side="face" if piece.side == "top" else "top", id=new_id)
    return replace(piece, side=_OTHER_SIDE.get(piece.side, piece.side), id=new_id)


def replaced(piece: TablePiece, spec: PieceSpec, dialect: Dialect) -> TablePiece:
    return _renamed(piece, filled(spec, piece.x, piece.y, piece.id, dialect))


def changed(piece: TablePiece, spec: PieceSpec, dialect: Dialect) -> TablePiece:
    own_set = piece.set if spec.set is None and not spec.small else _set(spec, spec.kind or piece.kind, dialect)
    after = replace(
        piece,
        kind=spec.kind or piece.kind,
        side=spec.side or piece.side,
        suit=spec.suit or piece.suit,
        rank=piece.rank if spec.rank is None else inside_rank(spec.rank, own_set),
        set=own_set,
        angle=piece.angle if spec.angle is None else spec.angle,
    )
    return _renamed(piece, after)


def _renamed(before: TablePiece, after: TablePiece) -> TablePiece:
    """The id gets .k for the k-th other face, ..k for the k-th other piece."""
    if _identity(before) != _identity(after):
        return replace(after, id=_piece_id(before.id))
    if (before.side, before.rank) != (after.side, after.rank):
        return replace(after, id=_face_id(before.id))
    return after


def _identity(piece: TablePiece) -> tuple[object, ...]:
    return piece.kind, piece.suit, None if piece.kind == "die" else piece.rank, piece.set


def _face_id(id: str) -> str:
    base, dots, rest = id.partition("..")
    head, _, turns = (rest if dots else base).partition(".")
    return f"{base}..{head}.{int(turns or 0) + 1}" if dots else f"{head}.{int(turns or 0) + 1}"


def _piece_id(id: str) -> str:
    base, _, rest = id.partition("..")
    return f"{base.partition('.')[0]}..{int(rest.partition('.')[0] or 0) + 1}"
