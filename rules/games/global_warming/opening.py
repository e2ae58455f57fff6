"""Global Warming: options, the state, and the table before the tiles are turned up (GW-3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine import Seat, option
from rules.engine.card import SetupError
from rules.games.global_warming.cells import island
from rules.pieces import RANKS, SUITS, Piece, Suit, coin, tile
from rules.sentence import say


class Phase(StrEnum):
    DEAL = "deal"
    START = "start"
    LINE = "line"
    SELECT = "select"
    ACTIONS = "actions"
    SINK = "sink"
    ENDED = "ended"


MISSING, SEALED = "-", "?"
LINE_LENGTH = 3

IDENTITIES = tuple((suit, rank) for suit in SUITS for rank in RANKS)
TILES: tuple[Piece, ...] = tuple(tile(suit, rank) for suit, rank in IDENTITIES)
COINS: tuple[Piece, ...] = tuple(coin(suit, rank) for suit, rank in IDENTITIES)
TILE_INDEX = {piece.code: index for index, piece in enumerate(TILES)}
COIN_INDEX = {piece.code: index for index, piece in enumerate(COINS)}


@dataclass(frozen=True, slots=True)
class Options:
    setup: str = option(
        "standard", "the shape of the island", choices=("standard", "cross", "diagonal"), clause="GW-9.1"
    )
    island: str = option(
        "random",
        "how the tiles lie: shuffled on the table, or in order (for practice)",
        choices=("random", "ordered"),
        clause="GW-3.1",
    )
    two_seats_each: bool = option(False, "two players with two pawns and two dice each", clause="GW-9.3")
    blank_optional: bool = option(True, "a player with the blank may leave the tiles as they are", clause="GW-R2")
    line_side: str = option(
        "random", "who decides which side of a coin is up", choices=("random", "handler_free"), clause="GW-R7"
    )
    handler: str = option(
        "first_eliminated", "who draws the coins later on", choices=("first_eliminated", "fixed"), clause="GW-R8"
    )
    missing_commit: str = option(
        "void", "a die that was not set when all reveal", choices=("void", "replay"), clause="GW-R10"
    )
    resign: bool = option(False, "players may give up between two turns", clause="GW-R14")


@dataclass(frozen=True, slots=True)
class Danger:
    """Number of consistent cases (of `cases`) in which a tile is the next to sink, or among the coins of the line."""

    tile: str
    next: int
    line: int
    cases: int


@dataclass(frozen=True, slots=True)
class State:
    """`suits` are the pawns in play and `owners` the seat of each; `pawns`, `faces` and `order` go by that index.

    `tiles` are the cells of the 24 tiles in the order of IDENTITIES, "" when sunk; empty before the deal. `line` are
    the visible sides of the coins from the left, as cS? or c?3. `sunk` are the sunken tiles, in order. A face is ""
    before it is chosen, then n, a, 2 to 5; "-" when it is missing, "?" where the viewer may not know it. `shown` are
    the faces that the dice on the table showed last. `order` are the pawns whose dice still act. `danger` is filled in
    by the view alone.
    """

    options: Options
    suits: tuple[Suit, ...]
    owners: tuple[int, ...]
    phase: Phase
    tiles: tuple[str, ...]
    pawns: tuple[str, ...]
    faces: tuple[str, ...]
    shown: tuple[str, ...]
    order: tuple[int, ...] = ()
    line: tuple[str, ...] = ()
    sunk: tuple[int, ...] = ()
    handler: int = 0
    turn: int = 1
    danger: tuple[Danger, ...] = ()

    @property
    def bag(self) -> int:
        """Number of coins in the bag."""
        return len(COINS) - len(self.sunk) - len(self.line)

    @property
    def alive(self) -> list[int]:
        """Pawns on the island; all during the set-up."""
        if self.phase in (Phase.DEAL, Phase.START):
            return list(range(len(self.suits)))
        return [index for index, place in enumerate(self.pawns) if place]

    @property
    def survivors(self) -> list[int]:
        """The seats with a pawn on the island."""
        return sorted({self.owners[index] for index in self.alive})


def opening_state(options: Options, seats: tuple[Seat, ...]) -> State:
    suits, owners = _pawns(options, seats)
    count = len(suits)
    ordered = options.island == "ordered"
    return State(
        options,
        suits,
        owners,
        Phase.START if ordered else Phase.DEAL,
        island(options.setup) if ordered else (),
        pawns=("",) * count,
        faces=("",) * count,
        shown=("",) * count,
    )


def _pawns(options: Options, seats: tuple[Seat, ...]) -> tuple[tuple[Suit, ...], tuple[int, ...]]:
    """Owners of the pawns; of two players with two pawns each, those of one player stand opposite each other."""
    suits = tuple(seat.suit for seat in seats if seat.suit)
    owners = tuple(range(len(suits)))
    if not options.two_seats_each:
        return suits, owners
    if len(suits) != 2:
        raise SetupError(say("two_seats_each is for 2 players, not {given}", given=len(suits)))
    return suits + tuple(suit for suit in SUITS if suit not in suits), (0, 1, 0, 1)
