"""A detected piece with its distributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind, Pose, Rank, Size, Suit
from vision.detect.shape import Floats

CERTAIN = 0.3
"""Smallest certainty of a reported piece."""
FAINT = 0.1
"""Smallest certainty of a candidate that is passed on as faint."""

Name = TypeVar("Name", bound=str | int | tuple[Suit, Rank])
Chances = Mapping[Name, float]


@dataclass(frozen=True, slots=True)
class Signs:
    """Features of a piece for a learned set. `numbers`: feature vector. `sides`, `suits`, `ranks`: the reader's answers
    for either side. `turn`: index of the corner that is the face's top left if the face is up. `picture`: crop of a
    tile, cut by its final corners (side x side x 3)."""

    numbers: NDArray[np.float32]
    sides: Mapping[Face, float] = field(default_factory=dict)
    suits: Chances[Suit] = field(default_factory=dict)
    ranks: Chances[Rank] = field(default_factory=dict)
    turn: int = 0
    picture: NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DetectedPiece:
    """A detected piece. Answers that the visible side does not show are empty distributions."""

    kind: Kind
    center: Floats
    outline: Floats
    certainty: float
    """The probability that there is such a piece."""
    face: Face | None = None
    suits: Chances[Suit] = field(default_factory=dict)
    ranks: Chances[Rank] = field(default_factory=dict)
    sizes: Chances[Size] = field(default_factory=dict)
    marks: Chances[str] = field(default_factory=dict)
    """Of a card: probability of each face of the deck; the sum may be less than one."""
    pose: Pose | None = None
    lying: float | None = None
    """Of a pyramid: probability of lying on its side."""
    aim: float | None = None
    """Of a pyramid: direction in which it points if it lies, in the picture."""
    angle: float | None = None
    position: tuple[float, float] | None = None
    level: int | None = None
    table_angle: float | None = None
    table_aim: float | None = None
    table_edges: float | None = None
    """Direction of its sides on the table in degrees: a tile's up to quarter turns, a card's longer ones up to half
    turns."""
    embedding: NDArray[np.float32] | None = None
    signs: Signs | None = None
    faces: Mapping[tuple[Suit, Rank], float] = field(default_factory=dict)
    """Joint distribution of suit and rank, where more is known than each by itself."""

    @property
    def suit(self) -> Suit | None:
        return likeliest(self.suits)

    @property
    def rank(self) -> Rank | None:
        return likeliest(self.ranks)

    @property
    def value(self) -> str | None:
        """The rank as CONTRACTS spells it."""
        return None if self.rank is None else self.rank.word

    @property
    def size(self) -> Size | None:
        return likeliest(self.sizes)

    @property
    def mark(self) -> str | None:
        """The card's face if more likely than not."""
        best = likeliest(self.marks)
        return best if best is not None and self.marks[best] > 0.5 else None

    @property
    def confidence(self) -> float:
        """Probability that the piece is there with its likeliest identity."""
        return self.certainty * max(self.suits.values(), default=1.0) * max(self.ranks.values(), default=1.0)

    def identities(self, least: float = 0.01) -> list[tuple[Suit | None, Rank | None, float]]:
        """(suit, rank, probability), likeliest first. `least`: smallest probability listed."""
        if self.faces:
            likely = [(suit, rank, p) for (suit, rank), p in self.faces.items() if p >= least]
            return sorted(likely, key=lambda face: -face[2])
        suits: list[tuple[Suit | None, float]] = list(self.suits.items()) or [(None, 1.0)]
        ranks: list[tuple[Rank | None, float]] = list(self.ranks.items()) or [(None, 1.0)]
        pairs = [(suit, rank, p * q) for suit, p in suits for rank, q in ranks if p * q >= least]
        return sorted(pairs, key=lambda pair: -pair[2])


def likeliest(chances: Chances[Name]) -> Name | None:
    """The key of the largest probability; None for an empty distribution."""
    return max(chances, key=lambda name: chances[name]) if chances else None


def angle_of(up: Floats) -> float:
    """Angle of a direction in the picture in degrees: 0 up, counter-clockwise positive."""
    return float(np.degrees(np.arctan2(-up[0], -up[1])))
