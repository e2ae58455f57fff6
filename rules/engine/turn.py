"""Who may act: one seat, dice and coins (CHANCE), several seats at once, or nobody once the game is over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache


class TurnKind(StrEnum):
    __hash__ = str.__hash__

    SEAT = "seat"
    CHANCE = "chance"
    ALL = "all"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Turn:
    """`seats` may act: one for SEAT, those still to choose for ALL, for CHANCE the one who rolls or turns a coin, where
    the rules say. `phase`: the rulebook's word for the step."""

    kind: TurnKind
    seats: tuple[int, ...] = ()
    phase: str = ""

    @property
    def is_over(self) -> bool:
        return self.kind is TurnKind.OVER

    @property
    def seat(self) -> int | None:
        """The seat to act in a SEAT turn, else None."""
        return self.seats[0] if self.kind is TurnKind.SEAT else None

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind.value, "seats": list(self.seats), "phase": self.phase}


@cache
def of_seat(seat: int, phase: str = "") -> Turn:
    return Turn(TurnKind.SEAT, (seat,), phase)


@cache
def chance(phase: str = "", *seats: int) -> Turn:
    return Turn(TurnKind.CHANCE, seats, phase)


@cache
def of_all(seats: tuple[int, ...], phase: str = "") -> Turn:
    return Turn(TurnKind.ALL, seats, phase)


OVER = Turn(TurnKind.OVER)
