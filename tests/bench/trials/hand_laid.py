"""One table after the other as hands lay them: what nobody touches stays where it lies.

A layout is drawn tidily: where the board grows its rows move away, where a coin is taken from one the others close up.
People do neither. Whatever lies beside the board stays there as long as it is the same for the same owner and nothing
is laid on its place; what is new comes to a free place near its tidy one; dice lie as they were thrown.

Nobody has marked out such a table: things begin where the layout draws them, and the board may grow towards them. A
table that was marked out has room for everything from the beginning (`companion_api/simulated/off_board.py`).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion_api.simulated.rolled_dice import RolledDice
from rules.engine.effects import Effect
from rules.pieces import Kind
from rules.pieces.sizes import half_extent
from rules.table.layout import Layout, Placed, Zone

_GAP = 0.05
_STEP = 0.5
_RINGS = 12
_Spot = tuple[float, float]


class HandLaid:
    def __init__(self, dice: RolledDice | None = None) -> None:
        self._dice = dice or RolledDice(random.Random(0))
        self._lay: dict[str, Placed] = {}

    def throw_all(self, effects: Iterable[Effect]) -> None:
        """Every die that an action rolled."""
        self._dice.throw_all(effects)

    def anew(self) -> None:
        """The table is laid out once more, tidily."""
        self._lay.clear()

    def laid(self, layout: Layout) -> Layout:
        board = [placed for placed in layout if placed.zone is Zone.BOARD]
        heaps: dict[object, list[Placed]] = defaultdict(list)
        for placed in layout:
            if _is_kept(placed):
                heaps[placed.zone, placed.seat, placed.x, placed.y].append(placed)
        spots = dict(self._spots(list(heaps.values()), board))
        pieces = tuple(
            replace(placed, x=spots[placed.key][0], y=spots[placed.key][1]) if placed.key in spots else placed
            for placed in layout
        )
        self._lay = {placed.key: placed for placed in pieces if _is_kept(placed)}
        return self._dice.with_dice(replace(layout, pieces=pieces))

    def _spots(self, heaps: Sequence[Sequence[Placed]], board: Sequence[Placed]) -> Iterator[tuple[str, _Spot]]:
        """Where everything beside the board lies; a heap lies in one place."""
        taken, new = list(board), list[Sequence[Placed]]()
        for heap in heaps:
            spot = self._stays(heap)
            if spot is not None and _is_free(heap[0], spot, board):
                taken += _at(heap, spot)
                yield from ((placed.key, spot) for placed in heap)
            else:
                new.append(heap)
        for heap in new:
            spot = next((spot for spot in _around(heap[0]) if _is_free(heap[0], spot, taken)), (heap[0].x, heap[0].y))
            taken += _at(heap, spot)
            yield from ((placed.key, spot) for placed in heap)

    def _stays(self, heap: Sequence[Placed]) -> _Spot | None:
        same = (before for placed in heap if (before := self._lay.get(placed.key)) and _owned(before) == _owned(placed))
        before = next(same, None)
        return None if before is None else (before.x, before.y)


def _is_kept(placed: Placed) -> bool:
    return placed.zone is not Zone.BOARD and placed.piece.kind is not Kind.DIE


def _owned(placed: Placed) -> object:
    return placed.zone, placed.seat, placed.shown, placed.face, placed.pose


def _at(heap: Iterable[Placed], spot: _Spot) -> list[Placed]:
    return [replace(placed, x=spot[0], y=spot[1]) for placed in heap]


def _around(placed: Placed) -> Iterator[_Spot]:
    """Its tidy place, then places farther and farther away."""
    yield placed.x, placed.y
    for ring in range(1, _RINGS + 1):
        for i in range(-ring, ring + 1):
            for j in range(-ring, ring + 1):
                if max(abs(i), abs(j)) == ring:
                    yield placed.x + _STEP * i, placed.y + _STEP * j


def _is_free(placed: Placed, spot: _Spot, taken: Iterable[Placed]) -> bool:
    half = half_extent(placed.piece)
    return all(
        max(abs(other.x - spot[0]), abs(other.y - spot[1])) >= half + half_extent(other.piece) - _GAP for other in taken
    )
