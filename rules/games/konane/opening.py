"""Konane: options, state and the full board at the start (KONA-2, KONA-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.two_armies import ArmyBoard, ArmyState

FILES, RANKS = 4, 6
BOARD = ArmyBoard("konane", FILES, RANKS, 1.0, own_coin="KONA-3.3", has_coin="KONA-4.3")
NAMES, BIT = BOARD.names, BOARD.bit
ARMY = 12
"""Suits of each player."""
_COINS = ("a1 c1 b2 d2 a3 c3", "b4 d4 a5 c5 b6 d6", "b1 d1 a2 c2 b3 d3", "a4 c4 b5 d5 a6 c6")
FIRST_PLACES = ("c3", "b4", "a1", "d6")
"""Spaces from which the first coin may be removed (KONA-4.1)."""


@dataclass(frozen=True, slots=True)
class Options:
    first: str = option(
        "middle_or_corner",
        "where the first coin is taken off",
        choices=("middle_or_corner", "anywhere"),
        clause="KONA-9.1",
    )


@dataclass(frozen=True, slots=True)
class State(ArmyState):
    options: Options

    @property
    def removing(self) -> bool:
        """Whether this is a first turn, in which a coin is removed instead of a jump."""
        return self.army(self.to_act).bit_count() == ARMY


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    return State(options, BOARD.coins(*_COINS))


_FIRST = opening_state(Options())
SPACES = (_FIRST.army(0), _FIRST.army(1))
"""The spaces of each player (KONA-2.2)."""
