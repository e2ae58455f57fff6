"""From the finder's output map to outlines in picture pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.channels import COIN, GEOMETRY, HEAT, KINDS, STAND, STRIDE, UNIT_PX
from vision.detect.shape import Floats

Map = NDArray[np.float32]
Cells = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Detection:
    """A detected piece before reading."""

    kind: str
    score: float
    center: Floats
    outline: Floats
    agreed: float = 1.0
    """Probability of the same kind by the outliner (of standing kinds: that something stands)."""
    pyramid: float = 0.5
    """Of standing kinds: probability by the outliner of a pyramid rather than a pawn."""
    square: float = 0.0
    """Of a coin or die that the outliner took for a tile: its probability of a square, tile or die."""
    index: int = -1
    """Position in the list of all detections of the frame."""


SMALL: Final = ("coin", "die", "pawn", "pyramid")
"""Small kinds, often confused with each other."""
MAX_PER_KIND: Final = {"tile": 45, "coin": 50, "die": 12, "pawn": 12, "pyramid": 26, "card": 10}
"""Detections kept of each kind: more than a set has, and few enough to bound the time on a patterned cloth."""
MIN_SCORE: Final = 0.25
"""Score of a detection, at least."""
DUPLICATE_DISTANCE: Final = 0.35
"""Distance of two detections of one kind below which they are one piece, in sizes of the surer."""
KERNEL: Final = np.ones((3, 3), np.uint8)


def peaks(layer: Map, threshold: float, max_count: int) -> tuple[Cells, Cells]:
    """Rows and columns of the strongest local maxima."""
    rows, columns = np.nonzero((layer >= threshold) & (layer >= cv2.dilate(layer, KERNEL)))
    best = np.argsort(-layer[rows, columns])[:max_count]
    return rows[best], columns[best]


def with_shared_small_score(probability: Map) -> Map:
    """The probabilities, with each small kind given that of any small kind: a small piece is detectable before its kind
    is clear."""
    out = probability.copy()
    small = [KINDS.index(kind) for kind in SMALL]
    out[small] = 1 - np.prod([1 - cv2.dilate(probability[index], KERNEL) for index in small], axis=0)
    return out


def decode(out: Map, threshold: float = MIN_SCORE) -> list[Detection]:
    """Everything on one map (channels x rows x columns), strongest first, without duplicates."""
    probability = (1 / (1 + np.exp(-out[HEAT]))).astype(np.float32)
    scores = with_shared_small_score(probability)
    found: list[Detection] = []
    for kind, layer, score in zip(KINDS, probability, scores, strict=True):
        found += detections_at(out, kind, score, *peaks(layer, threshold, MAX_PER_KIND[kind]))
    return non_maximum_suppression(sorted((each for each in found if has_area(each)), key=lambda each: -each.score))


def detections_at(out: Map, kind: str, score: Map, rows: Cells, columns: Cells) -> list[Detection]:
    numbers = out[GEOMETRY[kind], rows, columns].T.astype(np.float64)
    centers = (np.column_stack([columns, rows]).astype(np.float64) + 0.5 + np.clip(numbers[:, :2], -2, 2)) * STRIDE
    drawn = zip(score[rows, columns].tolist(), centers, outlines_of(kind, centers, numbers[:, 2:]), strict=True)
    return [Detection(kind, *each) for each in drawn]


def outlines_of(kind: str, centers: Floats, numbers: Floats) -> Floats:
    """Outlines of detections of one kind from their regressed numbers."""
    if kind in STAND:
        return shape.hull(centers, np.maximum(numbers * UNIT_PX, 1.0))
    matrices = shape.symmetric(*(numbers[:, :3] * UNIT_PX).T)
    if GEOMETRY[kind] is COIN:
        return shape.disc(centers, matrices)
    return shape.quad(centers, matrices, np.arctan2(numbers[:, 4], numbers[:, 3]))


def has_area(found: Detection) -> bool:
    """Whether an outline is finite and has an area."""
    return bool(np.isfinite(found.outline).all()) and shape.area(found.outline) > 20.0


def non_maximum_suppression(found: list[Detection]) -> list[Detection]:
    """The detections without those nearer to a stronger one of their kind than DUPLICATE_DISTANCE."""
    if not found:
        return []
    sizes, gaps = sizes_and_distances(found)
    kinds = np.array([KINDS.index(each.kind) for each in found])
    return keep_first(found, (gaps < DUPLICATE_DISTANCE * sizes[:, None]) & (kinds[:, None] == kinds))


def merged(detections_by_zoom: Sequence[list[Detection]]) -> list[Detection]:
    """Detections at several zooms, each piece once, whichever small kind it was taken for; the outliner decides. At
    different sizes one place may hold two: the quarters of a tile's back look like tiles too."""
    found = sorted((each for found in detections_by_zoom for each in found), key=lambda each: -each.score)
    if not found:
        return []
    sizes, gaps = sizes_and_distances(found)
    kinds = np.array([-1 if each.kind in SMALL else KINDS.index(each.kind) for each in found])
    similar_size = np.abs(np.log(sizes[:, None] / sizes)) < np.log(2) / 2
    is_near = gaps < DUPLICATE_DISTANCE * sizes[:, None]
    return keep_first(found, is_near & (kinds[:, None] == kinds) & similar_size)


def sizes_and_distances(found: list[Detection]) -> tuple[Floats, Floats]:
    """Sizes of the detections and their pairwise distances."""
    sizes = np.sqrt([shape.area(each.outline) for each in found])
    centers = np.array([each.center for each in found])
    return sizes, np.asarray(np.linalg.norm(centers[:, None] - centers, axis=2))


def keep_first(found: list[Detection], is_duplicate: NDArray[np.bool_]) -> list[Detection]:
    """The detections that are no duplicate of an earlier one that is kept."""
    kept: list[int] = []
    for index in range(len(found)):
        if not is_duplicate[index, kept].any():
            kept.append(index)
    return [found[index] for index in kept]
