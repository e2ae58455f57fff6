"""Writes what happens on a table as submoves: from the layout before to the layout after, for any game.

Only the safe core of the format is used, and every address is absolute: a line stays true when it is quoted alone.
Hands lie beside the board and are written; what is spent or back in the supply is off the table (dice stay).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.notation.address import FromTop, Nearest, One, PieceId, Point, TopAt
from rules.notation.piece_spec import spec_of
from rules.notation.play import Position, begin, done
from rules.notation.spec import PieceSpec
from rules.notation.submove import Capture, Change, Drop, Remove, Shift, Submove, Turn
from rules.notation.tabletop import TablePiece, same_angle
from rules.pieces.sizes import half_extent
from rules.table.appearance import Appearance, appearance_of, on_table
from rules.table.layout import Layout, Placed, Zone

_NEAR = 2e-3
_STEP = 0.25


@dataclass(frozen=True, slots=True)
class Goal:
    """Where and how one piece should lie. `home` is its zone and seat beside the board, None on it."""

    key: str
    look: Appearance
    x: float
    y: float
    angle: float
    half: float
    home: tuple[Zone, int | None] | None

    def overlaps(self, other: Goal) -> bool:
        if (self.home is None) != (other.home is None):
            return False
        reach = self.half + other.half - _NEAR
        return abs(self.x - other.x) < reach and abs(self.y - other.y) < reach


class SubmoveWriter:
    """Keeps the table as a reader of the record will have it, and the submoves that lead to the next layout."""

    def __init__(self) -> None:
        self.position: Position = begin(())
        self._goals: dict[str, Goal] = {}
        self._ids: dict[str, str] = {}
        self._submoves: list[Submove] = []

    def write(self, layout: Layout) -> tuple[Submove, ...]:
        """The submoves from the last layout to this one."""
        self._submoves = []
        goals = self._arranged([placed for placed in layout if on_table(placed)])
        self._recognise(goals)
        gone = {key for key in self._ids if key not in goals}
        restacked = self._restacked(list(goals.values()))
        self._carry_out(list(goals.values()), restacked, gone)
        for key in sorted(gone):
            self._remove(key)
        self._goals = goals
        return tuple(self._submoves)

    # What is wanted -------------------------------------------------------------------------------------------

    def _arranged(self, pieces: Sequence[Placed]) -> dict[str, Goal]:
        """On the board as the layout says; beside it a piece stays where it first came to lie."""
        goals: dict[str, Goal] = {}
        taken = {(round(p.x, 2), round(p.y, 2)) for p in pieces if p.zone is Zone.BOARD}
        beside = [p for p in pieces if p.zone is not Zone.BOARD]
        staying = {p.key: old for p in beside if (old := self._stays(p)) and _cell(old) not in taken}
        taken |= {_cell(old) for old in staying.values()}
        for placed in pieces:
            x, y = placed.x, placed.y
            if placed.key in staying:
                x, y = staying[placed.key].x, staying[placed.key].y
            elif placed.zone is not Zone.BOARD:
                x, y = _free_place(placed, taken)
            goals[placed.key] = _goal(placed, x, y)
        return goals

    def _stays(self, placed: Placed) -> Goal | None:
        old = self._goals.get(placed.key)
        return old if old is not None and old.home == (placed.zone, placed.seat) else None

    def _recognise(self, goals: dict[str, Goal]) -> None:
        """Keys may change with the place or the knowledge. A new key on the very place of one that is gone is that
        piece, better known; a new one elsewhere that looks the same is that piece, moved (the nearest one)."""
        gone = [self._goals[key] for key in self._ids if key not in goals]
        fresh = [goal for key, goal in goals.items() if key not in self._ids]
        pairs = sorted(
            (math.dist((old.x, old.y), (new.x, new.y)), old.key, new.key)
            for old in gone
            for new in fresh
            if old.look == new.look or (_cell(old) == _cell(new) and old.look.piece.kind is new.look.piece.kind)
        )
        for _, old_key, new_key in pairs:
            if old_key in self._ids and new_key not in self._ids:
                self._ids[new_key] = self._ids.pop(old_key)
                self._goals[new_key] = self._goals.pop(old_key)

    def _restacked(self, goals: list[Goal]) -> set[str]:
        """Whatever has to be put down: what moved or is new, and what lies on something that is put down."""
        order = {table_piece.id: index for index, table_piece in enumerate(self.position.table)}
        ranks = [order[self._ids[goal.key]] if goal.key in self._ids else -1 for goal in goals]
        found: set[str] = set()
        below: list[Goal] = []
        for index, goal in enumerate(goals):
            if self._moved(goal) or any(goal.overlaps(other) for other in below) or _sunk(index, goals, ranks):
                found.add(goal.key)
                below.append(goal)
        return found

    def _moved(self, goal: Goal) -> bool:
        if goal.key not in self._ids:
            return True
        table_piece = self._piece_for(goal.key)
        return abs(table_piece.x - goal.x) > _NEAR or abs(table_piece.y - goal.y) > _NEAR

    # Carrying it out ------------------------------------------------------------------------------------------

    def _carry_out(self, goals: list[Goal], restacked: set[str], gone: set[str]) -> None:
        index = 0
        while index < len(goals):
            goal = goals[index]
            count = self._put(goals[index:], restacked, gone) if goal.key in restacked else 1
            for done_goal in goals[index : index + count]:
                self._adjust(done_goal)
            index += count

    def _put(self, goals: list[Goal], restacked: set[str], gone: set[str]) -> int:
        """Put the first goal on top of the table, with as many of the following as move as one pile."""
        goal = goals[0]
        target = Point(goal.x, goal.y)
        if goal.key not in self._ids:
            self._do(Drop(spec_of(goal.look, goal.angle), target))
            (self._ids[goal.key],) = self.position.active
            return 1
        pile = self._pile(goals, restacked)
        victim = self._victim(target, gone) if len(pile) == 1 else None
        if victim is not None:
            self._do(Capture(self._address(goal.key), TopAt(target)))
            self._ids.pop(victim)
            gone.discard(victim)
        else:
            self._do(Shift(self._pile_address(pile), target))
        return len(pile)

    def _pile(self, goals: list[Goal], restacked: set[str]) -> list[Goal]:
        """The first goals that lie directly on each other in one spot and go to one spot."""
        there = self._ids_at(self._piece_for(goals[0].key))
        start = there.index(self._ids[goals[0].key])
        pile = [goals[0]]
        for goal, id in zip(goals[1:], there[start + 1 :], strict=False):
            together = (goal.x, goal.y) == (goals[0].x, goals[0].y) and goal.key in restacked
            if not together or self._ids.get(goal.key) != id:
                break
            pile.append(goal)
        return pile

    def _victim(self, target: Point, gone: set[str]) -> str | None:
        """The key of a piece to be removed that lies on top of the target."""
        there = [table_piece.id for table_piece in self.position.table if _at(table_piece, target.x, target.y)]
        return next((key for key in gone if there and self._ids.get(key) == there[-1]), None)

    def _adjust(self, goal: Goal) -> None:
        """Turn and reveal a piece that lies where it should."""
        table_piece = self._piece_for(goal.key)
        if not same_angle(table_piece.angle, goal.angle):
            self._do(Turn(self._address(goal.key), (table_piece.angle - goal.angle) % 360))
        change = self._difference(goal)
        if change is not None:
            self._do(Change(self._address_to_change(goal), change))
            (self._ids[goal.key],) = self.position.active

    def _difference(self, goal: Goal) -> PieceSpec | None:
        """What has to be said for the piece to show what it should; None for nothing."""
        old = self._goals.get(goal.key)
        if old is None or goal.key not in self._goals or old.look == goal.look:
            return None
        before, after = spec_of(old.look), spec_of(goal.look)
        side = after.side if before.side != after.side else None
        suit = after.suit if before.suit != after.suit or side else None
        rank = after.rank if before.rank != after.rank or side else None
        if side is None and suit is None and rank is None and before.set == after.set:
            return None
        return PieceSpec(None, side, suit, rank, colour=after.colour if suit else None)

    def _remove(self, key: str) -> None:
        self._do(Remove(self._address(key)))
        self._ids.pop(key)

    # Addresses ------------------------------------------------------------------------------------------------

    def _do(self, submove: Submove) -> None:
        self._submoves.append(submove)
        self.position = done(submove, self.position)

    def _piece_for(self, key: str) -> TablePiece:
        wanted = self._ids[key]
        return next(table_piece for table_piece in self.position.table if table_piece.id == wanted)

    def _ids_at(self, place: TablePiece) -> list[str]:
        return [table_piece.id for table_piece in self.position.table if _at(table_piece, place.x, place.y)]

    def _address(self, key: str) -> PieceId:
        table_piece = self._piece_for(key)
        return _counted(table_piece, self._ids_at(table_piece), [self._ids[key]])

    def _pile_address(self, pile: Iterable[Goal]) -> PieceId:
        ids = [self._ids[goal.key] for goal in pile]
        table_piece = self._piece_of(ids[0])
        return _counted(table_piece, self._ids_at(table_piece), ids)

    def _piece_of(self, id: str) -> TablePiece:
        return next(table_piece for table_piece in self.position.table if table_piece.id == id)

    def _address_to_change(self, goal: Goal) -> PieceId:
        """A die that is the only one of its suit is named; it rolls about."""
        table_piece = self._piece_for(goal.key)
        like = [other for other in self.position.table if (other.kind, other.suit) == ("die", table_piece.suit)]
        if table_piece.kind == "die" and len(like) == 1 and goal.look.piece.suit:
            return One(PieceSpec("die", suit=table_piece.suit))
        return self._address(goal.key)


def _sunk(index: int, goals: list[Goal], ranks: list[int]) -> bool:
    """Whether a piece lies under something now that it should lie on."""
    return any(ranks[below] > ranks[index] >= 0 and goals[below].overlaps(goals[index]) for below in range(index))


def _counted(table_piece: TablePiece, there: list[str], ids: list[str]) -> PieceId:
    """b4, 3b4 for the upper three, b4[2] or b4[2:3] for what lies deeper."""
    place = Point(table_piece.x, table_piece.y)
    low, high = there.index(ids[0]), there.index(ids[-1])
    if high == len(there) - 1:
        return TopAt(place) if len(ids) == 1 else Nearest(len(ids), place)
    return FromTop(place, tuple(range(len(there) - high, len(there) - low + 1)))


def _at(table_piece: TablePiece, x: float, y: float) -> bool:
    return (table_piece.x - x) ** 2 + (table_piece.y - y) ** 2 < 5e-6


def _cell(goal: Goal) -> tuple[float, float]:
    return round(goal.x, 2), round(goal.y, 2)


def _goal(placed: Placed, x: float, y: float) -> Goal:
    home = None if placed.zone is Zone.BOARD else (placed.zone, placed.seat)
    angle = placed.angle % 360
    return Goal(placed.key, appearance_of(placed), round(x, 3), round(y, 3), angle, half_extent(placed.piece), home)


def _free_place(placed: Placed, taken: set[tuple[float, float]]) -> tuple[float, float]:
    """Beside the board, a little farther out where somebody lies already."""
    x, y = placed.x, placed.y
    while (round(x, 2), round(y, 2)) in taken:
        x, y = x + _STEP, y - _STEP / 2
    taken.add((round(x, 2), round(y, 2)))
    return x, y
