"""Plays a record: the table after each move. Pure: tables never change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Any

from rules.notation.address import PieceId, PlaceOf
from rules.notation.dialect import DEFAULT, Dialect
from rules.notation.errors import MAX_PIECES, LimitError, MoveError, NoSuchPieceError
from rules.notation.lookup import LookupContext, Spot, find, spot, spots
from rules.notation.movetext import MoveText
from rules.notation.submove import Capture, Change, Drop, Flip, Raise, Remove, Replace, Shift, Submove, Swap, Turn
from rules.notation.tabletop import Table, TablePiece, changed, filled, flipped, replaced
from rules.sentence import say


@dataclass(frozen=True, slots=True)
class Position:
    """A table within a record and the state of the player. `count`: the highest id given to a piece."""

    table: Table
    count: int
    active: frozenset[str] = frozenset()
    start: Table = ()
    scale: float = 1.0
    dialect: Dialect = DEFAULT

    @property
    def scene(self) -> LookupContext:
        return LookupContext(self.table, self.active, self.start, self.scale, self.dialect)


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move and the table after it."""

    move: MoveText
    table: Table


def begin(table: Table, scale: float = 1.0, dialect: Dialect = DEFAULT) -> Position:
    return Position(table, len(table), scale=scale, dialect=dialect)


def play(moves: Iterable[MoveText], position: Position) -> Iterator[PlayedMove]:
    """The table after each move, lazily; MoveError at the first impossible submove."""
    for move in moves:
        position = after_move(move, position)
        yield PlayedMove(move, position.table)


def after_move(move: MoveText, position: Position) -> Position:
    position = replace(position, start=position.table)
    for submove in move.submoves:
        try:
            position = after_submove(submove, position)
        except MoveError as error:
            raise error.at(move.label, move.text) from None
    return position


def after_submove(submove: Submove, position: Position) -> Position:
    return _EXECUTORS[type(submove)](submove, position)


def _with_active(position: Position, table: Table, pieces: Iterable[TablePiece]) -> Position:
    return replace(position, table=table, active=frozenset(piece.id for piece in pieces))


def _split(table: Table, indices: list[int]) -> tuple[list[TablePiece], list[TablePiece]]:
    """The pieces at these indices, and the rest."""
    wanted = set(indices)
    return [table[i] for i in indices], [table_piece for i, table_piece in enumerate(table) if i not in wanted]


def _drop(drop: Drop, position: Position) -> Position:
    if len(position.table) >= MAX_PIECES:
        raise LimitError(say("more than {most} pieces on the table", most=MAX_PIECES))
    scene = position.scene
    x, y = spot(drop.to, scene)
    new = filled(drop.spec, x, y, str(position.count + 1), position.dialect)
    beside = None if drop.beside is None else _ids(drop.beside, scene)
    table = _inserted(list(position.table), [new], drop.under, beside)
    return replace(_with_active(position, table, [new]), count=position.count + 1)


def _ids(piece: PieceId, scene: LookupContext) -> set[str]:
    return {scene.table[i].id for i in find(piece, scene)}


def _inserted(rest: list[TablePiece], moving: list[TablePiece], under: bool, beside: set[str] | None) -> Table:
    """The moving pieces above or below the rest, or directly above or below the pieces `beside`."""
    if beside is None:
        index = 0 if under else len(rest)
    else:
        there = [i for i, table_piece in enumerate(rest) if table_piece.id in beside]
        if not there:
            raise NoSuchPieceError(say("a piece cannot be put next to itself"))
        index = there[0] if under else there[-1] + 1
    return (*rest[:index], *moving, *rest[index:])


def _shift(shift: Shift, position: Position) -> Position:
    scene = position.scene
    moving, rest = _split(position.table, find(shift.piece, scene))
    beside = None if shift.beside is None else _ids(shift.beside, scene)
    moved = _moved(moving, spots(shift.to, moving, scene))
    return _with_active(position, _inserted(rest, moved, shift.under, beside), moved)


def _moved(pieces: list[TablePiece], places: list[Spot]) -> list[TablePiece]:
    return [replace(table_piece, x=x, y=y) for table_piece, (x, y) in zip(pieces, places, strict=True)]


def _raise(lift: Raise, position: Position) -> Position:
    moving, rest = _split(position.table, find(lift.piece, position.scene))
    return _with_active(position, (*rest, *moving), moving)


def _remove(removal: Remove, position: Position) -> Position:
    removed, rest = _split(position.table, find(removal.piece, position.scene))
    return replace(position, table=tuple(rest), active=position.active - {table_piece.id for table_piece in removed})


def _capture(capture: Capture, position: Position) -> Position:
    place = spot(PlaceOf(capture.other), position.scene)
    position = _remove(Remove(capture.other), position)
    moving, rest = _split(position.table, find(capture.piece, position.scene))
    moved = _moved(moving, [place] * len(moving))
    return _with_active(position, (*rest, *moved), moved)


def _swap(swap: Swap, position: Position) -> Position:
    scene = position.scene
    here, there = spot(PlaceOf(swap.piece), scene), spot(PlaceOf(swap.other), scene)
    first, second = find(swap.piece, scene), find(swap.other, scene)
    _, rest = _split(position.table, [*first, *second])
    one = _moved([position.table[i] for i in first], [there] * len(first))
    other = _moved([position.table[i] for i in second if i not in first], [here] * len(set(second) - set(first)))
    return _with_active(position, (*rest, *one, *other), one)


def _changed(position: Position, piece: PieceId, change: Callable[[TablePiece], TablePiece]) -> Position:
    """The position with pieces changed, in the same stacking order."""
    table = list(position.table)
    indices = find(piece, position.scene)
    for index in indices:
        table[index] = change(table[index])
    return _with_active(position, tuple(table), [table[i] for i in indices])


def _flip(flip: Flip, position: Position) -> Position:
    return _changed(position, flip.piece, flipped)


def _respecify(order: Replace | Change, position: Position) -> Position:
    change = replaced if isinstance(order, Replace) else changed
    return _changed(position, order.piece, lambda table_piece: change(table_piece, order.spec, position.dialect))


def _turn(turn: Turn, position: Position) -> Position:
    centre = None if turn.around is None else spot(turn.around, position.scene)
    return _changed(position, turn.piece, lambda table_piece: rotated(table_piece, -turn.degrees, centre))


def rotated(table_piece: TablePiece, degrees: float, centre: Spot | None) -> TablePiece:
    """The piece rotated counter-clockwise, in place or around a centre."""
    angle = (table_piece.angle + degrees) % 360.0
    if centre is None:
        return replace(table_piece, angle=angle)
    dx, dy = table_piece.x - centre[0], table_piece.y - centre[1]
    along, across = cos(radians(degrees)), sin(radians(degrees))
    x, y = centre[0] + dx * along - dy * across, centre[1] + dx * across + dy * along
    return replace(table_piece, angle=angle, x=round(x, 9), y=round(y, 9))


_EXECUTORS: dict[type, Callable[[Any, Position], Position]] = {
    Drop: _drop,
    Shift: _shift,
    Raise: _raise,
    Remove: _remove,
    Capture: _capture,
    Swap: _swap,
    Flip: _flip,
    Turn: _turn,
    Replace: _respecify,
    Change: _respecify,
}
