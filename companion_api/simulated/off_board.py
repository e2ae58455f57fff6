"""Slots beside the board of a simulated table: each hand, heap and supply in rows of its own, outside all ground the
board will need, so that nothing has to move when the board grows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion_api.setting_up.hands import Area
from models.render.camera import PinholeCamera
from models.render.layout_scene import Ground
from models.render.simulated import Act
from rules.pieces import Kind, Piece, tile
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Placed, Zone, bounds

Owner = tuple[Zone, int | None]

_ORDER = (Zone.HAND, Zone.SPENT, Zone.SUPPLY)
_UNCOUNTED: Owner = (Zone.SUPPLY, None)
_EAST = 3
_CLEAR = 0.8  # between the board and the first owner, and between owners
_GAP = 0.15
_LEAST_SIDE = 6.0
_ROLLS = 0.2  # least distance of a die from the slot's middle; a thrown die moves twice as far
_FALLS = 0.7  # greatest distance of a die from the slot's middle, each way


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for a piece of one kind and size, or a pile of them."""

    owner: Owner
    size: Piece
    x: float
    y: float

    @property
    def box(self) -> Ground:
        return bounds([Placed(self.size, "", self.x, self.y)])


@dataclass(frozen=True, slots=True)
class RestingDie:
    """Position of a die within its slot, and the layout position it was thrown to."""

    cast: tuple[float, float]
    east: float
    north: float


class RoomBeside:
    """Slots for all off-board pieces of these layouts; `ground`: the bounding box of all."""

    def __init__(self, tables: Sequence[Layout]) -> None:
        board = _widened(bounds(placed for table in tables for placed in table.board))
        self.slots = _slots(board, _slot_counts(tables))
        self.ground = _bounding_box([board, *(slot.box for slot in self.slots)])
        self._with_piles = {
            o for table in tables for o, piles in _piles(table).items() if any(len(p) > 1 for p in piles)
        }
        self._taken: dict[tuple[Owner, str], Slot] = {}
        self._resting: dict[str, RestingDie] = {}

    def areas(self, camera: PinholeCamera) -> list[Area]:
        """Hand areas in the picture, as a host would mark them. Piles are marked as supply, where nothing is counted,
        since only their top is visible."""
        owners = dict.fromkeys(slot.owner for slot in self.slots)
        grounds = {owner: _bounding_box([slot.box for slot in self.slots if slot.owner == owner]) for owner in owners}
        return [_area(_UNCOUNTED if o in self._with_piles else o, ground, camera) for o, ground in grounds.items()]

    def arrange_act(self, act: Act) -> Act:
        through = tuple(self.arrange(layout) for layout in act.through)
        return replace(act, through=through, layout=self.arrange(act.layout))

    def arrange(self, layout: Layout) -> Layout:
        """Puts off-board pieces into slots: known ones keep theirs, new ones get the first free slot of their size, or
        stay where the layout has them."""
        piles = [(owner, pile) for owner, piles in _piles(layout).items() for pile in piles]
        present = {(owner, pile[0].key) for owner, pile in piles}
        self._taken = {which: slot for which, slot in self._taken.items() if which in present}
        moved = {placed.key: placed for owner, pile in piles for placed in self._place_pile(owner, pile)}
        return replace(layout, pieces=tuple(moved.get(placed.key, placed) for placed in layout.pieces))

    def _place_pile(self, owner: Owner, pile: Sequence[Placed]) -> list[Placed]:
        which = owner, pile[0].key
        slot = self._taken.get(which) or self._free(owner, _slot_size(pile[0].piece))
        if slot is None:
            return list(pile)
        self._taken[which] = slot
        return [self._in_slot(slot, placed) for placed in pile]

    def _in_slot(self, slot: Slot, placed: Placed) -> Placed:
        if placed.piece.kind is not Kind.DIE:
            return replace(placed, x=slot.x, y=slot.y)
        resting = self._resting.get(placed.key)
        if resting is None or resting.cast != (placed.x, placed.y):
            resting = self._resting[placed.key] = _thrown(placed, resting)
        return replace(placed, x=slot.x + resting.east, y=slot.y + resting.north)

    def _free(self, owner: Owner, size: Piece) -> Slot | None:
        taken = set(self._taken.values())
        return next((s for s in self.slots if (s.owner, s.size) == (owner, size) and s not in taken), None)


