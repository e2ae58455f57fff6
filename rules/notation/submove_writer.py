"""Writes the difference of two layouts of any game as submoves.

Only the safe core of the format is used, and every address is absolute, so that a line can be quoted alone. Hands
beside the board are written; spent and supplied pieces are off the table, except dice.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rules.notation.address import FromTop, Nearest, One, PieceId, Point, TopAt
from rules.notation.lookup import Position, is_at
from rules.notation.piece_spec import spec_of
from rules.notation.play import after_submove, begin
from rules.notation.spec import PieceSpec
from rules.notation.submove import Capture, Change, Drop, Remove, Shift, Submove, Turn
from rules.notation.tabletop import TablePiece, same_angle
from rules.pieces.sizes import half_extent
from rules.table.layout import Appearance, Layout, Placed, Zone, appearance_of, on_table

_TOLERANCE = 2e-3
"""Difference of coordinates, in spaces, up to which places are the same."""
_STEP = 0.25
"""Step to a free place beside the board, in spaces."""


@dataclass(frozen=True, slots=True)
class Goal:
    """Target pose of a piece. `half`: half extent; `home`: zone and seat beside the board, None on the board."""

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
        reach = self.half + other.half - _TOLERANCE
        return abs(self.x - other.x) < reach and abs(self.y - other.y) < reach


class SubmoveWriter:
    """Keeps the table as a reader of the record has it, and writes the submoves to the next layout. `_goals`: of the
    last layout; `_ids`: piece ids of the record; both by key."""

    def __init__(self) -> None:
        self.position: Position = begin(())
        self._goals: dict[str, Goal] = {}
        self._ids: dict[str, str] = {}
        self._submoves: list[Submove] = []

    def write(self, layout: Layout) -> tuple[Submove, ...]:
        """The submoves from the last layout to this one."""
        self._submoves = []
        goals = self._goals_of([placed for placed in layout if on_table(placed)])
        self._match_keys(goals)
        removed = {key for key in self._ids if key not in goals}
        restacked = self._restacked(list(goals.values()))
        self._carry_out(list(goals.values()), restacked, removed)
        for key in sorted(removed):
            self._do(Remove(self._address([key])))
            self._ids.pop(key)
        self._goals = goals
        return tuple(self._submoves)

    def _goals_of(self, pieces: Sequence[Placed]) -> dict[str, Goal]:
        """On the board as in the layout; beside it pieces keep the place they had first."""
        goals: dict[str, Goal] = {}
        occupied = {_cell(placed) for placed in pieces if placed.zone is Zone.BOARD}
        beside = [placed for placed in pieces if placed.zone is not Zone.BOARD]
        kept = {p.key: old for p in beside if (old := self._previous_goal(p)) and _cell(old) not in occupied}
        occupied |= {_cell(old) for old in kept.values()}
        for placed in pieces:
            x, y = placed.x, placed.y
            if placed.key in kept:
                x, y = kept[placed.key].x, kept[placed.key].y
            elif placed.zone is not Zone.BOARD:
                x, y = _free_place(placed, occupied)
            goals[placed.key] = _goal(placed, x, y)
        return goals

    def _previous_goal(self, placed: Placed) -> Goal | None:
        """The goal in the last layout, if it was in the same zone of the same seat beside the board."""
        old = self._goals.get(placed.key)
        return old if old is not None and old.home == (placed.zone, placed.seat) else None

    def _match_keys(self, goals: dict[str, Goal]) -> None:
        """Matches new keys to old ones, since keys may change with place or knowledge: at the same place it is the same
        piece, better known; elsewhere the nearest of the same appearance, moved."""
        unmatched = [self._goals[key] for key in self._ids if key not in goals]
        added = [goal for key, goal in goals.items() if key not in self._ids]
        pairs = sorted(
            (math.dist((old.x, old.y), (new.x, new.y)), old.key, new.key)
            for old in unmatched
            for new in added
            if old.look == new.look or (_cell(old) == _cell(new) and old.look.piece.kind is new.look.piece.kind)
        )
        for _, old_key, new_key in pairs:
            if old_key in self._ids and new_key not in self._ids:
                self._ids[new_key] = self._ids.pop(old_key)
                self._goals[new_key] = self._goals.pop(old_key)

    def _restacked(self, goals: list[Goal]) -> set[str]:
        """Keys of the pieces to put on top of the table: those moved or new, and those above them."""
        order = {table_piece.id: index for index, table_piece in enumerate(self.position.table)}
        ranks = [order[self._ids[goal.key]] if goal.key in self._ids else -1 for goal in goals]
        found: set[str] = set()
        below: list[Goal] = []
        for index, goal in enumerate(goals):
            if (
                self._is_moved(goal)
                or any(goal.overlaps(other) for other in below)
                or _is_below_its_base(index, goals, ranks)
            ):
                found.add(goal.key)
                below.append(goal)
        return found

    def _is_moved(self, goal: Goal) -> bool:
        if goal.key not in self._ids:
            return True
        piece = self._piece(goal.key)
        return abs(piece.x - goal.x) > _TOLERANCE or abs(piece.y - goal.y) > _TOLERANCE

    def _carry_out(self, goals: list[Goal], restacked: set[str], removed: set[str]) -> None:
        index = 0
        while index < len(goals):
            goal = goals[index]
            count = self._put(goals[index:], restacked, removed) if goal.key in restacked else 1
            for each in goals[index : index + count]:
                self._adjust(each)
            index += count

    def _put(self, goals: list[Goal], restacked: set[str], removed: set[str]) -> int:
        """Puts the first goal on top of the table, with the following ones that move with it as a pile; returns their
        number."""
        goal = goals[0]
        target = Point(goal.x, goal.y)
        if goal.key not in self._ids:
            self._do(Drop(spec_of(goal.look, goal.angle), target))
            (self._ids[goal.key],) = self.position.active
            return 1
        pile = self._pile(goals, restacked)
        captured = self._captured(target, removed) if len(pile) == 1 else None
        if captured is not None:
            self._do(Capture(self._address([goal.key]), TopAt(target)))
            self._ids.pop(captured)
            removed.discard(captured)
        else:
            self._do(Shift(self._address([each.key for each in pile]), target))
        return len(pile)

    def _pile(self, goals: list[Goal], restacked: set[str]) -> list[Goal]:
        """The first goals that lie directly on each other at one place and go to one place."""
        there = self._ids_at(self._piece(goals[0].key))
        start = there.index(self._ids[goals[0].key])
        pile = [goals[0]]
        for goal, id in zip(goals[1:], there[start + 1 :], strict=False):
            is_same_target = (goal.x, goal.y) == (goals[0].x, goals[0].y) and goal.key in restacked
            if not is_same_target or self._ids.get(goal.key) != id:
                break
            pile.append(goal)
        return pile

    def _captured(self, target: Point, removed: set[str]) -> str | None:
        """The key of a piece to be removed that is on top at the target."""
        there = self._ids_at(target)
        return next((key for key in removed if there and self._ids.get(key) == there[-1]), None)

    def _adjust(self, goal: Goal) -> None:
        """Turns and reveals a piece that is at its place."""
        piece = self._piece(goal.key)
        if not same_angle(piece.angle, goal.angle):
            self._do(Turn(self._address([goal.key]), (piece.angle - goal.angle) % 360))
        change = self._difference(goal)
        if change is not None:
            self._do(Change(self._address_to_change(goal), change))
            (self._ids[goal.key],) = self.position.active

    def _difference(self, goal: Goal) -> PieceSpec | None:
        """The spec of the features to change; None if there are none."""
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

    def _do(self, submove: Submove) -> None:
        self._submoves.append(submove)
        self.position = after_submove(submove, self.position)

    def _piece(self, key: str) -> TablePiece:
        wanted = self._ids[key]
        return next(piece for piece in self.position.table if piece.id == wanted)

    def _ids_at(self, place: TablePiece | Point) -> list[str]:
        return [piece.id for piece in self.position.table if is_at(piece, place.x, place.y)]

    def _address(self, keys: list[str]) -> PieceId:
        """The address of pieces directly on each other: b4, 3b4 for the upper three, b4[2] or b4[2:3] below."""
        piece = self._piece(keys[0])
        place, there = Point(piece.x, piece.y), self._ids_at(piece)
        low, high = there.index(self._ids[keys[0]]), there.index(self._ids[keys[-1]])
        if high == len(there) - 1:
            return TopAt(place) if len(keys) == 1 else Nearest(len(keys), place)
        return FromTop(place, tuple(range(len(there) - high, len(there) - low + 1)))

    def _address_to_change(self, goal: Goal) -> PieceId:
        """The only die of its suit is addressed by suit, since it rolls about."""
        piece = self._piece(goal.key)
        same_suit = [other for other in self.position.table if (other.kind, other.suit) == ("die", piece.suit)]
        if piece.kind == "die" and len(same_suit) == 1 and goal.look.piece.suit:
            return One(PieceSpec("die", suit=piece.suit))
        return self._address([goal.key])


def _is_below_its_base(index: int, goals: list[Goal], ranks: list[int]) -> bool:
    """Whether a piece is now below one that should be below it."""
    return any(ranks[below] > ranks[index] >= 0 and goals[below].overlaps(goals[index]) for below in range(index))


def _cell(place: Goal | Placed) -> tuple[float, float]:
    return round(place.x, 2), round(place.y, 2)


def _goal(placed: Placed, x: float, y: float) -> Goal:
    home = None if placed.zone is Zone.BOARD else (placed.zone, placed.seat)
    angle = placed.angle % 360
    return Goal(placed.key, appearance_of(placed), round(x, 3), round(y, 3), angle, half_extent(placed.piece), home)


def _free_place(placed: Placed, occupied: set[tuple[float, float]]) -> tuple[float, float]:
    """The place of the layout, or the next free one farther out; adds it to `occupied`."""
    x, y = placed.x, placed.y
    while (round(x, 2), round(y, 2)) in occupied:
        x, y = x + _STEP, y - _STEP / 2
    occupied.add((round(x, 2), round(y, 2)))
    return x, y
