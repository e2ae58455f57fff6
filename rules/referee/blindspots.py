"""What has never been seen cannot be missed.

Eyes have their standing errors: a black pawn that they do not tell from the wood, a number token that they take for a
coin. At the first look at a board these are told, so that people can set it right. Whoever plays on is followed all the
same: what was not explained then says nothing later, until it is seen as it should be. And what is seen dimly, in some
looks and not in others, is not missed as much as what was always clear.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.pieces import Kind
from rules.table.layout import Placed

SAME = 0.35
"""A strange sighting this near (in spaces) to where there was one is the same."""

LATELY = 0.4
"""So much the last look counts among all looks at a piece."""

Spot = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class Strange:
    """Something was seen here that should not be here, and never was anything else."""

    kind: Kind
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class BlindSpots:
    """Pieces never seen as they should lie, sightings never explained, and how much there always was to wonder at
    beside the board."""

    unseen: frozenset[Spot] = frozenset()
    strange: tuple[Strange, ...] = ()
    beside: float = 0.0
    clarity: Mapping[Spot, float] = field(default_factory=dict)
    """How certain the eyes are of a piece, of late, when it is where it should be."""

    def hides(self, placed: Placed) -> bool:
        return spot(placed) in self.unseen

    def knows(self, kind: Kind, x: float, y: float) -> bool:
        return any(kind is s.kind and math.hypot(x - s.x, y - s.y) < SAME for s in self.strange)

    @property
    def any(self) -> bool:
        """Whether there is anything that the eyes never showed, or always showed wrongly."""
        return bool(self.unseen or self.strange or self.beside)

    def clear(self, placed: Placed) -> float:
        return self.clarity.get(spot(placed), 1.0)

    @property
    def dim(self) -> BlindSpots:
        """Only how clearly pieces are seen: eyes that overlook nothing for good."""
        return BlindSpots(clarity=self.clarity)

    def after(self, seen: Mapping[Spot, float]) -> BlindSpots:
        """When these pieces have been seen where they should be, so certainly."""
        clarity = {at: LATELY * sure + (1 - LATELY) * self.clarity.get(at, sure) for at, sure in seen.items()}
        return replace(self, unseen=self.unseen - set(seen), clarity={**self.clarity, **clarity})


NO_BLIND_SPOTS = BlindSpots()


def spot(placed: Placed) -> Spot:
    return placed.key, placed.x, placed.y
