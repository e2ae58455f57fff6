"""Honest probabilities: on pictures kept aside, every head gets the temperature that fits what really happened."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from models.training.match import match
from models.training.truth import Labelled, read_truth
from vision import context
from vision.detect.channels import KINDS
from vision.detect.decode import merged
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import CLASSES, HEADS, POSES, SIZES, SOFTMAX, SUITS, VALUES
from vision.identify.name import agreement, name, which_stands
from vision.identify.read import CropReading
from vision.nets import WEIGHTS
from vision.odds import logits, sigmoids, softmax
from vision.rectify import Layers
from vision.table_reader import TableReader

TEMPERATURES = np.exp(np.linspace(np.log(0.4), np.log(4), 60))


Sighted = tuple[float, float, float, float, float, float, str, bool]
"""What finder, outliner, reader, size, ground and bareness say of a thing, what kind of thing, and whether it was
there."""
WITNESSES = ("score", "outline", "agree", "size", "ground", "bare", "level")
EQUAL = np.array([0.7, 0.4, 0.4, 0.6, 0.0, 0.0, 0.0])
HELD = np.array([2.0, 2.0, 2.0, 4.0, 2.0, 2.0, 2.0])
"""Trust other than equal needs evidence: a few pictures without pyramids prove nothing about pyramids."""


@dataclass(slots=True)
class LabelledAnswers:
    """Answers beside the truth: rows of logits with labels per head, and sightings that were there or not."""

    rows: dict[str, list[Floats]] = field(default_factory=dict)
    labels: dict[str, list[int]] = field(default_factory=dict)
    sightings: list[Sighted] = field(default_factory=list)

    def add(self, head: str, row: Floats, label: int) -> None:
        self.rows.setdefault(head, []).append(row)
        self.labels.setdefault(head, []).append(label)


def collect(paths: list[Path], photos: list[Path], folder: Path) -> LabelledAnswers:
    """From pictures with their truth, and from photographs of tables without any piece."""
    eyes, out = TableReader(weights=folder), LabelledAnswers()
    for path in paths:
        look(picture(path), read_truth(path.with_suffix(".json")), eyes, out)
    for path in photos:
        look(picture(path), [], eyes, out)
    return out


def picture(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), dtype=np.uint8)


def read_everything(layers: Layers, eyes: TableReader) -> list[CropReading]:
    """All that may be a piece, as it is read before dice are read by the net that reads only them."""
    rough = merged([glance.found for glance in eyes.find_all(layers).values()])
    return eyes.read_whole(layers, eyes.outline(layers, rough))


def look(image: Picture, truth: list[Labelled], eyes: TableReader, out: LabelledAnswers) -> None:
    layers = Layers(image)
    reads = [which_stands(read) for read in read_everything(layers, eyes)]
    if not reads:
        return
    found = [read.found for read in reads]
    weights = eyes.reader.session.model.temperatures
    matched = match(truth, found)
    for i, j in matched.pairs:
        add_piece(out, reads[j], weights, truth[i])
    hints = context.context_of([name(read, weights) for read in reads], layers)
    for j, there in [(j, True) for _, j in matched.pairs] + [(j, False) for j in matched.made_up]:
        said, hint = found[j], hints[j]
        around = (hint.size, hint.ground, hint.bare)
        out.sightings.append((said.score, said.agreed, agreement(reads[j]), *around, said.kind, there))


def add_piece(out: LabelledAnswers, read: CropReading, heat: Mapping[str, float], piece: Labelled) -> None:
    asked: list[tuple[str, tuple[str, ...], str | None]] = [
        ("class", CLASSES, piece.label),
        (f"suit {piece.kind}", SUITS, piece.suit),
        (f"value {piece.kind}", VALUES, piece.value),
    ]
    if piece.kind == "pyramid":
        asked += [("size", SIZES, piece.size), ("pose", POSES, piece.pose)]
    for head, names, word in asked:
        if word is not None and head in HEADS:
            logits = np.log(np.maximum(read.beliefs[head], 1e-12)) * heat.get(head, 1.0)
            out.add(head, logits, names.index(word))


def best_temperature(rows: Floats, labels: list[int]) -> float:
    at = np.arange(len(labels))

    def loss(temperature: float) -> float:
        chances = softmax(rows.astype(np.float32), temperature)
        return -float(np.log(np.maximum(chances[at, labels], 1e-6)).mean())

    return float(min(TEMPERATURES, key=loss))


def fit_certainty(sightings: list[Sighted], kinds: Collection[str] = KINDS) -> dict[str, float]:
    """Kind by kind, logistic regression of "there is such a piece" on three nets' logits and the surroundings, held
    near equal trust."""
    out: dict[str, float] = {}
    for kind in kinds:
        mine = [row for row in sightings if row[6] == kind]
        weights = fit_kind(mine) if mine else EQUAL
        out |= {f"certainty {kind} {name}": round(float(w), 4) for name, w in zip(WITNESSES, weights, strict=True)}
    return out


def fit_kind(sightings: list[Sighted]) -> Floats:
    heard = logits(np.array([row[:3] for row in sightings], dtype=np.float64))
    inputs = np.column_stack([heard, [row[3:6] for row in sightings], np.ones(len(sightings))])
    truth, weights = np.array([float(row[7]) for row in sightings]), EQUAL.copy()
    loss = unlikeliness(inputs, truth, weights)
    for _ in range(60):
        likely = sigmoids(inputs @ weights)
        slope = inputs.T @ (likely - truth) + HELD * (weights - EQUAL)
        bend = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + np.diag(HELD)
        step = np.linalg.solve(bend, slope)
        while (after := unlikeliness(inputs, truth, weights - step)) > loss and np.abs(step).max() > 1e-6:
            step = step / 2  # a full Newton step may leap over the valley
        weights, loss = weights - step, after
    return weights


def unlikeliness(inputs: Floats, truth: Floats, weights: Floats) -> float:
    total = inputs @ weights
    held = float(HELD @ (weights - EQUAL) ** 2) / 2
    return float(np.logaddexp(0, total).sum() - truth @ total) + held


def calibrate(
    paths: list[Path], photos: list[Path], folder: Path = WEIGHTS, kinds: Collection[str] = ()
) -> dict[str, float]:
    """Writes into the registry what fits best, and gives it back: the certainty of these kinds or, where none is named,
    that of all kinds and the temperatures of all heads. What else stands there stays."""
    evidence = collect(paths, photos, folder)
    found = fit_certainty(evidence.sightings, kinds or KINDS)
    if not kinds:
        found |= {
            head: round(best_temperature(np.array(evidence.rows[head]), evidence.labels[head]), 3)
            for head in SOFTMAX
            if len(evidence.labels.get(head, [])) >= 50
        }
    listing = folder / "registry.json"
    known = json.loads(listing.read_text())
    known["reader"]["temperatures"] |= found
    listing.write_text(json.dumps(known, indent=1) + "\n")
    return found
