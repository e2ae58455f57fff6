"""How large a pyramid is: a picture of one alone cannot tell, the table beneath it can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
SPREAD: Final = 0.04
"""How far (in log of length) the figures of one picture's pyramids are from the true ones, beyond..."""
HABIT: Final = (0.05, 0.08)
"""...what all of them are too large by: the tiles are a little smaller than two inches, the outlines a little generous,
the plane not quite right. On average, and how far pictures differ. All three are fitted on pictures kept for tuning: of
381 pyramids 320 are told right, 285 each by itself."""
HABITS: Final = np.linspace(-0.3, 0.4, 71)
ASTRAY: Final = 0.003
"""So likely a figure says nothing: half hidden, on top of others, or taken for a pyramid that stands."""
QUARTER: Final = np.arange(6) * np.pi / 12
TURNS: Final = {"upright": QUARTER, "flat": np.concatenate([QUARTER + step for step in np.arange(4) * np.pi / 2])}
"""A standing pyramid looks the same after a quarter turn."""


def sized(pieces: Sequence[Seen], plane: Plane) -> list[Seen]:
    """The pyramids with the sizes that their figures have on this plane and beside each other, as far as reader and
    figures agree on one. What is wrong with one figure is wrong with all of them, and three sizes that stand side by
    side are told apart more easily than one is measured."""
    out = list(pieces)
    mine = [index for index, piece in enumerate(pieces) if piece.kind == "pyramid"]
    if not mine:
        return out
    likely = np.array([likelihoods(pieces[index], plane) for index in mine])
    mean, spread = HABIT
    habit = -(((HABITS - mean) / spread) ** 2) / 2 + np.log(likely.sum(axis=1)).sum(axis=0)
    weights = np.exp(habit - habit.max())
    for index, row in zip(mine, likely / likely.sum(axis=1, keepdims=True) @ (weights / weights.sum()), strict=True):
        out[index] = replace(pieces[index], sizes=dict(zip(INCHES, row.tolist(), strict=True)))
    return out


def likelihoods(piece: Seen, plane: Plane) -> Floats:
    """Of each size (rows), were all figures too large by each of `HABITS`."""
    seen = np.log(shape.area(piece.outline)) / 2
    pose = piece.pose or "upright"
    gaps = np.array([seen - np.log(figure(size, pose, plane, piece.center)) / 2 for size in INCHES])
    read = np.array([piece.sizes.get(size, 1.0) for size in INCHES])
    return np.asarray(read[:, None] * (np.exp(-(((gaps[:, None] - HABITS) / SPREAD) ** 2) / 2) + ASTRAY))


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
