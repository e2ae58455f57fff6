"""Weights of the dice net and of the reader in the fused answer, for small and for large dice, fitted on held-out
pictures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from models.training.calibrate import read_all, update_registry
from models.training.pool import read_picture
from models.training.truth import match, read_truth
from vision.detect.shape import Floats
from vision.identify.again import LEAST
from vision.identify.dice import WEIGHTS as WEIGHED
from vision.identify.dice import together
from vision.identify.heads import SUITS, VALUES
from vision.nets import WEIGHTS
from vision.rectify import Layers
from vision.table_reader import TableReader

GRID: Final = np.arange(0.0, 1.51, 0.15)
"""Values of each weight that are tried."""
MIN_PROBABILITY: Final = 1e-3
"""Limit of what a single die costs."""

DieAnswers = tuple[Floats, Floats, float, int]
"""Log probabilities by the dice net and by the reader, size (0 small, 1 large), and the index of the true answer."""


def fit(paths: Sequence[Path], folder: Path = WEIGHTS) -> dict[str, float]:
    """Fit the weights by head and write them into the registry."""
    reader = TableReader(weights=folder)
    rows: dict[str, list[DieAnswers]] = defaultdict(list)
    for path in paths:
        for head, row in answers_of(path, reader):
            rows[head].append(row)
    fitted: dict[str, float] = {}
    for head, answers in rows.items():
        weights = zip(WEIGHED, best_weights(answers), strict=True)
        fitted |= {f"{head}, {of}": round(weight, 2) for of, weight in weights}
    update_registry(folder, "dice", fitted, keep=False)
    return fitted


def answers_of(path: Path, reader: TableReader) -> list[tuple[str, DieAnswers]]:
    """Head and answers of every die of a picture."""
    layers = Layers(read_picture(path))
    reads = read_all(layers, reader)
    truth, said = read_truth(path.with_suffix(".json")), reader.dice.heard(layers, reads)
    out = []
    for i, j in match(truth, [read.found for read in reads]).pairs:
        for head, names, label in (("value die", VALUES, truth[i].value), ("suit die", SUITS, truth[i].suit)):
            if j in said and label is not None:
                by_reader = np.log(reads[j].beliefs[head] + LEAST)
                out.append((head, (said[j].answers[head], by_reader, said[j].clearly, names.index(label))))
    return out


def best_weights(answers: Sequence[DieAnswers]) -> tuple[float, ...]:
    """The weights of least mean negative log likelihood."""
    by_net, by_reader = (np.array([row[part] for row in answers]) for part in (0, 1))
    sizes, labels = np.array([row[2] for row in answers]), np.array([row[3] for row in answers])

    def loss(weights: tuple[float, ...]) -> float:
        probabilities = together(by_net, by_reader, sizes, weights)
        return -float(np.log(np.maximum(probabilities[np.arange(len(labels)), labels], MIN_PROBABILITY)).mean())

    return min(product(GRID.tolist(), repeat=len(WEIGHED)), key=loss)
