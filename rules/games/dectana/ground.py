"""Spaces of Dectana: territories, wasteland, void, and the targets of pyramids (DEC-2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from rules.engine.open_grid import Cell, cell_of, name_of
from rules.pieces.decktet import DECKTET
from rules.sentence import Sentence, say

ORIENTS = "UNESW"  # upright, or flat and pointing north, east, south, west
WAYS: dict[str, Cell] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
PITCH = 3.0  # spaces of the piecepack from card to card (DEC-2.7)

SUITS: dict[str, str] = {"moons": "M", "suns": "S", "waves": "W", "leaves": "L", "wyrms": "Y", "knots": "K"}
UNKNOWN = "?"
ACES: tuple[str, ...] = tuple("A" + letter for letter in SUITS.values())


@cache
def suits_of(card: str) -> tuple[str, ...]:
    """The suits of a card, in words."""
    return tuple(word for word, letter in SUITS.items() if letter in DECKTET[card].suits)


@cache
def value_of(card: str) -> int:
    """Value for comparisons: the Excuse is less than anything (DEC-1.5)."""
    rank = DECKTET[card].rank
    return int(rank) if rank.isdecimal() else {"A": 1, "E": -1}.get(rank, 0)


def uses_of(card: str) -> int:
    """Number of uses of a card: a crown has three (DEC-4.3)."""
    return 3 if DECKTET[card].rank == "X" else 1


def ahead(cell: Cell, orient: str, steps: int = 1) -> Cell:
    dx, dy = WAYS[orient]
    return cell[0] + dx * steps, cell[1] + dy * steps


def beside(cell: Cell) -> tuple[Cell, ...]:
    return tuple(ahead(cell, way) for way in WAYS)


@dataclass(frozen=True, slots=True)
class Pile:
    """The cards on one territory, the lowest first."""

    x: int
    y: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardGround:
    cards: dict[Cell, tuple[str, ...]]
    wasteland: frozenset[Cell]

    def top(self, cell: Cell) -> str | None:
        """The valid card of a territory (DEC-2.2)."""
        pile = self.cards.get(cell)
        return pile[-1] if pile else None

    def is_void(self, cell: Cell) -> bool:
        return cell not in self.cards and cell not in self.wasteland

    def what(self, cell: Cell) -> Sentence:
        """The kind of a space in words, for a refusal."""
        if cell in self.cards:
            return say("territory")
        return say("wasteland") if cell in self.wasteland else say("void")

    def landing(self, cell: Cell, orient: str) -> Cell:
        """Space on which a card moved from a territory lands (DEC-4.28)."""
        while cell in self.cards:
            cell = ahead(cell, orient)
        return cell


@lru_cache(maxsize=512)
def ground(piles: tuple[Pile, ...]) -> CardGround:
    cards = {(pile.x, pile.y): pile.cards for pile in piles}
    edge = {near for cell in cards for near in beside(cell)} - cards.keys()
    return CardGround(cards, frozenset(edge))


def put_card(piles: tuple[Pile, ...], cell: Cell, card: str) -> tuple[Pile, ...]:
    cards = {(pile.x, pile.y): pile.cards for pile in piles}
    cards[cell] = (*cards.get(cell, ()), card)
    return _piles(cards)


def lift_cards(piles: tuple[Pile, ...], cell: Cell, count: int = 1) -> tuple[Pile, ...]:
    """The ground without the top cards of a territory."""
    cards = {(pile.x, pile.y): pile.cards for pile in piles}
    cards[cell] = cards[cell][:-count]
    return _piles(cards)


def _piles(cards: dict[Cell, tuple[str, ...]]) -> tuple[Pile, ...]:
    return tuple(Pile(x, y, pile) for (x, y), pile in sorted(cards.items()) if pile)


def places_of(word: str) -> tuple[str, ...]:
    """The space of a pyramid called 2E@x0y1 and its target; any other word is a place itself."""
    stands, _, place = word.partition("@")
    cell = cell_of(place)
    if cell is None:
        return (word,)
    orient = stands[-1:]
    return (place, name_of(ahead(cell, orient))) if orient in WAYS else (place,)
