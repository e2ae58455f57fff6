"""Where people at a simulated table keep what lies beside the board: every hand, heap and supply in rows of its own,
clear of all the ground that the board will ever need. Nobody tidies a hand because the board has grown."""

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
_CLEAR = 0.8  # between the board and whose things come first, and between them and the next
_GAP = 0.15
_LEAST_SIDE = 6.0
_ROLLS = 0.2  # a thrown die goes at least twice as far
_FALLS = 0.7  # a thrown die comes to rest within so much of its slot's middle, each way


@dataclass(frozen=True, slots=True)
class Slot:
    """Room for one thing of a kind and size, or for a pile of them."""

    owner: Owner
    size: Piece
    x: float
    y: float

    @property
    def box(self) -> Ground:
        return bounds([Placed(self.size, "", self.x, self.y)])


@dataclass(frozen=True, slots=True)
class RestingDie:
    """Where in its slot a die lies, and the spot that the throw gave it."""

    cast: tuple[float, float]
    east: float
    north: float


class RoomBeside:
    """Room for everything that is ever beside the board on one of these tables. `ground` is all that they need."""

    def __init__(self, tables: Sequence[Layout]) -> None:
        board = _wide_enough(bounds(placed for table in tables for placed in table.board))
        self.slots = _slots(board, _needed(tables))
        self.ground = _around([board, *(slot.box for slot in self.slots)])
        self._piled = {o for table in tables for o, piles in _piles(table).items() if any(len(p) > 1 for p in piles)}
        self._taken: dict[tuple[Owner, str], Slot] = {}
        self._fell: dict[str, RestingDie] = {}

    def areas(self, camera: PinholeCamera) -> list[Area]:
        """Whose things lie where, marked out in the picture as a host would do it. Of a pile only the top shows, so it
        is marked as supply, where nothing is counted."""
        owners = dict.fromkeys(slot.owner for slot in self.slots)
        grounds = {owner: _around([slot.box for slot in self.slots if slot.owner == owner]) for owner in owners}
        return [_area(_UNCOUNTED if o in self._piled else o, ground, camera) for o, ground in grounds.items()]

    def seated(self, act: Act) -> Act:
        """The same act with everybody's things where they keep them."""
        through = tuple(self.laid(layout) for layout in act.through)
        return replace(act, through=through, layout=self.laid(act.layout))

    def laid(self, layout: Layout) -> Layout:
        """What was there stays where it is; what is new takes the first free room of its size, or lies where the layout
        says if there is none."""
        piles = [(owner, pile) for owner, piles in _piles(layout).items() for pile in piles]
        lying = {(owner, pile[0].key) for owner, pile in piles}
        self._taken = {which: slot for which, slot in self._taken.items() if which in lying}
        moved = {placed.key: placed for owner, pile in piles for placed in self._kept(owner, pile)}
        return replace(layout, pieces=tuple(moved.get(placed.key, placed) for placed in layout.pieces))

    def _kept(self, owner: Owner, pile: Sequence[Placed]) -> list[Placed]:
        which = owner, pile[0].key
        slot = self._taken.get(which) or self._free(owner, _room(pile[0].piece))
        if slot is None:
            return list(pile)
        self._taken[which] = slot
        return [self._in(slot, placed) for placed in pile]

    def _in(self, slot: Slot, placed: Placed) -> Placed:
        if placed.piece.kind is not Kind.DIE:
            return placed._replace(x=slot.x, y=slot.y)
        fell = self._fell.get(placed.key)
        if fell is None or fell.cast != (placed.x, placed.y):
            fell = self._fell[placed.key] = _fallen(placed, fell)
        return placed._replace(x=slot.x + fell.east, y=slot.y + fell.north)

    def _free(self, owner: Owner, size: Piece) -> Slot | None:
        taken = set(self._taken.values())
        return next((s for s in self.slots if (s.owner, s.size) == (owner, size) and s not in taken), None)


def _fallen(placed: Placed, before: RestingDie | None) -> RestingDie:
    """As irregular as it fell, and never where it lay: a die that is thrown rolls."""
    share, other = (at * 5 % 1 for at in (placed.x, placed.y))
    east = _ROLLS + (_FALLS - _ROLLS) * share
    return RestingDie((placed.x, placed.y), -east if before and before.east > 0 else east, (2 * other - 1) * _FALLS)


