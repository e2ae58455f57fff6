"""Long exposure: averages frames while nothing moves, to reduce noise.

In evening light a webcam's picture of a black piece on black ground, or of a pip of a die, is mostly noise; the mean of
five frames has less than half of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

MAX_FRAMES = 16
"""Largest number of frames: 16 leave a quarter of the noise; more would cost as much again for little (light)."""


class LongExposure:
    """Running mean of frames. `begun_at`: time from which frames are included."""

    def __init__(self) -> None:
        self.started_at = 0.0
        self._sum: NDArray[np.uint16] | None = None
        self._count = 0
        self._last: Picture | None = None

    def restart(self, at: float) -> None:
        """Drop all frames and start at this time."""
        self.started_at, self._count, self._last = at, 0, None

    def add(self, frame: Frame) -> None:
        """Add a frame of a table at rest. The same picture again is ignored."""
        if self._count >= MAX_FRAMES or frame.image is self._last:
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
        """The frame with its picture replaced by the mean, if there is one."""
        if self._count < 2 or self._sum is None or self._sum.shape != frame.image.shape:
            return frame
        return replace(frame, image=np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._count), np.uint8))
