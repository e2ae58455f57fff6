"""Finds places and pieces on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
from rules.notation.dialect import Dialect
from rules.notation.errors import NoSuchPieceError, UnknownPlaceError
from rules.notation.spec import PieceSpec
from rules.notation.tabletop import Table, TablePiece, filled, matches, same_angle
from rules.sentence import say

# Squared distance under which two places are the same: the format rounds squared distances to five decimals.
_SAME = 5e-6
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LookupContext:
    """Everything a look-up may depend on: the table, the pieces touched last, the table when the move began."""

    table: Table
    active: frozenset[str]
    start: Table
    scale: float
    dialect: Dialect


def find(piece: PieceId, scene: LookupContext) -> list[int]:
    """Indices in the table, from the bottom to the top; never none."""
    found = sorted(_find(piece, scene))
    if not found:
        raise NoSuchPieceError(say("there is no such piece on the table"))
    return found


def _find(piece: PieceId, scene: LookupContext) -> Sequence[int]:
    table = scene.table
    match piece:
        case TopAt(where):
            return [_top(table, spot(where, scene))]
        case Nearest(count, where):
            return _nearest(table, spot(where, scene), count)
        case FromTop(where, ranks):
            return _from_top(table, spot(where, scene), ranks)
        case One(spec):
            return [_one(table, spec, scene.dialect)]
        case All(spec):
            return [i for i, table_piece in enumerate(table) if matches(table_piece, spec)]
        case ById(id):
            return [i for i, table_piece in enumerate(table) if table_piece.id == id]
        case Active():
            return _active(scene)
        case AtStart(inner):
            return _at_start(inner, scene)


def _active(scene: LookupContext) -> list[int]:
    found = [i for i, table_piece in enumerate(scene.table) if table_piece.id in scene.active]
    if not found:
        raise NoSuchPieceError(say("no piece has been touched yet"))
    return found


def _at_start(inner: PieceId, scene: LookupContext) -> list[int]:
    then = LookupContext(scene.start, scene.active, scene.start, scene.scale, scene.dialect)
    ids = {scene.start[i].id for i in find(inner, then)}
    return [i for i, table_piece in enumerate(scene.table) if table_piece.id in ids]


def _distance(table_piece: TablePiece, place: Spot) -> float:
    return (table_piece.x - place[0]) ** 2 + (table_piece.y - place[1]) ** 2


def _exactly_at(table: Table, place: Spot) -> list[int]:
    return [i for i, table_piece in enumerate(table) if _distance(table_piece, place) < _SAME]


def _top(table: Table, place: Spot) -> int:
    x, y = place
    for index in range(len(table) - 1, -1, -1):
        table_piece = table[index]
        if (table_piece.x - x) ** 2 + (table_piece.y - y) ** 2 < _SAME:
            return index
    raise NoSuchPieceError(say("nothing lies at ({x},{y})", x=f"{x:g}", y=f"{y:g}"))


def _nearest(table: Table, place: Spot, count: int) -> list[int]:
    """Of pieces equally near, the upper ones."""
    order = sorted(range(len(table)), key=lambda i: -round(_distance(table[i], place), 5))
    return order[-count:]


def _from_top(table: Table, place: Spot, ranks: tuple[int, ...]) -> list[int]:
    there = _exactly_at(table, place)
    if max(ranks) > len(there):
        raise NoSuchPieceError(
            say(
                "only one piece lies at ({x},{y})",
                "only {count} pieces lie at ({x},{y})",
                count=len(there),
                x=f"{place[0]:g}",
                y=f"{place[1]:g}",
            )
        )
    return sorted({there[-rank] for rank in ranks})


def _one(table: Table, spec: PieceSpec, dialect: Dialect) -> int:
    """The only match; else, with all defaults filled in, the topmost that agrees also in its angle, or at all."""
    candidates = [i for i, table_piece in enumerate(table) if matches(table_piece, spec)]
    if len(candidates) == 1:
        return candidates[0]
    whole = filled(spec, 0.0, 0.0, "", dialect)
    alike = [i for i, table_piece in enumerate(table) if _agrees(table_piece, whole)]
    turned = [i for i in alike if same_angle(table[i].angle, whole.angle)]
    if not alike:
        raise NoSuchPieceError(say("no piece on the table is like that"))
    return (turned or alike)[-1]


def _agrees(one: TablePiece, other: TablePiece) -> bool:
    return (one.kind, one.side, one.set) == (other.kind, other.side, other.set) and _identity(one) == _identity(other)


def _identity(table_piece: TablePiece) -> tuple[int | None, int | None]:
    return table_piece.suit, table_piece.rank


def spot(where: Location, scene: LookupContext) -> Spot:
    """A place that does not depend on what is being moved."""
    match where:
        case Point(x, y):
            return x * scene.scale, y * scene.scale
        case PlaceOf(piece):
            return _spot_of(piece, scene)
        case Offset(dx, dy, base):
            if base is None:
                raise UnknownPlaceError(say("it is not said what this place is relative to"))
            x, y = spot(base, scene)
            return x + dx * scene.scale, y + dy * scene.scale


def _spot_of(piece: PieceId, scene: LookupContext) -> Spot:
    if isinstance(piece, Nearest):
        return spot(piece.where, scene)
    top = scene.table[find(piece, scene)[-1]]
    return top.x, top.y


def spots(where: Location, moving: Sequence[TablePiece], scene: LookupContext) -> list[Spot]:
    """Where each of the moving pieces comes to."""
    if isinstance(where, Offset) and where.base is None:
        dx, dy = where.dx * scene.scale, where.dy * scene.scale
        return [(table_piece.x + dx, table_piece.y + dy) for table_piece in moving]
    return [spot(where, scene)] * len(moving)
