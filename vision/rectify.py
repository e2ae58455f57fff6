"""Upright crops of pieces at full camera resolution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.shape import Floats, disc_spread
from vision.identify.heads import CROP, MARGIN

Picture = NDArray[np.uint8]

_UNIT: Final[Floats] = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def frame_quad(kind: str, outline: Floats) -> Floats:
    """The four picture points that become the corners of the crop, without margin."""
    if kind in ("tile", "card", "die"):
        return outline
    if kind == "coin":
        return np.asarray(outline.mean(axis=0) + _UNIT @ disc_spread(outline))
    low, high = outline.min(axis=0), outline.max(axis=0)
    middle, half = (low + high) / 2, float((high - low).max()) / 2
    return np.asarray(middle + _UNIT * half)


def to_crop(kind: str, corners: Floats, size: int = CROP, margin: float | None = None) -> Floats:
    """3x3 matrix from picture pixels to crop pixels."""
    half = size / 2
    inner = half + _UNIT * half / (MARGIN[kind] if margin is None else margin)
    return cv2.getPerspectiveTransform(corners.astype(np.float32), inner.astype(np.float32)).astype(np.float64)


class Layers:
    """A picture at full, half, quarter... size, made on demand: sampling from too large a copy aliases."""

    def __init__(self, image: Picture) -> None:
        self._copies = [image]

    @property
    def full(self) -> Picture:
        return self._copies[0]

    @cached_property
    def grey(self) -> Picture:
        return np.asarray(cv2.cvtColor(self.full, cv2.COLOR_BGR2GRAY), np.uint8)

    def fitting(self, scale: float, matrix: Floats) -> tuple[Picture, Floats]:
        """The copy to sample for a scaling by `scale`, and `matrix` adapted to it."""
        level = self._level(scale)
        factor = 2.0**level
        shift = factor / 2 - 0.5
        return self._copies[level], matrix @ np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1.0]])

    def scaled(self, scale: float) -> Picture:
        """The whole picture, scaled."""
        if scale == 1.0:
            return self.full
        rows, columns = self.full.shape[:2]
        size = (round(columns * scale), round(rows * scale))
        out = cv2.resize(self._copies[self._level(scale)], size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(out, dtype=np.uint8)

    def _level(self, scale: float) -> int:
        """Number of halvings of the copy for this scale; makes the copies up to it."""
        level = 0
        while scale < 0.6 and level < 4:
            scale, level = scale * 2, level + 1
        while len(self._copies) <= level:
            half = cv2.resize(self._copies[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            self._copies.append(np.asarray(half, dtype=np.uint8))
        return level


def cut(image: Picture, matrix: Floats, size: int = CROP) -> Picture:
    out = cv2.warpPerspective(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out, dtype=np.uint8)


def batched(pictures: Sequence[Picture], size: int) -> NDArray[np.float32]:
    """Pictures of `size` x `size` as the nets' input."""
    planes = np.array(pictures, np.uint8).reshape(-1, size, size, 3).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(planes).astype(np.float32) / np.float32(255)


def inverse(matrix: Floats) -> Floats:
    return np.linalg.inv(matrix).astype(np.float64)


def apply(matrix: Floats, points: Floats) -> Floats:
    full = points @ matrix[:, :2].T + matrix[:, 2]
    return full[:, :2] / full[:, 2:]
