"""Resolves addresses to places and pieces on a table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from rules.notation import address
from rules.notation.address import Location, Nearest, Offset, PieceId
from rules.notation.dialect import DEFAULT, Dialect
from rules.notation.errors import MoveError
from rules.notation.spec import PieceSpec
from rules.notation.tabletop import Table, TablePiece, filled, matches, same_angle
from rules.sentence import say

_MAX_SAME_PLACE = 5e-6
"""Squared distance below which two places are the same: the format rounds squared distances to five decimals."""
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Position:
    """A table within a record and the state of the player, on which a look-up depends. `count`: the highest id given to
    a piece; `active`: ids of the pieces touched last; `start`: the table at the start of the move; `scale`: inches per
    written coordinate."""

    table: Table
    count: int
    active: frozenset[str] = frozenset()
    start: Table = ()
    scale: float = 1.0
    dialect: Dialect = DEFAULT


def find(piece: PieceId, position: Position) -> list[int]:
    """Indices of the pieces in the table, from the bottom to the top; MoveError if there are none."""
    found = sorted(_find(piece, position))
    if not found:
        raise MoveError(say("there is no such piece on the table"))
    return found


def _find(piece: PieceId, position: Position) -> Sequence[int]:
    table = position.table
    match piece:
        case address.TopAt(where):
            x, y = spot(where, position)
            there = _at(table, x, y)
            if not there:
                raise MoveError(say("nothing lies at ({x},{y})", x=f"{x:g}", y=f"{y:g}"))
            return there[-1:]
        case Nearest(count, where):
            x, y = spot(where, position)
            # Of pieces equally near the upper ones.
            return sorted(range(len(table)), key=lambda i: -round(_squared_distance(table[i], x, y), 5))[-count:]
        case address.FromTop(where, ranks):
            x, y = spot(where, position)
            there = _at(table, x, y)
            if max(ranks) > len(there):
                why = say(
                    "only one piece lies at ({x},{y})",
                    "only {count} pieces lie at ({x},{y})",
                    count=len(there),
                    x=f"{x:g}",
                    y=f"{y:g}",
                )
                raise MoveError(why)
            return sorted({there[-rank] for rank in ranks})
        case address.One(spec):
            return [_one(table, spec, position.dialect)]
        case address.All(spec):
            return [i for i, table_piece in enumerate(table) if matches(table_piece, spec)]
        case address.ById(id):
            return _with_ids(table, {id})
        case address.Active():
            if not (touched := _with_ids(table, position.active)):
                raise MoveError(say("no piece has been touched yet"))
            return touched
        case address.AtStart(inner):
            return _with_ids(table, ids_of(inner, replace(position, table=position.start)))


def _at(table: Table, x: float, y: float) -> list[int]:
    return [i for i, table_piece in enumerate(table) if is_at(table_piece, x, y)]


def _with_ids(table: Table, ids: Collection[str]) -> list[int]:
    return [i for i, table_piece in enumerate(table) if table_piece.id in ids]


def ids_of(piece: PieceId, position: Position) -> set[str]:
    return {position.table[i].id for i in find(piece, position)}


def _squared_distance(table_piece: TablePiece, x: float, y: float) -> float:
    return (table_piece.x - x) ** 2 + (table_piece.y - y) ** 2


def is_at(table_piece: TablePiece, x: float, y: float) -> bool:
    return _squared_distance(table_piece, x, y) < _MAX_SAME_PLACE


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
        raise MoveError(say("no piece on the table is like that"))
    return (same_way or alike)[-1]


_features = attrgetter("kind", "side", "set", "suit", "rank")


def spot(where: Location, position: Position) -> Spot:
    """A place that does not depend on the moving pieces."""
    match where:
        case address.Point(x, y):
            return x * position.scale, y * position.scale
        case address.PlaceOf(Nearest(_, searched_from)):
            return spot(searched_from, position)
        case address.PlaceOf(piece):
            top = position.table[find(piece, position)[-1]]
            return top.x, top.y
        case Offset(dx, dy, base):
            if base is None:
                raise MoveError(say("it is not said what this place is relative to"))
            x, y = spot(base, position)
            return x + dx * position.scale, y + dy * position.scale


def spots(where: Location, moving: Sequence[TablePiece], position: Position) -> list[Spot]:
    """The target of each moving piece."""
    if isinstance(where, Offset) and where.base is None:
        dx, dy = where.dx * position.scale, where.dy * position.scale
        return [(table_piece.x + dx, table_piece.y + dy) for table_piece in moving]
    return [spot(where, position)] * len(moving)
