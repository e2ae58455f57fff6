"""How far the net that reads only dice is believed, and how far the reader beside it, of small dice and of large ones,
fitted on pictures kept aside."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np

from models.training.calibrate import picture, read_everything
from models.training.match import match
from models.training.truth import read_truth
from vision.detect.shape import Floats
from vision.identify.again import LEAST
from vision.identify.dice import WEIGHTS as WEIGHED
from vision.identify.dice import together
from vision.identify.heads import SUITS, VALUES
from vision.nets import WEIGHTS
from vision.rectify import Layers
from vision.table_reader import TableReader

TRUSTED: Final = np.arange(0.0, 1.51, 0.15)
SURPRISED: Final = 1e-3
"""No single die counts for more than a chance of this."""

Witnessed = tuple[Floats, Floats, float, int]
"""What the net for dice says, what the reader says (logarithms), how clearly the die shows, and what is true."""


def fit(paths: Sequence[Path], folder: Path = WEIGHTS) -> dict[str, float]:
    """Writes what it finds into the registry."""
    eyes = TableReader(weights=folder)
    rows: dict[str, list[Witnessed]] = defaultdict(list)
    for path in paths:
        for head, row in witnessed(path, eyes):
            rows[head].append(row)
    found: dict[str, float] = {}
    for head, told in rows.items():
        weights = zip(WEIGHED, most_honest(told), strict=True)
        found |= {f"{head}, {of}": round(weight, 2) for of, weight in weights}
    listing = folder / "registry.json"
    known = json.loads(listing.read_text())
    known["dice"]["temperatures"] = found
    listing.write_text(json.dumps(known, indent=1) + "\n")
    return found


def witnessed(path: Path, eyes: TableReader) -> list[tuple[str, Witnessed]]:
    layers = Layers(picture(path))
    reads = read_everything(layers, eyes)
    truth, said = read_truth(path.with_suffix(".json")), eyes.dice.heard(layers, reads)
    out = []
    for i, j in match(truth, [read.found for read in reads]).pairs:
        for head, names, word in (("value die", VALUES, truth[i].value), ("suit die", SUITS, truth[i].suit)):
            if j in said and word is not None:
                theirs = np.log(reads[j].beliefs[head] + LEAST)
                out.append((head, (said[j].answers[head], theirs, said[j].clearly, names.index(word))))
    return out


def most_honest(told: Sequence[Witnessed]) -> tuple[float, ...]:
    """The weights under which what is true surprises least."""
    mine, theirs = (np.array([row[part] for row in told]) for part in (0, 1))
    clearly, labels = np.array([row[2] for row in told]), np.array([row[3] for row in told])

    def surprise(weights: tuple[float, ...]) -> float:
        chances = together(mine, theirs, clearly, weights)
        return -float(np.log(np.maximum(chances[np.arange(len(labels)), labels], SURPRISED)).mean())

    return min(product(TRUSTED.tolist(), repeat=len(WEIGHED)), key=surprise)
