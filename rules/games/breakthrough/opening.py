"""Breakthrough: options, state and the two armies at the start (BRKT-2, BRKT-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import option
from rules.pieces import Suit

SIZE = 6
NAMES = tuple(f"{chr(97 + file)}{rank + 1}" for rank in range(SIZE) for file in range(SIZE))
"""The name of every bit of a mask: a1, b1, ... then a2."""
BIT = {name: 1 << number for number, name in enumerate(NAMES)}
SUITS = (Suit.SUNS, Suit.MOONS, Suit.CROWNS, Suit.ARMS)
LEADERS = (Suit.SUNS, Suit.CROWNS)
"""By which suit a player is called."""
_RANK = (1 << SIZE) - 1


@dataclass(frozen=True, slots=True)
class Options:
    ranks: int = option(2, "ranks of coins each", choices=(1, 2), clause="BRKT-9.1")


@dataclass(frozen=True, slots=True)
class State:
    """`coins` are four sets of spaces as bit masks, in the order of `SUITS`; the first two are seat 0's."""

    options: Options
    coins: tuple[int, int, int, int]
    to_act: int = 0

    def army(self, seat: int) -> int:
        return self.coins[2 * seat] | self.coins[2 * seat + 1]


def opening_state(options: Options) -> State:
    second = options.ranks == 2
    suns, moons = _RANK, _RANK << SIZE if second else 0
    crowns, arms = _RANK << SIZE * (SIZE - 1), _RANK << SIZE * (SIZE - 2) if second else 0
    return State(options, (suns, moons, crowns, arms))
