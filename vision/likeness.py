"""How much the pieces of a picture are like each other, pair by pair."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vision.detect.shape import Floats


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
    out: Floats = values.sum(axis=0) - values
    return out


def agreements(distributions: ArrayLike) -> Floats:
    """Bhattacharyya coefficient of each pair of distributions: 1 if they are the same, 0 if they share nothing."""
    roots = np.sqrt(np.array(distributions, np.float64))
    return np.asarray(roots @ roots.T)
