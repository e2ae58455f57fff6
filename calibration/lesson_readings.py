"""Readings of a lesson's pieces from several crops, and scores by a regression fitted to the other pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.views import plain_view
from rules.pieces import Rank, Suit
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import HEADS
from vision.odds import softmax
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import TableReader

LOOKS: Final = 8
LEAST: Final = 1e-6
"""Floor of a probability before its logarithm is taken."""
SOFTNESS: Final = 3.0
"""Penalty of the ridge regression."""


@dataclass(frozen=True, slots=True)
class LooksRead:
    """The reader's outputs for one piece, a row per crop; `logs`: log probabilities by question."""

    embeddings: Floats
    logs: Mapping[str, Floats]


def read_closely(
    eyes: TableReader, image: Picture, pieces: Sequence[DetectedPiece], questions: Sequence[str]
) -> list[LooksRead]:
    """Read every piece from LOOKS crops, turned by quarters, all but the first with perturbed corners."""
    rng, layers, side = np.random.default_rng(5), Layers(image), eyes.reader.side
    looks = [
        np.rot90(plain_view(layers, piece, side, rng if look else None), look % 4)
        for piece in pieces
        for look in range(LOOKS)
    ]
    net = eyes.reader.session
    rows, embeddings = net.run(np.ascontiguousarray(np.stack(looks).transpose(0, 3, 1, 2)))
    heat = net.model.temperatures
    logs = {q: np.log(np.maximum(softmax(rows[:, HEADS[q]], heat.get(q, 1.0)), LEAST)) for q in questions}
    each = [slice(start, start + LOOKS) for start in range(0, len(looks), LOOKS)]
    return [LooksRead(embeddings[own].astype(np.float64), {q: logs[q][own] for q in questions}) for own in each]


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples of one question: embeddings (pieces x crops x numbers) and the index of each piece's name. `alike`: groups
    of pieces that share the other half of their names and are left out together: a three of suns looks like the other
    threes, none of which is of its own suit."""

    names: tuple[Suit | Rank, ...]
    embeddings: Floats
    labels: np.ndarray
    alike: np.ndarray


def line_through(embeddings: Floats, labels: np.ndarray, count: int) -> Floats:
    """Weights of a ridge regression from embeddings (n x numbers) to one column per class, the constant last.

    Classes weigh alike, however many examples they have: else leaving a piece out would count against its own class.
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
    """Scores of each crop from a regression fitted to the other groups of pieces (pieces x crops x names)."""
    pieces, looks, numbers = examples.embeddings.shape
    out = np.zeros((pieces, looks, len(examples.names)))
    for group in np.unique(examples.alike):
        mine = examples.alike == group
        flat = examples.embeddings[~mine].reshape(-1, numbers)
        weights = line_through(flat, np.repeat(examples.labels[~mine], looks), len(examples.names))
        out[mine] = examples.embeddings[mine] @ weights[:-1] + weights[-1]
    return out
