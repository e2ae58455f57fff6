"""How the suits of this set are misread. A net that knows the colours of most sets misreads others with certainty
and consistently; from pieces whose identity is known this is estimated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.pieces import SUITS, Kind, Rank, Suit
from rules.referee.tuning import SuitConfusionRates
from rules.table.layout import Placed
from rules.table.observed import ObservedTable, Sighting

_Shares = Mapping[Suit, float]


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
