"""The same pieces read several times: turned, shifted, blurred, in other light. What holds through all is the piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.eyes import Eyes
from vision.frame import Picture
from vision.identify.heads import HEADS
from vision.identify.read import Array, crops, softmax
from vision.piece import Seen
from vision.rectify import Layers

LOOKS: Final = 12
FARTHEST: Final = 0.5
"""A lesson is photographed from near; in a game a piece may have half as many pixels."""


@dataclass(frozen=True, slots=True)
class LooksRead:
    """One row per look. `logs`: per question the logarithms of the reader's chances."""

    embeddings: Floats
    logs: Mapping[str, Floats]


def read_closely(eyes: Eyes, image: Picture, pieces: Sequence[Seen], questions: Sequence[str]) -> list[LooksRead]:
    """Every piece in LOOKS looks."""
    rng = np.random.default_rng(5)
    layers = Layers(image)
    rows, embeddings = [], []
    for look in range(LOOKS):
        batch = crops(layers, [shaken(piece, rng, look) for piece in pieces], eyes.reader.side)[0]
        row, embedding = eyes.reader.session.run(in_other_light(batch, rng, look))
        rows.append(row)
        embeddings.append(embedding.astype(np.float64))
    heat = eyes.reader.session.model.temperatures
    logs = {q: np.stack([log_chances(row, q, heat.get(q, 1.0)) for row in rows], axis=1) for q in questions}
    stacked = np.stack(embeddings, axis=1)
    return [LooksRead(stacked[k], {q: logs[q][k] for q in questions}) for k in range(len(pieces))]


def log_chances(row: Array, question: str, heat: float) -> Floats:
    return np.log(np.maximum(softmax(row[:, HEADS[question]], heat), 1e-6))


def shaken(piece: Seen, rng: np.random.Generator, look: int) -> Detection:
    """The outline as another look might have found it; the first look as it was found."""
    found = Detection(piece.kind, piece.certainty, piece.center, piece.outline)
    if look == 0:
        return found
    size = float(np.sqrt(shape.area(piece.outline)))
    middle = piece.outline.mean(axis=0)
    moved = (piece.outline - middle) * (1 + rng.normal(0, 0.03)) + middle + rng.normal(0, 0.02 * size, 2)
    return replace(found, outline=moved)


def in_other_light(batch: Array, rng: np.random.Generator, look: int) -> Array:
    """Quarter turns, brightness and colour of the light, and as a camera farther away would see it."""
    if look == 0:
        return batch
    turned = np.rot90(blurred(batch, float(rng.uniform(FARTHEST, 1))), look % 4, axes=(2, 3))
    colour = np.exp(rng.normal(0, 0.1, (1, 3, 1, 1)) + rng.normal(0, 0.2))
    return np.ascontiguousarray(np.clip(turned * colour, 0, 1), dtype=np.float32)


def blurred(batch: Array, share: float) -> Array:
    """As if each picture had only this share of its pixels to a side."""
    side = batch.shape[-1]
    fewer = max(8, round(share * side))
    small = [cv2.resize(p, (fewer, fewer), interpolation=cv2.INTER_AREA) for p in batch.transpose(0, 2, 3, 1)]
    large = [cv2.resize(p, (side, side), interpolation=cv2.INTER_LINEAR) for p in small]
    return np.ascontiguousarray(np.stack(large).transpose(0, 3, 1, 2), dtype=np.float32)
