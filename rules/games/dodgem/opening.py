"""Dodg'em: options, state and the two armies at the start (DODG-2, DODG-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.coin_steps import SmallBoard
from rules.pieces import Suit

SUITS = (Suit.SUNS, Suit.CROWNS)
SUNS, CROWNS = 0, 1
BOARDS = {size: SmallBoard(size) for size in range(3, 7)}


@dataclass(frozen=True, slots=True)
class Options:
    direction: str = option("literal", "which way is forward", choices=("literal", "facing", "vout"), clause="DODG-8.1")
    size: int = option(6, "spaces along one side; one coin fewer each", low=3, high=6, clause="DODG-9.2")
    repetition_draw: int = option(
        3, "a position that comes this often is a draw (0: never)", choices=(0, 3), clause="DODG-5.2"
    )
    block_loses: bool = option(False, "who leaves the opponent without a move loses", clause="DODG-8.3")


@dataclass(frozen=True, slots=True)
class State:
    """`coins` are two sets of spaces as bit masks (bit rank * size + file). `seen` are the positions since the last
    irreversible step: older ones cannot recur.
    """

    options: Options
    coins: tuple[int, int]
    off: tuple[int, int] = (0, 0)
    to_act: int = SUNS
    passes: int = 0
    seen: tuple[tuple[int, int, int], ...] = ()
    blocked_loser: int | None = None

    @property
    def suits(self) -> tuple[Suit, Suit]:
        return SUITS

    @property
    def board(self) -> SmallBoard:
        return BOARDS[self.options.size]


def start_masks(options: Options) -> tuple[int, int]:
    size = options.size
    file_a = sum(1 << (rank * size) for rank in range(size))
    rank_1 = (1 << size) - 1
    if options.direction == "vout":
        return file_a & ~1, rank_1 & ~1
    last_file = file_a << (size - 1)
    return file_a & ~(1 << (size * (size - 1))), last_file & ~(1 << (size - 1))


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    coins = start_masks(options)
    return State(options, coins, seen=((*coins, SUNS),))
