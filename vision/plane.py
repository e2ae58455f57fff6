"""The table plane from the tiles themselves: every tile is a square of the same size.

Away from the camera all tiles have less area, and how much less tells the horizon: with the picture-to-table
map G, the area of a small piece is proportional to the cube of its third row's value, so the cube root of the
area is a linear function of the place. What is left after that is an affine bend, told by the squares' sides.
Both steps are linear and use all tiles, so that no single corner matters much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rules.pieces.sizes import COIN, TILE
from vision.detect import shape
from vision.detect.shape import Floats
from vision.rectify import apply, inverse

FEWEST_COINS: Final = 6
"""Fewer coins tell of no plane: each is a little wrong."""
WIDEST: Final = 0.45
USUAL: Final = 0.8
NARROWEST: Final = 1.6
"""Focal lengths of lenses over a table, in widths of their picture."""
FARTHEST: Final = 0.4
"""The middle of the picture shows the table near enough where it is no smaller than so many times the pieces: an error
of the horizon then moves it at most two and a half times as far as them."""


@dataclass(frozen=True, slots=True)
class Plane:
    """`homography` takes table inches to picture pixels; y points away from the picture's lower edge."""

    homography: Floats
    spread: float
    """How much the tiles' sides still differ on the plane: a share of their length."""
    back: Floats = field(init=False, repr=False, compare=False)
    """Picture pixels to table inches."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "back", inverse(self.homography))

    def to_table(self, points: Floats) -> Floats:
        return apply(self.back, points)

    def to_picture(self, points: Floats) -> Floats:
        return apply(self.homography, points)


def below_camera(plane: Plane, size: tuple[int, int]) -> Floats:
    """The place on the table straight below the camera: what lies higher is seen too far away from it. The lens is
    taken to look through the middle of the picture; how wide it sees the plane tells, where the camera is tilted."""
    _, pose = lens_and_pose(plane.homography, size)
    return np.asarray(-np.linalg.solve(pose[:, :3], pose[:, 3])[:2])


def lens_and_pose(homography: Floats, size: tuple[int, int]) -> tuple[float, Floats]:
    """The focal length in pixels, and the 3x4 matrix that takes what is on or above the plane to the camera."""
    shifted = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1.0]]) @ homography
    focal = focal_length(shifted, max(size))
    axes = np.diag([1 / focal, 1 / focal, 1.0]) @ shifted
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    return focal, np.column_stack([axes[:, 0], axes[:, 1], np.cross(axes[:, 0], axes[:, 1]), axes[:, 2]])


def camera_there(plane: Plane, at: Floats) -> tuple[Floats, Floats]:
    """(2x2 map from table inches to picture pixels near that place, the picture of one inch of height)."""
    spot = plane.to_table(at[None])[0]
    step = 0.25
    east, north, here = plane.to_picture(np.array([spot + (step, 0), spot + (0, step), spot]))
    across = np.column_stack([east - here, north - here]) / step
    axes, lengths, _ = np.linalg.svd(across)
    tilt = np.arccos(np.clip(lengths[1] / lengths[0], 0, 1))
    away = axes[:, 1]
    # What stands leans away from the camera, to where everything is smaller.
    if _inch_there(plane, at + away * lengths[1]) > _inch_there(plane, at - away * lengths[1]):
        away = -away
    return across, away * lengths[0] * np.sin(tilt)


def _inch_there(plane: Plane, at: Floats) -> float:
    """How many square pixels a square inch of the table is there, up to a factor."""
    square = plane.to_table(at + np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]]))
    return 1.0 / max(shape.area(square), 1e-12)


def focal_length(shifted: Floats, width: float) -> float:
    """In pixels, since the table's axes are at right angles and of one length; a usual lens where that says nothing."""
    (a, b, _), (c, d, _), (e, f, _) = shifted
    across = np.array([a * b + c * d, a * a + c * c - b * b - d * d])
    ahead = np.array([e * f, e * e - f * f]) * width**2
    share = -float(across @ ahead) / max(float(across @ across), 1e-12)
    return width / np.sqrt(share) if NARROWEST**-2 < share < WIDEST**-2 else USUAL * width


def fit(quads: Sequence[Floats], size: tuple[int, int]) -> Plane | None:
    """The plane under these tiles; None without any tile."""
    if not quads:
        return None
    to_normal = normalised(size)
    normal = [apply(to_normal, quad) for quad in quads]
    horizon = find_horizon(normal)
    upright = find_affine([apply(horizon, quad) for quad in normal])
    if upright is None:
        return None
    to_plane = straightened(upright) @ horizon @ to_normal
    laid = [apply(to_plane, quad) for quad in quads]
    sides = np.array([np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean() for quad in laid])
    return sized(to_plane, laid, sides, TILE, size)


def fit_coins(outlines: Sequence[Floats], size: tuple[int, int]) -> Plane | None:
    """The plane under these coins, which are circles of one size; None where they are too few. How large it is is not
    known as well as from tiles: sets have coins of several sizes."""
    if len(outlines) < FEWEST_COINS:
        return None
    to_normal = normalised(size)
    normal = [apply(to_normal, outline) for outline in outlines]
    horizon = find_horizon([box(outline) for outline in normal])
    flat = [apply(horizon, outline) for outline in normal]
    # A circle is stretched by some matrix to what shows; what undoes that is the same for all.
    stretched = [np.linalg.inv(np.cov(outline.T)) for outline in flat]
    metric = np.median([each / np.sqrt(np.linalg.det(each)) for each in stretched], axis=0)
    to_plane = straightened(shape.root(metric)) @ horizon @ to_normal
    laid = [apply(to_plane, outline) for outline in outlines]
    wide = np.array([2 * np.sqrt(shape.area(outline) / np.pi) for outline in laid])
    return sized(to_plane, laid, wide, COIN, size)


