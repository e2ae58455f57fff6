"""The table plane from its tiles, which are squares of one size.

The area of a small piece is proportional to the cube of the third row of the picture-to-table map, so the cube root of
the area is a linear function of the position and gives the horizon. The remaining affine part follows from the sides of
the squares. Both steps are linear and use all tiles, so no single corner matters much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rules.pieces.sizes import COIN, TILE
from vision.detect import shape
from vision.detect.shape import Floats
from vision.rectify import apply, inverse

MIN_COINS: Final = 6
"""Number of coins from which a plane is fitted: each is slightly wrong."""
MIN_FOCAL: Final = 0.45
DEFAULT_FOCAL: Final = 0.8
MAX_FOCAL: Final = 1.6
"""Focal lengths of lenses over a table, in widths of their picture."""
MIN_ORIGIN_SCALE: Final = 0.4
"""Smallest scale of the table at the middle of the picture, relative to that at the pieces, for it to be the origin: an
error of the horizon then moves it at most two and a half times as far as them."""
HALF_INCH: Final = 0.5
"""Height in inches over which the projection of height is measured: the middle of a small piece."""


@dataclass(frozen=True, slots=True)
class Plane:
    """`homography`: table inches to picture pixels; y points away from the lower edge of the picture."""

    homography: Floats
    spread: float
    """Spread of the tiles' sides on the plane, as a share of their length."""
    to_inches_matrix: Floats = field(init=False, repr=False, compare=False)
    """Picture pixels to table inches."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "to_inches_matrix", inverse(self.homography))

    def to_table(self, points: Floats) -> Floats:
        return apply(self.to_inches_matrix, points)

    def to_picture(self, points: Floats) -> Floats:
        return apply(self.homography, points)


def below_camera(plane: Plane, size: tuple[int, int]) -> Floats:
    """The point of the table below the camera; higher things appear displaced away from it. The principal point is the
    middle of the picture; the focal length follows from the plane where the camera is tilted."""
    _, pose = lens_and_pose(plane.homography, size)
    return np.asarray(-np.linalg.solve(pose[:, :3], pose[:, 3])[:2])


def lens_and_pose(homography: Floats, size: tuple[int, int]) -> tuple[float, Floats]:
    """(focal length in pixels, 3x4 matrix from points on or above the plane to camera coordinates)."""
    shifted = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]]) @ homography
    focal = focal_length(shifted, max(size))
    axes = np.diag([1 / focal, 1 / focal, 1.0]) @ shifted
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    return focal, np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1]), axes[:, 2]])


def local_projection(plane: Plane, pixel: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """(2x2 map from table inches to picture pixels near a pixel, picture vector of one inch of height there: standing
    things lean away from the point below the camera). `size`: of the picture."""
    position = plane.to_table(pixel[None])[0]
    step = 0.25
    east, north, here = plane.to_picture(np.array([position + (step, 0), position + (0, step), position]))
    focal, pose = lens_and_pose(plane.homography, size)
    (foot, head) = (pose @ (*position, height, 1.0) for height in (0.0, HALF_INCH))
    up = focal * (head[:2] / head[2] - foot[:2] / foot[2]) / HALF_INCH
    return np.column_stack([east - here, north - here]) / step, up


def focal_length(shifted: Floats, width: float) -> float:
    """Focal length in pixels from the table's axes being orthogonal and of equal length; the default where that is
    undetermined."""
    (a, b, _), (c, d, _), (e, f, _) = shifted
    across = np.array([a * b + c * d, a * a + c * c - b * b - d * d])
    ahead = np.array([e * f, e * e - f * f]) * width**2
    share = -float(across @ ahead) / max(float(across @ across), 1e-12)
    return width / np.sqrt(share) if MAX_FOCAL**-2 < share < MIN_FOCAL**-2 else DEFAULT_FOCAL * width


def fit(quads: Sequence[Floats], size: tuple[int, int]) -> Plane | None:
    """The plane of these tiles; None without tiles."""
    if not quads:
        return None
    to_normal = normalised(size)
    normal = [apply(to_normal, quad) for quad in quads]
    horizon = find_horizon(normal)
    upright = find_affine([apply(horizon, quad) for quad in normal])
    if upright is None:
        return None
    to_plane = as_homography(upright) @ horizon @ to_normal
    on_plane = [apply(to_plane, quad) for quad in quads]
    sides = np.array([np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean() for quad in on_plane])
    return in_inches(to_plane, on_plane, sides, TILE, size)


def fit_coins(outlines: Sequence[Floats], size: tuple[int, int]) -> Plane | None:
    """The plane of these coins, circles of one size; None if too few. Its scale is less certain than that from tiles:
    sets have coins of several sizes."""
    if len(outlines) < MIN_COINS:
        return None
    to_normal = normalised(size)
    normal = [apply(to_normal, outline) for outline in outlines]
    horizon = find_horizon([square_of_coin(outline) for outline in normal])
    flat = [apply(horizon, outline) for outline in normal]
    # Each circle appears stretched by the same matrix; the inverse is estimated from all.
    metrics = [np.linalg.inv(np.cov(outline.T)) for outline in flat]
    metric = np.median([each / np.sqrt(np.linalg.det(each)) for each in metrics], axis=0)
    to_plane = as_homography(shape.matrix_sqrt(metric)) @ horizon @ to_normal
    on_plane = [apply(to_plane, outline) for outline in outlines]
    diameters = np.array([2 * np.sqrt(shape.area(outline) / np.pi) for outline in on_plane])
    return in_inches(to_plane, on_plane, diameters, COIN, size)


def coin_aspect(outlines: Sequence[Floats], plane: Plane) -> float:
    """Median aspect ratio of the coins on the plane: 1 on the true plane, or if there are too few."""
    if len(outlines) < MIN_COINS:
        return 1.0
    spreads = [np.linalg.eigvalsh(np.cov(plane.to_table(outline).T)) for outline in outlines]
    return float(np.median([np.sqrt(most / max(least, 1e-12)) for least, most in spreads]))


def normalised(size: tuple[int, int]) -> Floats:
    """Matrix from picture pixels to coordinates from -1 to 1 along the longer side."""
    width, height = size
    scale = max(size) / 2
    return np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, scale]]) / scale


def as_homography(upright: Floats) -> Floats:
    """The 2x2 matrix as a 3x3 map of the plane."""
    out = np.eye(3)
    out[:2, :2] = upright
    return out


def square_of_coin(outline: Floats) -> Floats:
    """Four points around a coin's centre at its mean radius."""
    middle = outline.mean(axis=0)
    arm = np.sqrt(shape.area(outline) / np.pi)
    return np.asarray(middle + arm * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]))


