"""Standing errors of the detector at this table: pieces it never detects (a black pawn on dark wood) and false
positives (a number token taken for a coin).

They are told at the first look, so that people can set it right, and ignored once the game goes on, until the piece
is detected. Pieces that are detected in some looks only are missed with less surprise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rules.pieces import Face, Kind, Piece, Rank, Suit
from rules.table.layout import Placed
from rules.table.observed import Sighting

Spot = tuple[str, Face | None, float, float]
PieceSort = tuple[Kind, Suit | None]
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class FalsePositive:
    """A detection that matched no piece at its first appearance, with the identity that it was read as."""

    kind: Kind
    x: float
    y: float
    suit: Suit | None = None
    rank: Rank | None = None

    def explains(self, sighting: Sighting, x: float, y: float, within: float, other_chance: float) -> bool:
        """Whether this detection is the same error again: near it, and likely enough of its identity."""
        return (
            sighting.kind is self.kind
            and math.hypot(x - self.x, y - self.y) < within
            and sighting.chance_of(self.suit, self.rank) >= other_chance
        )


@dataclass(frozen=True, slots=True)
class DetectionRates:
    """Pieces never detected at their places, and detections never matched."""

    missed: frozenset[Spot] = frozenset()
    false_positives: tuple[FalsePositive, ...] = ()
    rates: Mapping[Spot, float] = field(default_factory=dict)
    """Certainty of each piece's detection at its place, as a moving average."""
    kinds: Mapping[PieceSort, float] = field(default_factory=dict)
    """For pieces not yet detected anywhere: the detection rate of their sort, as a moving average."""
    on_board: Mapping[PieceSort, float] = field(default_factory=dict)
    """The share of each sort that is detected where it lies on the board, as a moving average."""

    def is_missed(self, placed: Placed) -> bool:
        return spot(placed) in self.missed

    @property
    def any(self) -> bool:
        """Whether there is any standing error."""
        return bool(self.missed or self.false_positives)

    def rate(self, placed: Placed) -> float:
        """The detection rate of this piece, else of its sort, else 1."""
        own = self.rates.get(spot(placed))
        return self.kinds.get(sort(placed.piece), 1.0) if own is None else own

    def overlooked_nats(self, placed: Placed, most: float) -> float:
        """Nats of a piece that came to lie here not being detected, by the share of its sort that is on this board; at
        most so many, and never less than if it were as likely as not: what it is told by is that nothing is seen."""
        missed_share = 1.0 - self.on_board.get(sort(placed.shown), 1.0)
        return -math.log(min(0.5, max(missed_share, math.exp(-most))))

    @property
    def rates_only(self) -> DetectionRates:
        """The rates without the standing errors."""
        return DetectionRates(rates=self.rates, kinds=self.kinds, on_board=self.on_board)

    def with_missed(self, spots: Iterable[Spot]) -> DetectionRates:
        """With pieces that lie there by people's word alone, whatever was detected there before."""
        announced = frozenset(spots)
        rates = {at: clear for at, clear in self.rates.items() if at not in announced}
        return replace(self, missed=self.missed | announced, rates=rates)

    def merged(self, more: DetectionRates) -> DetectionRates:
        return replace(
            self, missed=self.missed | more.missed, false_positives=(*self.false_positives, *more.false_positives)
        )

    def updated(
        self,
        seen: Mapping[Spot, float],
        kinds: Mapping[PieceSort, float],
        on_board: Mapping[PieceSort, float],
        weight: float,
    ) -> DetectionRates:
        """After a look with these certainties, and these shares of each sort, anywhere and on the board. `weight`: of
        this look among all."""
        return replace(
            self,
            missed=self.missed - set(seen),
            rates=_moving_average(self.rates, seen, weight),
            kinds=_moving_average(self.kinds, kinds, weight),
            on_board=_moving_average(self.on_board, on_board, weight),
        )


def _moving_average(before: Mapping[Key, float], now: Mapping[Key, float], weight: float) -> dict[Key, float]:
    return {**before, **{key: weight * new + (1 - weight) * before.get(key, new) for key, new in now.items()}}


NOTHING_LEARNED = DetectionRates()


def spot(placed: Placed) -> Spot:
    """The key of a piece at its place, by the side that it shows: what hides one side need not hide the other."""
    return placed.key, placed.face, placed.x, placed.y


def sort(piece: Piece) -> PieceSort:
    """The key under which detection rates are shared."""
    return piece.kind, piece.suit
