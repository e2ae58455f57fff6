"""One piece as the eyes see it, with every doubt kept as a probability."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind, Pose
from vision.detect.shape import Floats

Chances = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is not shown by the visible side is an empty distribution."""

    kind: Kind
    center: Floats
    outline: Floats
    certainty: float
    """The probability that there is such a piece."""
    face: Face | None = None
    suits: Chances = field(default_factory=dict)
    values: Chances = field(default_factory=dict)
    sizes: Chances = field(default_factory=dict)
    marks: Chances = field(default_factory=dict)
    """Of a card: how likely each face of the gallery is; they need not sum to one."""
    pose: Pose | None = None
    angle: float | None = None
    position: tuple[float, float] | None = None
    level: int | None = None
    table_angle: float | None = None
    embedding: NDArray[np.float32] | None = None

    @property
    def suit(self) -> str | None:
        return likeliest(self.suits)

    @property
    def value(self) -> str | None:
        return likeliest(self.values)

    @property
    def size(self) -> str | None:
        return likeliest(self.sizes)

    @property
    def mark(self) -> str | None:
        """The card's face, if more likely than not."""
        best = likeliest(self.marks)
        return best if best is not None and self.marks[best] > 0.5 else None

    @property
    def confidence(self) -> float:
        """The probability that the piece is there and is what it is called."""
        return self.certainty * max(self.suits.values(), default=1.0) * max(self.values.values(), default=1.0)

    def identities(self, least: float = 0.01) -> list[tuple[str | None, str | None, float]]:
        """(suit, value, probability), likeliest first."""
        suits: list[tuple[str | None, float]] = list(self.suits.items()) or [(None, 1.0)]
        values: list[tuple[str | None, float]] = list(self.values.items()) or [(None, 1.0)]
        pairs = [(suit, value, p * q) for suit, p in suits for value, q in values if p * q >= least]
        return sorted(pairs, key=lambda pair: -pair[2])


def likeliest(chances: Chances) -> str | None:
    return max(chances, key=lambda name: chances[name]) if chances else None


def angle_of(up: Floats) -> float:
    """The contract's angle of a direction in the picture: 0 up, counter-clockwise positive."""
    return float(np.degrees(np.arctan2(-up[0], -up[1])))
