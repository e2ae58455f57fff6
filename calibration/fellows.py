"""What pieces of one lesson say of each other: a straight line through the reader's embeddings, fitted to all but some
of them, names those that were left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.pieces import Rank, Suit
from vision.detect.shape import Floats

SOFTNESS: Final = 3.0
"""How much the line is held back (ridge regression)."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Of one question: several embeddings per piece (pieces x looks x numbers), and which name each piece is. `alike`
    groups pieces that share what the question does not ask for: a three of suns looks like the other threes, of which
    its own suit has none, so they must be left out together."""

    names: tuple[Suit | Rank, ...]
    embeddings: Floats
    labels: np.ndarray
    alike: np.ndarray


def line_through(embeddings: Floats, labels: np.ndarray, count: int) -> Floats:
    """Ridge regression from embeddings (n x numbers) to one column per class, the constant last.

    Classes weigh alike, however many examples they have: else a piece left out would be held against its own class.
    """
    weights = 1 / np.maximum(np.bincount(labels, minlength=count), 1)[labels]
    weights = weights * len(labels) / weights.sum()
    middle = np.average(embeddings, axis=0, weights=weights)
    around = embeddings - middle
    wanted = np.eye(count)[labels]
    usual = np.average(wanted, axis=0, weights=weights)
    matrix = (around * weights[:, None]).T @ around + SOFTNESS * np.eye(around.shape[1])
    slopes = np.linalg.solve(matrix, (around * weights[:, None]).T @ (wanted - usual))
    out: Floats = np.vstack([slopes, usual - middle @ slopes])
    return out


def votes_left_out(examples: Examples) -> Floats:
    """Each look at each group of pieces judged by all the others (pieces x looks x names)."""
    pieces, looks, numbers = examples.embeddings.shape
    out = np.zeros((pieces, looks, len(examples.names)))
    for group in np.unique(examples.alike):
        mine = examples.alike == group
        flat = examples.embeddings[~mine].reshape(-1, numbers)
        weights = line_through(flat, np.repeat(examples.labels[~mine], looks), len(examples.names))
        out[mine] = examples.embeddings[mine] @ weights[:-1] + weights[-1]
    return out
