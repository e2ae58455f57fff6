"""Readings of a lesson's pieces from several crops, scores by a regression fitted to the other pieces, and the check
whether an edition's coins show their hidden suit on the value side (printed in their suit's colour, differing wood),
which games assume they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.lesson_task import NamedPage
from calibration.views import plain_view
from rules.pieces import SUITS, Rank, Suit
from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import HEADS
from vision.odds import softmax
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import TableReader

CROPS: Final = 8
MIN_PROBABILITY: Final = 1e-6
"""Floor of a probability before its logarithm is taken."""
RIDGE: Final = 3.0
"""Penalty of the ridge regression."""
MIN_PAIRS: Final = 20
LEAK_ACCURACY: Final = 0.6
"""Accuracy above which coins leak: chance predicts a quarter of 24 coins; this happens once in ten thousand."""


@dataclass(frozen=True, slots=True)
class CropReadings:
    """The reader's outputs for one piece, a row per crop; `logs`: log probabilities by question."""

    embeddings: Floats
    logs: Mapping[str, Floats]


def read_crops(
    eyes: TableReader, image: Picture, pieces: Sequence[DetectedPiece], questions: Sequence[str]
) -> list[CropReadings]:
    """Read every piece from several crops, turned by quarters, all but the first with perturbed corners."""
    rng, layers, side = np.random.default_rng(5), Layers(image), eyes.reader.side
    crops = [
        np.rot90(plain_view(layers, piece, side, rng if look else None), look % 4)
        for piece in pieces
        for look in range(CROPS)
    ]
    net = eyes.reader.session
    rows, embeddings = net.run(np.ascontiguousarray(np.stack(crops).transpose(0, 3, 1, 2)))
    temperatures = net.model.temperatures
    logs = {
        q: np.log(np.maximum(softmax(rows[:, HEADS[q]], temperatures.get(q, 1.0)), MIN_PROBABILITY)) for q in questions
    }
    each = [slice(start, start + CROPS) for start in range(0, len(crops), CROPS)]
    return [CropReadings(embeddings[own].astype(np.float64), {q: logs[q][own] for q in questions}) for own in each]


@dataclass(frozen=True, slots=True)
class Examples:
    """Examples of one question: embeddings (pieces x crops x numbers) and the index of each piece's name. `alike`:
    groups of pieces that share the other half of their names and are left out together: a three of suns looks like the
    other threes, none of which is of its own suit."""

    names: tuple[Suit | Rank, ...]
    embeddings: Floats
    labels: np.ndarray
    alike: np.ndarray


def ridge_weights(embeddings: Floats, labels: np.ndarray, count: int) -> Floats:
    """Weights of a ridge regression from embeddings (n x numbers) to one column per class, the constant last.

    Classes weigh alike, however many examples they have: else leaving a piece out would count against its own class.
    """
    weights = 1 / np.maximum(np.bincount(labels, minlength=count), 1)[labels]
    weights = weights * len(labels) / weights.sum()
    middle = np.average(embeddings, axis=0, weights=weights)
    around = embeddings - middle
    targets = np.eye(count)[labels]
    mean_target = np.average(targets, axis=0, weights=weights)
    matrix = (around * weights[:, None]).T @ around + RIDGE * np.eye(around.shape[1])
    slopes = np.linalg.solve(matrix, (around * weights[:, None]).T @ (targets - mean_target))
    return np.vstack([slopes, mean_target - middle @ slopes])


def left_out_scores(examples: Examples) -> Floats:
    """Scores of each crop from a regression fitted to the other groups of pieces (pieces x crops x names)."""
    pieces, crops, numbers = examples.embeddings.shape
    out = np.zeros((pieces, crops, len(examples.names)))
    for group in np.unique(examples.alike):
        held_out = examples.alike == group
        flat = examples.embeddings[~held_out].reshape(-1, numbers)
        weights = ridge_weights(flat, np.repeat(examples.labels[~held_out], crops), len(examples.names))
        out[held_out] = examples.embeddings[held_out] @ weights[:-1] + weights[-1]
    return out


# Hidden suits ---------------------------------------------------------------------------------------------------


def coin_leak_warning(values: NamedPage, picture: Picture, suits: NamedPage) -> str | None:
    """A warning if the value sides show the suits; None if not, or if the coins were not turned over in their
    places."""
    pairs = pairs_in_place([each.piece for each in values.named], [each.piece for each in suits.named])
    if len(pairs) < MIN_PAIRS:
        return None
    labels = np.array([SUITS.index(suits.named[j].name[0]) for _, j in pairs])
    if np.bincount(labels, minlength=len(SUITS)).min() < 2:
        return None
    tints = np.array([chromaticity(picture, values.named[i].piece) for i, _ in pairs])
    spread = (tints - tints.mean(axis=0)) / np.maximum(tints.std(axis=0), 0.02)
    votes = left_out_scores(Examples(SUITS, spread[:, None], labels, np.arange(len(pairs)))).mean(axis=1)
    right = float((votes.argmax(axis=1) == labels).mean())
    if right < LEAK_ACCURACY:
        return None
    return (
        f"the coins' value sides give away their suits ({right:.0%} guessed right by colour): hidden suits are not safe"
    )


def pairs_in_place(before: Sequence[DetectedPiece], after: Sequence[DetectedPiece]) -> list[tuple[int, int]]:
    """Index pairs of pieces that lie in the same place in both pictures."""
    there = np.array([piece.center for piece in after])
    found = []
    for i, piece in enumerate(before):
        distances = np.linalg.norm(there - piece.center, axis=1)
        if distances.min() < 0.6 * float(np.sqrt(shape.area(piece.outline))):
            found.append((i, int(distances.argmin())))
    return found if len({j for _, j in found}) == len(found) else []


def chromaticity(picture: Picture, piece: DetectedPiece) -> Floats:
    """Chromaticity of body and ink: four numbers."""
    reach = max(2, round(0.32 * float(np.sqrt(shape.area(piece.outline)))))
    x, y = (round(float(v)) for v in piece.center)
    part = picture[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1].reshape(-1, 3)
    logs = np.log(part.astype(np.float64) + 8)
    bright = logs.sum(axis=1)
    body = np.median(logs[bright >= np.median(bright)], axis=0)
    ink = np.median(logs[bright <= np.percentile(bright, 12)], axis=0)
    return np.array([body[0] - body[1], body[2] - body[1], ink[0] - ink[1], ink[2] - ink[1]])
