"""From the finder's map to outlines in picture pixels."""

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
    """One thing the finder saw: not yet read."""

    kind: str
    score: float
    center: Floats
    outline: Floats
    agreed: float = 1.0
    """How surely the closer look says the same kind (or, of what stands, that it stands)."""
    pyramid: float = 0.5
    """Of what stands: how likely, to the closer look, a pyramid and not a pawn."""
    place: int = -1
    """In the list of all that was found."""


SMALL: Final = ("coin", "die", "pawn", "pyramid")
MOST: Final = {"tile": 45, "coin": 50, "die": 12, "pawn": 12, "pyramid": 26, "card": 10}
"""So many of a kind are looked at more closely: more than a set has, and yet a table-cloth cannot stop the clock."""
AROUND: Final = np.ones((3, 3), np.uint8)


def peaks(layer: Map, least: float, most: int) -> tuple[Cells, Cells]:
    """Rows and columns of the strongest cells that are higher than their eight neighbours."""
    rows, columns = np.nonzero((layer >= least) & (layer >= cv2.dilate(layer, AROUND)))
    best = np.argsort(-layer[rows, columns])[:most]
    return rows[best], columns[best]


def shared(chance: Map) -> Map:
    """The small kinds lend each other their chances: what is small is seen before it is clear what it is."""
    out = chance.copy()
    small = [KINDS.index(kind) for kind in SMALL]
    out[small] = 1 - np.prod([1 - cv2.dilate(chance[index], AROUND) for index in small], axis=0)
    return out


def decode(out: Map, least: float = 0.25) -> list[Detection]:
    """Everything on one map (channels x rows x columns), strongest first, doubles removed."""
    chance = (1 / (1 + np.exp(-out[HEAT]))).astype(np.float32)
    scores = shared(chance)
    found: list[Detection] = []
    for kind, layer, score in zip(KINDS, chance, scores, strict=True):
        found += read_cells(out, kind, score, *peaks(layer, least, MOST[kind]))
    return without_doubles(sorted((each for each in found if sound(each)), key=lambda each: -each.score))


def read_cells(out: Map, kind: str, score: Map, rows: Cells, columns: Cells) -> list[Detection]:
    numbers = out[GEOMETRY[kind], rows, columns].T.astype(np.float64)
    centers = (np.column_stack([columns, rows]).astype(np.float64) + 0.5 + np.clip(numbers[:, :2], -2, 2)) * STRIDE
    drawn = zip(score[rows, columns].tolist(), centers, outlines(kind, centers, numbers[:, 2:]), strict=True)
    return [Detection(kind, *each) for each in drawn]


def outlines(kind: str, centers: Floats, numbers: Floats) -> Floats:
    if kind in STAND:
        return shape.hull(centers, np.maximum(numbers * UNIT_PX, 1.0))
    matrices = shape.symmetric(*(numbers[:, :3] * UNIT_PX).T)
    if GEOMETRY[kind] is COIN:
        return shape.disc(centers, matrices)
    return shape.quad(centers, matrices, np.arctan2(numbers[:, 4], numbers[:, 3]))


def sound(found: Detection) -> bool:
    """No shape without an inside."""
    return bool(np.isfinite(found.outline).all()) and shape.area(found.outline) > 20.0


def without_doubles(found: list[Detection], share: float = 0.35) -> list[Detection]:
    """Of two centres of the same kind that lie closer than a share of the piece, the stronger."""
    if not found:
        return []
    sizes, gaps = spread_out(found)
    kinds = np.array([KINDS.index(each.kind) for each in found])
    return suppressed(found, (gaps < share * sizes[:, None]) & (kinds[:, None] == kinds))


def merged(finds: Sequence[list[Detection]], share: float = 0.35) -> list[Detection]:
    """What was found in several sizes of a frame, each thing once, whatever small kind it was taken for: the closer
    look tells. Of different sizes one place may hold two: the quarters of a tile's back look like tiles too."""
    found = sorted((each for found in finds for each in found), key=lambda each: -each.score)
    if not found:
        return []
    sizes, gaps = spread_out(found)
    kinds = np.array([-1 if each.kind in SMALL else KINDS.index(each.kind) for each in found])
    alike = np.abs(np.log(sizes[:, None] / sizes)) < np.log(2) / 2
    return suppressed(found, (gaps < share * sizes[:, None]) & (kinds[:, None] == kinds) & alike)


def spread_out(found: list[Detection]) -> tuple[Floats, Floats]:
    """The sizes of the things, and how far apart each two are."""
    sizes = np.sqrt([shape.area(each.outline) for each in found])
    centers = np.array([each.center for each in found])
    return sizes, np.asarray(np.linalg.norm(centers[:, None] - centers, axis=2))


def suppressed(found: list[Detection], doubles: NDArray[np.bool_]) -> list[Detection]:
    """All but what doubles one that comes earlier and stays."""
    kept: list[int] = []
    for index in range(len(found)):
        if not doubles[index, kept].any():
            kept.append(index)
    return [found[index] for index in kept]
