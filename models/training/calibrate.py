"""Calibration on held-out pictures: temperatures of the reader's heads, weights of the nets in a piece's certainty, and
weights of the two nets that read dice."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from models.training.registry import registry_of
from models.training.truth import Labelled, match, pictures_with_truth
from vision.detect.channels import KINDS
from vision.detect.decode import merged
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.again import LEAST
from vision.identify.dice import WEIGHTS as FUSION_WEIGHTS
from vision.identify.dice import fused
from vision.identify.heads import CLASSES, HEADS, POSES, SIZES, SOFTMAX, SUITS, VALUES
from vision.identify.name import agreement, which_stands
from vision.identify.read import CropReading
from vision.nets import WEIGHTS
from vision.odds import logits, sigmoids, softmax
from vision.rectify import Layers
from vision.table_reader import TableReader

TEMPERATURES = np.exp(np.linspace(np.log(0.4), np.log(4), 60))
MIN_LABELS = 50
"""Labels of a head that a fit of its temperature needs."""
Evidence = tuple[float, float, float, str, bool]
"""Of a detection: finder's score, agreement of outliner and reader, kind, and whether it is a piece."""
TERMS = ("score", "outline", "agree", "level")
"""Terms of the log odds of a piece, as the registry names them; the last is the constant."""
PRIOR_MEAN = np.array([0.7, 0.4, 0.4, 0.0])
PRIOR_PRECISION = np.full(4, 2.0)
"""Gaussian prior of the weights: a few pictures without pyramids prove nothing about pyramids."""
FUSION_GRID: Final = np.arange(0.0, 1.51, 0.15)
"""Values of each weight that are tried."""
MIN_DIE_PROBABILITY: Final = 1e-3
"""Limit of what a single die costs."""
DieAnswers = tuple[Floats, Floats, float, int]
"""Log probabilities by the dice net and by the reader, size (0 small, 1 large), and the index of the true answer."""


@dataclass(slots=True)
class LabelledAnswers:
    """Logits with their labels by head, and the evidence for every detection."""

    rows: dict[str, list[Floats]] = field(default_factory=dict)
    labels: dict[str, list[int]] = field(default_factory=dict)
    evidence: list[Evidence] = field(default_factory=list)

    def add(self, head: str, row: Floats, label: int) -> None:
        self.rows.setdefault(head, []).append(row)
        self.labels.setdefault(head, []).append(label)


def collect(paths: list[Path], photos: list[Path], folder: Path) -> LabelledAnswers:
    """Answers of the weights in `folder` on pictures with truth, and on photographs of tables without any piece."""
    reader, out = TableReader(weights=folder), LabelledAnswers()
    for image, truth in pictures_with_truth(paths, photos):
        add_picture(out, image, truth, reader)
    return out


def read_all(layers: Layers, reader: TableReader) -> list[CropReading]:
    """Readings of all detections, before the dice net reads dice again."""
    rough = merged([glance.found for glance in reader.find_all(layers).values()])
    return reader.read_whole(layers, reader.outline(layers, rough))


def add_picture(out: LabelledAnswers, image: Picture, truth: list[Labelled], reader: TableReader) -> None:
    layers = Layers(image)
    reads = [which_stands(read) for read in read_all(layers, reader)]
    if not reads:
        return
    detections = [read.found for read in reads]
    weights = reader.reader.session.model.temperatures
    matched = match(truth, detections)
    for i, j in matched.pairs:
        add_piece(out, reads[j], weights, truth[i])
    for j, is_piece in [(j, True) for _, j in matched.pairs] + [(j, False) for j in matched.false_alarms]:
        found = detections[j]
        out.evidence.append((found.score, found.agreed, agreement(reads[j]), found.kind, is_piece))


def add_piece(out: LabelledAnswers, read: CropReading, temperatures: Mapping[str, float], piece: Labelled) -> None:
    labels: list[tuple[str, tuple[str, ...], str | None]] = [
        ("class", CLASSES, piece.label),
        (f"suit {piece.kind}", SUITS, piece.suit),
        (f"value {piece.kind}", VALUES, piece.value),
    ]
    if piece.kind == "pyramid":
        labels += [("size", SIZES, piece.size), ("pose", POSES, piece.pose)]
    for head, names, label in labels:
        if label is not None and head in HEADS:
            row = np.log(np.maximum(read.beliefs[head], 1e-12)) * temperatures.get(head, 1.0)
            out.add(head, row, names.index(label))


def best_temperature(rows: Floats, labels: list[int]) -> float:
    """The temperature of least mean negative log likelihood."""
    at = np.arange(len(labels))

    def loss(temperature: float) -> float:
        probabilities = softmax(rows.astype(np.float32), temperature)
        return -float(np.log(np.maximum(probabilities[at, labels], 1e-6)).mean())

    return float(min(TEMPERATURES, key=loss))


