"""What is in doubt is read a second time, turned half round (what stands: in a mirror) and cut where the first reading
saw its corners: two views of one thing err less alike than they see alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.identify.heads import CLASSES, SOFTMAX, shows_suit, shows_value
from vision.identify.read import Read, Reader, crop_matrix, pictures, refined_quad
from vision.rectify import Layers, to_crop

SURE: Final = 0.8
"""What is this sure in all that is asked of it is not read again: being stricter finds out no more."""
FACED: Final = ("tile", "die", "card")
"""Cut by corners, which reading makes more exact."""
QUARTERS: Final = ("turn tile", "turn die")


def doubts_read_again(reader: Reader, layers: Layers, reads: Sequence[Read]) -> list[Read]:
    out = list(reads)
    doubtful = [index for index, read in enumerate(reads) if in_doubt(read)]
    if not doubtful:
        return out
    found = [reads[index].found for index in doubtful]
    matrices = [other_view(reads[index]) for index in doubtful]
    second = reader(pictures(layers, found, matrices, reader.side), found, matrices)
    for index, again in zip(doubtful, second, strict=True):
        out[index] = together(reads[index], again)
    return out


def in_doubt(read: Read) -> bool:
    return min(surest(read)) < SURE


def surest(read: Read) -> Iterator[float]:
    """How surely each question that such a piece answers was answered."""
    yield float(read.beliefs["class"].max())
    kind, _, face = CLASSES[int(np.argmax(read.beliefs["class"]))].partition(" ")
    if shows_suit(kind, face or None):
        yield float(read.beliefs[f"suit {kind}"].max())
    if shows_value(kind, face or None):
        yield float(read.beliefs[f"value {kind}"].max())
    if kind == "pyramid":
        yield float(read.beliefs["size"].max())


def other_view(read: Read) -> Floats:
    """Picture pixels to pixels of the small picture that is read again."""
    kind, last = read.found.kind, read.side - 1.0
    cut = to_crop(kind, refined_quad(read), read.side) if kind in FACED else crop_matrix(read.found, read.side)
    across, down = (-1.0, 1.0) if kind in STAND else (-1.0, -1.0)
    turned = np.array([[across, 0, last], [0, down, 0 if kind in STAND else last], [0, 0, 1]])
    return np.asarray(turned @ cut)


def together(once: Read, again: Read) -> Read:
    """The first reading, with what both say of the piece."""
    return replace(once, beliefs={head: both(once.beliefs[head], as_first(head, again)) for head in SOFTMAX})


def as_first(head: str, again: Read) -> Floats:
    belief = again.beliefs[head]
    return np.roll(belief, 2) if head in QUARTERS else belief


def both(one: Floats, other: Floats) -> Floats:
    product = np.sqrt(one * other)
    return np.asarray(product / product.sum())
