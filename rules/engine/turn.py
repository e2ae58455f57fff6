"""Who may act now: one seat, the dice and coins (CHANCE), several seats at once, or nobody any more."""

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
    """`seats` are those who may act: one for SEAT, those who have still to choose for ALL. For CHANCE it is who
    handles the dice or turns the coin, where the rules say. `phase` is the rulebook's own word for the step."""

    kind: TurnKind
    seats: tuple[int, ...] = ()
    phase: str = ""

    @property
    def is_over(self) -> bool:
        return self.kind is TurnKind.OVER

    @property
    def seat(self) -> int | None:
        """The one seat to act, if it is exactly one."""
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
