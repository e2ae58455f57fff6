"""What stands, on the table plane: feet of pawns, sizes and poses of pyramids.

The net sees one pawn at a time, and puts the foot of one seen from above, or with its lower half hidden, into the
middle of the visible part. The table plane gives the vertical at its place, so the foot of its outline is half its
width from the lower end. Pawns of one set have one height, so the foot of a partly hidden one lies their height below
its head. Half of 504 pawns of three foreign editions are within .081 of their size of the true position with this, .094
without. Of pyramids a crop alone hardly shows size and pose, but their silhouettes on the plane do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Kind, Pose, Size
from rules.pieces.piece import LOONEY_SIZES
from rules.pieces.sizes import pyramid_base, pyramid_height
from vision.detect import shape
from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.piece import CERTAIN, DetectedPiece
from vision.plane import Plane, local_projection

FOOT_WIDTH: Final = 0.85
"""Width of a pawn's foot relative to its outline (fitted)."""
OUTLINE_WEIGHT: Final = 0.5
"""Weight of the foot of the outline against the foot by the net (fitted)."""
MAX_HIDDEN_SHARE: Final = 0.7
"""Visible share of the expected outline below which a pawn is partly hidden, if there are MIN_FELLOWS others and a
piece in front, enlarged by OCCLUDER_MARGIN, hides its foot (all chosen)."""
MIN_FELLOWS: Final = 2
OCCLUDER_MARGIN: Final = 0.15


@dataclass(frozen=True, slots=True)
class StandingOutline:
    """An outline measured along the vertical of the picture at its place, and across it."""

    up: Floats
    """Unit vector of the vertical."""
    low: float
    high: float
    middle: float
    half_width: float
    """Half the width in pixels."""
    px_per_inch: tuple[float, float, float]
    """Pixels per inch: of height, of the table along `up`, of the table across it."""

    @property
    def radius(self) -> float:
        """Radius of the foot in inches."""
        return FOOT_WIDTH * self.half_width / self.px_per_inch[2]

    @property
    def height(self) -> float:
        """Height in inches."""
        return (self.high - self.low - 2 * self.radius * self.px_per_inch[1]) / max(self.px_per_inch[0], 1e-6)

    def foot(self) -> Floats:
        """Centre of the round foot at the lower end."""
        return self.point_at(min(self.low + self.radius * self.px_per_inch[1], (self.low + self.high) / 2))

    def foot_below(self, height: float, radius: float) -> Floats | None:
        """Foot of a pawn of this size with its head here, if the outline is shorter than expected."""
        span = height * self.px_per_inch[0] + 2 * radius * self.px_per_inch[1]
        if self.high - self.low > MAX_HIDDEN_SHARE * span:
            return None
        return self.point_at(self.high - span + radius * self.px_per_inch[1])

    def point_at(self, along: float) -> Floats:
        """The point at this coordinate along `up`, in the middle across."""
        across = np.array([-self.up[1], self.up[0]])
        return along * self.up + self.middle * across


def standing_outline(piece: DetectedPiece, plane: Plane, size: tuple[int, int]) -> StandingOutline:
    table, inch_up = local_projection(plane, piece.center, size)
    tall = float(np.linalg.norm(inch_up))
    up = inch_up / tall if tall > 0 else np.array([0.0, -1.0])  # exactly below the camera nothing leans
    across = np.array([-up[1], up[0]])
    along, aside = piece.outline @ up, piece.outline @ across
    inch = tall, float(np.linalg.norm(table.T @ up)), float(np.linalg.norm(table.T @ across))
    low, high, left, right = (float(end) for end in (along.min(), along.max(), aside.min(), aside.max()))
    return StandingOutline(up, low, high, (left + right) / 2, (right - left) / 2, inch)


def with_feet(pieces: Sequence[DetectedPiece], plane: Plane | None, size: tuple[int, int]) -> list[DetectedPiece]:
    """The pieces; pawns with feet from net, outline and plane together. `size`: of the picture."""
    out = list(pieces)
    if plane is None:
        return out
    figures = {i: standing_outline(piece, plane, size) for i, piece in enumerate(pieces) if piece.kind is Kind.PAWN}
    sure = [i for i, piece in enumerate(pieces) if piece.certainty >= CERTAIN and piece.kind in STAND]
    for index, figure in figures.items():
        fellows = [figures[i] for i in sure if i != index and i in figures]
        foot = _hidden_foot(figure, fellows, [pieces[i].outline for i in sure if i != index])
        if foot is None:
            foot = OUTLINE_WEIGHT * figure.foot() + (1 - OUTLINE_WEIGHT) * pieces[index].center
        out[index] = replace(pieces[index], center=foot)
    return out


def _hidden_foot(
    figure: StandingOutline, fellows: Sequence[StandingOutline], occluders: Sequence[Floats]
) -> Floats | None:
    """Foot of a pawn shorter than its fellows, if one of the occluders hides it; else None."""
    if len(fellows) < MIN_FELLOWS:
        return None
    foot = figure.foot_below(
        float(np.median([fellow.height for fellow in fellows])), float(np.median([fellow.radius for fellow in fellows]))
    )
    if foot is None:
        return None
    at = float(foot[0]), float(foot[1])
    enlarged = [
        outline.mean(axis=0) + (1 + OCCLUDER_MARGIN) * (outline - outline.mean(axis=0)) for outline in occluders
    ]
    hides = (cv2.pointPolygonTest(outline.astype(np.float32), at, measureDist=False) >= 0 for outline in enlarged)
    return foot if any(hides) else None


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
