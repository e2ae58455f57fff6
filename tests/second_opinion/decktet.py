"""What lies on the table of the second Dectana: its cards, spaces, pyramids and hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

Space = tuple[int, int]
SUITS = ("moons", "suns", "waves", "leaves", "wyrms", "knots")
LETTERS = "MSWLYK"
BASIC = [
    *("2MK", "2SY", "2WL", "3MW", "3SK", "3LY", "4MS", "4WL", "4YK", "5ML", "5SW", "5YK"),
    *("6MW", "6SY", "6LK", "7ML", "7SK", "7WY", "8MS", "8WL", "8YK", "9MS", "9WY", "9LK"),
    *(kind + letter for kind in "AX" for letter in LETTERS),
]
EXTENDED = {"pawns": "PMSL PMYK PSWK PWLY", "courts": "TMLY TMWK TSLK TSWY", "excuses": "E"}
POINTS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


def named(space: Space) -> str:
    return f"x{space[0]}y{space[1]}"


def space_of(name: str) -> Space:
    x, y = name[1:].split("y")
    return int(x), int(y)


def deck(told: Mapping[str, Any]) -> list[str]:
    """The kinds of cards; there are two of each."""
    return [*BASIC, *(card for name, cards in EXTENDED.items() if told.get(name) for card in cards.split())]


def value(card: str) -> int:
    """DEC-1.5."""
    return max(0, "XA23456789".find(card[0]))


def rank(card: str) -> int:
    """The value where cards are compared."""
    return -1 if card == "E" else value(card)


def beside(space: Space, way: str, far: int = 1) -> Space:
    return space[0] + far * POINTS[way][0], space[1] + far * POINTS[way][1]


@dataclass(frozen=True, order=True)
class Pyramid:
    seat: int
    size: int
    orient: str
    space: Space

    @property
    def own_name(self) -> str:
        return f"{self.size}{self.orient}@{named(self.space)}"

    @property
    def name_there(self) -> str:
        return f"s{self.seat}-{self.size}{self.orient}"


@dataclass
class Hand:
    known: Counter[str]
    unknown: int

    def __len__(self) -> int:
        return self.known.total() + self.unknown

    def give(self, card: str) -> None:
        """Take a card away; one that was not known to be here was among the unknown."""
        if card != "?" and self.known[card]:
            self.known[card] -= 1
        else:
            self.unknown -= 1


def turnings(own: list[Pyramid]) -> set[str]:
    """DEC-4.7; like pyramids on one space are told apart by nothing."""
    found = set()
    for way in product("UNESW", repeat=len(own)):
        found.add(
            "+".join(sorted(f"{one.own_name}>{to}" for one, to in zip(own, way, strict=True) if one.orient != to))
        )
    return found
