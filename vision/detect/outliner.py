"""Outlines of detections from upright crops, all in one batch.

The finder sees the whole frame and gives only rough outlines; this net sees one detection at a time and gives its kind
and outline."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.channels import KINDS, STAND
from vision.detect.decode import SMALL, Detection, has_area, non_maximum_suppression
from vision.detect.shape import Floats
from vision.nets import OpenModel
from vision.odds import softmax
from vision.rectify import Layers, Picture, batched

Array = NDArray[np.float32]

CLOSE: Final = 80
"""Side of the outliner's crops in pixels, unless its file gives another."""
ROOM: Final = 1.9
"""Side of a crop relative to the detection."""

CLASSES: Final = ("nothing", *KINDS)
CLASS: Final = slice(0, 7)
FLAT: Final = slice(7, 14)
"""Tile, card, die, coin: dx dy, sxx sxy syy, cos 4a, sin 4a; lengths in half crops."""
STANDING: Final = slice(14, 24)
"""Pawn, pyramid: dx dy of the base, hull distance in eight directions."""
OUTLINER_CHANNELS: Final = 24
OUTLINED_TWICE: Final = ("die", *STAND)
"""Kinds outlined a second time from a crop centred by the first outline: the finder cannot centre things with height.
For tiles and coins it gains nothing."""
MIN_OTHER_KIND: Final = 0.7
"""Probability from which another kind than the finder's is accepted."""


def crop_sides(found: list[Detection]) -> list[float]:
    """Sides of the crops in picture pixels."""
    return [ROOM * max(8.0, float(np.sqrt(shape.area(each.outline)))) for each in found]


def outline_center(found: Detection) -> Floats:
    """Mean of the outline; `Detection.center` of standing pieces is their foot."""
    return np.asarray(found.outline.mean(axis=0))


def close_ups(layers: Layers, found: list[Detection], close: int = CLOSE) -> Array:
    """One `close` x `close` crop per detection as the net's input."""
    return batched(
        [crop_of(layers, each, side, close) for each, side in zip(found, crop_sides(found), strict=True)], close
    )


def crop_of(layers: Layers, found: Detection, side: float, close: int) -> Picture:
    scale = close / side
    matrix = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]])
    matrix[:2, 2] = close / 2 - scale * outline_center(found)
    image, level = layers.fitting(scale, matrix)
    return np.asarray(cv2.warpAffine(image, level[:2], (close, close), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def kind_of(found: Detection, probabilities: dict[str, float]) -> str:
    """The kind by finder and outliner."""
    best = max(KINDS, key=probabilities.__getitem__)
    if best != found.kind and (probabilities[best] > MIN_OTHER_KIND or {best, found.kind} <= set(SMALL)):
        return best
    return found.kind


def decode_outlines(found: list[Detection], rows: Array) -> list[Detection]:
    """The detections with reconsidered kinds and outlines."""
    probabilities = [dict(zip(CLASSES, row, strict=True)) for row in softmax(rows[:, CLASS]).tolist()]
    kinds = [kind_of(each, chance) for each, chance in zip(found, probabilities, strict=True)]
    centers, outlines = outline_geometry(
        kinds, np.array([outline_center(each) for each in found]), np.array(crop_sides(found)), rows
    )
    return [
        with_agreement(each, replace(each, kind=kind, center=center, outline=outline), chance)
        for each, kind, center, outline, chance in zip(found, kinds, centers, outlines, probabilities, strict=True)
    ]


def with_agreement(rough: Detection, found: Detection, probabilities: dict[str, float]) -> Detection:
    """The detection with the outliner's agreement. `rough`: as the finder had it."""
    stands = probabilities["pawn"] + probabilities["pyramid"]
    agreed = stands if found.kind in STAND else probabilities[found.kind]
    is_square = rough.kind in ("coin", "die") and found.kind == "tile"
    square = probabilities["tile"] + probabilities["die"] if is_square else rough.square
    return replace(found, agreed=agreed, pyramid=probabilities["pyramid"] / max(stands, 1e-6), square=square)


def outline_geometry(
    kinds: list[str], crop_centers: Floats, sides_px: Floats, rows: Array
) -> tuple[list[Floats], list[Floats]]:
    """(centres, outlines). `crop_centers`, `sides_px`: place of each crop in the picture."""
    half, values = sides_px[:, None] / 2, rows.astype(np.float64)
    standing, flat = values[:, STANDING], values[:, FLAT]
    feet, centers = crop_centers + standing[:, :2] * half, crop_centers + flat[:, :2] * half
    matrices = shape.symmetric(*(flat[:, 2:5] * half).T)
    hulls = shape.hull(feet, np.maximum(standing[:, 2:] * half, 1.0))
    discs = shape.disc(centers, matrices)
    quads = shape.quad(centers, matrices, np.arctan2(flat[:, 6], flat[:, 5]))
    by_kind = {"coin": discs, "pawn": hulls, "pyramid": hulls}
    outlines = [by_kind.get(kind, quads)[index] for index, kind in enumerate(kinds)]
    return [(feet if kind in STAND else centers)[index] for index, kind in enumerate(kinds)], outlines


class Outliner:
    """The outliner net, all detections of a picture in one batch."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session
        self.close = (session.model.input_size or (CLOSE, CLOSE))[0]

    def __call__(self, batch: Array, found: list[Detection]) -> list[Detection]:
        return decode_outlines(found, self.session.run(batch)[0]) if found else []


def kept(found: list[Detection]) -> list[Detection]:
    """The detections with an area, each piece once: of duplicates the one with the largest product of both scores."""
    return non_maximum_suppression(sorted(filter(has_area, found), key=lambda each: -each.score * each.agreed))
