"""Delegate Dash: options, the state and its vocabulary, the start (DASH-1, DASH-3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine import Seat, option
from rules.games.delegate_dash.chart import (
    COINS,
    GAP,
    LETTERS,
    REGION_SUITS,
    delegates_of,
    marker_piece,
    region_of_marker,
    worth,
)

# Where a marker is: a state, the gap, a candidate's area, the pool, or aside before it is placed.
AREA = 30
POOL = 40
ASIDE = 50

NOBODY: tuple[int | None, ...] = (None, None, None, None)
MAJORITY = 305
ROUNDS = ((1,), (2,), (0, 3), (4,), (5,))
DEALS = 6


@dataclass(frozen=True, slots=True)
class Options:
    surrender_limit: str = option(
        "any", "how often a player may surrender a marker in one turn", choices=("any", "once"), clause="DASH-8.1"
    )
    stall_limit: int = option(
        10, "sub-rounds without a coin taken, after which the rest is uncommitted", low=1, high=99, clause="DASH-5.7"
    )
    region_order: str = option(
        "suits",
        "regions in the convention: S, M, C, A, or north to west",
        choices=("suits", "compass"),
        clause="DASH-8.7",
    )
    free_pick: bool = option(False, "in the convention anybody picks freely, not the best marker", clause="DASH-8.8")
    automatic_shed: str = option(
        "cheapest", "the region that an automatic candidate gives up", choices=("cheapest", "random"), clause="DASH-8.6"
    )

    @property
    def regions(self) -> tuple[int, ...]:
        return (1, 3, 2, 0) if self.region_order == "suits" else (0, 1, 2, 3)


class Phase(StrEnum):
    DEAL = "deal"
    SCATTER = "scatter"
    REVEAL = "reveal"
    ROLL = "roll"
    MOVE = "move"
    AFTER = "after"  # just moved: surrender a marker, or be done
    REROLL = "reroll"
    CAUCUS = "caucus"  # which caucus is next
    VOTE = "vote"  # the dice of a caucus
    TAKE = "take"
    SHED = "shed"
    DROP = "drop"  # the dice of those that are last without any marker
    SHARE = "share"  # the dice for a region's uncommitted markers
    LEGISLATURE = "legislature"  # 304 to 304
    OVER = "over"


DICE_PHASES = frozenset((Phase.REROLL, Phase.VOTE, Phase.DROP, Phase.SHARE, Phase.LEGISLATURE))
CHANCE_PHASES = DICE_PHASES | {Phase.DEAL, Phase.SCATTER, Phase.REVEAL, Phase.ROLL}


@dataclass(frozen=True, slots=True)
class State:
    """Candidates are numbered north 0, east 1, south 2, west 3, and so are the regions.

    `players` is each candidate's seat, None for automatic ones. `tiles` is the value of each state, `spots` where each
    marker is, `ranks` the value of each coin, if it has been seen. `order` are the candidates that have still to move.
    `dice` and `rollers` are a throw that is not complete. `ranking` are groups of candidates, the best first, whose
    ties are still to be rolled off; `takers` who takes next; `regions` what is still to be shared out in the
    convention.
    """

    options: Options
    players: tuple[int | None, ...]
    phase: Phase = Phase.DEAL
    tiles: tuple[int | None, ...] = (None,) * GAP
    spots: tuple[int, ...] = (ASIDE,) * COINS + (GAP,) * 4
    ranks: tuple[int | None, ...] = (None,) * COINS
    deals: int = 0
    round: int = 0
    holder: int = 0
    roll: tuple[int | None, ...] = NOBODY
    order: tuple[int, ...] = ()
    surrendered: int = 0
    idle: int = 0
    taken: bool = False
    caucuses: tuple[int, ...] = ()
    place: int | None = None
    dice: tuple[int | None, ...] = NOBODY
    rollers: tuple[int, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()
    takers: tuple[int, ...] = ()
    shedders: tuple[int, ...] = ()
    regions: tuple[int, ...] = ()
    running: tuple[bool, ...] = (True, True, True, True)
    winner: int | None = None
    ending: str = ""

    def markers_at(self, spot: int) -> list[int]:
        return [marker for marker, where in enumerate(self.spots) if where == spot]

    def markers_of(self, candidate: int) -> list[int]:
        return self.markers_at(AREA + candidate)

    def worth_of(self, marker: int) -> int:
        return 1 if marker >= COINS else worth(self.ranks[marker])

    def name_of(self, marker: int) -> str:
        """cA5 a coin of which the value is known, pA a pawn."""
        return marker_piece(marker, None if marker >= COINS else self.ranks[marker]).code

    def delegates_of(self, marker: int) -> str:
        return delegates_of(marker, None if marker >= COINS else self.ranks[marker])

    def stake_at(self, cell: int) -> list[int]:
        """Coins that lie value side up on a state."""
        return [coin for coin, where in enumerate(self.spots[:COINS]) if where == cell and self.ranks[coin] is not None]

    def hidden_at(self, cell: int) -> list[int]:
        return [coin for coin, where in enumerate(self.spots[:COINS]) if where == cell and self.ranks[coin] is None]

    def total(self, candidate: int) -> int:
        return sum(self.worth_of(marker) for marker in self.markers_of(candidate))

    def in_region(self, candidate: int, region: int) -> list[int]:
        return [marker for marker in self.markers_of(candidate) if region_of_marker(marker) == region]

    def pawn_at(self, candidate: int) -> int:
        return self.spots[COINS + candidate]

    @property
    def campaigning(self) -> bool:
        """Whether the five rounds are still going on, in which pawns are no markers (DASH-8.12)."""
        return self.round < len(ROUNDS)

    @property
    def survivors(self) -> tuple[int, ...]:
        return tuple(candidate for candidate, runs in enumerate(self.running) if runs)

    def is_automatic(self, candidate: int) -> bool:
        return self.players[candidate] is None

    def seat_for(self, candidate: int) -> int:
        """Seat that acts for a candidate: its player, else the holder of the dice (DASH-4.10)."""
        seat = self.players[candidate]
        return self.players[self.holder] or 0 if seat is None else seat


def clockwise(start: int) -> tuple[int, ...]:
    return tuple((start + step) % 4 for step in range(4))


def next_holder(players: tuple[int | None, ...], start: int) -> int:
    """The first candidate with a player, clockwise from this one inclusive."""
    return next(candidate for candidate in clockwise(start) if players[candidate] is not None)


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    players: list[int | None] = [None] * 4
    for number, seat in enumerate(seats):
        suit = seat.suit or REGION_SUITS[number]
        players[LETTERS.index(suit.letter)] = number
    chosen = tuple(players) if seats else (0, 1, 2, 3)
    return State(options, chosen, holder=next_holder(chosen, 0))


def area_seat(state: State, candidate: int) -> int:
    """Seat number of a candidate's area on the table: that of its player; automatic ones follow clockwise."""
    seat = state.players[candidate]
    if seat is not None:
        return seat
    spare = [other for other in range(4) if state.players[other] is None]
    return 4 - len(spare) + spare.index(candidate)
