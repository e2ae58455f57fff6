"""Resolves addresses to places and pieces on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from rules.notation import address
from rules.notation.address import Location, Nearest, Offset, PieceId
from rules.notation.dialect import Dialect
from rules.notation.errors import NoSuchPieceError, UnknownPlaceError
from rules.notation.spec import PieceSpec
from rules.notation.tabletop import Table, TablePiece, filled, matches, same_angle
from rules.sentence import say

_MAX_SAME_PLACE = 5e-6
"""Squared distance below which two places are the same: the format rounds squared distances to five decimals."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LookupContext:
    """What a look-up depends on. `active`: ids of the pieces touched last; `start`: the table at the start of the move;
    `scale`: inches per written coordinate."""

    table: Table
    active: frozenset[str]
    start: Table
    scale: float
    dialect: Dialect


def find(piece: PieceId, scene: LookupContext) -> list[int]:
    """Indices of the pieces in the table, from the bottom to the top; NoSuchPieceError if there are none."""
    found = sorted(_find(piece, scene))
    if not found:
        raise NoSuchPieceError(say("there is no such piece on the table"))
    return found


def _find(piece: PieceId, scene: LookupContext) -> Sequence[int]:
    table = scene.table
    match piece:
        case address.TopAt(where):
            return [_top(table, spot(where, scene))]
        case Nearest(count, where):
            return _nearest(table, spot(where, scene), count)
        case address.FromTop(where, ranks):
            return _from_top(table, spot(where, scene), ranks)
        case address.One(spec):
            return [_one(table, spec, scene.dialect)]
        case address.All(spec):
            return [i for i, table_piece in enumerate(table) if matches(table_piece, spec)]
        case address.ById(id):
            return [i for i, table_piece in enumerate(table) if table_piece.id == id]
        case address.Active():
            return _active(scene)
        case address.AtStart(inner):
            return _at_start(inner, scene)


def _active(scene: LookupContext) -> list[int]:
    found = [i for i, table_piece in enumerate(scene.table) if table_piece.id in scene.active]
    if not found:
        raise NoSuchPieceError(say("no piece has been touched yet"))
    return found


def _at_start(inner: PieceId, scene: LookupContext) -> list[int]:
    ids = {scene.start[i].id for i in find(inner, replace(scene, table=scene.start))}
    return [i for i, table_piece in enumerate(scene.table) if table_piece.id in ids]


def _squared_distance(table_piece: TablePiece, x: float, y: float) -> float:
    return (table_piece.x - x) ** 2 + (table_piece.y - y) ** 2


def is_at(table_piece: TablePiece, x: float, y: float) -> bool:
    return _squared_distance(table_piece, x, y) < _MAX_SAME_PLACE


def _top(table: Table, place: Spot) -> int:
    x, y = place
    for index in range(len(table) - 1, -1, -1):
        if is_at(table[index], x, y):
            return index
    raise NoSuchPieceError(say("nothing lies at ({x},{y})", x=f"{x:g}", y=f"{y:g}"))


def _nearest(table: Table, place: Spot, count: int) -> list[int]:
    """The nearest pieces; of pieces equally near the upper ones."""
    order = sorted(range(len(table)), key=lambda i: -round(_squared_distance(table[i], *place), 5))
    return order[-count:]


def _from_top(table: Table, place: Spot, ranks: tuple[int, ...]) -> list[int]:
    there = [i for i, table_piece in enumerate(table) if is_at(table_piece, *place)]
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
    """The only match; else, of those equal to the spec with its defaults, the topmost with the same angle, or at any
    angle."""
    candidates = [i for i, table_piece in enumerate(table) if matches(table_piece, spec)]
    if len(candidates) == 1:
        return candidates[0]
    wanted = filled(spec, 0.0, 0.0, "", dialect)
    alike = [i for i, table_piece in enumerate(table) if _features(table_piece) == _features(wanted)]
    same_way = [i for i in alike if same_angle(table[i].angle, wanted.angle)]
    if not alike:
        raise NoSuchPieceError(say("no piece on the table is like that"))
    return (same_way or alike)[-1]


_features = attrgetter("kind", "side", "set", "suit", "rank")


def spot(where: Location, scene: LookupContext) -> Spot:
    """A place that does not depend on the moving pieces."""
    match where:
        case address.Point(x, y):
            return x * scene.scale, y * scene.scale
        case address.PlaceOf(piece):
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
    """The target of each moving piece."""
    if isinstance(where, Offset) and where.base is None:
        dx, dy = where.dx * scene.scale, where.dy * scene.scale
        return [(table_piece.x + dx, table_piece.y + dy) for table_piece in moving]
    return [spot(where, scene)] * len(moving)
