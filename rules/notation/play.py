"""Plays a record: the table after each move. Pure: tables never change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import cos, radians, sin

from rules.notation.address import PieceId, PlaceOf
from rules.notation.dialect import DEFAULT, Dialect
from rules.notation.errors import MAX_PIECES, LimitError, MoveError
from rules.notation.lookup import Position, Spot, find, ids_of, spot, spots
from rules.notation.movetext import MoveText
from rules.notation.submove import Capture, Change, Drop, Flip, Raise, Remove, Replace, Shift, Submove, Swap, Turn
from rules.notation.tabletop import Table, TablePiece, changed, filled, flipped, replaced
from rules.sentence import say


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
    match submove:
        case Shift():
            return _shift(submove, position)
        case Drop():
            return _drop(submove, position)
        case Remove(piece):
            removed, rest = _split(position.table, find(piece, position))
            return replace(position, table=tuple(rest), active=position.active - {gone.id for gone in removed})
        case Capture():
            return _capture(submove, position)
        case Raise(piece):
            moving, rest = _split(position.table, find(piece, position))
            return _with_active(position, (*rest, *moving), moving)
        case Swap():
            return _swap(submove, position)
        case Flip(piece):
            return _changed(position, piece, flipped)
        case Change(piece, spec):
            return _changed(position, piece, lambda before: changed(before, spec, position.dialect))
        case Replace(piece, spec):
            return _changed(position, piece, lambda before: replaced(before, spec, position.dialect))
        case Turn(piece, degrees, around):
            centre = None if around is None else spot(around, position)
            return _changed(position, piece, lambda before: rotated(before, -degrees, centre))


def _with_active(position: Position, table: Table, pieces: Iterable[TablePiece]) -> Position:
    return replace(position, table=table, active=frozenset(piece.id for piece in pieces))


def _split(table: Table, indices: list[int]) -> tuple[list[TablePiece], list[TablePiece]]:
    """The pieces at these indices, and the rest."""
    wanted = set(indices)
    return [table[i] for i in indices], [table_piece for i, table_piece in enumerate(table) if i not in wanted]


def _drop(drop: Drop, position: Position) -> Position:
    if len(position.table) >= MAX_PIECES:
        raise LimitError(say("more than {most} pieces on the table", most=MAX_PIECES))
    x, y = spot(drop.to, position)
    new = filled(drop.spec, x, y, str(position.count + 1), position.dialect)
    beside = None if drop.beside is None else ids_of(drop.beside, position)
    table = _inserted(list(position.table), [new], drop.under, beside)
    return replace(_with_active(position, table, [new]), count=position.count + 1)


def _inserted(rest: list[TablePiece], moving: list[TablePiece], under: bool, beside: set[str] | None) -> Table:
    """The moving pieces above or below the rest, or directly above or below the pieces `beside`."""
    if beside is None:
        index = 0 if under else len(rest)
    else:
        there = [i for i, table_piece in enumerate(rest) if table_piece.id in beside]
        if not there:
            raise MoveError(say("a piece cannot be put next to itself"))
        index = there[0] if under else there[-1] + 1
    return (*rest[:index], *moving, *rest[index:])


def _shift(shift: Shift, position: Position) -> Position:
    moving, rest = _split(position.table, find(shift.piece, position))
    beside = None if shift.beside is None else ids_of(shift.beside, position)
    moved = _moved(moving, spots(shift.to, moving, position))
    return _with_active(position, _inserted(rest, moved, shift.under, beside), moved)


def _moved(pieces: list[TablePiece], places: list[Spot]) -> list[TablePiece]:
    return [replace(table_piece, x=x, y=y) for table_piece, (x, y) in zip(pieces, places, strict=True)]


def _capture(capture: Capture, position: Position) -> Position:
    place = spot(PlaceOf(capture.other), position)
    position = after_submove(Remove(capture.other), position)
    moving, rest = _split(position.table, find(capture.piece, position))
    moved = _moved(moving, [place] * len(moving))
    return _with_active(position, (*rest, *moved), moved)


def _swap(swap: Swap, position: Position) -> Position:
    here, there = spot(PlaceOf(swap.piece), position), spot(PlaceOf(swap.other), position)
    first, second = find(swap.piece, position), find(swap.other, position)
    _, rest = _split(position.table, [*first, *second])
    one = _moved([position.table[i] for i in first], [there] * len(first))
    other = _moved([position.table[i] for i in second if i not in first], [here] * len(set(second) - set(first)))
    return _with_active(position, (*rest, *one, *other), one)


def _changed(position: Position, piece: PieceId, change: Callable[[TablePiece], TablePiece]) -> Position:
    """The position with pieces changed, in the same stacking order."""
    table = list(position.table)
    indices = find(piece, position)
    for index in indices:
        table[index] = change(table[index])
    return _with_active(position, tuple(table), [table[i] for i in indices])


def rotated(table_piece: TablePiece, degrees: float, centre: Spot | None) -> TablePiece:
    """The piece rotated counter-clockwise, in place or around a centre."""
    angle = (table_piece.angle + degrees) % 360.0
    if centre is None:
        return replace(table_piece, angle=angle)
    dx, dy = table_piece.x - centre[0], table_piece.y - centre[1]
    along, across = cos(radians(degrees)), sin(radians(degrees))
    x, y = centre[0] + dx * along - dy * across, centre[1] + dx * across + dy * along
    return replace(table_piece, angle=angle, x=round(x, 9), y=round(y, 9))
