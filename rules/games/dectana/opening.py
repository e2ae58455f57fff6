"""Dectana: options, spaces and the targets of pyramids (DEC-2), state and the table before the first turn (DEC-1,
DEC-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from rules.engine import Seat, option
from rules.engine.open_grid import Cell, cell_of, name_of
from rules.engine.values import replace, with_item
from rules.pieces import Suit
from rules.pieces.decktet import BASIC, COURT_CARDS, DECKTET, EXCUSE, PAWN_CARDS
from rules.sentence import Sentence, say

HAND_LIMIT = 6
COPIES = 2
BOARD: tuple[Cell, ...] = tuple((x, y) for y in (2, 1, 0) for x in (0, 1, 2))
SIZES = (1, 2, 3)
SIZE_WORDS = ("", "small", "medium", "large")


@dataclass(frozen=True, slots=True)
class Options:
    pawns: bool = option(False, "play with the four pawn cards", clause="DEC-9.2")
    courts: bool = option(False, "play with the four courts", clause="DEC-9.3")
    excuses: bool = option(False, "play with the Excuses", clause="DEC-9.4")
    start_player: int = option(0, "who begins", low=0, high=4, clause="DEC-3.4")
    board_actor: str = option("any", "who may use a card on the board", choices=("any", "occupant"), clause="DEC-R1")
    suns_needs_territory: bool = option(True, "suns create pyramids on territories only", clause="DEC-R2")
    entry_orientation: str = option("any", "how a new pyramid may stand", choices=("any", "upright"), clause="DEC-R3")
    reorient_zero: str = option("allow", "reorienting nothing, as a pass", choices=("allow", "forbid"), clause="DEC-R4")
    waves_zero: bool = option(False, "waves may move by nothing", clause="DEC-R5")
    waves_into_void: str = option("forbid", "waves into the void", choices=("forbid", "destroy"), clause="DEC-R5")
    spend_all_points: bool = option(False, "moons and wyrms must use all points they can", clause="DEC-R6")
    missing_size: str = option(
        "nearest_then_smaller",
        "when the size to shrink to is not in the stash",
        choices=("nearest_then_smaller", "next_smaller_or_destroy"),
        clause="DEC-R7",
    )
    knots_card_destroys: str = option(
        "top_card", "what knots destroy of a territory", choices=("top_card", "whole_stack"), clause="DEC-R10"
    )
    first_shuffle_counts: bool = option(False, "three aces end the game from the start", clause="DEC-R11")
    max_turns: int = option(0, "the game ends after so many turns (0: never)", low=0, high=999, clause="DEC-5.5")


class Phase(StrEnum):
    DEAL = "deal"
    ENTER = "enter"
    TURN = "turn"
    USE = "use"
    REVEAL = "reveal"
    DISCARD = "discard"
    OVER = "over"


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


@dataclass(frozen=True, slots=True, order=True)
class Held:
    """A card in a hand. The mark is ? where the card is unknown to the program; `public`: everybody saw it go there."""

    mark: str = UNKNOWN
    public: bool = False


def pyramid_key(seat: int, size: int, number: int) -> str:
    return f"seat{seat}-{SIZE_WORDS[size]}{number}"


@dataclass(frozen=True, slots=True, order=True)
class Pyramid:
    """A pyramid on the board: seat, size (1 to 3), number among its size, place and orientation."""

    seat: int
    size: int
    number: int
    x: int
    y: int
    orient: str

    @property
    def cell(self) -> Cell:
        return self.x, self.y

    @property
    def is_flat(self) -> bool:
        return self.orient != "U"

    @property
    def target(self) -> Cell:
        """The space a flat pyramid points at."""
        return ahead(self.cell, self.orient)

    @property
    def key(self) -> str:
        return pyramid_key(self.seat, self.size, self.number)

    @property
    def ref(self) -> str:
        """Name of an own pyramid in an action: 2E@x0y1. Equal ones have the same name."""
        return f"{self.size}{self.orient}@{name_of(self.cell)}"

    @property
    def group(self) -> str:
        """Name of a pyramid in the target space: s1-3U."""
        return f"s{self.seat}-{self.size}{self.orient}"


@dataclass(frozen=True, slots=True)
class Use:
    """The use in progress: its suit, the card from the hand or the space of the card on the board, and the counts of
    uses left and made."""

    suit: str
    card: str = ""
    cell: Cell | None = None
    left: int = 1
    made: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """`pile` is the number of cards to draw, which are unknown. `discard` has the top card last. `out` are pyramids,
    per seat and size, that are not in the game (a player with fewer nests)."""

    options: Options
    suits: tuple[Suit | None, ...]
    stage: Phase
    to_act: int
    hands: tuple[tuple[Held, ...], ...]
    pile: int
    piles: tuple[Pile, ...] = ()
    discard: tuple[str, ...] = ()
    reshuffles: int = 0
    pyramids: tuple[Pyramid, ...] = ()
    use: Use | None = None
    reveal_at: Cell | None = None
    turns: int = 0
    ended: str = ""
    out: tuple[tuple[int, int, int], ...] = ()

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def ground(self) -> CardGround:
        return ground(self.piles)

    @property
    def hand(self) -> tuple[Held, ...]:
        return self.hands[self.to_act]

    def at(self, cell: Cell) -> list[Pyramid]:
        return [p for p in self.pyramids if p.x == cell[0] and p.y == cell[1]]

    def own(self, seat: int) -> list[Pyramid]:
        return [p for p in self.pyramids if p.seat == seat]

    def is_occupied(self, cell: Cell) -> bool:
        return any(p.x == cell[0] and p.y == cell[1] for p in self.pyramids)

    def stash(self, seat: int, size: int) -> Iterator[int]:
        """Numbers of the pyramids of that size in the stash."""
        taken = {p.number for p in self.pyramids if p.seat == seat and p.size == size}
        missing = self.out[seat][size - 1] if self.out else 0
        return (number for number in range(3 - missing) if number not in taken)

    def free_number(self, seat: int, size: int) -> int | None:
        return next(self.stash(seat, size), None)

    @property
    def may_end_now(self) -> bool:
        """Whether three aces may end the game now (DEC-5.1)."""
        return self.reshuffles > 0 or self.options.first_shuffle_counts

    def placed_cards(self) -> list[str]:
        """The cards on the board, on the discard pile, in the hands and in use, unknown ones included."""
        board = [card for pile in self.piles for card in pile.cards]
        hands = [held.mark for hand in self.hands for held in hand]
        return [*board, *self.discard, *hands, *([self.use.card] if self.use and self.use.card else ())]

    def unseen(self) -> Counter[str]:
        """By card: the number of copies at unknown places."""
        left = Counter(dict.fromkeys(deck(self.options), COPIES))
        left.subtract(self.placed_cards())
        left.pop(UNKNOWN, None)
        return left

    def can_show(self, seat: int, cards: Iterable[str]) -> bool:
        """Whether the hand may contain all these cards (DEC-6.1)."""
        have = [held.mark for held in self.hands[seat]]
        missing = []
        for card in cards:
            if card in have:
                have.remove(card)
            else:
                missing.append(card)
        if not missing:
            return True
        unseen = self.unseen()
        return len(missing) <= have.count(UNKNOWN) and all(unseen[c] >= missing.count(c) for c in missing)

    def showable(self, seat: int) -> list[str]:
        """Every card that the hand may hold."""
        marks = {held.mark for held in self.hands[seat]}
        if UNKNOWN in marks:
            marks |= {card for card, count in self.unseen().items() if count > 0}
            marks.remove(UNKNOWN)
        return sorted(marks)

    def without(self, seat: int, card: str) -> State:
        """The state without a card of a hand; if the card was not known there, an unknown one is removed."""
        hand = list(self.hands[seat])
        known = [held for held in hand if held.mark == card]
        hand.remove(known[0] if known else Held())
        return self.with_hand(seat, hand)

    def with_hand(self, seat: int, hand: Iterable[Held]) -> State:
        held = tuple(sorted(hand))
        return replace(self, hands=with_item(self.hands, seat, held))

    def scores(self) -> tuple[int, ...]:
        """By seat: the values of the top cards of the territories that it occupies alone (DEC-5.2)."""
        points = [0] * self.seats
        for cell, cards in self.ground.cards.items():
            owners = {p.seat for p in self.at(cell)}
            if len(owners) == 1:
                points[owners.pop()] += max(0, value_of(cards[-1]))
        return tuple(points)


@lru_cache(maxsize=64)
def deck(options: Options) -> tuple[str, ...]:
    """Every card once; two decks are used."""
    cards = list(BASIC)
    cards += PAWN_CARDS if options.pawns else ()
    cards += COURT_CARDS if options.courts else ()
    cards += [EXCUSE] if options.excuses else []
    return tuple(card.mark for card in cards)


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    first = options.start_player % len(seats)
    suits = tuple(seat.suit for seat in seats)
    hands: tuple[tuple[Held, ...], ...] = ((),) * len(seats)
    return State(options, suits, Phase.DEAL, (first - 1) % len(seats), hands, COPIES * len(deck(options)))


def dealt(state: State, board: tuple[str, ...]) -> State:
    """The state after the deal: cards face up on the board, three in each hand (DEC-3.2, DEC-3.3)."""
    piles = tuple(Pile(x, y, (card,)) for (x, y), card in sorted(zip(BOARD, board, strict=True)))
    hands = ((Held(),) * 3,) * state.seats
    pile = state.pile - len(board) - 3 * state.seats
    return replace(state, piles=piles, hands=hands, pile=pile, stage=Phase.ENTER)
