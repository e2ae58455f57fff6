"""The same pieces read several times: turned, shifted, in other light. What holds through all of that is the piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.detect import shape
from vision.detect.decode import Found
from vision.detect.shape import Floats
from vision.eyes import Eyes
from vision.frame import Picture
from vision.identify.heads import HEADS
from vision.identify.read import Array, small_pictures, softmax
from vision.piece import Seen
from vision.rectify import Layers

LOOKS: Final = 12


@dataclass(frozen=True, slots=True)
class Reading:
    """`embeddings`: one row per look. `logs`: per question the mean logarithm of the reader's chances."""

    embeddings: Floats
    logs: Mapping[str, Floats]


def read_closely(eyes: Eyes, image: Picture, pieces: Sequence[Seen], questions: Sequence[str]) -> list[Reading]:
    """Every piece in LOOKS looks."""
    rng = np.random.default_rng(5)
    layers = Layers(image)
    rows, embeddings = [], []
    for look in range(LOOKS):
        batch = small_pictures(layers, [shaken(piece, rng, look) for piece in pieces])[0]
        row, embedding = eyes.reader.session.run(in_other_light(batch, rng, look))
        rows.append(row)
        embeddings.append(embedding.astype(np.float64))
    heat = eyes.reader.session.model.temperatures
    logs = {q: np.mean([log_chances(row, q, heat.get(q, 1.0)) for row in rows], axis=0) for q in questions}
    stacked = np.stack(embeddings, axis=1)
    return [Reading(stacked[k], {q: logs[q][k] for q in questions}) for k in range(len(pieces))]


def log_chances(row: Array, question: str, heat: float) -> Floats:
    return np.log(np.maximum(softmax(row[:, HEADS[question]], heat), 1e-6))


def shaken(piece: Seen, rng: np.random.Generator, look: int) -> Found:
    """The outline as another look might have found it; the first look as it was found."""
    found = Found(piece.kind, piece.certainty, piece.center, piece.outline)
    if look == 0:
        return found
    size = float(np.sqrt(shape.area(piece.outline)))
    middle = piece.outline.mean(axis=0)
    moved = (piece.outline - middle) * (1 + rng.normal(0, 0.03)) + middle + rng.normal(0, 0.02 * size, 2)
    return replace(found, outline=moved)


def in_other_light(batch: Array, rng: np.random.Generator, look: int) -> Array:
    """Quarter turns, brightness and colour of the light."""
    turned = np.rot90(batch, look % 4, axes=(2, 3))
    if look == 0:
        return np.ascontiguousarray(turned)
    colour = np.exp(rng.normal(0, 0.1, (1, 3, 1, 1)) + rng.normal(0, 0.2))
    return np.ascontiguousarray(np.clip(turned * colour, 0, 1), dtype=np.float32)