def roundness(outlines: Sequence[Floats], plane: Plane) -> float:
    """How much longer than wide most of these coins are on the plane: 1 where it is true, or they are too few."""
    if len(outlines) < FEWEST_COINS:
        return 1.0
    spreads = [np.linalg.eigvalsh(np.cov(plane.to_table(outline).T)) for outline in outlines]
    return float(np.median([np.sqrt(most / max(least, 1e-12)) for least, most in spreads]))


def normalised(size: tuple[int, int]) -> Floats:
    """Picture pixels to numbers around nought: the longer side goes from -1 to 1."""
    width, height = size
    scale = max(size) / 2
    return np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, scale]]) / scale


def straightened(upright: Floats) -> Floats:
    """The 2x2 matrix as a map of the plane."""
    out = np.eye(3)
    out[:2, :2] = upright
    return out


def box(outline: Floats) -> Floats:
    """Four points around a coin's middle, as far away as its rim on the whole."""
    middle = outline.mean(axis=0)
    arm = np.sqrt(shape.area(outline) / np.pi)
    out: Floats = middle + arm * np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return out


def find_horizon(quads: Sequence[Floats]) -> Floats:
    """The projective part: identity but for its last row."""
    out = np.eye(3)
    if len(quads) < 3:
        out[2, :2] = horizon_of_one(max(quads, key=shape.area))
        return out
    centers = np.array([shape.crossing(quad) for quad in quads])
    roots = np.array([shape.area(quad) for quad in quads]) ** (1 / 3)
    rows = np.column_stack([centers, np.ones(len(quads))])
    weights = np.ones(len(quads))
    for _ in range(6):
        fitted = solve_soft(rows * weights[:, None], roots * weights)
        gap = np.abs(rows @ fitted - roots) / roots
        weights = 1 / (1 + (gap / max(0.006, float(np.median(gap)))) ** 2)
    out[2, :2] = fitted[:2] / fitted[2]
    return out


def solve_soft(rows: Floats, values: Floats) -> Floats:
    """Least squares that would rather see a table from straight above than believe noise."""
    soft = np.diag([1e-5, 1e-5, 0.0]) * len(rows)
    return np.linalg.solve(rows.T @ rows + soft, rows.T @ values)


def horizon_of_one(quad: Floats) -> Floats:
    """From one tile: the line through the vanishing points of its two pairs of sides."""
    full = np.column_stack([quad, np.ones(4)])
    sides = [np.cross(full[k], full[(k + 1) % 4]) for k in range(4)]
    line = np.cross(np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3]))
    if abs(line[2]) < 1e-9:
        return np.zeros(2)
    out: Floats = line[:2] / line[2]
    return out


def find_affine(quads: Sequence[Floats]) -> Floats | None:
    """The 2x2 matrix after which all sides are equally long and stand square."""
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
    trust = weights.copy()
    for _ in range(5):
        solution = np.linalg.svd(rows * trust[:, None])[2][-1]
        gap = np.abs(rows @ solution) * weights
        trust = weights / (1 + (gap / max(1e-3, 2 * float(np.median(gap)))) ** 2)
    metric = np.array([[solution[0], solution[1]], [solution[1], solution[2]]])
    metric = metric * np.sign(np.trace(metric))
    if np.linalg.eigvalsh(metric).min() <= 1e-6 * np.trace(metric):
        return None
    return shape.root(metric)


def sized(to_plane: Floats, laid: Sequence[Floats], lengths: Floats, true: float, size: tuple[int, int]) -> Plane:
    """In inches, y up and x along the picture's rows. `lengths`: how long each is on the plane that is `true` inches
    long."""
    usual = float(np.median(lengths))
    middle = origin(to_plane, laid, size)
    grow = true / usual
    to_inches = np.array([[grow, 0, -grow * middle[0]], [0, -grow, grow * middle[1]], [0, 0, 1.0]])
    homography = np.linalg.inv(to_inches @ to_plane)
    return Plane(homography / homography[2, 2], float(np.median(np.abs(lengths - usual)) / usual))


def origin(to_plane: Floats, laid: Sequence[Floats], size: tuple[int, int]) -> Floats:
    """What the middle of the picture shows of the table, whichever pieces are seen: as long as the camera stands still
    each piece keeps its place. The middle of what is laid, where the table at the middle of the picture is far away."""
    below = to_plane[2] @ (size[0] / 2, size[1] / 2, 1.0)
    middle: Floats = np.median([outline.mean(axis=0) for outline in laid], axis=0)
    near = 1.0 / (np.linalg.inv(to_plane)[2] @ (*middle, 1.0))
    if not 0 < FARTHEST * near <= below:
        return middle
    out: Floats = apply(to_plane, np.array([[size[0] / 2, size[1] / 2]]))[0]
    return out
