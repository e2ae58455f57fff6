"""Detection on the whole frame: pieces with their kinds, and hands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.channels import HAND, STRIDE
from vision.detect.decode import Detection, decode
from vision.nets import OpenModel
from vision.rectify import Layers

Array = NDArray[np.float32]

MIN_WIDTH: Final = 960
INPUT_SHARE: Final = 2 / 3
"""Size of the input relative to the frame: detection needs fewer pixels than outlining and reading, which use all."""
MIN_SCORE: Final = 0.2
"""Smallest score of a detection (of .1, .14, .2 and .3 the one with the fewest misses and false detections on 72
stills)."""
ZOOMS: Final = (1.0, 0.6, 0.4)
"""Relative sizes at which the frame is searched: large tiles are complete only in small pictures, in which small pieces
are lost (on a table in full view, with everybody's hands, all are small)."""
REGION_ZOOM: Final = 4 / 3
"""Zoom at which the region with the pieces is searched, at least."""
HAND_LOGIT: Final = 2.0
"""Logit from which a cell shows a hand: a real hand nearly always reaches it somewhere, a wooden table seldom."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The net's input for a frame, and the data for coming back to its pixels."""

    batch: Array
    scale: float
    rows: int
    columns: int


def scale_at(layers: Layers, zoom: float) -> float:
    """Scale of the input: 1280 wide becomes 960, 1920 becomes 1280 (times `zoom`); no zoom enlarges."""
    longest: int = max(layers.full.shape[:2])
    return min(1.0, zoom * min(1.0, max(MIN_WIDTH, min(1280, INPUT_SHARE * longest)) / longest))


def prepare(layers: Layers, zoom: float = 1.0) -> Prepared:
    """The net's input at this zoom."""
    return scaled_input(layers, scale_at(layers, zoom))


def scaled_input(layers: Layers, scale: float) -> Prepared:
    """The net's input, padded to multiples of 32."""
    image = layers.scaled(scale)
    rows, columns = image.shape[:2]
    batch = np.zeros((1, 3, rows + -rows % 32, columns + -columns % 32), np.float32)
    for plane, channel in zip(batch[0], cv2.split(image), strict=True):
        np.multiply(channel, np.float32(1 / 255), out=plane[:rows, :columns])
    return Prepared(batch, scale, rows, columns)


@dataclass(frozen=True, slots=True)
class Glance:
    """Detections at one zoom."""

    found: list[Detection]
    hands: NDArray[np.bool_]
    """Mask of the map cells covered by hands."""


def in_frame(glance: Glance, corner: tuple[int, int]) -> Glance:
    """The detections of a region in pixels of the whole frame. `corner`: its top left."""
    at = np.array(corner, np.float64)
    found = [replace(each, center=each.center + at, outline=each.outline + at) for each in glance.found]
    return replace(glance, found=found)


def in_picture_pixels(found: Detection, scale: float) -> Detection:
    """From input pixels to picture pixels (whole numbers are pixel centres, not corners)."""
    shift = 0.5 / scale - 0.5
    return Detection(found.kind, found.score, found.center / scale + shift, found.outline / scale + shift)


class Finder:
    """The finder net. `raw` is inference alone."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session

    def raw(self, prepared: Prepared) -> Array:
        return np.asarray(self.session.run(prepared.batch)[0][0])

    def decode(self, raw: Array, prepared: Prepared) -> list[Detection]:
        """Detections in picture pixels, without those centred outside the picture."""
        inside = [
            each
            for each in decode(raw, MIN_SCORE)
            if -4 <= each.center[0] < prepared.columns + 4 and -4 <= each.center[1] < prepared.rows + 4
        ]
        return [in_picture_pixels(each, prepared.scale) for each in inside]


def hand_mask(raw: Array, prepared: Prepared) -> NDArray[np.bool_]:
    """Mask of the map cells covered by hands, without padding."""
    rows, columns = -(-prepared.rows // STRIDE), -(-prepared.columns // STRIDE)
    return np.asarray(raw[HAND][:rows, :columns] > HAND_LOGIT)
