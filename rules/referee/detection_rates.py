"""Standing errors of the detector at this table: pieces it never detects (a black pawn on dark wood) and false
positives (a number token taken for a coin).

They are told at the first look, so that people can set it right, and ignored once the game goes on, until the piece
is detected. Pieces that are detected in some looks only are missed with less surprise.

And how the suits of this set are misread: a net that knows the colours of most sets misreads others with certainty and
consistently; from pieces whose identity is known this is estimated.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from rules.pieces import SUITS, Face, Kind, Piece, Rank, Suit
from rules.referee.tuning import SuitConfusionRates
from rules.table.layout import Placed
from rules.table.observed import ObservedTable, Sighting

Spot = tuple[str, Face | None, float, float]
PieceSort = tuple[Kind, Suit | None]
Key = TypeVar("Key")
_Shares = Mapping[Suit, float]


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

    def rate(self, placed: Placed) -> float:
        """The detection rate of this piece, else of its sort, else 1."""
        own = self.rates.get(spot(placed))
        return self.kinds.get(sort(placed.piece), 1.0) if own is None else own

    def overlooked_nats(self, placed: Placed, most: float) -> float:
        """Nats of a piece that came to lie here not being detected, by the share of its sort that is on this board; at
        most so many, and never less than if it were as likely as not: what it is told by is that nothing is seen."""
        missed_share = 1.0 - self.on_board.get(sort(placed.shown), 1.0)
        return -math.log(min(0.5, max(missed_share, math.exp(-most))))

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


@dataclass(frozen=True, slots=True)
class SuitConfusion:
    """By kind and true suit, the probability of each suit being read. An unknown kind is taken as read."""

    read: Mapping[tuple[Kind, Suit], _Shares] = field(default_factory=dict)

    @staticmethod
    def estimated(pairs: Iterable[tuple[Placed, Sighting]], rates: SuitConfusionRates) -> SuitConfusion:
        """From known pieces and their detections. A single misreading is chance; it takes several of a suit read as
        the same other. But there is one pawn of each suit, which is seen again and again."""
        counts: dict[tuple[Kind, Suit], dict[Suit, float]] = defaultdict(lambda: dict.fromkeys(SUITS, 0.0))
        for placed, seen in pairs:
            shown, read_as = placed.shown, seen.best[0]
            if shown.suit is not None and read_as is not None and seen.chance_of(None, shown.rank) > rates.same:
                counts[shown.kind, shown.suit][read_as] += seen.chance_of(read_as, None)
        return SuitConfusion(
            {
                (kind, suit): _shares(suit, each, rates.believed, 0.0 if kind is Kind.PAWN else rates.chance)
                for (kind, suit), each in counts.items()
            }
        )

    def updated(self, later: SuitConfusion) -> SuitConfusion:
        """With later estimates; kinds that were not seen then are kept."""
        return SuitConfusion({**self.read, **later.read})

    def corrected(self, observed: ObservedTable) -> ObservedTable:
        """The table with every suit's probability as in this set."""
        if all(row[suit] == 1.0 for (_, suit), row in self.read.items()):
            return observed
        return replace(
            observed,
            sightings=tuple(map(self._corrected, observed.sightings)),
            faint=tuple(map(self._corrected, observed.faint)),
        )

    def _corrected(self, seen: Sighting) -> Sighting:
        rows = {suit: self.read.get((seen.kind, suit), {suit: 1.0}) for suit in SUITS}
        if seen.best[0] is None or all(rows[suit].get(suit) == 1.0 for suit in SUITS):
            return seen
        weights: dict[tuple[Suit | None, Rank | None], float] = defaultdict(float)
        for (read, rank), chance in seen.identities.items():
            for suit, row in rows.items():
                if read is not None and row.get(read, 0.0) > 0.0:
                    weights[suit, rank] += chance * row[read]
        total = sum(weights.values())
        return replace(seen, identities={one: w / total for one, w in weights.items()}) if total > 0.0 else seen


def _shares(true: Suit, counts: _Shares, prior: float, chance: float) -> _Shares:
    """Probability of reading each suit. The prior of the true suit shrinks the more often it was never read rightly."""
    right, wrong = counts[true], sum(count for suit, count in counts.items() if suit is not true)
    prior *= (right + 1.0) / (right + wrong + 1.0)
    weights = {suit: max(0.0, count - chance) for suit, count in counts.items() if suit is not true}
    weights[true] = prior + right
    total = sum(weights.values())
    return {suit: weight / total for suit, weight in weights.items()}
