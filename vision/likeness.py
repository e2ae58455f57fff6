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


def agreements(distributions: ArrayLike) -> Floats:
    """Bhattacharyya coefficient of each pair of distributions: 1 if they are the same, 0 if they share nothing."""
    roots = np.sqrt(np.array(distributions, np.float64))
    return np.asarray(roots @ roots.T)
