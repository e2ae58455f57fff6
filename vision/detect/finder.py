"""The whole frame in one pass: where what kind of piece lies, and where hands are."""

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

LEAST_WIDTH: Final = 960
SHARE: Final = 2 / 3
"""Finding needs fewer pixels than outlining and reading, which use all the camera's."""
LEAST: Final = 0.2
"""What scores less is nothing (of .1, .14, .2 and .3 the one that loses and makes up least on 72 stills)."""
ZOOMS: Final = (1.0, 0.6, 0.4)
"""The frame is looked at in these sizes: large tiles are seen whole only in small pictures, and small pieces are lost
there (of a table that is seen whole, with everybody's hands, all are small)."""
NEAREST: Final = 4 / 3
"""The part in which the pieces lie is looked at in this size."""
SURELY_HAND: Final = 2.0
"""In logits: a hand that is there is nearly always seen this surely somewhere, a wooden table seldom."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A frame as the net wants it, and how to come back."""

    batch: Array
    scale: float
    rows: int
    columns: int


def scale_at(layers: Layers, zoom: float) -> float:
    """1280 wide becomes 960, 1920 becomes 1280 (times `zoom`), and nothing larger than it is."""
    longest: int = max(layers.full.shape[:2])
    return min(1.0, zoom * min(1.0, max(LEAST_WIDTH, min(1280, SHARE * longest)) / longest))


def prepare(layers: Layers, zoom: float = 1.0) -> Prepared:
    """Padded to multiples of 32."""
    scale = scale_at(layers, zoom)
    image = layers.shrunk(scale)
    rows, columns = image.shape[:2]
    batch = np.zeros((1, 3, rows + -rows % 32, columns + -columns % 32), np.float32)
    for plane, channel in zip(batch[0], cv2.split(image), strict=True):
        np.multiply(channel, np.float32(1 / 255), out=plane[:rows, :columns])
    return Prepared(batch, scale, rows, columns)


@dataclass(frozen=True, slots=True)
class Glance:
    """What one size of the frame showed."""

    found: list[Detection]
    hands: NDArray[np.bool_]
    """Which cells of the map hands cover."""


def of_part(glance: Glance, corner: tuple[int, int]) -> Glance:
    """What a part showed that begins there, in the whole frame's pixels."""
    at = np.array(corner, np.float64)
    found = [replace(each, center=each.center + at, outline=each.outline + at) for each in glance.found]
    return replace(glance, found=found)


def grown(found: Detection, scale: float) -> Detection:
    """From finder pixels back to picture pixels (pixel centres, not corners, are whole numbers)."""
    shift = 0.5 / scale - 0.5
    return Detection(found.kind, found.score, found.center / scale + shift, found.outline / scale + shift)


class Finder:
    """Finds; `raw` is the part that is pure inference."""

    def __init__(self, session: OpenModel, least: float = LEAST) -> None:
        self.session = session
        self.least = least

    def raw(self, prepared: Prepared) -> Array:
        out: Array = self.session.run(prepared.batch)[0][0]
        return out

    def decode(self, raw: Array, prepared: Prepared) -> list[Detection]:
        """In picture pixels; what has its centre outside the picture is left out."""
        inside = [
            each
            for each in decode(raw, self.least)
            if -4 <= each.center[0] < prepared.columns + 4 and -4 <= each.center[1] < prepared.rows + 4
        ]
        return [grown(each, prepared.scale) for each in inside]


def hands(raw: Array, prepared: Prepared) -> NDArray[np.bool_]:
    """Where in the frame hands are, without what it was padded with."""
    rows, columns = -(-prepared.rows // STRIDE), -(-prepared.columns // STRIDE)
    return np.asarray(raw[HAND][:rows, :columns] > SURELY_HAND)
