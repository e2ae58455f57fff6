"""How large a pyramid is: a picture of one alone cannot tell, the table beneath it can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from rules.pieces import Size
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import Seen
from vision.plane import Plane

INCHES: Final[Mapping[Size, tuple[float, float]]] = {
    Size.SMALL: (9 / 16, 1.0),
    Size.MEDIUM: (25 / 32, 1.375),
    Size.LARGE: (1.0, 1.75),
}
"""Base and height of the Looney pyramids (PP-8.2)."""
SPREAD: Final = 0.09
"""How far (in log of length) an outlined figure is from the true one."""
QUARTER: Final = np.arange(6) * np.pi / 12
TURNS: Final = {"upright": QUARTER, "flat": np.concatenate([QUARTER + step for step in np.arange(4) * np.pi / 2])}
"""A standing pyramid looks the same after a quarter turn."""


def sized(piece: Seen, plane: Plane) -> Seen:
    """The pyramid with the size that its figure has on this plane, as far as reader and figure agree on one."""
    if piece.kind != "pyramid":
        return piece
    seen = np.log(shape.area(piece.outline)) / 2
    pose = piece.pose or "upright"
    gaps = {size: seen - np.log(figure(size, pose, plane, piece.center)) / 2 for size in INCHES}
    fits = {size: float(np.exp(-((gap / SPREAD) ** 2) / 2)) for size, gap in gaps.items()}
    likely = {size: piece.sizes.get(size, 1.0) * fit for size, fit in fits.items()}
    total = sum(likely.values())
    if total < 1e-6:
        return piece
    return replace(piece, sizes={size: chance / total for size, chance in likely.items()})


def figure(size: Size, pose: str, plane: Plane, at: Floats) -> float:
    """Mean picture area of such a pyramid there, over all its turns."""
    across, up = camera_there(plane, at)
    pictures = (body @ np.vstack([across.T, up]) for body in bodies(size, pose))
    hulls = (cv2.convexHull(picture.astype(np.float32))[:, 0].astype(np.float64) for picture in pictures)
    return float(np.mean([shape.area(hull) for hull in hulls]))


def camera_there(plane: Plane, at: Floats) -> tuple[Floats, Floats]:
    """(2x2 map from table inches to picture pixels near that place, the picture of one inch of height)."""
    spot = plane.to_table(at[None])[0]
    step = 0.25
    east, north, here = plane.to_picture(np.array([spot + (step, 0), spot + (0, step), spot]))
    across = np.column_stack([east - here, north - here]) / step
    axes, lengths, _ = np.linalg.svd(across)
    tilt = np.arccos(np.clip(lengths[1] / lengths[0], 0, 1))
    return across, axes[:, 1] * lengths[0] * np.sin(tilt)


@lru_cache(maxsize=8)
def bodies(size: Size, pose: str) -> tuple[Floats, ...]:
    """Corners and tip in inches (x, y, z), in several turns."""
    base, height = INCHES[size]
    half = base / 2
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0], [0, 0, height]])
    if pose == "flat":
        corners = laid(corners, half, height)
    out = []
    for turn in TURNS[pose]:
        c, s = np.cos(turn), np.sin(turn)
        out.append(corners @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]]))
    return tuple(out)


def laid(corners: Floats, half: float, height: float) -> Floats:
    """The same body on one of its faces: tipped about the lower base edge until that face lies down."""
    tip = np.pi - np.arctan2(height, half)
    edge = corners - (0, half, 0)
    c, s = np.cos(-tip), np.sin(-tip)
    out: Floats = edge @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    return out
