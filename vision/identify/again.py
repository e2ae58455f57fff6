"""What is in doubt is read again, turned to each of its other sides (what stands: in a mirror) and cut where the first
reading saw its corners: several views of one thing err less alike than they see alike. (In nats, the truth surprises
for doubtful dice by 0.61 read once, by 0.46 from four sides, for tiles by 0.45 and 0.36, coins by 0.63 and 0.48.)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.identify.heads import CLASSES, SOFTMAX, shows_suit, shows_value
from vision.identify.read import CropReading, Reader, crop_matrix, pictures, refined_quad
from vision.rectify import Layers, to_crop

SURE: Final = 0.8
"""What is this sure in all that is asked of it is not read again: being stricter finds out no more."""
FACED: Final = ("tile", "die", "card")
"""Cut by corners, which reading makes more exact."""
TURNS: Final = ("turn tile", "turn die")
"""Heads that tell which way round it lies."""
LEAST: Final = 1e-9
"""No answer is quite impossible."""


def doubts_read_again(reader: Reader, layers: Layers, reads: Sequence[CropReading]) -> list[CropReading]:
    out = list(reads)
    views = [(index, *view) for index, read in enumerate(reads) if in_doubt(read) for view in other_views(read)]
    if not views:
        return out
    found = [reads[index].found for index, _, _ in views]
    matrices = [matrix for _, _, matrix in views]
    seen = reader(pictures(layers, found, matrices, reader.side), found, matrices, signed=False)
    others: dict[int, list[CropReading]] = {}
    for (index, quarters, _), view in zip(views, seen, strict=True):
        others.setdefault(index, []).append(as_first(view, quarters))
    for index, again in others.items():
        out[index] = together(reads[index], again)
    return out


def in_doubt(read: CropReading) -> bool:
    return min(surest(read)) < SURE


def surest(read: CropReading) -> Iterator[float]:
    """How surely each question that such a piece answers was answered."""
    yield float(read.beliefs["class"].max())
    kind, _, face = CLASSES[int(np.argmax(read.beliefs["class"]))].partition(" ")
    if shows_suit(kind, face or None):
        yield float(read.beliefs[f"suit {kind}"].max())
    if shows_value(kind, face or None):
        yield float(read.beliefs[f"value {kind}"].max())
    if kind == "pyramid":
        yield float(read.beliefs["size"].max())


def other_views(read: CropReading) -> Iterator[tuple[int, Floats]]:
    """By how many quarters each is turned, and picture pixels to pixels of the small picture that is read again."""
    kind, last = read.found.kind, read.side - 1.0
    cut = to_crop(kind, refined_quad(read), read.side) if kind in FACED else crop_matrix(read.found, read.side)
    if kind in STAND:
        yield 0, np.array([[-1.0, 0, last], [0, 1, 0], [0, 0, 1]]) @ cut
        return
    quarter, turned = np.array([[0.0, -1, last], [1, 0, 0], [0, 0, 1]]), cut
    for quarters in (1, 2, 3):
        turned = quarter @ turned
        yield quarters, turned


def as_first(again: CropReading, quarters: int) -> CropReading:
    """A turned reading as the first one would say it."""
    return replace(again, beliefs={h: np.roll(b, -quarters) if h in TURNS else b for h, b in again.beliefs.items()})


def together(once: CropReading, again: Sequence[CropReading]) -> CropReading:
    """The first reading, with what all say of the piece."""
    return replace(once, beliefs={head: agreed([once, *again], head) for head in SOFTMAX})


def agreed(reads: Sequence[CropReading], head: str) -> Floats:
    product = np.exp(np.mean([np.log(read.beliefs[head] + LEAST) for read in reads], axis=0))
    return np.asarray(product / product.sum())
