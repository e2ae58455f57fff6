"""Breakthrough: options, state and the two armies at the start (BRKT-2, BRKT-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine import Seat, option
from rules.engine.two_armies import ArmyBoard, ArmyState

SIZE = 6
BOARD = ArmyBoard("breakthrough", SIZE, SIZE, 1.0, own_coin="BRKT-3.3", has_coin="BRKT-4.1")
NAMES, BIT = BOARD.names, BOARD.bit
_RANK = (1 << SIZE) - 1


@dataclass(frozen=True, slots=True)
class Options:
    ranks: int = option(2, "ranks of coins each", choices=(1, 2), clause="BRKT-9.1")


@dataclass(frozen=True, slots=True)
class State(ArmyState):
    options: Options


def opening_state(options: Options, _seats: tuple[Seat, ...] = ()) -> State:
    second = options.ranks == 2
    suns, moons = _RANK, _RANK << SIZE if second else 0
    crowns, arms = _RANK << SIZE * (SIZE - 1), _RANK << SIZE * (SIZE - 2) if second else 0
    return State(options, (suns, moons, crowns, arms))
