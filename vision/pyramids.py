"""How large a pyramid is, and whether it lies: a picture of one alone can hardly tell, the table beneath it can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Pose, Size
from rules.pieces.piece import LOONEY_SIZES
from rules.pieces.sizes import pyramid_base, pyramid_height
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.plane import Plane, camera_there

INCHES: Final[Mapping[Size, tuple[float, float]]] = {
    size: (pyramid_base(size), pyramid_height(size)) for size in LOONEY_SIZES
}
"""Base and height of the Looney pyramids (PP-8.2)."""
SPREAD: Final = 0.04
"""How far (in log of length) the figures of one picture's pyramids are from the true ones, beyond..."""
HABIT: Final = (0.05, 0.08)
"""...what all of them are too large by (outlines are a little generous): on average, and how far pictures differ. All
three are fitted: of 381 pyramids 320 are told right, 285 each by itself."""
HABITS: Final = np.linspace(-0.3, 0.4, 71)
ASTRAY: Final = 0.003
"""So likely a figure says nothing: half hidden, on top of others, or taken for a pyramid that stands."""
QUARTER: Final = np.arange(6) * np.pi / 12
TURNS: Final = {"upright": QUARTER, "flat": np.concatenate([QUARTER + step for step in np.arange(4) * np.pi / 2])}
"""A standing pyramid looks the same after a quarter turn."""

STEEP, EVEN, TELLS = 12.0, 0.06, 2.5
"""A figure that is so much more like a standing pyramid's than like a lying one's says as little as none; each twelfth
more or less says a nat, up to so many. Fitted on 467 pyramids: the reader alone takes eight wrongly for lying or
standing, with their figures one."""
DOUBTED: Final = 0.05
"""Of a pyramid that lies no more likely than this the figure is not asked: it could not tell otherwise."""
RASTER: Final = 64
"""Figures are laid over each other on so many pixels a side..."""
WIDE: Final = 20.0
"""...where the root of their area takes so many."""
AGREES: Final = 60.0
"""Where reader and figure have it point within so many degrees, it points between them."""


def posed(pieces: Sequence[DetectedPiece], plane: Plane) -> list[DetectedPiece]:
    """The pyramids standing or lying as reader and figures together have it."""
    return [
        piece if piece.lying is None or piece.lying < DOUBTED else _posed(piece, piece.lying, plane) for piece in pieces
    ]


def _posed(piece: DetectedPiece, reader: float, plane: Plane) -> DetectedPiece:
    across, up = camera_there(plane, piece.center)
    seen = _filled(_hull(piece.outline))
    stands, _ = _most_alike(seen, Pose.UPRIGHT, across, up)
    lies, tip = _most_alike(seen, Pose.FLAT, across, up)
    told = float(np.clip(STEEP * (EVEN - (stands - lies)), -TELLS, TELLS))
    lying = 1.0 / (1.0 + (1.0 - reader) / reader * float(np.exp(-told)))
    aim = piece.aim
    if aim is not None and abs(off := (tip - aim + 180.0) % 360.0 - 180.0) < AGREES:
        aim = (aim + off / 2 + 180.0) % 360.0 - 180.0
    pose = Pose.FLAT if lying > 0.5 else Pose.UPRIGHT
    return replace(piece, lying=lying, pose=pose, aim=aim, angle=aim if pose is Pose.FLAT else None)


def _most_alike(seen: NDArray[np.bool_], pose: Pose, across: Floats, up: Floats) -> tuple[float, float]:
    """How far the figure agrees with that of such a pyramid in its best size and turn, and where it points then."""
    best, best_body = 0.0, bodies(Size.SMALL, pose)[0]
    for size in INCHES:
        for body in bodies(size, pose):
            drawn = _filled(_hull(body @ np.vstack([across.T, up])))
            alike = float((drawn & seen).sum() / (drawn | seen).sum())
            if alike > best:
                best, best_body = alike, body
    tip = across @ (best_body[4, :2] - best_body[:4, :2].mean(axis=0))
    return best, float(np.degrees(np.arctan2(-tip[1], tip[0]))) - 90.0


def _hull(points: Floats) -> Floats:
    """What the points span, its middle in the middle of the raster, and as large as any other."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    m = cv2.moments(hull)
    if m["m00"] < 1e-6:
        return np.full((1, 2), RASTER / 2)
    out: Floats = (hull - (m["m10"] / m["m00"], m["m01"] / m["m00"])) / np.sqrt(m["m00"]) * WIDE + RASTER / 2
    return out


def _filled(hull: Floats) -> NDArray[np.bool_]:
    raster = np.zeros((RASTER, RASTER), np.uint8)
    cv2.fillConvexPoly(raster, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return raster > 0


def sized(pieces: Sequence[DetectedPiece], plane: Plane) -> list[DetectedPiece]:
    """The pyramids with the sizes that their figures have on this plane and beside each other, as far as reader and
    figures agree on one: what is wrong with one figure is wrong with all of them."""
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


def likelihoods(piece: DetectedPiece, plane: Plane) -> Floats:
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
