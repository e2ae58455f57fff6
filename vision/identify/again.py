"""Second reads of uncertain pieces, from rotated crops (standing pieces: mirrored) cut by the corners of the first
read. The errors of several views are less correlated than their answers. (Mean surprise of the truth in nats, one view
against four: doubtful dice 0.61 and 0.46, tiles 0.45 and 0.36, coins 0.63 and 0.48.)"""

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

CONFIDENT: Final = 0.8
"""Pieces whose every answer is at least this probable are not read again; a stricter limit gains nothing."""
CORNERED: Final = ("tile", "die", "card")
"""Kinds cropped by their corners, which the first read refines."""
TURN_HEADS: Final = ("turn tile", "turn die")
"""Heads that answer the orientation in quarter turns."""
LEAST: Final = 1e-9
"""Floor of a probability before its logarithm is taken."""


def doubts_read_again(reader: Reader, layers: Layers, reads: Sequence[CropReading]) -> list[CropReading]:
    """The reads; those of uncertain pieces are combined with reads of their other views."""
    out = list(reads)
    views = [(index, *view) for index, read in enumerate(reads) if is_uncertain(read) for view in other_views(read)]
    if not views:
        return out
    detections = [reads[index].found for index, _, _ in views]
    matrices = [matrix for _, _, matrix in views]
    view_reads = reader(pictures(layers, detections, matrices, reader.side), detections, matrices, signed=False)
    reads_by_index: dict[int, list[CropReading]] = {}
    for (index, quarter_turns, _), view in zip(views, view_reads, strict=True):
        reads_by_index.setdefault(index, []).append(in_first_orientation(view, quarter_turns))
    for index, other_reads in reads_by_index.items():
        out[index] = combined(reads[index], other_reads)
    return out


def is_uncertain(read: CropReading) -> bool:
    """Whether any answer for this piece is less probable than CONFIDENT."""
    return min(answer_probabilities(read)) < CONFIDENT


def answer_probabilities(read: CropReading) -> Iterator[float]:
    """Largest probability of each question that a piece of the likeliest class answers."""
    yield float(read.beliefs["class"].max())
    kind, _, face = CLASSES[int(np.argmax(read.beliefs["class"]))].partition(" ")
    if shows_suit(kind, face or None):
        yield float(read.beliefs[f"suit {kind}"].max())
    if shows_value(kind, face or None):
        yield float(read.beliefs[f"value {kind}"].max())
    if kind == "pyramid":
        yield float(read.beliefs["size"].max())


def other_views(read: CropReading) -> Iterator[tuple[int, Floats]]:
    """(quarter turns, matrix from picture pixels to crop pixels) of each further view."""
    kind, last_pixel = read.found.kind, read.side - 1.0
    upright = to_crop(kind, refined_quad(read), read.side) if kind in CORNERED else crop_matrix(read.found, read.side)
    if kind in STAND:
        yield 0, np.array([[-1.0, 0, last_pixel], [0, 1, 0], [0, 0, 1]]) @ upright
        return
    quarter, matrix = np.array([[0.0, -1, last_pixel], [1, 0, 0], [0, 0, 1]]), upright
    for quarter_turns in (1, 2, 3):
        matrix = quarter @ matrix
        yield quarter_turns, matrix


def in_first_orientation(read: CropReading, quarter_turns: int) -> CropReading:
    """The read of a rotated view with its turn answers rotated back."""
    return replace(
        read, beliefs={h: np.roll(b, -quarter_turns) if h in TURN_HEADS else b for h, b in read.beliefs.items()}
    )


def combined(first: CropReading, others: Sequence[CropReading]) -> CropReading:
    """The first read with the normalised geometric mean of the answers of all views."""
    return replace(first, beliefs={head: mean_answer([first, *others], head) for head in SOFTMAX})


def mean_answer(reads: Sequence[CropReading], head: str) -> Floats:
    """Normalised geometric mean of the answers of several reads to one head."""
    product = np.exp(np.mean([np.log(read.beliefs[head] + LEAST) for read in reads], axis=0))
    return np.asarray(product / product.sum())
