"""How much it speaks for a thing that others like it lie there, or cards, fitted on pictures kept aside.

Fitted apart from what finder, outliner, reader and the ground say: those stand as they are, and this is what is left.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from models.training.calibrate import picture, read_everything
from models.training.match import match
from models.training.truth import Labelled, read_truth
from vision import context, odds
from vision.frame import Picture
from vision.identify.name import name
from vision.nets import WEIGHTS
from vision.odds import sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import TableReader

HELD = 2.0
"""That company says nothing is believed until some pictures show it."""
HINTS = ("like", "cards")
TOLD = ("pyramid",)
"""Of other kinds company says next to nothing: on the same pictures tiles were worth 0.1, coins and pawns nothing."""
Sighted = tuple[float, float, float, bool]
"""How likely a thing is by itself (log odds), what its like and what cards say, and whether it was there."""


def fit(paths: Sequence[Path], photos: Sequence[Path], folder: Path = WEIGHTS) -> dict[str, float]:
    """Writes what it finds beside the other weights of certainty."""
    eyes = TableReader(weights=folder)
    sightings: dict[str, list[Sighted]] = defaultdict(list)
    for path, truth in [(path, read_truth(path.with_suffix(".json"))) for path in paths] + [(p, []) for p in photos]:
        for kind, sighted in seen_in(picture(path), truth, eyes):
            sightings[kind].append(sighted)
    found = {
        f"certainty {kind} {hint}": round(weight, 4)
        for kind in TOLD
        if sightings[kind]
        for hint, weight in zip(HINTS, worth(sightings[kind]), strict=True)
    }
    listing = folder / "registry.json"
    known = json.loads(listing.read_text())
    known["reader"]["temperatures"] |= found
    listing.write_text(json.dumps(known, indent=1) + "\n")
    return found


def seen_in(image: Picture, truth: Sequence[Labelled], eyes: TableReader) -> list[tuple[str, Sighted]]:
    temperatures = eyes.reader.session.model.temperatures
    pieces = as_heard(image, eyes, {key: value for key, value in temperatures.items() if not key.endswith(HINTS)})
    matched = match(truth, pieces)
    others = context.neighbours_of(pieces)
    told = [(j, True) for _, j in matched.pairs] + [(j, False) for j in matched.made_up]
    return [
        (pieces[j].kind, (odds.logit(pieces[j].certainty), others[j].like, others[j].cards, there)) for j, there in told
    ]


def as_heard(image: Picture, eyes: TableReader, weights: Mapping[str, float]) -> list[DetectedPiece]:
    """Everything that may be there, as certain as it is without company."""
    layers = Layers(image)
    reads = [name(read, weights) for read in read_everything(layers, eyes)]
    return context.reweighted(reads, weights, layers)


def worth(sightings: Sequence[Sighted]) -> tuple[float, float]:
    """The weights under which what was there was likeliest; never less than nothing."""
    table = np.array(sightings, np.float64)
    alone, hints, there = table[:, 0], table[:, 1:3], table[:, 3]
    weights = np.zeros(2)
    for _ in range(30):
        likely = sigmoids(alone + hints @ weights)
        slope = hints.T @ (likely - there) + HELD * weights
        bend = (hints.T * (likely * (1 - likely))) @ hints + HELD * np.eye(2)
        weights = np.maximum(weights - np.linalg.solve(bend, slope), 0.0)
    return float(weights[0]), float(weights[1])
