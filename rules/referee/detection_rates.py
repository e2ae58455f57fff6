"""What has never been seen cannot be missed.

Eyes have their standing errors: a black pawn that they do not tell from the wood, a number token that they take for a
coin. At the first look at a board these are told, so that people can set it right. Whoever plays on is followed all the
same: what was not explained then says nothing later, until it is seen as it should be. And what is seen dimly, in some
looks and not in others, is not missed as much as what was always clear.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rules.pieces import Kind, Piece, Suit
from rules.table.layout import Placed

Spot = tuple[str, float, float]
PieceSort = tuple[Kind, Suit | None]
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class FalsePositive:
    """Something was seen here that should not be here, and never was anything else."""

    kind: Kind
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class DetectionRates:
    """Pieces never seen as they should lie, and sightings never explained."""

    missed: frozenset[Spot] = frozenset()
    false_positives: tuple[FalsePositive, ...] = ()
    rates: Mapping[Spot, float] = field(default_factory=dict)
    """How certain the eyes are of a piece, of late, when it is where it should be."""
    kinds: Mapping[PieceSort, float] = field(default_factory=dict)
    """Of pieces that were nowhere in clear view yet: how many of their sort are seen, of late, wherever they are."""

    def is_missed(self, placed: Placed) -> bool:
        return spot(placed) in self.missed

    def is_false_positive(self, kind: Kind, x: float, y: float, within: float) -> bool:
        return _is_near(self.false_positives, kind, x, y, within)

    @property
    def any(self) -> bool:
        """Whether there is anything that the eyes never showed, or always showed wrongly."""
        return bool(self.missed or self.false_positives)

    def rate(self, placed: Placed) -> float:
        own = self.rates.get(spot(placed))
        return self.kinds.get(sort(placed.piece), 1.0) if own is None else own

    @property
    def rates_only(self) -> DetectionRates:
        """Only how clearly pieces are seen: eyes that overlook nothing for good."""
        return DetectionRates(rates=self.rates, kinds=self.kinds)

    def with_missed(self, spots: Iterable[Spot]) -> DetectionRates:
        """When something lies there by people's word alone, in whatever other way it was seen there before."""
        announced = frozenset(spots)
        rates = {at: clear for at, clear in self.rates.items() if at not in announced}
        return replace(self, missed=self.missed | announced, rates=rates)

    def merged(self, more: DetectionRates) -> DetectionRates:
        return replace(
            self, missed=self.missed | more.missed, false_positives=(*self.false_positives, *more.false_positives)
        )

    def updated(self, seen: Mapping[Spot, float], kinds: Mapping[PieceSort, float], weight: float) -> DetectionRates:
        """When these pieces have been seen where they should be, so certainly, and so many of each sort at all.
        `weight`: how much this look counts among all."""
        rates = _moving_average(self.rates, seen, weight)
        return replace(
            self, missed=self.missed - set(seen), rates=rates, kinds=_moving_average(self.kinds, kinds, weight)
        )


def _is_near(known: Iterable[FalsePositive], kind: Kind, x: float, y: float, within: float) -> bool:
    return any(kind is s.kind and math.hypot(x - s.x, y - s.y) < within for s in known)


def _moving_average(before: Mapping[Key, float], now: Mapping[Key, float], weight: float) -> dict[Key, float]:
    return {
        **before,
        **{key: weight * new + (1 - weight) * before.get(key, new) for key, new in now.items()},
    }


NOTHING_LEARNED = DetectionRates()


def spot(placed: Placed) -> Spot:
    return placed.key, placed.x, placed.y


def sort(piece: Piece) -> PieceSort:
    return piece.kind, piece.suit
