"""Is the table at rest? Looks at small grey pictures only, so an unchanged frame costs next to nothing.

Motion is judged block by block, after the whole picture's brightness has been evened out: a lamp that is switched, a
cloud and automatic exposure change every block alike and are no move.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Picture

Grey = NDArray[np.float32]

WIDTH = 320
BLOCK = 8
REST_S = 0.30
MOVED = 7.0
CHANGED = 4.5
_DARK = 12.0
AROUND = 9
"""A net's border wavers: so many pixels of the small picture around what was taken for a hand are as good as it."""


class SceneState(StrEnum):
    MOVING = "moving"
    SETTLING = "settling"
    STILL = "still"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Rest:
    """`changed` is the share of blocks that differ from the last frame that was looked at (1 before the first)."""

    scene: SceneState
    changed: float
    motion: float


class Stillness:
    def __init__(self, rest_s: float = REST_S) -> None:
        self._rest_s = rest_s
        self._image: Picture | None = None
        self._last: Grey | None = None
        self._last_at = 0.0
        self._looked_at: Grey | None = None
        self._quiet_since: float | None = None

    def feed(self, frame: Frame, alone: bool = False) -> Rest:
        """`alone`: each frame is a still moment of its own (a folder of stills). What shows the same as the frame
        before was still then already."""
        grey, before = self._small(frame.image), self._last_at
        self._last_at = frame.at
        if float(grey.mean()) < _DARK:
            self._quiet_since = None
            self._last = grey
            return Rest(SceneState.DARK, 0.0, 0.0)
        motion = 0.0 if alone or self._last is None or grey is self._last else differing(self._last, grey, MOVED)
        same_size = self._last is not None and self._last.shape == grey.shape
        self._last = grey
        if not alone and (not same_size or motion > 0.0):
            self._quiet_since = None
            return Rest(SceneState.MOVING, self._changed(grey), motion)
        if self._quiet_since is None:
            self._quiet_since = before
        rested = alone or frame.at - self._quiet_since >= self._rest_s
        return Rest(SceneState.STILL if rested else SceneState.SETTLING, self._changed(grey), motion)

    def _small(self, image: Picture) -> Grey:
        """A camera that knows that nothing moved gives the same picture again, which nobody can have written into."""
        if image is not self._image or self._last is None or image.flags.writeable:
            self._image = image
            return small(image)
        return self._last

    def looked(self) -> None:
        """The last frame has been looked at: from now on only what differs from it is news."""
        self._looked_at = self._last

    def _changed(self, grey: Grey) -> float:
        return 1.0 if self._looked_at is None else differing(self._looked_at, grey, CHANGED)


def small(image: Picture) -> Grey:
    height = max(BLOCK, round(image.shape[0] * WIDTH / image.shape[1]))
    shrunk = cv2.resize(image, (WIDTH, height), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY).astype(np.float32)


def middle(grey: Grey) -> float:
    """The median, by counting: a tenth of the time that sorting takes."""
    counts = cv2.calcHist([grey], [0], None, [256], [0.0, 256.0]).ravel()
    return float(np.searchsorted(np.cumsum(counts), grey.size / 2))


def differing(before: Grey, after: Grey, limit: float) -> float:
    """The share of blocks that differ by more than what light does to all of them."""
    if before.shape != after.shape:
        return 1.0
    blocks = otherwise(before, after)[BLOCK // 2 :: BLOCK, BLOCK // 2 :: BLOCK]
    return float((blocks > limit).mean())


def otherwise(before: Grey, after: Grey) -> Grey:
    """By how many grey levels the surroundings of each pixel differ, without what light does to all of them."""
    gain = np.clip((middle(before) + 1.0) / (middle(after) + 1.0), 0.25, 4.0)
    return np.asarray(cv2.blur(np.abs(after * np.float32(gain) - before), (BLOCK, BLOCK)), np.float32)


@dataclass(frozen=True, slots=True)
class _Seen:
    hands: NDArray[np.bool_]
    grey: Grey


class StaticHands:
    """What was taken for hands in this still moment and in the one before the table moved: what looks like a hand and
    lies just as it lay is none, but a cloth, a wooden frame, an arm that rests beside the table."""

    def __init__(self) -> None:
        self._now: _Seen | None = None
        self._before: _Seen | None = None

    def moved(self) -> None:
        """The still moment is over."""
        if self._now is not None:
            self._before, self._now = self._now, None

    def acting(self, hands: NDArray[np.bool_] | None, picture: Picture) -> float | None:
        """The share of the picture that hands cover, without those that lie as they lay; None where nobody told."""
        if hands is None:
            return None
        grey = small(picture)
        size = grey.shape[1], grey.shape[0]
        shown = cv2.resize(hands.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        self._now = _Seen(shown, grey)
        if self._before is None or self._before.grey.shape != grey.shape:
            return float(shown.mean())
        lay = cv2.dilate(self._before.hands.astype(np.uint8), np.ones((AROUND, AROUND), np.uint8)) > 0
        acting = shown & ~(lay & (otherwise(self._before.grey, grey) <= CHANGED))
        return float(acting.mean())
