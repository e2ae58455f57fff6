"""Linear discriminant analysis over the faces of one kind of piece: which of the taught faces a piece shows, and so
also which side is up.

Every face has a mean; all share one covariance with shrinkage to its diagonal. The scores are combined with the
reader's log probabilities, aspect by aspect (`VoteWeight`)."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from calibration.corner_signs import CornerSigns
from rules.pieces import SUITS, Face, Rank, Suit, parse_rank, parse_suit
from vision.detect.shape import Floats
from vision.odds import softmax
from vision.piece import Chances, DetectedPiece, Name, Signs, angle_of

MIN_SHRINKAGE: Final = 0.05
"""Least share of the covariance that is replaced by its diagonal; with few looks more of it: numbers per look."""
SCORE_SCALE: Final = 0.04
"""Factor of the discriminant's scores at full weight: it is overconfident beyond its looks (other cameras, lamps)."""
MIN_READER_WEIGHT: Final = 0.5
"""Least weight of the reader's log probabilities."""
MIN_PROBABILITY: Final = 1e-4
"""Floor of the reader's probabilities before their logarithm is taken."""


class Shown(NamedTuple):
    """What one side of a piece shows; None for a piece without sides, or a side without suit or value."""

    face: Face | None
    suit: Suit | None
    rank: Rank | None


class VoteWeight(NamedTuple):
    """Weight of the discriminant in each aspect: from 0 (the reader alone) to MAX_WEIGHT."""

    side: float
    suit: float
    rank: float


MAX_WEIGHT: Final = 3.0
"""More than 1 where colour alone identifies (`trial.COLOUR_SHARES`)."""
NO_TRUST: Final = VoteWeight(0.0, 0.0, 0.0)
DEFAULT_TRUST: Final = VoteWeight(0.5, 0.5, 0.5)
"""Weights without cross-validation."""


class Votes(NamedTuple):
    """Scores of every face (columns) for every look (rows) by aspect; `both`: the interaction of suit and rank."""

    side: Floats
    suit: Floats
    rank: Floats
    both: Floats


@dataclass(frozen=True, slots=True)
class Discriminant:
    """`weights`: a row per number and one for the constant; a column per face."""

    faces: tuple[Shown, ...]
    weights: Floats
    trust: VoteWeight = DEFAULT_TRUST
    corners: CornerSigns | None = None
    """Of tiles: the classifier of their corners' signs, where that helps."""

    @property
    def trusted(self) -> bool:
        """Whether it has any weight."""
        return self.trust != NO_TRUST or self.corners is not None

    def votes(self, numbers: np.ndarray) -> Votes:
        """Scores of looks (a row of numbers each) at full weight."""
        scores: Floats = SCORE_SCALE * (numbers.astype(np.float64) @ self.weights[:-1] + self.weights[-1])
        return scores_by_aspect(self.faces, scores)

    def weigh(self, piece: DetectedPiece) -> DetectedPiece:
        """The piece with its reading reweighted; unchanged where the lesson did not show this side, or has no
        weight."""
        signs = piece.signs
        if not self.trusted or signs is None or len(signs.numbers) != len(self.weights) - 1:
            return piece
        if piece.face not in {shown.face for shown in self.faces}:
            return piece
        total = combined_scores(self.votes(signs.numbers[None]), reader_scores(self.faces, [signs]), self.trust)[0]
        if self.corners is not None:
            total += corner_scores(self.corners, self.faces, signs)
        if not self.trust.side:
            total[[shown.face != piece.face for shown in self.faces]] = -np.inf
        chances = softmax(total)
        sides = {shown.face: 0.0 for shown in self.faces}
        for shown, chance in zip(self.faces, chances.tolist(), strict=True):
            sides[shown.face] += chance
        up = max(sides, key=lambda face: sides[face])
        within = {
            shown: chance / sides[up]
            for shown, chance in zip(self.faces, chances.tolist(), strict=True)
            if shown.face == up
        }
        if self.trust.side:  # else the reader's own doubt stays
            known = {face: chance for face, chance in sides.items() if face is not None}
            piece = replace(piece, signs=replace(signs, sides=known))
        return with_probabilities(with_side_up(piece, up, signs), within)

    def to_json(self) -> dict[str, Any]:
        packed = base64.b64encode(self.weights.astype("<f4").tobytes()).decode()
        faces = [[face, suit, None if rank is None else rank.word] for face, suit, rank in self.faces]
        corners = None if self.corners is None else self.corners.to_json()
        return {"faces": faces, "weights": packed, "trust": list(self.trust), "corners": corners}

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
        side, suit, rank = (float(share) for share in data.get("trust", DEFAULT_TRUST))
        trust = VoteWeight(side, suit, rank)
        if len(faces) < 2 or len(flat) % len(faces) or not np.isfinite(flat).all():
            raise ValueError("a set's weights")
        if not all(0 <= share <= MAX_WEIGHT for share in trust):
            raise ValueError("a set's trust")
        corners = data.get("corners")
        known = None if corners is None else CornerSigns.from_json(corners)
        return Discriminant(faces, flat.reshape(-1, len(faces)), trust, known)


