"""What has never been seen cannot be missed.

Eyes have their standing errors: a black pawn that they do not tell from the wood, a number token that they take for a
coin. At the first look at a board these are told, so that people can set it right. Whoever plays on is followed all the
same: what was not explained then says nothing later, until it is seen as it should be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rules.pieces import Kind
from rules.table.layout import Placed

SAME = 0.35
"""A strange sighting this near (in spaces) to where there was one is the same."""

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

    def hides(self, placed: Placed) -> bool:
        return (placed.key, placed.x, placed.y) in self.unseen

    def knows(self, kind: Kind, x: float, y: float) -> bool:
        return any(kind is s.kind and math.hypot(x - s.x, y - s.y) < SAME for s in self.strange)

    def __bool__(self) -> bool:
        return bool(self.unseen or self.strange or self.beside)

    def less(self, seen: frozenset[Spot]) -> BlindSpots:
        """Without the pieces that have been seen by now."""
        return replace(self, unseen=self.unseen - seen)


NONE = BlindSpots()


def spot(placed: Placed) -> Spot:
    return placed.key, placed.x, placed.y
