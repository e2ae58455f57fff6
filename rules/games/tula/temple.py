"""The five temples: places, covering and neighbouring tiles (TULA-2, TULA-3); whether a temple with known tiles can be
taken down, and the order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from rules.pieces import Piece

# Per layer, from the bottom: "y: x x x" rows from the far side to the near one.
_PLANS: dict[str, tuple[str, ...]] = {
    "original": ("7: 1 3 5 7, 5: 1 3 5 7, 3: 1 3 5 7, 1: 4", "6: 2 4 6, 4: 2 4 6, 2: 4", "5: 3 5, 3: 4", "4: 4"),
    "variant1": ("5: 2 4 6 8, 3: 1 3 5 7 9, 1: 2 4 6 8", "4: 2 4 6 8, 2: 2 4 6 8", "3: 3 5 7"),
    "variant2": (
        "11: 6 8, 9: 3 5 7 9 11, 7: 1 3 5 7 9 11 13, 5: 1 3 5 7 9 11 13, 3: 3 5 7 9 11, 1: 6 8",
        "10: 7, 8: 4 6 8 10, 6: 2 4 6 8 10 12, 4: 4 6 8 10, 2: 7",
        "7: 5 9, 5: 5 9",
    ),
    "variant3": (
        "9: 5 7, 7: 2 4 6 8 10, 5: 1 3 5 7 9 11, 3: 2 4 6 8 10, 1: 5 7",
        "9: 6, 7: 3 5 7 9, 5: 2 4 6 8 10, 3: 3 5 7 9, 1: 6",
        "8: 6, 6: 3 5 7 9, 4: 3 5 7 9, 2: 6",
        "5: 4 6 8",
    ),
    "variant4": (
        "7: 4 6 8 10 12, 5: 3 5 7 9 11 13, 4: 1 15, 3: 3 5 7 9 11 13, 1: 4 6 8 10 12",
        "6: 5 7 9 11, 4: 2 4 6 8 10 12 14, 2: 5 7 9 11",
        "5: 5 7 9 11, 3: 5 7 9 11",
        "4: 8",
    ),
}
SETUPS: tuple[str, ...] = tuple(_PLANS)


@dataclass(frozen=True, slots=True)
class TileSpot:
    """Place of a tile; x and y are its centre."""

    layer: int
    x: int
    y: int

    @property
    def name(self) -> str:
        return f"{self.layer}:{self.x}-{self.y}"

    def covers(self, other: TileSpot) -> bool:
        """Whether this tile covers the other one (TULA-2.3)."""
        return self.layer > other.layer and abs(self.x - other.x) < 2 and abs(self.y - other.y) < 2

    def side(self, other: TileSpot) -> str:
        """Edge of this tile at which the other one stands, if any (TULA-2.4)."""
        dx, dy = other.x - self.x, other.y - self.y
        if self.layer != other.layer or max(abs(dx), abs(dy)) != 2 or abs(dx) == abs(dy):
            return ""
        if abs(dx) == 2:
            return "east" if dx > 0 else "west"
        return "north" if dy > 0 else "south"


CORNERS = (("north", "east"), ("south", "east"), ("south", "west"), ("north", "west"))


@dataclass(frozen=True, slots=True)
class Temple:
    """`above` and `corners` are sets of places as bit masks: the tiles that cover a tile, and for each corner the tiles
    at its two edges."""

    spots: tuple[TileSpot, ...]
    names: tuple[str, ...]
    above: tuple[int, ...]
    corners: tuple[tuple[int, ...], ...]

    @property
    def full(self) -> int:
        return (1 << len(self.spots)) - 1

    @property
    def packs(self) -> int:
        return len(self.spots) // 24

    @property
    def layers(self) -> int:
        return self.spots[-1].layer

    def layer(self, number: int) -> int:
        """The places of one layer as a mask."""
        return sum(1 << place for place, spot in enumerate(self.spots) if spot.layer == number)

    def blocked_sides(self, place: int, present: int) -> list[str]:
        """Edges with a tile of the same layer."""
        here = self.spots[place]
        return sorted({here.side(self.spots[other]) for other in bits(present)} - {""})


@cache
def temple(setup: str) -> Temple:
    spots = tuple(_read_plan(_PLANS[setup]))
    above = tuple(_mask([spot.covers(here) for spot in spots]) for here in spots)
    corners = tuple(tuple(_mask([here.side(spot) in corner for spot in spots]) for corner in CORNERS) for here in spots)
    return Temple(spots, tuple(spot.name for spot in spots), above, corners)


def _read_plan(plan: tuple[str, ...]) -> Iterator[TileSpot]:
    for layer, rows in enumerate(plan, start=1):
        for row in rows.split(","):
            y, xs = row.split(":")
            yield from (TileSpot(layer, int(x), int(y)) for x in xs.split())


def _mask(wanted: list[bool]) -> int:
    return sum(1 << place for place, yes in enumerate(wanted) if yes)


@lru_cache(maxsize=1 << 14)
def uncovered(setup: str, present: int) -> int:
    """Places of tiles that no tile covers."""
    above = temple(setup).above
    return sum(1 << place for place in bits(present) if not above[place] & present)


@lru_cache(maxsize=1 << 14)
def accessible(setup: str, present: int) -> int:
    """Places that are uncovered with a free corner (TULA-4.2); they remain so."""
    corners = temple(setup).corners
    open_places = bits(uncovered(setup, present))
    return sum(1 << place for place in open_places if any(not corner & present for corner in corners[place]))


def bits(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


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
        """Mask of the places left if always the tile with the fewest partners is taken."""
        free = self.accessible(present)
        while choice := self._candidates(present, free, last):
            last = choice[0]
            present ^= 1 << last
            free = self._after(present, free ^ 1 << last, last)
        return present

    def _solve(self, present: int, free: int, last: int | None, path: list[int]) -> bool:
        """Fills the path backwards once the end is found."""
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
        """The order of removal that leaves the fewest tiles, if only those on `known` places may be taken; None beyond
        the limit of states."""
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
        """The next tiles to try, those with few remaining partners first."""
        usable = free if last is None else free & self._match[last]
        return sorted(bits(usable), key=lambda place: (present & self._match[place]).bit_count())

    def _after(self, present: int, free: int, gone: int) -> int:
        for place in self._affected[gone]:
            if present >> place & 1 and not free >> place & 1 and self._is_open(place, present):
                free |= 1 << place
        return free


def matches(one: Piece, other: Piece) -> bool:
    """Whether two tiles match (TULA-4.7)."""
    return one.suit is other.suit or one.rank == other.rank


@cache
def _affected(above: tuple[int, ...], corners: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """By place: the places that may become accessible when its tile goes."""
    concerns = [mask | one | two | three | four for mask, (one, two, three, four) in zip(above, corners, strict=True)]
    places = range(len(above))
    return tuple(tuple(place for place in places if concerns[place] >> gone & 1) for gone in places)