def _thrown(placed: Placed, before: RestingDie | None) -> RestingDie:
    """An irregular position derived from the layout position, away from the last one: a thrown die rolls."""
    share, other = (at * 5 % 1 for at in (placed.x, placed.y))
    east = _ROLLS + (_FALLS - _ROLLS) * share
    return RestingDie((placed.x, placed.y), -east if before and before.east > 0 else east, (2 * other - 1) * _FALLS)


def _slot_size(piece: Piece) -> Piece:
    """A piece that stands for the slot size; a die gets a tile's room for its throw."""
    return tile() if piece.kind is Kind.DIE else Piece(piece.kind, size=piece.size)


def _area(owner: Owner, ground: Ground, camera: PinholeCamera) -> Area:
    west, south, east, north = ground
    corners = np.array([(west, south, 0.0), (east, south, 0.0), (east, north, 0.0), (west, north, 0.0)])
    grown = corners + np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * _CLEAR / 2
    shares = camera.project(grown) / (camera.width, camera.height)
    return Area(*owner, tuple((float(x), float(y)) for x, y in shares))


def _piles(layout: Layout) -> dict[Owner, list[list[Placed]]]:
    """Off-board pieces by owner, grouped into piles of one position, lowest first."""
    found: dict[Owner, dict[object, list[Placed]]] = defaultdict(lambda: defaultdict(list))
    for placed in layout.pieces:
        if placed.zone is not Zone.BOARD:
            alone = placed.piece.kind is Kind.DIE
            spot = placed.key if alone else (round(placed.x, 2), round(placed.y, 2))
            found[placed.zone, placed.seat][spot].append(placed)
    return {owner: list(piles.values()) for owner, piles in found.items()}


def _slot_counts(tables: Iterable[Layout]) -> Counter[tuple[Owner, Piece]]:
    """The most slots of each size per owner in any layout."""
    needed: Counter[tuple[Owner, Piece]] = Counter()
    for table in tables:
        needed |= Counter(
            (owner, _slot_size(pile[0].piece)) for owner, piles in _piles(table).items() for pile in piles
        )
    return needed


def _widened(board: Ground) -> Ground:
    """At least _LEAST_SIDE wide and high, so that rows do not meet at a corner."""
    west, south, east, north = board
    wide, high = (max(0.0, _LEAST_SIDE - length) / 2 for length in (east - west, north - south))
    return west - wide, south - high, east + wide, north + high


def _slots(board: Ground, needed: Counter[tuple[Owner, Piece]]) -> list[Slot]:
    """Rows along each seat's side of the board, no longer than it so that rows do not meet; the common supply in the
    east behind all others."""
    sides = [_Side(board, index) for index in range(4)]
    found: list[Slot] = []
    for owner, size in sorted(needed, key=_row_order):
        side = sides[_EAST if owner[1] is None else owner[1] % 4]
        if not found or found[-1].owner != owner:
            side.start_row(_CLEAR)  # of another owner
        found += [Slot(owner, size, *side.next(half_extent(size))) for _ in range(needed[owner, size])]
    return found


def _row_order(item: tuple[Owner, Piece]) -> tuple[bool, int, int, float, str]:
    (zone, seat), size = item
    return seat is None, _ORDER.index(zone), seat or 0, -half_extent(size), size.code


class _Side:
    """One side of the board (south, west, north, east) and its filled length."""

    def __init__(self, board: Ground, index: int) -> None:
        self._west, self._south, self._east, self._north = board
        self._index = index
        self._length = self._east - self._west if index % 2 == 0 else self._north - self._south
        self._along, self._depth, self._reach = 0.0, 0.0, 0.0

    def start_row(self, gap: float) -> None:
        self._along, self._depth, self._reach = 0.0, self._depth + 2 * self._reach + gap, 0.0

    def next(self, half: float) -> tuple[float, float]:
        """Centre of the next free room for a piece of this half size."""
        if self._along and self._along + 2 * half > self._length:
            self.start_row(_GAP)
        along, depth = self._along + half, self._depth + half
        self._along, self._reach = self._along + 2 * half + _GAP, max(self._reach, half)
        return (
            (self._west + along, self._south - depth),
            (self._west - depth, self._south + along),
            (self._east - along, self._north + depth),
            (self._east + depth, self._north - along),
        )[self._index]


def _bounding_box(boxes: Sequence[Ground]) -> Ground:
    wests, souths, easts, norths = zip(*boxes, strict=True)
    return min(wests), min(souths), max(easts), max(norths)
