"""A small square board as bit masks (a1 is bit 0, then along the rank), for games in which coins step to a neighbouring
space: steps are precomputed, and positions are reduced by the eight symmetries of the board for the solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from rules.engine.action import Action


class SmallBoard:
    def __init__(self, size: int) -> None:
        self.size = size
        self.names = tuple(f"{chr(97 + file)}{rank + 1}" for rank in range(size) for file in range(size))
        self.bit = {name: 1 << number for number, name in enumerate(self.names)}
        self.full = (1 << size * size) - 1
        self.near = {self.bit[name]: sum(self.bit[at] for at in self._beside(name)) for name in self.names}
        self.shift: dict[tuple[str, ...], int] = {
            (a, b): self.bit[a] | self.bit[b] for a in self.names for b in self._beside(a)
        }
        self._from = {self.bit[name]: (self.near[self.bit[name]], self._choices(name)) for name in self.names}

        self._pairs = {low: (near, self._bits(choices)) for low, (near, choices) in self._from.items()}
        self._images: dict[int, tuple[int, tuple[int, ...], tuple[int, ...]]] = {}

    def xy(self, name: str) -> tuple[int, int]:
        """Position of a space on the table; a1 is 1, 1."""
        return ord(name[0]) - 96, int(name[1:])

    def places(self, own: int) -> list[str]:
        return [name for name, bit in self.bit.items() if bit & own]

    def mask(self, places: Iterable[str]) -> int:
        return sum(self.bit[place] for place in set(places))

    def moves(self, own: int, free: int) -> list[Action]:
        """The steps of coins (mask `own`) to neighbouring free spaces (mask `free`), as move(from,to)."""
        found: list[Action] = []
        while own:
            low = own & -own
            near, choices = self._from[low]
            found += choices[free & near]
            own ^= low
        return found

    def steps(self, own: int, free: int) -> list[tuple[int, int]]:
        """The same as pairs of bits: source and target."""
        found: list[tuple[int, int]] = []
        while own:
            low = own & -own
            near, pairs = self._pairs[low]
            found += pairs[free & near]
            own ^= low
        return found

    def sets(self, count: int) -> Iterable[int]:
        """The masks of all sets of `count` spaces."""
        return (sum(1 << bit for bit in bits) for bits in combinations(range(self.size * self.size), count))

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """The smallest image of a pair of masks under the symmetries of the board."""
        try:
            least, turns, _ = self._images[own]
            images = self._images[other][2]
        except KeyError:
            self._add_images(own)
            self._add_images(other)
            return self.canonical(own, other)
        if len(turns) == 1:
            return least, images[turns[0]]
        return least, min([images[turn] for turn in turns])

    def key(self, own: int, other: int) -> int:
        """`canonical` as one number: `own` above the sixteenth bit."""
        own, other = self.canonical(own, other)
        return own << 16 | other

    def _add_images(self, own: int) -> None:
        """Caches the smallest image of a mask, the symmetries that give it, and all eight images."""
        spots = [(bit % self.size, bit // self.size) for bit in range(self.size**2) if own >> bit & 1]
        moved = ([turn(x, y, self.size - 1) for x, y in spots] for turn in _TURNS)
        images = tuple(sum(1 << (y * self.size + x) for x, y in image) for image in moved)
        turns = tuple(turn for turn, image in enumerate(images) if image == min(images))
        self._images[own] = (min(images), turns, images)

    def _beside(self, name: str) -> Iterator[str]:
        x, y = self.xy(name)
        for dx, dy in ((0, 1), (-1, 0), (1, 0), (0, -1)):
            if 1 <= x + dx <= self.size and 1 <= y + dy <= self.size:
                yield self.names[(y + dy - 1) * self.size + x + dx - 1]

    def _choices(self, name: str) -> dict[int, tuple[Action, ...]]:
        """The moves of a coin by the mask of the free neighbouring spaces."""
        steps = [(self.bit[target], Action("move", (name, target))) for target in self._beside(name)]
        sets = (sum(bits) for count in range(5) for bits in combinations([bit for bit, _ in steps], count))
        return {free: tuple(action for bit, action in steps if bit & free) for free in sets}

    def _bits(self, choices: dict[int, tuple[Action, ...]]) -> dict[int, tuple[tuple[int, int], ...]]:
        return {free: tuple((self.bit[a[0]], self.bit[a[1]]) for a in found) for free, found in choices.items()}


_TURNS: tuple[Callable[[int, int, int], tuple[int, int]], ...] = (
    lambda x, y, _: (x, y),
    lambda x, y, _: (y, x),
    lambda x, y, last: (last - x, y),
    lambda x, y, last: (x, last - y),
    lambda x, y, last: (last - x, last - y),
    lambda x, y, last: (last - y, x),
    lambda x, y, last: (y, last - x),
    lambda x, y, last: (last - y, last - x),
)
