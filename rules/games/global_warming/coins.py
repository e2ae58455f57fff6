"""The line of coins: which coins it can be (GW-7.3).

A coin of the line is its visible side: cS? shows a suit, c?3 a value. Coins in different places of the line are
different, and none of them has sunk before; everything else is equally likely.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import product

from rules.games.global_warming.opening import COINS, IDENTITIES, TILES, Danger
from rules.pieces import RANKS, SUITS, Piece, coin, parse_piece

SUIT_SIDES = tuple(coin(suit).code for suit in SUITS)
RANK_SIDES = tuple(coin(None, rank).code for rank in RANKS)
SIDES = SUIT_SIDES + RANK_SIDES
_SHOWN: dict[str, Piece] = {code: parse_piece(code) for code in SIDES}
FITS: dict[str, frozenset[int]] = {
    code: frozenset(i for i, (suit, rank) in enumerate(IDENTITIES) if shown.suit is suit or shown.rank is rank)
    for code, shown in _SHOWN.items()
}
_BOTH_SIDES = tuple((coin(suit).code, coin(None, rank).code) for suit, rank in IDENTITIES)


def visible_piece(side: str) -> Piece:
    return _SHOWN[side]


def shows_suit(side: str) -> bool:
    return side in SUIT_SIDES


def side_of(index: int, suit_up: bool) -> str:
    return _BOTH_SIDES[index][0 if suit_up else 1]


def identity(side: str, other: str) -> int | None:
    """The coin with both these sides; None if no coin has them."""
    if shows_suit(side) == shows_suit(other):
        return None
    return next(iter(FITS[side] & FITS[other]))


def assignments(line: Sequence[str], gone: Collection[int]) -> Iterator[tuple[int, ...]]:
    """Every assignment of different, not sunken coins to the line."""
    options = [sorted(FITS[side].difference(gone)) for side in line]
    return (chosen for chosen in product(*options) if len(set(chosen)) == len(chosen))


def is_possible(line: Sequence[str], gone: Collection[int]) -> bool:
    return next(assignments(line, gone), None) is not None


def draw_hidden(rng: random.Random, line: Sequence[str], gone: Collection[int]) -> tuple[int, ...]:
    """A random consistent assignment, all equally likely."""
    options = [tuple(FITS[side].difference(gone)) for side in line]
    while True:
        chosen = tuple(pool[int(rng.random() * len(pool))] for pool in options)
        if len(set(chosen)) == len(chosen):
            return chosen


def draw_side(rng: random.Random, taken: Collection[int]) -> str:
    """Visible side of a coin drawn from the others."""
    pool = [index for index in range(len(COINS)) if index not in taken]
    return side_of(pool[int(rng.random() * len(pool))], rng.random() < 0.5)


def other_sides(left: str, gone: Collection[int]) -> list[str]:
    """Possible hidden sides of the leftmost coin."""
    return [side for side in SIDES if (index := identity(left, side)) is not None and index in FITS[left] - set(gone)]


@lru_cache(256)
def danger(line: tuple[str, ...], gone: tuple[int, ...]) -> tuple[Danger, ...]:
    """By tile that may be in the line: the number of cases in which it is the next, and in which it is in the line."""
    cases = list(assignments(line, gone))
    anywhere = Counter(index for case in cases for index in case)
    first = Counter(case[0] for case in cases)
    return tuple(Danger(TILES[index].code, first[index], anywhere[index], len(cases)) for index in sorted(anywhere))
