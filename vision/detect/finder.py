"""The whole frame in one pass: where what kind of piece lies, and where hands are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.registry import Session
from vision.detect.channels import HAND
from vision.detect.decode import Found, decode
from vision.rectify import Picture

Array = NDArray[np.float32]

LEAST_WIDTH: Final = 960
SHARE: Final = 2 / 3
"""Finding needs fewer pixels than outlining and reading, which use all the camera's."""
LEAST: Final = 0.14
ZOOMS: Final = (1.0, 0.6, 0.4)
"""The frame is looked at in these sizes: of large tiles the quarters of the back look like tiles, and small pieces are
lost in small pictures."""
SURELY_HAND: Final = 2.0
"""In logits: a hand that is there is nearly always seen this surely somewhere, a wooden table seldom."""
SAYS: Final = 0.3
"""What is less certain does not speak for a size."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A frame as the net wants it, and how to come back."""

    batch: Array
    scale: float
    rows: int
    columns: int


def prepare(image: Picture, zoom: float = 1.0) -> Prepared:
    """1280 wide becomes 960, 1920 becomes 1280 (times `zoom`); padded to multiples of 32."""
    longest = max(image.shape[:2])
    scale = zoom * min(1.0, max(LEAST_WIDTH, min(1280, SHARE * longest)) / longest)
    if scale < 1.0:
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    rows, columns = image.shape[:2]
    image = np.asarray(cv2.copyMakeBorder(image, 0, -rows % 32, 0, -columns % 32, cv2.BORDER_CONSTANT), dtype=np.uint8)
    batch = np.asarray(cv2.dnn.blobFromImage(image, 1 / 255), dtype=np.float32)
    return Prepared(batch, scale, rows, columns)


def grown(found: Found, scale: float) -> Found:
    """From finder pixels back to picture pixels (pixel centres, not corners, are whole numbers)."""
    shift = 0.5 / scale - 0.5
    return Found(found.kind, found.score, found.center / scale + shift, found.outline / scale + shift)


class Finder:
    """Finds; `raw` is the part that is pure inference."""

    def __init__(self, session: Session, least: float = LEAST) -> None:
        self.session = session
        self.least = least

    def raw(self, prepared: Prepared) -> Array:
        out: Array = self.session.run(prepared.batch)[0][0]
        return out

    def decode(self, raw: Array, prepared: Prepared) -> list[Found]:
        """In picture pixels; what has its centre outside the picture is left out."""
        inside = [
            each
            for each in decode(raw, self.least)
            if -4 <= each.center[0] < prepared.columns + 4 and -4 <= each.center[1] < prepared.rows + 4
        ]
        return [grown(each, prepared.scale) for each in inside]


def recognised(found: Sequence[Found]) -> float:
    return sum(each.score for each in found if each.score >= SAYS)


def hand_share(raw: Array) -> float:
    """The share of the frame that hands cover."""
    return float((raw[HAND] > SURELY_HAND).mean())
