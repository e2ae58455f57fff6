"""Quatri: options, state and the coins at the start (QUAT-2, QUAT-3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from rules.engine import Seat, option
from rules.engine.coin_steps import CoinSteps, SmallBoard, number, two_suits
from rules.pieces import Suit

SUITS = (Suit.SUNS, Suit.CROWNS)
BOARD = SmallBoard(4)
STEPS = CoinSteps(
    "quatri",
    BOARD,
    on_board="QUAT-2.1",
    own_coin="QUAT-3.4",
    one_step="QUAT-4.1",
    straight="QUAT-4.3",
)


@dataclass(frozen=True, slots=True)
class Options:
    mirror: bool = option(False, "the starting rows are mirrored left to right", clause="QUAT-8.4")
    stalemate: str = option(
        "pass", "a side that cannot move passes or loses", choices=("pass", "loses"), clause="QUAT-8.2"
    )
    repetition_draw: int = option(
        3, "a position that comes this often is a draw (0: never)", choices=(0, 3), clause="QUAT-5.3"
    )


@dataclass(frozen=True, slots=True)
class State:
    """`coins` are two sets of spaces as bit masks. `seen` are all positions so
    far as numbers (see `number`), for the repetition. `end` says why the game is over: line, stalemate, blocked
    or repetition; `winner` is the seat that has won."""

    options: Options
    suits: tuple[Suit, Suit]
    coins: tuple[int, int]
    to_act: int = 0
    passes: int = 0
    seen: tuple[int, ...] = ()
    end: str = ""
    winner: int | None = None


def opening_state(options: Options, seats: tuple[Seat, ...] = ()) -> State:
    first, second = BOARD.mask(("a1", "c1", "b4", "d4")), BOARD.mask(("b1", "d1", "a4", "c4"))
    coins = (second, first) if options.mirror else (first, second)
    return State(options, two_suits(seats, SUITS), coins, seen=(number(coins, 0),))


def _lines() -> tuple[int, ...]:
    found = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for x in range(4):
            for y in range(4):
                spots = [(x + step * dx, y + step * dy) for step in range(3)]
                if all(0 <= a < 4 and 0 <= b < 4 for a, b in spots):
                    found.append(sum(1 << (b * 4 + a) for a, b in spots))
    return tuple(found)


LINES: tuple[int, ...] = _lines()


@cache
def line_in(own: int) -> int:
    """A line of three among these spaces, or 0."""
    return next((line for line in LINES if own & line == line), 0)
