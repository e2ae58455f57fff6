"""Detects whether the table is at rest, on small grey pictures, so that an unchanged frame costs next to nothing.

Motion is measured block by block after equalising the overall brightness: a switched lamp, a cloud and automatic
exposure change every block alike and are no motion.

Frames of a table at rest are averaged: in evening light a webcam's picture of a black piece on black ground, or of a
pip of a die, is mostly noise; the mean of five frames has less than half of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

Grey = NDArray[np.float32]

WIDTH_PX = 320
"""Width of the small pictures in pixels."""
BLOCK_PX = 8
REST_S = 0.30
"""Seconds without motion after which the table is still."""
MOTION_LEVELS = 7.0
"""Difference of a block from the previous frame that is motion, in grey levels."""
CHANGE_LEVELS = 4.5
"""Difference of a block from the frame last read that is a change, in grey levels."""
_DARK = 12.0
HAND_MARGIN_PX = 9
"""Margin around a static hand in small-picture pixels, since the border of the net's mask varies."""


class SceneState(StrEnum):
    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Rest:
    """`changed`: share of blocks that differ from the frame last read (1 before the first)."""

    scene: SceneState
    changed: float
    motion: float


class Stillness:
    """Motion state of a sequence of frames."""

    def __init__(self) -> None:
        self._image: Picture | None = None
        self._last: Grey | None = None
        self._last_at = 0.0
        self._read_picture: Grey | None = None
        self._quiet_since: float | None = None

    def feed(self, frame: Frame, standalone: bool = False) -> Rest:
        """The state after one more frame. `standalone`: each frame is a still moment of its own (a folder of stills). A
        frame that shows the same as the previous one was still since then."""
        grey, previous_at = self._small(frame.image), self._last_at
        self._last_at = frame.at
        if float(grey.mean()) < _DARK:
            self._quiet_since = None
            self._last = grey
            return Rest(SceneState.DARK, 0.0, 0.0)
        motion = (
            0.0
            if standalone or self._last is None or grey is self._last
            else changed_share(self._last, grey, MOTION_LEVELS)
        )
        same_size = self._last is not None and self._last.shape == grey.shape
        self._last = grey
        if not standalone and (not same_size or motion > 0.0):
            self._quiet_since = None
            return Rest(SceneState.MOVING, self._changed(grey), motion)
        if self._quiet_since is None:
            self._quiet_since = previous_at
        is_still = standalone or frame.at - self._quiet_since >= REST_S
        return Rest(SceneState.STILL if is_still else SceneState.SETTLING, self._changed(grey), motion)

    def _small(self, image: Picture) -> Grey:
        """The small picture. A camera that reports no motion returns the same read-only picture again."""
        if image is not self._image or self._last is None or image.flags.writeable:
            self._image = image
            return small_grey(image)
        return self._last

    def mark_read(self) -> None:
        """The last frame has been read: later changes are measured against it."""
        self._read_picture = self._last

    def _changed(self, grey: Grey) -> float:
        return 1.0 if self._read_picture is None else changed_share(self._read_picture, grey, CHANGE_LEVELS)


def small_grey(image: Picture) -> Grey:
    """The picture in grey, WIDTH_PX wide."""
    height = max(BLOCK_PX, round(image.shape[0] * WIDTH_PX / image.shape[1]))
    shrunk = cv2.resize(image, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY).astype(np.float32)


def median_level(grey: Grey) -> float:
    """The median by histogram, in a tenth of the time of sorting."""
    counts = cv2.calcHist([grey], [0], None, [256], [0.0, 256.0]).ravel()
    return float(np.searchsorted(np.cumsum(counts), grey.size / 2))


def changed_share(before: Grey, after: Grey, levels: float) -> float:
    """Share of blocks that differ by more than these levels beyond a common gain."""
    if before.shape != after.shape:
        return 1.0
    blocks = block_difference(before, after)[BLOCK_PX // 2 :: BLOCK_PX, BLOCK_PX // 2 :: BLOCK_PX]
    return float((blocks > levels).mean())


def block_difference(before: Grey, after: Grey) -> Grey:
    """Mean absolute difference around each pixel in grey levels, beyond a common gain."""
    gain = np.clip((median_level(before) + 1.0) / (median_level(after) + 1.0), 0.25, 4.0)
    return np.asarray(cv2.blur(np.abs(after * np.float32(gain) - before), (BLOCK_PX, BLOCK_PX)), np.float32)


@dataclass(frozen=True, slots=True)
class _HandFrame:
    hands: NDArray[np.bool_]
    grey: Grey


class StaticHands:
    """Static objects taken for hands: what was a hand at the same place and with the same look before the last motion
    is none, but a cloth, a wooden frame, an arm resting beside the table."""

    def __init__(self) -> None:
        self._current: _HandFrame | None = None
        self._previous: _HandFrame | None = None

    def moved(self) -> None:
        """End the still moment."""
        if self._current is not None:
            self._previous, self._current = self._current, None

    def moving_share(self, hands: NDArray[np.bool_] | None, picture: Picture) -> float | None:
        """Share of the picture covered by hands that are not static; None without a mask."""
        if hands is None:
            return None
        grey = small_grey(picture)
        size = grey.shape[1], grey.shape[0]
        mask = cv2.resize(hands.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        self._current = _HandFrame(mask, grey)
        if self._previous is None or self._previous.grey.shape != grey.shape:
            return float(mask.mean())
        previous_mask = (
            cv2.dilate(self._previous.hands.astype(np.uint8), np.ones((HAND_MARGIN_PX, HAND_MARGIN_PX), np.uint8)) > 0
        )
        moving_mask = mask & ~(previous_mask & (block_difference(self._previous.grey, grey) <= CHANGE_LEVELS))
        return float(moving_mask.mean())


MAX_FRAMES = 16
"""Largest number of frames: 16 leave a quarter of the noise; more would cost as much again for little (light)."""


class LongExposure:
    """Running mean of frames. `started_at`: time from which frames are included."""

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
