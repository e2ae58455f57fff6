"""Cross-validation of a lesson: held-out looks are classified by a discriminant fitted to the others and compared with
the reader alone.

Looks come from two sources: views of the lesson's own pieces, and pieces on tables rendered with the set's double. The
discriminant's weights are those that are best for both, among those with which neither gets worse; none where the
tables are not read better beyond chance.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.corner_signs import CornerSigns
from calibration.discriminant import (
    MAX_WEIGHT,
    NO_TRUST,
    Discriminant,
    Shown,
    Votes,
    VoteWeight,
    combined_scores,
    corner_scores,
    fitted_discriminant,
    reader_scores,
)
from vision.detect.shape import Floats
from vision.piece import Signs

SHARES: Final = (0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 1.0)
"""Weights that are tried for each aspect."""
COLOUR_SHARES: Final = (*SHARES, 1.5, 2.0, MAX_WEIGHT)
"""Weights of suits that only colour identifies: colour is rendered as truly as it was photographed, print is not."""
FOLDS: Final = 4
"""Folds of the cross-validation."""
BEYOND_CHANCE: Final = 1.64
"""Standard errors by which the discriminant must be better on rendered tables to be believed (one-sided, 95 %)."""


class LabelledView(NamedTuple):
    """One look at a piece whose face is known. Looks of one `group` (views of one piece, a rendered table) are alike
    and held out together."""

    shown: Shown
    signs: Signs
    group: int


class Score(NamedTuple):
    """Number of held-out looks, and of those read rightly by the reader alone (`read`) and with the lesson."""

    looks: int
    read: int
    taught: int


@dataclass(frozen=True, slots=True)
class Trial:
    """Scores on views of the lesson's pieces (`own`) and on rendered tables (`drawn`)."""

    own: Score
    drawn: Score

    @property
    def total(self) -> Score:
        return Score(*(one + other for one, other in zip(self.own, self.drawn, strict=True)))

    def to_json(self) -> dict[str, list[int]]:
        return {"own": list(self.own), "drawn": list(self.drawn)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Trial:
        own, drawn = (Score(*(int(count) for count in data[name])) for name in ("own", "drawn"))
        return Trial(own, drawn)


@dataclass(frozen=True, slots=True)
class Source:
    """Looks of one kind of piece from one source, a row each: numbers, index of the face, group, reader's scores."""

    faces: tuple[Shown, ...]
    numbers: Floats
    shown: NDArray[np.int64]
    groups: NDArray[np.int64]
    read: Votes
    signs: Sequence[Signs] = ()

    def rows(self, mask: NDArray[np.bool_]) -> list[Floats]:
        """The kept rows of each face."""
        return [self.numbers[mask & (self.shown == face)] for face in range(len(self.faces))]

    @property
    def all(self) -> NDArray[np.bool_]:
        return np.ones(len(self.shown), np.bool_)

    @property
    def folds(self) -> NDArray[np.int64]:
        return self.groups % FOLDS


def source_of(faces: tuple[Shown, ...], looks: Sequence[LabelledView]) -> Source:
    """The looks as arrays; those of other faces are left out, dice whose values were not taught count by suit."""
    places = {face: place for place, face in enumerate(faces)}
    looks = [look if look.shown in places else look._replace(shown=look.shown._replace(rank=None)) for look in looks]
    used = [look for look in looks if look.shown in places]
    numbers = np.array([look.signs.numbers for look in used], np.float64)
    return Source(
        faces,
        numbers,
        np.array([places[look.shown] for look in used], np.int64),
        np.array([look.group for look in used], np.int64),
        reader_scores(faces, [look.signs for look in used]),
        [look.signs for look in used],
    )


def cross_validated(
    faces: tuple[Shown, ...],
    own: Sequence[LabelledView],
    drawn: Sequence[LabelledView],
    corners: CornerSigns | None = None,
) -> tuple[Discriminant, Trial]:
    """The discriminant fitted to all looks, with weights by cross-validation (none where it is not better beyond chance
    on rendered tables), and its scores. `corners`: fitted to the lesson's tiles, and used where rendered tables, which
    it was not fitted to, are read better with it."""
    own_source, drawn_source = source_of(faces, own), source_of(faces, drawn)
    votes = [held_out_scores(own_source, drawn_source), held_out_scores(drawn_source, own_source)]
    both = [(each, vote) for each, vote in zip((own_source, drawn_source), votes, strict=True) if len(each.shown)]
    trust = best_trust(faces, both)
    if len(drawn_source.shown) and not is_better_beyond_chance(drawn_source, votes[1], trust):
        trust = NO_TRUST
    scores = [score(each, vote, trust) for each, vote in zip((own_source, drawn_source), votes, strict=True)]
    discriminant = fitted_discriminant(faces, *(each.rows(each.all) for each, _ in both))
    discriminant = replace(discriminant, trust=trust)
    right = right_with_corners(corners, drawn_source, votes[1], trust) if corners is not None else None
    if right is None:
        return discriminant, Trial(*scores)
    return replace(discriminant, corners=corners), Trial(scores[0], scores[1]._replace(taught=right))


def right_with_corners(corners: CornerSigns, looks: Source, votes: Votes, trust: VoteWeight) -> int | None:
    """Number of faces read rightly with the corners; None where that, or the log loss, is not better."""
    if not len(looks.shown):
        return None
    evidence = np.array([corner_scores(corners, looks.faces, signs) for signs in looks.signs])
    mean_loss, right = log_loss(looks, votes, trust)
    mean_loss_now, right_now = log_loss(looks, votes, trust, evidence)
    return right_now if mean_loss_now < mean_loss and right_now >= right else None


def held_out_scores(source: Source, other: Source) -> Votes:
    """Scores of each look by a discriminant fitted without its fold."""
    out = Votes(*(np.zeros((len(source.shown), len(source.faces))) for _ in Votes._fields))
    for fold in np.unique(source.folds):
        held_out = source.folds == fold
        sources = [rows for rows in (source.rows(~held_out), other.rows(other.all)) if any(map(len, rows))]
        votes = fitted_discriminant(source.faces, *sources).votes(source.numbers[held_out])
        for aspect, scores in zip(out, votes, strict=True):
            aspect[held_out] = scores
    return out


def best_trust(faces: Sequence[Shown], sources: Sequence[tuple[Source, Votes]]) -> VoteWeight:
    """The weights with the least log loss, of those with which no source does worse than with the reader alone."""
    distinct = [len({face[part] for face in faces}) > 1 for part in range(3)]
    shares = COLOUR_SHARES if distinct == [False, True, False] else SHARES
    aspects = [shares if is_distinct else (0.0,) for is_distinct in distinct]
    alone = [log_loss(each, votes, NO_TRUST) for each, votes in sources]
    best, least = NO_TRUST, sum(mean_loss for mean_loss, _ in alone)
    for trust in map(VoteWeight._make, itertools.product(*aspects)):
        now = [log_loss(each, votes, trust) for each, votes in sources]
        worse = any(s > s0 or r < r0 for (s, r), (s0, r0) in zip(now, alone, strict=True))
        if not worse and sum(mean_loss for mean_loss, _ in now) < least:
            best, least = trust, sum(mean_loss for mean_loss, _ in now)
    return best


def is_better_beyond_chance(looks: Source, votes: Votes, trust: VoteWeight) -> bool:
    """Whether the log loss with these weights is less than with the reader alone by BEYOND_CHANCE standard errors;
    whole groups are independent."""
    gains = (losses(looks, votes, NO_TRUST)[0] - losses(looks, votes, trust)[0]) @ (
        looks.groups[:, None] == np.unique(looks.groups)
    )
    return bool(gains.sum() > BEYOND_CHANCE * np.linalg.norm(gains))


def log_loss(looks: Source, votes: Votes, trust: VoteWeight, more: Floats | float = 0.0) -> tuple[float, int]:
    """Mean log loss (nats a look) and number of faces read rightly. `more`: further scores of each face."""
    nats, right = losses(looks, votes, trust, more)
    return float(nats.mean()), int(right.sum())


def losses(
    looks: Source, votes: Votes, trust: VoteWeight, more: Floats | float = 0.0
) -> tuple[Floats, NDArray[np.bool_]]:
    """Log loss of each look, and whether its face is read rightly. `more`: further scores of each face."""
    total = combined_scores(votes, looks.read, trust) + more
    total = total - total.max(axis=1, keepdims=True)
    true = total[np.arange(len(total)), looks.shown]
    return np.log(np.exp(total).sum(axis=1)) - true, total.argmax(axis=1) == looks.shown


def score(looks: Source, votes: Votes, trust: VoteWeight) -> Score:
    if not len(looks.shown):
        return Score(0, 0, 0)
    return Score(len(looks.shown), log_loss(looks, votes, NO_TRUST)[1], log_loss(looks, votes, trust)[1])
