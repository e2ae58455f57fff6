"""The random numbers of R, so that `Seed: 42` deals the same as upstream.

Known algorithms, written from their description: the Mersenne Twister (also Python's generator), R's seeding of its
state (a linear congruence), and sampling by rejection of random bits (R 3.6 and later).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_WORDS = 624
_MASK = 0xFFFFFFFF


class SeededSample:
    def __init__(self, seed: int) -> None:
        self._twister = random.Random()
        self._twister.setstate((3, (*_initial_state(seed), _WORDS), None))

    def unit(self) -> float:
        """A number between 0 and 1."""
        return self._twister.getrandbits(32) * 2.3283064365386963e-10

    def below(self, limit: int) -> int:
        bits = (limit - 1).bit_length()
        while True:
            value = self._bits(bits)
            if value < limit:
                return value

    def _bits(self, count: int) -> int:
        value = 0
        for _ in range(count // 16 + 1):
            value = 65536 * value + int(self.unit() * 65536)
        return value & ((1 << count) - 1)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        rest = list(items)
        found = []
        while rest:
            index = self.below(len(rest))
            found.append(rest[index])
            rest[index] = rest[-1]
            rest.pop()
        return found

    def drawn(self, items: Sequence[T], count: int) -> list[T]:
        """A sample with replacement."""
        return [items[self.below(len(items))] for _ in range(count)]


def _initial_state(seed: int) -> list[int]:
    value = seed & _MASK
    for _ in range(51):
        value = (69069 * value + 1) & _MASK
    words = []
    for _ in range(_WORDS):
        value = (69069 * value + 1) & _MASK
        words.append(value)
    return words