def fitted_discriminant(faces: Sequence[Shown], *sources: Sequence[Floats]) -> Discriminant:
    """Fit to sources of looks: for each face an array of a row of numbers per look; all but one may lack some faces. A
    face's mean is the mean of the sources' means, so that a source with many looks does not dominate."""
    by_face = zip(*sources, strict=True)
    means = np.stack([np.mean([looks.mean(axis=0) for looks in own if len(looks)], axis=0) for own in by_face])
    around = np.concatenate([looks - mean for rows in sources for looks, mean in zip(rows, means, strict=True)])
    spread = np.maximum(around.std(axis=0), 1e-6)
    around = around / spread
    shrinkage = float(np.clip(len(spread) / len(around), MIN_SHRINKAGE, 1.0))
    covariance = (1 - shrinkage) * around.T @ around / (len(around) - len(faces)) + shrinkage * np.eye(len(spread))
    scaled = means / spread
    slopes = np.linalg.solve(covariance, scaled.T)
    constant = -0.5 * (scaled.T * slopes).sum(axis=0)
    return Discriminant(tuple(faces), np.vstack([slopes / spread[:, None], constant]))


def scores_by_aspect(faces: tuple[Shown, ...], scores: Floats) -> Votes:
    """Scores split by aspect: a side's is its best face's, a suit's or rank's the mean of all faces that have it."""
    of_side, of_suit, of_rank = _means(faces)
    best = np.empty_like(scores)
    for same_side in np.unique(of_side > 0, axis=0):
        best[:, same_side] = scores[:, same_side].max(axis=1, keepdims=True)
    around = scores - scores @ of_side
    suit, rank = around @ of_suit, around @ of_rank
    return Votes(best, suit, rank, scores - best - suit - rank)


@lru_cache(maxsize=32)
def _means(faces: tuple[Shown, ...]) -> tuple[Floats, Floats, Floats]:
    """Matrices that average scores over all faces of the same side; of the same suit on it; of the same rank on it."""
    return (
        _same_name_means([shown.face for shown in faces]),
        _same_name_means([(shown.face, shown.suit) for shown in faces]),
        _same_name_means([(shown.face, shown.rank) for shown in faces]),
    )


def _same_name_means(names: Sequence[object]) -> Floats:
    alike = np.array([[float(one == other) for other in names] for one in names])
    return np.asarray(alike / alike.sum(axis=0))


def combined_scores(votes: Votes, read: Votes, trust: VoteWeight) -> Floats:
    """Weighted sum of the discriminant's and the reader's scores for every face of every look."""
    side, suit, rank = (np.maximum(1 - share, MIN_READER_WEIGHT) for share in trust)
    own_scores = trust.side * votes.side + trust.suit * votes.suit + trust.rank * votes.rank
    out: Floats = own_scores + min(trust.suit, trust.rank) * votes.both
    out += side * read.side + suit * read.suit + rank * read.rank
    return out


def corner_scores(corners: CornerSigns, faces: Sequence[Shown], signs: Signs) -> Floats:
    """Log evidence of a tile's corners for each face; zero for faces without a suit."""
    if signs.picture is None:
        return np.zeros(len(faces))
    log_odds = corners.votes(signs.picture.astype(np.float32) / np.float32(255))
    return np.array([0.0 if shown.suit is None else log_odds[SUITS.index(shown.suit)] for shown in faces])


def reader_scores(faces: Sequence[Shown], signs: Sequence[Signs]) -> Votes:
    """The reader's log probabilities for every face."""
    side = [[1.0 if shown.face is None else each.sides.get(shown.face, 0.0) for shown in faces] for each in signs]
    suit = [[1.0 if shown.suit is None else each.suits.get(shown.suit, 0.0) for shown in faces] for each in signs]
    rank = [[1.0 if shown.rank is None else each.ranks.get(shown.rank, 0.0) for shown in faces] for each in signs]
    by_side, by_suit, by_rank = (
        np.log(np.maximum(np.reshape(chances, (-1, len(faces))), MIN_PROBABILITY)) for chances in (side, suit, rank)
    )
    return Votes(by_side, by_suit, by_rank, np.zeros_like(by_side))


def with_side_up(piece: DetectedPiece, up: Face | None, signs: Signs) -> DetectedPiece:
    """The piece with this side up; its reading is dropped if it was taken for the other one."""
    if piece.face == up:
        return piece
    if piece.kind != "tile":
        return replace(piece, face=up, suits={}, ranks={})
    if up != Face.FRONT:
        return replace(piece, face=up, suits={}, ranks={}, angle=None)
    corners = np.roll(piece.outline, -signs.turn, axis=0)
    angle = angle_of(corners[0] + corners[1] - corners[2] - corners[3])
    return replace(piece, face=up, outline=corners, angle=angle)


def with_probabilities(piece: DetectedPiece, chances: Mapping[Shown, float]) -> DetectedPiece:
    """The piece with the probabilities of what this side shows."""
    suits: Chances[Suit] = summed([(shown.suit, chance) for shown, chance in chances.items()])
    ranks: Chances[Rank] = summed([(shown.rank, chance) for shown, chance in chances.items()])
    both = {
        (shown.suit, shown.rank): chance
        for shown, chance in chances.items()
        if shown.suit is not None and shown.rank is not None
    }
    return replace(piece, suits=suits or piece.suits, ranks=ranks or piece.ranks, faces=both)


def summed(chances: Sequence[tuple[Name | None, float]]) -> Chances[Name]:
    """Sum of the probabilities of each name; None is left out."""
    out: dict[Name, float] = {}
    for name, chance in chances:
        if name is not None:
            out[name] = out.get(name, 0.0) + chance
    return out
