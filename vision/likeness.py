"""What the pieces of a picture tell of each other: how alike they are, pair by pair, and what most of them are."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vision.detect.shape import Floats

SHARE_WEIGHT, SHARE_COUNT = 0.5, 0.5
"""Weight of the log odds of an answer among the other pieces of the picture, and what is added to either count. Fitted
on the sides of tiles: one each would take the pieces of a picture for independent."""


def cosines(embeddings: ArrayLike) -> Floats:
    """Cosine of the embeddings of each pair."""
    rows = np.array(embeddings, np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows @ rows.T)


def pair_evidence(pair_logits: Floats, most: float) -> Floats:
    """Evidence of each pair, at most so much either way; none of a piece for itself."""
    out: Floats = np.clip(pair_logits, -most, most)
    np.fill_diagonal(out, 0)
    return out


def others(values: Floats) -> Floats:
    """Sum over all other pieces, for each."""
    return np.asarray(values.sum(axis=0) - values)


def share_logits(one: Floats, other: Floats) -> Floats:
    """Evidence, for each piece, of the first of two answers from how often the others give either. `one`, `other`:
    probability of either answer, for each piece."""
    return SHARE_WEIGHT * np.log((others(one) + SHARE_COUNT) / (others(other) + SHARE_COUNT))


def agreements(distributions: ArrayLike) -> Floats:
    """Bhattacharyya coefficient of each pair of distributions: 1 if they are the same, 0 if they share nothing."""
    roots = np.sqrt(np.array(distributions, np.float64))
    return np.asarray(roots @ roots.T)
