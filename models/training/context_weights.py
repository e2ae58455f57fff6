"""Weights of similar pieces nearby and of cards in a piece's certainty, fitted on held-out pictures.

They are fitted apart from the weights of finder, outliner, reader and ground, which stay fixed: this is the residual.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from models.training.calibrate import read_all, update_registry
from models.training.pool import read_picture
from models.training.truth import Labelled, match, read_truth
from vision import context, odds
from vision.frame import Picture
from vision.identify.name import name
from vision.nets import WEIGHTS
from vision.odds import sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import TableReader

PRIOR_PRECISION = 2.0
"""Of the Gaussian prior that neighbours count nothing."""
HINTS = ("like", "cards")
KINDS = ("pyramid",)
"""For other kinds neighbours count little: on the same pictures 0.1 for tiles, nothing for coins and pawns."""
Evidence = tuple[float, float, float, bool]
"""Of a detection: its own log odds, the hints of similar pieces and of cards, and whether it is a piece."""


def fit(paths: Sequence[Path], photos: Sequence[Path], folder: Path = WEIGHTS) -> dict[str, float]:
    """Fit the weights on pictures with truth and photographs without pieces, and write them into the registry."""
    reader = TableReader(weights=folder)
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for path, truth in [(path, read_truth(path.with_suffix(".json"))) for path in paths] + [(p, []) for p in photos]:
        for kind, row in evidence_of(read_picture(path), truth, reader):
            evidence[kind].append(row)
    fitted = {
        f"certainty {kind} {hint}": round(weight, 4)
        for kind in KINDS
        if evidence[kind]
        for hint, weight in zip(HINTS, fit_weights(evidence[kind]), strict=True)
    }
    update_registry(folder, "reader", fitted)
    return fitted


def evidence_of(image: Picture, truth: Sequence[Labelled], reader: TableReader) -> list[tuple[str, Evidence]]:
    """Kind and evidence of every detection."""
    temperatures = reader.reader.session.model.temperatures
    pieces = detect(image, reader, {key: value for key, value in temperatures.items() if not key.endswith(HINTS)})
    matched, hints = match(truth, pieces), context.neighbours_of(pieces)
    labels = [(j, True) for _, j in matched.pairs] + [(j, False) for j in matched.false_alarms]
    return [
        (pieces[j].kind, (odds.logit(pieces[j].certainty), hints[j].like, hints[j].cards, is_piece))
        for j, is_piece in labels
    ]


def detect(image: Picture, reader: TableReader, weights: Mapping[str, float]) -> list[DetectedPiece]:
    """All detections with their certainty by these weights."""
    layers = Layers(image)
    return context.reweighted([name(read, weights) for read in read_all(layers, reader)], weights, layers)


def fit_weights(evidence: Sequence[Evidence]) -> tuple[float, float]:
    """Weights of both hints by logistic regression; never negative."""
    table = np.array(evidence, np.float64)
    log_odds, hints, labels = table[:, 0], table[:, 1:3], table[:, 3]
    weights = np.zeros(2)
    for _ in range(30):
        probabilities = sigmoids(log_odds + hints @ weights)
        gradient = hints.T @ (probabilities - labels) + PRIOR_PRECISION * weights
        hessian = (hints.T * (probabilities * (1 - probabilities))) @ hints + PRIOR_PRECISION * np.eye(2)
        weights = np.maximum(weights - np.linalg.solve(hessian, gradient), 0.0)
    return float(weights[0]), float(weights[1])