def find_horizon(quads: Sequence[Floats]) -> Floats:
    """The projective part: identity except for the last row."""
    out = np.eye(3)
    if len(quads) < 3:
        out[2, :2] = horizon_of_one(max(quads, key=shape.area))
        return out
    centers = np.array([shape.crossing(quad) for quad in quads])
    roots = np.array([shape.area(quad) for quad in quads]) ** (1 / 3)
    rows = np.column_stack([centers, np.ones(len(quads))])
    weights = np.ones(len(quads))
    for _ in range(6):
        fitted = solve_regularised(rows * weights[:, None], roots * weights)
        gap = np.abs(rows @ fitted - roots) / roots
        weights = 1 / (1 + (gap / max(0.006, float(np.median(gap)))) ** 2)
    out[2, :2] = fitted[:2] / fitted[2]
    return out


def solve_regularised(rows: Floats, values: Floats) -> Floats:
    """Least squares with a slight preference for a view from straight above over noise."""
    soft = np.diag([1e-5, 1e-5, 0.0]) * len(rows)
    return np.linalg.solve(rows.T @ rows + soft, rows.T @ values)


def horizon_of_one(quad: Floats) -> Floats:
    """The horizon from one tile: the line through the vanishing points of its two pairs of sides."""
    full = np.column_stack([quad, np.ones(4)])
    sides = [np.cross(full[k], full[(k + 1) % 4]) for k in range(4)]
    line = np.cross(np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3]))
    if abs(line[2]) < 1e-9:
        return np.zeros(2)
    return np.asarray(line[:2] / line[2])


def find_affine(quads: Sequence[Floats]) -> Floats | None:
    """The 2x2 matrix that makes all sides equally long and orthogonal."""
    rows, weights = [], []
    for quad in quads:
        u = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
        v = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
        size = float(u @ u + v @ v)
        rows.append([u[0] ** 2 - v[0] ** 2, 2 * (u[0] * u[1] - v[0] * v[1]), u[1] ** 2 - v[1] ** 2])
        rows.append([u[0] * v[0], u[0] * v[1] + u[1] * v[0], u[1] * v[1]])
        weights += [1 / size, 2 / size]
    return metric_root(np.array(rows), np.array(weights))


def metric_root(rows: Floats, weights: Floats) -> Floats | None:
    robust_weights = weights.copy()
    for _ in range(5):
        solution = np.linalg.svd(rows * robust_weights[:, None])[2][-1]
        residuals = np.abs(rows @ solution) * weights
        robust_weights = weights / (1 + (residuals / max(1e-3, 2 * float(np.median(residuals)))) ** 2)
    metric = np.array([[solution[0], solution[1]], [solution[1], solution[2]]])
    metric = metric * np.sign(np.trace(metric))
    if np.linalg.eigvalsh(metric).min() <= 1e-6 * np.trace(metric):
        return None
    return shape.matrix_sqrt(metric)


def in_inches(
    to_plane: Floats, on_plane: Sequence[Floats], lengths: Floats, true_length: float, size: tuple[int, int]
) -> Plane:
    """The plane in inches, y up and x along the picture's rows. `lengths`: those on `to_plane` of things that are
    `true_length` inches long."""
    median_length = float(np.median(lengths))
    middle = origin(to_plane, on_plane, size)
    scale = true_length / median_length
    to_inches = np.array([[scale, 0, -scale * middle[0]], [0, -scale, scale * middle[1]], [0, 0, 1.0]])
    homography = np.linalg.inv(to_inches @ to_plane)
    return Plane(homography / homography[2, 2], float(np.median(np.abs(lengths - median_length)) / median_length))


def origin(to_plane: Floats, on_plane: Sequence[Floats], size: tuple[int, int]) -> Floats:
    """The origin of the table: the middle of the picture, so that pieces keep their positions while the camera stands
    still; the middle of the pieces where the table at the middle of the picture is far away."""
    center_depth = to_plane[2] @ (size[0] / 2, size[1] / 2, 1.0)
    middle: Floats = np.median([outline.mean(axis=0) for outline in on_plane], axis=0)
    pieces_depth = 1.0 / (np.linalg.inv(to_plane)[2] @ (*middle, 1.0))
    if not 0 < MIN_ORIGIN_SCALE * pieces_depth <= center_depth:
        return middle
    return np.asarray(apply(to_plane, np.array([[size[0] / 2, size[1] / 2]]))[0])
