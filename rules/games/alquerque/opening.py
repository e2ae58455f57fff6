"""Alquerque: options, state and the two armies at the start (ALQU-2, ALQU-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.two_armies import ArmyBoard, ArmyState

SIZE = 5
BOARD = ArmyBoard("alquerque", SIZE, SIZE, 1.5, own_coin="ALQU-3.3", has_coin="ALQU-4.1")
NAMES, BIT = BOARD.names, BOARD.bit
QUIET = 40
"""Turns without a capture after which the game is a draw (ALQU-5.3)."""
_COINS = ("a1 b1 c1 d1 e1 a2", "b2 c2 d2 e2 d3 e3", "a5 b5 c5 d5 e5 e4", "a4 b4 c4 d4 a3 b3")


@dataclass(frozen=True, slots=True)
class Options:
    backward: bool = option(True, "coins may move backward", clause="ALQU-9.1")


@dataclass(frozen=True, slots=True)
class State(ArmyState):
    options: Options
    capturing: str = ""
    """Point of the coin that must continue its chain of captures."""
    quiet: int = 0
    """Consecutive turns without a capture."""


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    return State(options, BOARD.coins(*_COINS))
