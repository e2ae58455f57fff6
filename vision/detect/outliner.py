"""The closer look: each found thing in a small upright picture of its own, all in one batch.

The finder sees the whole frame and can say only roughly how a thing lies; this net sees one thing at a time and
says what it is and where its outline runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.registry import Session
from vision.detect import shape
from vision.detect.decode import SMALL, Found, sound, without_doubles
from vision.detect.outline_heads import CLASS, CLASSES, CLOSE, FLAT, ROOM, STANDING
from vision.detect.shape import Floats
from vision.rectify import Layers

Array = NDArray[np.float32]

LEAST: Final = 0.08
"""What is less likely than this to be anything is not read at all."""
OTHER: Final = 0.7
"""What is this surely another kind than the finder said is taken for that kind."""


def sides(found: list[Found]) -> list[float]:
    return [ROOM * max(8.0, float(np.sqrt(shape.area(each.outline)))) for each in found]


def middle(found: Found) -> Floats:
    """Of the outline: what stands has its centre at its foot."""
    return np.asarray(found.outline.mean(axis=0))


def close_ups(layers: Layers, found: list[Found]) -> Array:
    """One CLOSE x CLOSE picture per thing, as the net wants them."""
    batch = np.empty((len(found), CLOSE, CLOSE, 3), np.uint8)
    for index, (each, side) in enumerate(zip(found, sides(found), strict=True)):
        scale = CLOSE / side
        matrix = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]])
        matrix[:2, 2] = CLOSE / 2 - scale * middle(each)
        image, level = layers.fitting(scale, matrix)
        batch[index] = cv2.warpAffine(image, level[:2], (CLOSE, CLOSE), borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(batch.transpose(0, 3, 1, 2)).astype(np.float32) / np.float32(255)


def chances(row: Array) -> Floats:
    powers = np.exp(row[CLASS].astype(np.float64) - float(row[CLASS].max()))
    out: Floats = powers / powers.sum()
    return out


def outlined(found: Found, side: float, row: Array) -> Found:
    """The thing with its kind reconsidered and its outline drawn."""
    likely = chances(row)
    kind = found.kind
    best = CLASSES[1 + int(np.argmax(likely[1:]))]
    if best != kind and (likely[CLASSES.index(best)] > OTHER or {best, kind} <= set(SMALL)):
        kind = best
    center, outline = place(kind, middle(found), side, row.astype(np.float64))
    pawn, pyramid = (float(likely[CLASSES.index(each)]) for each in ("pawn", "pyramid"))
    agreed = pawn + pyramid if kind in ("pawn", "pyramid") else float(likely[CLASSES.index(kind)])
    share = pyramid / max(pawn + pyramid, 1e-6)
    return replace(found, kind=kind, center=center, outline=outline, agreed=agreed, pyramid=share)


def place(kind: str, at: Floats, side: float, row: Floats) -> tuple[Floats, Floats]:
    half = side / 2
    if kind in ("pawn", "pyramid"):
        center = at + row[STANDING][:2] * half
        return center, shape.hull(center, np.maximum(row[STANDING][2:] * half, 1.0))
    flat = row[FLAT]
    center = at + flat[:2] * half
    matrix = np.array([[flat[2], flat[3]], [flat[3], flat[4]]]) * half
    if kind == "coin":
        return center, shape.disc(center, matrix)
    return center, shape.quad(center, matrix, float(np.arctan2(flat[6], flat[5])))


class Outliner:
    """Outlines all found things of a picture in one batch."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def __call__(self, batch: Array, found: list[Found]) -> list[Found]:
        if not found:
            return []
        rows = self.session.run(batch)[0]
        out = [outlined(*each) for each in zip(found, sides(found), rows, strict=True)]
        return without_doubles([each for each in out if each.agreed >= LEAST and sound(each)])
