"""A long exposure: while nothing moves, frames are put together into one picture with less noise than each.

A webcam in the evening makes a black piece on black ground, or the point on a die, out of little else than noise; of
five frames together less than half of it is left.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

MOST = 16
"""So many frames leave a quarter of the noise; more would cost as much again for little (light)."""


class LongExposure:
    """`begun_at`: nothing that was taken before is in it."""

    def __init__(self) -> None:
        self.begun_at = 0.0
        self._sum: NDArray[np.uint16] | None = None
        self._count = 0
        self._last: Picture | None = None

    def restart(self, at: float) -> None:
        """What was exposed is forgotten."""
        self.begun_at, self._count, self._last = at, 0, None

    def take(self, frame: Frame) -> None:
        """One more of a table at rest. The very same picture once more tells nothing new."""
        if self._count >= MOST or frame.image is self._last:
            return
        if self._sum is None or self._sum.shape != frame.image.shape:
            self._sum, self._count = np.empty(frame.image.shape, np.uint16), 0
        if self._count:
            cv2.add(self._sum, frame.image, dst=self._sum, dtype=cv2.CV_16U)
        else:
            np.copyto(self._sum, frame.image)
        self._count += 1
        self._last = frame.image

    def of(self, frame: Frame) -> Frame:
        """The frame with all that was exposed before it."""
        if self._count < 2 or self._sum is None or self._sum.shape != frame.image.shape:
            return frame
        return replace(frame, image=np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8))
