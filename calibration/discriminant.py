"""A linear discriminant over the faces of one kind of piece: which of the taught faces a piece shows, and so also which
of its sides is up.

Every face has the mean of its views (`calibration.views`); all share one covariance, a little of it replaced by that of
independent numbers. What the reader says is weighed with it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from rules.pieces import Face, Rank, Suit, parse_rank, parse_suit
from vision.detect.shape import Floats
from vision.piece import Chances, Name, Seen, Signs, angle_of

SHRINKAGE: Final = 0.05
"""At least this share of the covariance is replaced by that of independent numbers; with few views more of it, as many
as there are numbers to each view."""
LIKENESS: Final = 0.02
READ: Final = 0.5
"""How much the discriminant counts, and how much beside it what the reader says. It is far too sure of what its views
do not show (other cameras, other lamps): with more, sets that the reader reads well are read worse."""
FLOOR: Final = 1e-4
"""No chance of the reader counts as less."""


class Shown(NamedTuple):
    """What one side of a piece shows; None where it has no sides, no suit or no value."""

    face: Face | None
    suit: Suit | None
    rank: Rank | None


@dataclass(frozen=True, slots=True)
class Discriminant:
    """`weights` has a row per number and one for the constant; a column per face."""

    faces: tuple[Shown, ...]
    weights: Floats

    def scores(self, numbers: np.ndarray) -> Floats:
        """The logarithm of how well the numbers fit each face, up to what is the same for all."""
        out: Floats = numbers.astype(np.float64) @ self.weights[:-1] + self.weights[-1]
        return out

    def weigh(self, piece: Seen) -> Seen:
        """The piece as the lesson knows it; unchanged where the lesson did not show this side."""
        signs = piece.signs
        if signs is None or len(signs.numbers) != len(self.weights) - 1:
            return piece
        if piece.face not in {shown.face for shown in self.faces}:
            return piece
        read = np.array([read_of(signs, shown) for shown in self.faces])
        chances = softmax(LIKENESS * self.scores(signs.numbers) + READ * read)
        sides = {shown.face: 0.0 for shown in self.faces}
        for shown, chance in zip(self.faces, chances.tolist(), strict=True):
            sides[shown.face] += chance
        up = max(sides, key=lambda face: sides[face])
        within = {
            shown: chance / sides[up]
            for shown, chance in zip(self.faces, chances.tolist(), strict=True)
            if shown.face == up
        }
        return told(turned(piece, up, signs), within)

    def to_json(self) -> dict[str, Any]:
        packed = base64.b64encode(self.weights.astype("<f4").tobytes()).decode()
        faces = [[face, suit, None if rank is None else rank.word] for face, suit, rank in self.faces]
        return {"faces": faces, "weights": packed}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Discriminant:
        faces = tuple(
            Shown(
                None if face is None else Face(face),
                None if suit is None else parse_suit(str(suit)),
                None if value is None else parse_rank(str(value)),
            )
            for face, suit, value in data["faces"]
        )
        flat = np.frombuffer(base64.b64decode(data["weights"], validate=True), "<f4").astype(np.float64)
        if len(faces) < 2 or len(flat) % len(faces) or not np.isfinite(flat).all():
            raise ValueError("a set's weights")
        return Discriminant(faces, flat.reshape(-1, len(faces)))


def fitted(faces: Sequence[Shown], rows: Sequence[Floats]) -> Discriminant:
    """`rows`: of each face its views, a row of numbers per view."""
    means = np.stack([np.asarray(views, np.float64).mean(axis=0) for views in rows])
    around = np.concatenate([views - mean for views, mean in zip(rows, means, strict=True)]).astype(np.float64)
    spread = np.maximum(around.std(axis=0), 1e-6)
    around = around / spread
    shrinkage = float(np.clip(len(spread) / len(around), SHRINKAGE, 1.0))
    covariance = (1 - shrinkage) * around.T @ around / (len(around) - len(rows)) + shrinkage * np.eye(len(spread))
    scaled = means / spread
    slopes = np.linalg.solve(covariance, scaled.T)
    constant = -0.5 * (scaled.T * slopes).sum(axis=0)
    return Discriminant(tuple(faces), np.vstack([slopes / spread[:, None], constant]))


def read_of(signs: Signs, shown: Shown) -> float:
    """What the reader says for a face: the logarithm of its chance."""
    parts = (
        (signs.sides.get(shown.face, 0.0) if shown.face is not None else 1.0),
        (signs.suits.get(shown.suit, 0.0) if shown.suit is not None else 1.0),
        (signs.ranks.get(shown.rank, 0.0) if shown.rank is not None else 1.0),
    )
    return float(np.log(np.maximum(parts, FLOOR)).sum())


def turned(piece: Seen, up: Face | None, signs: Signs) -> Seen:
    """The piece with this side up, if it was taken for the other one."""
    if piece.face == up:
        return piece
    if piece.kind != "tile":
        return replace(piece, face=up, suits={}, ranks={})
    if up != Face.FRONT:
        return replace(piece, face=up, suits={}, ranks={}, angle=None)
    corners = np.roll(piece.outline, -signs.turn, axis=0)
    angle = angle_of(corners[0] + corners[1] - corners[2] - corners[3])
    return replace(piece, face=up, outline=corners, angle=angle)


def told(piece: Seen, chances: Mapping[Shown, float]) -> Seen:
    """With the chances of what this side may show."""
    suits: Chances[Suit] = summed([(shown.suit, chance) for shown, chance in chances.items()])
    ranks: Chances[Rank] = summed([(shown.rank, chance) for shown, chance in chances.items()])
    both = {
        (shown.suit, shown.rank): chance
        for shown, chance in chances.items()
        if shown.suit is not None and shown.rank is not None
    }
    return replace(piece, suits=suits or piece.suits, ranks=ranks or piece.ranks, faces=both)


def summed(chances: Sequence[tuple[Name | None, float]]) -> Chances[Name]:
    """What the chances come to for all that share a name; nothing where nothing is asked."""
    out: dict[Name, float] = {}
    for name, chance in chances:
        if name is not None:
            out[name] = out.get(name, 0.0) + chance
    return out


def softmax(votes: Floats) -> Floats:
    powers = np.exp(votes - votes.max(axis=-1, keepdims=True))
    out: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return out
