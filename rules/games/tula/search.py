"""Whether a temple can be taken down when all tiles are known, and in which order.

What can be removed depends only on what still stands and on the tile taken last: revealing is free, and what is
accessible once remains so. A depth-first search that remembers every dead end is therefore exact. The original has
4635 sets of standing tiles, variant 1 has 6464, the large temples have millions, of which a solvable deal needs few.
"""

from __future__ import annotations

from functools import cache

from rules.games.tula.temple import Temple, bits
from rules.pieces import Piece


class TempleSearch:
    def __init__(self, temple: Temple, tiles: tuple[Piece, ...]) -> None:
        self._above, self._corners = temple.above, temple.corners
        kinds = sorted({piece.code for piece in tiles})
        self._kind_bit = tuple(1 << kinds.index(piece.code) for piece in tiles)
        self._match = tuple(sum(1 << b for b, t in enumerate(tiles) if matches(piece, t)) for piece in tiles)
        self._affected = _affected(temple.above, temple.corners)
        self._dead: dict[int, int] = {}
        self.states = 0

    def accessible(self, present: int) -> int:
        return sum(1 << place for place in bits(present) if self._is_open(place, present))

    def _is_open(self, place: int, present: int) -> bool:
        if self._above[place] & present:
            return False
        return any(not corner & present for corner in self._corners[place])

    def solve(self, present: int, last: int | None) -> list[int] | None:
        """The places in the order of removal, or None. `last`: the place whose tile tops the stack."""
        path: list[int] = []
        return path[::-1] if self._solve(present, self.accessible(present), last, path) else None

    def greedy(self, present: int, last: int) -> int:
        """What is left after always taking the tile with the fewest partners."""
        free = self.accessible(present)
        while choice := self._candidates(present, free, last):
            last = choice[0]
            present ^= 1 << last
            free = self._after(present, free ^ 1 << last, last)
        return present

    def _solve(self, present: int, free: int, last: int | None, path: list[int]) -> bool:
        """Collects the path backwards when it has found the end."""
        if not present:
            return True
        self.states += 1
        for place in self._candidates(present, free, last):
            rest = present ^ 1 << place
            if self._dead.get(rest, 0) & self._kind_bit[place]:
                continue
            if self._solve(rest, self._after(rest, free ^ 1 << place, place), place, path):
                path.append(place)
                return True
            self._dead[rest] = self._dead.get(rest, 0) | self._kind_bit[place]
        return False

    def fewest(self, known: int, present: int, last: int | None, states: int) -> list[int] | None:
        """The places in an order after which as few tiles as possible are left, if only those on `known` places may be
        taken; None where it looks at more than so many states."""
        best: list[int] = []
        seen: set[tuple[int, int | None]] = set()
        todo: list[tuple[int, int, int | None, tuple[int, ...]]] = [(present, self.accessible(present), last, ())]
        while todo:
            left, free, top, path = todo.pop()
            if len(path) > len(best):
                best = list(path)
                if not left:
                    break
            for place in reversed(self._candidates(left, free & known, top)):
                rest = left ^ 1 << place
                if (rest, place) not in seen:
                    seen.add((rest, place))
                    todo.append((rest, self._after(rest, free ^ 1 << place, place), place, (*path, place)))
            if len(seen) > states:
                return None
        return best

    def _candidates(self, present: int, free: int, last: int | None) -> list[int]:
        """What may go next; tiles with few partners left go first."""
        usable = free if last is None else free & self._match[last]
        return sorted(bits(usable), key=lambda place: (present & self._match[place]).bit_count())

    def _after(self, present: int, free: int, gone: int) -> int:
        for place in self._affected[gone]:
            if present >> place & 1 and not free >> place & 1 and self._is_open(place, present):
                free |= 1 << place
        return free


def matches(one: Piece, other: Piece) -> bool:
    """TULA-4.7"""
    return one.suit is other.suit or one.rank == other.rank


@cache
def _affected(above: tuple[int, ...], corners: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """For every place the places that may open up when its tile goes."""
    concerns = [mask | one | two | three | four for mask, (one, two, three, four) in zip(above, corners, strict=True)]
    places = range(len(above))
    return tuple(tuple(place for place in places if concerns[place] >> gone & 1) for gone in places)
