"""Decay: options, the state and its vocabulary, the start (DECAY-1, DECAY-3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TypeAlias

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.games.decay.geometry import Tiles, Touch
from rules.pieces import RANKS, SUITS, Piece, Suit, tile
from rules.sentence import say

Coins: TypeAlias = tuple[int, ...]

NO_COINS: Coins = (0, 0, 0, 0)
NAMES: tuple[str, ...] = tuple(suit.letter + rank.letter for suit in SUITS for rank in RANKS)
INDEX: dict[str, int] = {name: index for index, name in enumerate(NAMES)}
LETTERS = "".join(suit.letter for suit in SUITS)
PER_SUIT = len(RANKS)


def suit_of(index: int) -> int:
    return index // PER_SUIT


def value_of(index: int) -> int:
    return index % PER_SUIT


def ace_of(suit: int) -> int:
    return suit * PER_SUIT + 1


@cache
def piece_of(index: int) -> Piece:
    return tile(SUITS[suit_of(index)], RANKS[value_of(index)])


@dataclass(frozen=True, slots=True)
class Options:
    first: str | int = option(
        "roll", "who begins: the highest roll, or this seat", choices=("roll", 0, 1, 2, 3), clause="DECAY-3.2"
    )
    two_persons: bool = option(False, "two persons with two of the four seats each", clause="DECAY-9.1")
    shared_hand: bool = option(False, "the two seats of a person share their coins", clause="DECAY-9.1")
    friendly_attack: bool = option(False, "the two seats of a person attack each other", clause="DECAY-9.1")
    hands_open: bool = option(True, "everybody may look at every hand", clause="DECAY-8.1")
    gap_tol: int = option(2, "widest gap that is still contact, in u", low=0, high=3, clause="DECAY-8.2")
    min_contact: int = option(1, "shortest shared edge that is contact, in u", low=1, high=3, clause="DECAY-8.2")
    movable_sides: str = option(
        "adjacent_only",
        "which touched sides let a tile be moved",
        choices=("adjacent_only", "at_most_two"),
        clause="DECAY-8.3",
    )
    move_tile_with_pawn: str = option(
        "allow",
        "whether a tile with a pawn on it may be moved",
        choices=("allow", "own_only", "forbid"),
        clause="DECAY-8.4",
    )
    multi_split: str = option(
        "keep_largest", "what stays when the board falls into three", choices=("keep_largest",), clause="DECAY-8.5"
    )
    revisit_start: bool = option(False, "a pawn may pass over the tile it started from", clause="DECAY-8.6")
    slide_obeys_placement: bool = option(False, "a slide must end as a placement would", clause="DECAY-8.7")
    slide_same_tile_again: bool = option(True, "a tile may slide twice in a turn", clause="DECAY-8.8")
    dead_tiles: str = option(
        "neutral", "what happens to the tiles of the dead", choices=("neutral", "remove"), clause="DECAY-8.9"
    )
    stolen_coin_usable: str = option(
        "same_turn",
        "when a coin won by an attack may be spent",
        choices=("same_turn", "next_turn"),
        clause="DECAY-8.10",
    )
    all_dead: str = option(
        "draw", "when the last pawns die together", choices=("draw", "active_loses"), clause="DECAY-8.11"
    )
    draw: str = option(
        "by_agreement", "how two last seats may draw", choices=("by_agreement", "after_3_repeats"), clause="DECAY-8.12"
    )
    attack_optional: bool = option(False, "the mover may leave out the attack", clause="DECAY-8.13")
    min_slide: int = option(3, "shortest slide, in u; longer than gap_tol", low=1, high=6, clause="DECAY-8.16")
    stop_slack: int = option(
        2, "how far past the first new contact a slide may end, in u", low=0, high=3, clause="DECAY-8.16"
    )
    allow_resign: bool = option(False, "the seat to act may give up", clause="DECAY-8.17")


class Phase(StrEnum):
    ROLL = "roll"
    CREATE = "create"
    PAWN = "pawn"
    TILE = "tile"
    KEEP = "keep"  # equal sections: the active seat chooses which stays
    ATTACK = "attack"  # only with attack_optional: whether to attack at all
    TAKE = "take"
    SLIDE = "slide"
    DRAW = "draw"  # a draw was offered
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """`suits` are the seats' suits as numbers (0 suns to 3 arms). `tiles` has a centre in u for each of the 24
    tiles that is on the table. `hands` and `spent` count coins by suit; `spent` is the active seat's.

    `start` is where the active pawn stood when the turn began, `moved` the tile it moved in this turn, `gains` the
    tiles it beat and has not yet been paid for, `slid` those that slid in this turn. `contenders` still roll for
    the start. `seen` are digests of positions for the draw by repetition.
    """

    options: Options
    suits: tuple[int, ...]
    phase: Phase
    to_act: int
    tiles: Tiles
    pawns: tuple[int | None, ...]
    living: tuple[bool, ...]
    dice: tuple[int | None, ...]
    hands: tuple[Coins, ...]
    spent: Coins = NO_COINS
    start: int | None = None
    moved: int | None = None
    gains: tuple[int, ...] = ()
    slid: tuple[int, ...] = ()
    rolls: tuple[int | None, ...] = ()
    contenders: tuple[int, ...] = ()
    offered: bool = False
    resume: Phase | None = None
    seen: tuple[str, ...] = ()
    winners: tuple[int, ...] = ()
    ending: str = ""

    @property
    def touch(self) -> Touch:
        return touch_of(self.options.gap_tol, self.options.min_contact)

    @property
    def active_suit(self) -> int:
        return self.suits[self.to_act]

    def seat_of(self, suit: int) -> int | None:
        """The seat with this suit; None for a suit that nobody plays."""
        return self.suits.index(suit) if suit in self.suits else None

    def person(self, seat: int) -> int:
        return seat % 2 if self.options.two_persons else seat

    def purse(self, seat: int) -> int:
        """Index in `hands` of the hand from which a seat pays."""
        return seat % 2 if self.options.shared_hand else seat

    def hand(self, seat: int) -> Coins:
        return self.hands[self.purse(seat)]

    @property
    def seats_left(self) -> tuple[int, ...]:
        return tuple(seat for seat, alive in enumerate(self.living) if alive)

    @property
    def persons_left(self) -> frozenset[int]:
        return frozenset(map(self.person, self.seats_left))

    def seats_of(self, persons: Collection[int]) -> tuple[int, ...]:
        """All seats of these persons, also the dead ones."""
        return tuple(seat for seat in range(len(self.suits)) if self.person(seat) in persons)


@cache
def touch_of(gap: int, contact: int) -> Touch:
    return Touch(gap, 16 - contact)


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    chosen: tuple[Suit | None, ...] = tuple(seat.suit for seat in seats) or SUITS
    suits = tuple(SUITS.index(suit) for suit in chosen if suit)
    _check_options(options, len(suits))
    everybody = tuple(range(len(suits)))
    rolls = options.first == "roll"
    return State(
        options=options,
        suits=suits,
        phase=Phase.ROLL if rolls else Phase.CREATE,
        to_act=0 if rolls else int(options.first),
        tiles=(None,) * len(NAMES),
        pawns=(None,) * len(suits),
        living=(True,) * len(suits),
        dice=(None,) * len(suits),
        hands=_first_hands(options, suits),
        rolls=(None,) * len(suits),
        contenders=everybody if rolls else (),
    )


def _check_options(options: Options, seats: int) -> None:
    if options.two_persons and seats != 4:
        raise SetupError(say("two_persons needs four seats: seats 0 and 2 are one person's, seats 1 and 3 the other's"))
    if options.shared_hand and not options.two_persons:
        raise SetupError(say("shared_hand is for two_persons only"))
    if options.first != "roll" and int(options.first) >= seats:
        raise SetupError(say("first must be roll or a seat from 0 to {last}", last=seats - 1))
    if options.min_slide <= options.gap_tol:
        raise SetupError(say("min_slide must be larger than gap_tol, or a slide could not be told from jostling"))


def _first_hands(options: Options, suits: tuple[int, ...]) -> tuple[Coins, ...]:
    own = [tuple(PER_SUIT * (suit == mine) for suit in range(4)) for mine in suits]
    if options.shared_hand:
        pairs = [tuple(map(sum, zip(own[seat], own[seat + 2], strict=True))) for seat in (0, 1)]
        return (*pairs, NO_COINS, NO_COINS)
    return tuple(own)
