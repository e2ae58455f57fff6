"""Jul-Gonu: options, state and the coins at the start (JULG-2, JULG-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.coin_steps import CoinSteps, SmallBoard, number, two_suits
from rules.pieces import Suit

SUITS = (Suit.SUNS, Suit.CROWNS)
BOARD = SmallBoard(4)
COINS = 4
GOAL = 3
STEPS = CoinSteps(
    "jul_gonu",
    BOARD,
    on_board="JULG-2.1",
    own_coin="JULG-3.3",
    one_step="JULG-4.1",
    straight="JULG-4.1",
)

Trail = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Options:
    start_player: int = option(0, "which seat begins", choices=(0, 1), clause="JULG-8.7")
    stalemate: str = option(
        "pass", "a side that cannot move passes or loses", choices=("pass", "loses"), clause="JULG-8.5"
    )
    strict_shuttle: bool = option(False, "a capture does not reset the shuttle count", clause="JULG-8.4")
    ko: bool = option(
        False, "instead of the shuttle rule: no move may restore the previous position", clause="JULG-8.6"
    )
    repetition_draw: int = option(
        3, "a position that comes this often is a draw (0: never)", choices=(0, 3), clause="JULG-5.3"
    )


@dataclass(frozen=True, slots=True)
class State:
    """`coins` are two sets of spaces as bit masks; `captured` counts what each seat has taken. `trails` are the last
    two moves of each seat, as far as they count for shuttling. `seen` are the positions since the last capture: older
    ones cannot recur. `end` says why the game is over: captures, shuttle, stalemate, blocked or repetition; `winner` is
    the seat that has won.
    """

    options: Options
    suits: tuple[Suit, Suit]
    coins: tuple[int, int]
    captured: tuple[int, int] = (0, 0)
    to_act: int = 0
    trails: tuple[Trail, Trail] = ((), ())
    passes: int = 0
    seen: tuple[int, ...] = ()
    end: str = ""
    winner: int | None = None


def opening_state(options: Options, seats: tuple[Seat, ...] = ()) -> State:
    coins = (BOARD.mask(("a1", "b1", "c1", "d1")), BOARD.mask(("a4", "b4", "c4", "d4")))
    first = options.start_player
    return State(options, two_suits(seats, SUITS), coins, to_act=first, seen=(number(coins, first),))