def fit_certainty(evidence: list[Evidence], kinds: Collection[str] = KINDS) -> dict[str, float]:
    """Weights of the terms by kind: logistic regression of "is a piece" with a Gaussian prior."""
    out: dict[str, float] = {}
    for kind in kinds:
        of_kind = [row for row in evidence if row[3] == kind]
        weights = fit_kind(of_kind) if of_kind else PRIOR_MEAN
        out |= {f"certainty {kind} {term}": round(float(w), 4) for term, w in zip(TERMS, weights, strict=True)}
    return out


def fit_kind(evidence: list[Evidence]) -> Floats:
    """Weights of one kind by Newton's method."""
    log_odds = logits(np.array([row[:3] for row in evidence], dtype=np.float64))
    inputs = np.column_stack([log_odds, np.ones(len(evidence))])
    labels, weights = np.array([float(row[4]) for row in evidence]), PRIOR_MEAN.copy()
    loss = negative_log_posterior(inputs, labels, weights)
    for _ in range(60):
        probabilities = sigmoids(inputs @ weights)
        gradient = inputs.T @ (probabilities - labels) + PRIOR_PRECISION * (weights - PRIOR_MEAN)
        hessian = (inputs * (probabilities * (1 - probabilities))[:, None]).T @ inputs + np.diag(PRIOR_PRECISION)
        step = np.linalg.solve(hessian, gradient)
        while (after := negative_log_posterior(inputs, labels, weights - step)) > loss and np.abs(step).max() > 1e-6:
            step = step / 2  # a full Newton step may overshoot the minimum
        weights, loss = weights - step, after
    return weights


def negative_log_posterior(inputs: Floats, labels: Floats, weights: Floats) -> float:
    log_odds = inputs @ weights
    penalty = float(PRIOR_PRECISION @ (weights - PRIOR_MEAN) ** 2) / 2
    return float(np.logaddexp(0, log_odds).sum() - labels @ log_odds) + penalty


def calibrate(
    paths: list[Path], photos: list[Path], folder: Path = WEIGHTS, kinds: Collection[str] = ()
) -> dict[str, float]:
    """Fit and write into the registry: the certainty of these kinds or, where none is named, that of all kinds and the
    temperatures of all heads. Other entries stay."""
    answers = collect(paths, photos, folder)
    fitted = fit_certainty(answers.evidence, kinds or KINDS)
    if not kinds:
        fitted |= {
            head: round(best_temperature(np.array(answers.rows[head]), answers.labels[head]), 3)
            for head in SOFTMAX
            if len(answers.labels.get(head, [])) >= MIN_LABELS
        }
    with registry_of(folder) as registry:
        registry["reader"]["temperatures"] |= fitted
    return fitted


def fit_dice(paths: Sequence[Path], folder: Path = WEIGHTS) -> dict[str, float]:
    """Fit the weights of dice net and reader by head, of small and of large dice, and write them into the registry."""
    reader = TableReader(weights=folder)
    rows: dict[str, list[DieAnswers]] = defaultdict(list)
    for image, truth in pictures_with_truth(paths):
        for head, row in die_answers(image, truth, reader):
            rows[head].append(row)
    fitted: dict[str, float] = {}
    for head, answers in rows.items():
        weights = zip(FUSION_WEIGHTS, best_fusion(answers), strict=True)
        fitted |= {f"{head}, {of}": round(weight, 2) for of, weight in weights}
    with registry_of(folder) as registry:
        registry["dice"]["temperatures"] = fitted
    return fitted


def die_answers(image: Picture, truth: list[Labelled], reader: TableReader) -> list[tuple[str, DieAnswers]]:
    """Head and answers of every die of a picture."""
    layers = Layers(image)
    reads = read_all(layers, reader)
    said = reader.dice.answers(layers, reads)
    out = []
    for i, j in match(truth, [read.found for read in reads]).pairs:
        for head, names, label in (("value die", VALUES, truth[i].value), ("suit die", SUITS, truth[i].suit)):
            if j in said and label is not None:
                by_reader = np.log(reads[j].beliefs[head] + LEAST)
                out.append((head, (said[j].logs[head], by_reader, said[j].size, names.index(label))))
    return out


def best_fusion(answers: Sequence[DieAnswers]) -> tuple[float, ...]:
    """The weights of least mean negative log likelihood."""
    by_net, by_reader = (np.array([row[part] for row in answers]) for part in (0, 1))
    sizes, labels = np.array([row[2] for row in answers]), np.array([row[3] for row in answers])

    def loss(weights: tuple[float, ...]) -> float:
        probabilities = fused(by_net, by_reader, sizes, weights)
        return -float(np.log(np.maximum(probabilities[np.arange(len(labels)), labels], MIN_DIE_PROBABILITY)).mean())

    return min(product(FUSION_GRID.tolist(), repeat=len(FUSION_WEIGHTS)), key=loss)
