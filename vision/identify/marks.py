"""The small suit sign in a corner of a tile, at a resolution that the whole tile's picture does not have.

Most editions print a tile's suit only there. All four corners are looked at, whichever way the tile lies: one of them
shows a suit, or none does (an edition without signs, a covered corner), and then nothing is learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify.heads import SUITS
from vision.identify.read import Read, refined_quad, softmax
from vision.nets import OpenModel
from vision.rectify import Layers

Array = NDArray[np.float32]

SIDE: Final = 40
"""A corner's picture is SIDE x SIDE..."""
START: Final = -0.06
SPAN: Final = 0.5
"""... and shows this part of the tile's side, from a little outside it."""
NONE: Final = len(SUITS)
"""The class of a corner without a suit sign."""
FRONT: Final = 0.3
"""Less likely tile faces are not worth the time."""


def corner_quad(corners: Floats, which: int) -> Floats:
    """The picture points of the part of the tile about its corner `which`, that corner first."""
    low, high = START, START + SPAN
    unit = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, np.roll(corners, -which, axis=0).astype(np.float32))
    part = np.array([[[low, low], [high, low], [high, high], [low, high]]])
    out: Floats = cv2.perspectiveTransform(part, matrix.astype(np.float64))[0]
    return out


def to_corner(quad: Floats) -> Floats:
    """3x3: picture pixels to pixels of the corner's picture."""
    inner = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32) - np.float32(0.5)
    out: Floats = cv2.getPerspectiveTransform(quad.astype(np.float32), inner).astype(np.float64)
    return out


def corner_pictures(layers: Layers, tiles: Sequence[Floats]) -> Array:
    """Four pictures a tile, in the order of its corners."""
    batch = np.empty((4 * len(tiles), SIDE, SIDE, 3), np.uint8)
    for index, corners in enumerate(tiles):
        scale = SIDE / SPAN / float(np.sqrt(shape.area(corners)))
        for which in range(4):
            image, level = layers.fitting(scale, to_corner(corner_quad(corners, which)))
            batch[4 * index + which] = cv2.warpPerspective(image, level, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(batch.transpose(0, 3, 1, 2)).astype(np.float32) / np.float32(255)


def tile_chances(logits: Array, temperature: float) -> Floats:
    """(tiles x suits and none) from (tiles x corners x suits and none): one corner shows a suit, or none does."""
    each = np.log(np.maximum(softmax(logits, temperature), 1e-9))
    none = each[:, :, NONE]
    rest = none.sum(axis=1, keepdims=True) - none
    shown = np.logaddexp.reduce(each[:, :, :NONE] + rest[:, :, None], axis=1)
    whole = np.column_stack([shown, none.sum(axis=1)])
    whole = np.exp(whole - whole.max(axis=1, keepdims=True))
    return np.asarray(whole / whole.sum(axis=1, keepdims=True), dtype=np.float64)


class Marks:
    """Weighs every tile's suit by what its corners show."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session

    def __call__(self, layers: Layers, reads: Sequence[Read]) -> list[Read]:
        out = list(reads)
        fronts = [i for i, read in enumerate(out) if read.found.kind == "tile" and read.chance("tile front") > FRONT]
        if not fronts:
            return out
        logits = self.session.run(corner_pictures(layers, [refined_quad(out[i]) for i in fronts]))[0]
        heat = self.session.model.temperatures.get("mark", 1.0)
        for i, row in zip(fronts, tile_chances(logits.reshape(len(fronts), 4, NONE + 1), heat), strict=True):
            out[i] = informed(out[i], row)
        return out


def informed(read: Read, shown: Floats) -> Read:
    """The reader's own view of the suit and the corners', multiplied; "none" speaks for no suit."""
    suits = read.beliefs["suit tile"] * (shown[:NONE] + shown[NONE] / NONE)
    return replace(read, beliefs={**read.beliefs, "suit tile": suits / suits.sum()})