def _room(piece: Piece) -> Piece:
    """A thing that needs as much room: dice are thrown, so each has the room of a tile."""
    return tile() if piece.kind is Kind.DIE else Piece(piece.kind, size=piece.size)


def _area(owner: Owner, ground: Ground, camera: PinholeCamera) -> Area:
    west, south, east, north = ground
    corners = np.array([(west, south, 0.0), (east, south, 0.0), (east, north, 0.0), (west, north, 0.0)])
    out = corners + np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * _CLEAR / 2
    shares = camera.project(out) / (camera.width, camera.height)
    return Area(*owner, tuple((float(x), float(y)) for x, y in shares))


def _piles(layout: Layout) -> dict[Owner, list[list[Placed]]]:
    """What lies beside the board, by owner; what lies on one spot is one pile, the lowest first."""
    found: dict[Owner, dict[object, list[Placed]]] = defaultdict(lambda: defaultdict(list))
    for placed in layout.pieces:
        if placed.zone is not Zone.BOARD:
            alone = placed.piece.kind is Kind.DIE
            spot = placed.key if alone else (round(placed.x, 2), round(placed.y, 2))
            found[placed.zone, placed.seat][spot].append(placed)
    return {owner: list(piles.values()) for owner, piles in found.items()}


def _needed(tables: Iterable[Layout]) -> Counter[tuple[Owner, Piece]]:
    """How much room of each size each owner needs at most."""
    needed: Counter[tuple[Owner, Piece]] = Counter()
    for table in tables:
        needed |= Counter((owner, _room(pile[0].piece)) for owner, piles in _piles(table).items() for pile in piles)
    return needed


def _wide_enough(board: Ground) -> Ground:
    """With sides that every thing fits along, else two rows would meet at a corner."""
    west, south, east, north = board
    wide, high = (max(0.0, _LEAST_SIDE - length) / 2 for length in (east - west, north - south))
    return west - wide, south - high, east + wide, north + high


def _slots(board: Ground, needed: Counter[tuple[Owner, Piece]]) -> list[Slot]:
    """Rows along the side of each seat, no longer than that side: so no two of them meet. What belongs to nobody lies
    in the east, behind everything."""
    sides = [_Side(board, index) for index in range(4)]
    found: list[Slot] = []
    for owner, size in sorted(needed, key=_row_order):
        side = sides[_EAST if owner[1] is None else owner[1] % 4]
        if not found or found[-1].owner != owner:
            side.begin()
        found += [Slot(owner, size, *side.next(half_extent(size))) for _ in range(needed[owner, size])]
    return found


def _row_order(item: tuple[Owner, Piece]) -> tuple[bool, int, int, float, str]:
    (zone, seat), size = item
    return seat is None, _ORDER.index(zone), seat or 0, -half_extent(size), size.code


class _Side:
    """One side of the board (south, west, north, east) and how far it is filled."""

    def __init__(self, board: Ground, index: int) -> None:
        self._west, self._south, self._east, self._north = board
        self._index = index
        self._length = self._east - self._west if index % 2 == 0 else self._north - self._south
        self._along, self._depth, self._reach = 0.0, 0.0, 0.0

    def begin(self) -> None:
        """Whatever comes now is another owner's."""
        self._row_behind(_CLEAR)

    def _row_behind(self, gap: float) -> None:
        self._along, self._depth, self._reach = 0.0, self._depth + 2 * self._reach + gap, 0.0

    def next(self, half: float) -> tuple[float, float]:
        """The middle of the next free room, so large."""
        if self._along and self._along + 2 * half > self._length:
            self._row_behind(_GAP)
        along, depth = self._along + half, self._depth + half
        self._along, self._reach = self._along + 2 * half + _GAP, max(self._reach, half)
        return (
            (self._west + along, self._south - depth),
            (self._west - depth, self._south + along),
            (self._east - along, self._north + depth),
            (self._east + depth, self._north - along),
        )[self._index]


def _around(boxes: Sequence[Ground]) -> Ground:
    wests, souths, easts, norths = zip(*boxes, strict=True)
    return min(wests), min(souths), max(easts), max(norths)
