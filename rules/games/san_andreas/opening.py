"""San Andreas: options, state and California before the first quake (SAND-1, SAND-3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine import Seat, option
from rules.engine.open_grid import Cell
from rules.games.san_andreas.geometry import SHIFTS, START, TILES, Above, Shifted, Terrain, cells_of, shift, terrain
from rules.pieces import SUITS, Rank, Suit

COINS = 6
_INDEX = {name: index for index, name in enumerate(TILES)}
Dice = tuple[Rank | None, Rank | None, Rank | None, Rank | None]


@dataclass(frozen=True, slots=True)
class Options:
    start_player: int | str = option(
        "roll", "who begins: a die roll or a seat", choices=("roll", 0, 1, 2, 3), clause="SAND-3.3"
    )
    ocean: str = option(
        "open_sea",
        "which gaps are ocean: those joined to the open sea, or any",
        choices=("open_sea", "any_gap"),
        clause="SAND-8.7",
    )
    steep_limit: int = option(1, "the steepest lean that holds a coin", low=0, high=9, clause="SAND-8.4")
    islands_before_scoring: bool = option(True, "islands are removed before scoring", clause="SAND-8.8")
    covered_epicenter: str = option(
        "acts", "an epicenter that is covered", choices=("acts", "cancelled"), clause="SAND-8.9"
    )
    border_dip: str = option(
        "under", "a dip at a land border: under the pencil or as a lift", choices=("under", "lift"), clause="SAND-8.11"
    )
    all_null: str = option(
        "reroll",
        "four nulls: roll again, or the pawns return without a quake",
        choices=("reroll", "return"),
        clause="SAND-8.1",
    )
    show_known_values: bool = option(False, "phones show values that everybody has seen once", clause="SAND-6.1")


class Phase(StrEnum):
    BEGIN = "begin"
    TURN = "turn"
    ROLL = "roll"
    QUAKE = "quake"
    SCORE = "score"
    SWAP = "swap"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Coin:
    """A coin in play: the `number`-th of its suit. `seen`: its value has been seen by all."""

    suit: Suit
    number: int
    value: Rank | None = None
    seen: bool = False

    @property
    def key(self) -> str:
        return f"{self.suit}-coin{self.number}"


@dataclass(frozen=True, slots=True)
class City:
    coin: Coin
    tile: str
    corner: int


@dataclass(frozen=True, slots=True)
class Epicenter:
    tile: str
    corner: int


@dataclass(frozen=True, slots=True)
class State:
    """`suits` are those with cities in the game and `owners` their seats. `tiles` are the south-west cells in the
    order of TILES (None: removed); `above` are pairs of overlapping plates, the upper one first. `pawns` and
    `dice` stand in the order of the suits, `dice` as they lie since the last roll; `remaining` are the dice still
    to be resolved, `waiting` the cities still to be scored (by their index)."""

    options: Options
    suits: tuple[Suit, ...]
    owners: tuple[int, ...]
    phase: Phase
    to_act: int
    scores: tuple[int, ...]
    founded: tuple[int, ...]
    tiles: tuple[Cell | None, ...] = START
    above: Above = ()
    cities: tuple[City, ...] = ()
    ruins: tuple[Coin, ...] = ()
    pawns: tuple[Epicenter | None, ...] = (None, None, None, None)
    dice: Dice = (None, None, None, None)
    remaining: tuple[Suit, ...] = ()
    waiting: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.scores)

    @property
    def terrain(self) -> Terrain:
        return terrain(self.tiles, self.above, self.options.ocean == "any_gap")

    def shifted(self, tile: str, top: Rank) -> Shifted:
        """What the shift of a tile by a die that shows this changes."""
        lifts_at_border = self.options.border_dip == "lift"
        return shift(self.terrain, self.above, tile, SHIFTS[top], lifts_at_border=lifts_at_border)

    def cell(self, thing: City | Epicenter) -> Cell:
        corner = self.tiles[_INDEX[thing.tile]]
        assert corner is not None, "nothing stands on a tile that was removed"
        return cells_of(corner)[thing.corner]

    def city_at(self, cell: Cell) -> int | None:
        """The index of the city there."""
        return next((i for i, city in enumerate(self.cities) if self.cell(city) == cell), None)

    def owner(self, suit: Suit) -> int:
        return self.owners[self.suits.index(suit)]

    def in_hand(self, suit: Suit) -> int:
        return COINS - self.founded[self.suits.index(suit)]

    def suits_of(self, seat: int) -> tuple[Suit, ...]:
        return tuple(suit for suit, owner in zip(self.suits, self.owners, strict=True) if owner == seat)

    def free_values(self, suit: Suit) -> tuple[Rank, ...]:
        """Possible values of a coin whose value is not known."""
        coins = [city.coin for city in self.cities] + list(self.ruins)
        known = {coin.value for coin in coins if coin.suit is suit}
        return tuple(rank for rank in Rank if rank not in known)


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    suits = [seat.suit or suit for seat, suit in zip(seats, SUITS, strict=False)]
    owners = list(range(len(seats)))
    if len(seats) == 2:  # the house rule SAND-8.16: the other two suits as well
        suits += [suit for suit in SUITS if suit not in suits]
        owners += owners
    rolls = options.start_player == "roll"
    first = 0 if isinstance(options.start_player, str) else options.start_player % len(seats)
    nothing = (0,) * len(suits)
    phase = Phase.BEGIN if rolls else Phase.TURN
    return State(options, tuple(suits), tuple(owners), phase, first, nothing[: len(seats)], nothing)
