"""The pieces of a lesson, each read several times: turned by quarters, cut where another look might have found it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.views import plain_view
from vision.detect.shape import Floats
from vision.frame import Picture
from vision.identify.heads import HEADS
from vision.odds import softmax
from vision.piece import DetectedPiece
from vision.rectify import Layers
from vision.table_reader import TableReader

LOOKS: Final = 8
LEAST: Final = 1e-6
"""No answer is quite impossible."""


@dataclass(frozen=True, slots=True)
class LooksRead:
    """One row per look. `logs`: per question the logarithms of the reader's chances."""

    embeddings: Floats
    logs: Mapping[str, Floats]


def read_closely(
    eyes: TableReader, image: Picture, pieces: Sequence[DetectedPiece], questions: Sequence[str]
) -> list[LooksRead]:
    """Every piece in LOOKS looks, the first of them as it was found."""
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
