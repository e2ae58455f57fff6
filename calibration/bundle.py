"""Bundle adjustment of flat things: tiles, the sheet, dragged corners; one picture or many.

Every flat thing of known shape (a tile is a square, the sheet a grid) lies on the plane of its picture. Unknown are the
lens, each picture's plane (two tilts and a depth) and each thing's pose on it. The lens has a prior, so one picture of
three tiles is no special case: parameters that it does not determine keep their prior, and the covariance shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.lens import NUMBERS, Lens, normal_of, on_plane
from vision.detect.shape import Floats
from vision.rectify import apply

USUAL_SIGMA: Final = 0.7
"""Prior of the corners' error (pixels, standard deviation); PRIOR_WEIGHT: its weight in degrees of freedom."""
PRIOR_WEIGHT: Final = 4.0
STEPS: Final = 40
MAX_STEP: Final = 0.2
"""Largest change of a tilt, depth or focal length in one step (radians, natural logarithm)."""
OUTLIER: Final = 3.0
"""Residuals this many times the usual one get little weight."""
MIN_USUAL_RESIDUAL: Final = 0.15
"""Least usual residual (pixels): small residuals are no outliers, however exact the rest is."""


@dataclass(frozen=True, slots=True)
class FlatThing:
    """A flat rigid thing: its points (mm) in its own axes and their pixels in picture `view`."""

    shape: Floats
    seen: Floats
    view: int = 0
    independent: bool = False
    """Whether its points are weighted one by one (a printed grid's corners) instead of together (a tile's)."""
    lift: float = 0.0
    """Height above the plane (mm)."""


@dataclass(frozen=True, slots=True)
class BundleStart:
    """Initial parameters: a row (tilt x, tilt y, log depth) per picture and (x, y, angle) per thing."""

    views: Floats
    places: Floats


@dataclass(frozen=True, slots=True)
class BundleFit:
    """`spread`: covariance of (lens, first picture's plane), 10 x 10; `sigma`: the corners' error (pixels); `trust`:
    weight of each thing, 0 to 1."""

    lens: Lens
    views: Floats
    places: Floats
    spread: Floats
    sigma: float
    trust: Floats


@dataclass(slots=True)
class BundleProblem:
    """All points in one array, with the index of the thing and the picture of each; points of one `group` share a
    weight."""

    lens: Lens
    shape: Floats
    seen: Floats
    thing: np.ndarray
    view: np.ndarray
    group: np.ndarray
    lift: Floats
    counts: tuple[int, int]
    """Numbers of pictures and of things."""
    precision: Floats
    """Inverse covariance of the lens's prior."""

    def project(self, numbers: Floats, views: Floats, places: Floats) -> Floats:
        """Predicted pixels of every point."""
        x, y, turn = places[self.thing].T
        c, s = np.cos(turn), np.sin(turn)
        flat = np.stack(
            [x + c * self.shape[:, 0] - s * self.shape[:, 1], y + s * self.shape[:, 0] + c * self.shape[:, 1]]
        )
        own = views[self.view]
        lens = replace(self.lens, numbers=numbers)
        return lens.project(on_plane(own, flat.T) - self.lift[:, None] * normal_of(own))


def problem_of(things: Sequence[FlatThing], lens: Lens) -> BundleProblem:
    sizes = [len(thing.shape) for thing in things]
    return BundleProblem(
        lens,
        np.concatenate([thing.shape for thing in things]),
        np.concatenate([thing.seen for thing in things]),
        np.repeat(np.arange(len(things)), sizes),
        np.repeat([thing.view for thing in things], sizes),
        groups_of(things),
        np.repeat([thing.lift for thing in things], sizes),
        (max(thing.view for thing in things) + 1, len(things)),
        np.asarray(np.linalg.inv(lens.spread), np.float64),
    )


def groups_of(things: Sequence[FlatThing]) -> np.ndarray:
    """Group number of each point; points of one group share a weight."""
    found, first = [], 0
    for thing in things:
        own = np.arange(len(thing.shape)) if thing.independent else np.zeros(len(thing.shape), dtype=np.int64)
        found.append(own + first)
        first += int(own[-1]) + 1
    return np.concatenate(found)


def unpacked(problem: BundleProblem, values: Floats) -> tuple[Floats, Floats, Floats]:
    views, places = problem.counts
    cut = NUMBERS + 3 * views
    return values[:NUMBERS], values[NUMBERS:cut].reshape(views, 3), values[cut:].reshape(places, 3)


def residuals(problem: BundleProblem, values: Floats) -> Floats:
    return problem.project(*unpacked(problem, values)) - problem.seen


def jacobian(problem: BundleProblem, values: Floats, base: Floats) -> Floats:
    """The Jacobian by differences: all pictures and all things are moved at once, since no point depends on two."""
    out = np.zeros((len(base), 2, len(values)))
    rows = np.arange(len(base))
    views = problem.counts[0]
    for number in range(NUMBERS):
        out[:, :, number] = difference_quotient(problem, values, base, np.array([number]), 1e-6)
    for part in range(3):
        moved = difference_quotient(problem, values, base, NUMBERS + 3 * np.arange(views) + part, 1e-6)
        out[rows, :, NUMBERS + 3 * problem.view + part] = moved
        first = NUMBERS + 3 * views + part
        step = 1e-6 if part == 2 else 1e-3
        moved = difference_quotient(problem, values, base, np.arange(first, len(values), 3), step)
        out[rows, :, first + 3 * problem.thing] = moved
    return out.reshape(-1, len(values))


def difference_quotient(
    problem: BundleProblem, values: Floats, base: Floats, columns: np.ndarray, step: float
) -> Floats:
    moved = values.copy()
    moved[columns] += step
    return (residuals(problem, moved) - base) / step


def robust_weights(problem: BundleProblem, residual: Floats) -> Floats:
    """Robust weight of each point: near one for usual groups, near zero for outliers; one where there are few
    groups."""
    total = np.bincount(problem.group, (residual**2).sum(axis=1))
    if len(total) < 3:
        return np.ones(len(residual))
    deviations = np.sqrt(total / (2 * np.bincount(problem.group)))
    usual = max(MIN_USUAL_RESIDUAL, float(np.median(deviations)))
    return np.asarray((1 / (1 + (deviations / (OUTLIER * usual)) ** 4) ** 2)[problem.group])


def mean_weights(problem: BundleProblem, trust: Floats) -> Floats:
    """Mean weight of each thing's points."""
    return np.bincount(problem.thing, trust) / np.bincount(problem.thing)


def fit(things: Sequence[FlatThing], lens: Lens, start: BundleStart, sigma: float = USUAL_SIGMA) -> BundleFit:
    """The maximum-likelihood lens, planes and poses. `sigma`: expected error of corners (pixels)."""
    problem = problem_of(things, lens)
    values = np.concatenate([lens.numbers, start.views.ravel(), start.places.ravel()])
    noise, damping, residual = sigma, 1e-3, residuals(problem, values)
    for _ in range(STEPS):
        trust = robust_weights(problem, residual)
        values, residual, damping, decrease = step(problem, values, residual, trust, noise, damping)
        noise = noise_of(problem, residual, trust, sigma)
        if decrease < 1e-5:
            break
    return fit_of(problem, values, residual, noise)


def cost_of(problem: BundleProblem, values: Floats, residual: Floats, trust: Floats, noise: float) -> float:
    deviation = values[:NUMBERS] - problem.lens.numbers
    return float((trust * (residual**2).sum(axis=1)).sum() / noise**2 + deviation @ problem.precision @ deviation)


def normal_equations(
    problem: BundleProblem, values: Floats, residual: Floats, trust: Floats, noise: float
) -> tuple[Floats, Floats]:
    slopes = jacobian(problem, values, residual)
    weights = np.repeat(trust, 2) / noise**2
    matrix = (slopes * weights[:, None]).T @ slopes
    target = slopes.T @ (weights * residual.ravel())
    matrix[:NUMBERS, :NUMBERS] += problem.precision
    target[:NUMBERS] += problem.precision @ (values[:NUMBERS] - problem.lens.numbers)
    matrix[np.diag_indices_from(matrix)] += 1e-9  # a thing without weight must not make the system singular
    return matrix, target


def step(
    problem: BundleProblem, values: Floats, residual: Floats, trust: Floats, noise: float, damping: float
) -> tuple[Floats, Floats, float, float]:
    """One Levenberg-Marquardt step: values, residuals, damping and the relative decrease of the cost."""
    cost = cost_of(problem, values, residual, trust, noise)
    matrix, target = normal_equations(problem, values, residual, trust, noise)
    for _ in range(8):
        change = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), target)
        moved = values - change / max(1.0, float(np.abs(change[: NUMBERS + 3 * problem.counts[0]]).max()) / MAX_STEP)
        after = residuals(problem, moved)
        new_cost = cost_of(problem, moved, after, trust, noise)
        if np.isfinite(new_cost) and new_cost <= cost:
            return moved, after, max(damping / 8, 1e-9), (cost - new_cost) / max(cost, 1e-12)
        damping *= 10
    return values, residual, damping, 0.0


def noise_of(problem: BundleProblem, residual: Floats, trust: Floats, sigma: float) -> float:
    """Posterior error of corners (pixels), from the residuals and its prior."""
    total = float((trust * (residual**2).sum(axis=1)).sum())
    placed = 3 * float(mean_weights(problem, trust).sum())
    free = max(0.0, 2 * float(trust.sum()) - placed - 3 * problem.counts[0])
    return float(np.sqrt((total + PRIOR_WEIGHT * sigma**2) / (free + PRIOR_WEIGHT)))


def fit_of(problem: BundleProblem, values: Floats, residual: Floats, noise: float) -> BundleFit:
    trust = robust_weights(problem, residual)
    matrix = normal_equations(problem, values, residual, trust, noise)[0]
    spread: Floats = np.asarray(np.linalg.inv(matrix), np.float64)
    numbers, views, places = unpacked(problem, values)
    lens = replace(problem.lens, numbers=numbers, spread=spread[:NUMBERS, :NUMBERS])
    return BundleFit(lens, views, places, spread[: NUMBERS + 3, : NUMBERS + 3], noise, mean_weights(problem, trust))


# Initial parameters, near enough for the fit to converge to the best plane ---------------------------------------

DIRECTIONS: Final = tuple((float(np.cos(a)), float(np.sin(a))) for a in np.arange(8) * np.pi / 4)


def tile_start(things: Sequence[FlatThing], lens: Lens) -> BundleStart:
    """Start with the tilt under which the tiles are most like equal squares, by a coarse and then finer grid search."""
    seen = np.array([thing.seen for thing in things])
    tilts = [np.zeros(2)] + [tilt * np.array(way) for tilt in (0.25, 0.5, 0.75, 1.0) for way in DIRECTIONS]
    best = min(tilts, key=lambda tilt: deviation_from_squares(tilt, seen, lens)[0])
    for reach in (0.12, 0.06, 0.03, 0.015):
        best = min(
            (best, *(best + reach * np.array(way) for way in DIRECTIONS)),
            key=lambda t: deviation_from_squares(t, seen, lens)[0],
        )
    side = float(np.linalg.norm(things[0].shape[1] - things[0].shape[0]))
    view = np.array([*best, np.log(side / deviation_from_squares(best, seen, lens)[1])])
    return BundleStart(view[None], np.array([pose_of(thing, view, lens) for thing in things]))


def deviation_from_squares(tilt: Floats, seen: Floats, lens: Lens) -> tuple[float, float]:
    """Relative deviation (rms, of the median tile) from equal squares on a plane of this tilt at depth one, and their
    side there. All six lengths of a tile count: under the opposite tilt only two of them differ."""
    flat = lens.on_view(np.array([*tilt, 0.0]), seen.reshape(-1, 2)).reshape(seen.shape)
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, 2:] - flat[:, :2], axis=2) / np.sqrt(2)
    lengths = np.concatenate([sides, across], axis=1)
    side = max(float(np.median(lengths)), 1e-9)
    return float(np.median(np.sqrt(((lengths / side - 1) ** 2).mean(axis=1)))), side


def grid_start(things: Sequence[FlatThing], lens: Lens) -> BundleStart:
    """Start of a fit in which each thing is in a picture of its own."""
    views = []
    for thing in things:
        straight = lens.straight(thing.seen)
        views.append(view_from_homography(fitted_homography(thing.shape, straight), lens))
    return BundleStart(np.array(views), np.array([pose_of(t, v, lens) for t, v in zip(things, views, strict=True)]))


def fitted_homography(points: Floats, seen: Floats) -> Floats:
    """The homography by least squares over all points, both sides normalised first."""
    before, after = normalisation(points), normalisation(seen)
    here, there = apply(before, points), apply(after, seen)
    return np.linalg.inv(after) @ direct_linear_transform(here, there) @ before


def direct_linear_transform(points: Floats, seen: Floats) -> Floats:
    """The homography (of any scale) from four or more points to others, by the smallest singular vector."""
    rows = []
    for (x, y), (u, v) in zip(points, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    return np.asarray(np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3))


def normalisation(points: Floats) -> Floats:
    """The similarity (3 x 3) that centres the points and scales them to unit size."""
    middle = points.mean(axis=0)
    scale = 1 / max(float(np.abs(points - middle).max()), 1e-9)
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1.0]])


def view_from_homography(homography: Floats, lens: Lens) -> Floats:
    """(tilt x, tilt y, log depth) of a plane from its homography (y down) through this lens."""
    camera = np.array([[lens.focal, 0, lens.centre[0]], [0, lens.focal, lens.centre[1]], [0, 0, 1.0]])
    axes = np.linalg.inv(camera) @ homography
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    axes = axes * (1.0 if axes[2, 2] > 0 else -1.0)
    normal = np.cross(axes[:, 0], axes[:, 1])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    normal = normal * (1.0 if normal[2] > 0 else -1.0)
    depth = float(axes[:, 2] @ normal) / max(float(normal[2]), 0.2)
    rx = -np.arcsin(np.clip(normal[1], -0.98, 0.98))
    ry = np.arctan2(normal[0], max(float(normal[2]), 0.05))
    return np.array([rx, ry, np.log(max(depth, 1e-3))])


def pose_of(thing: FlatThing, view: Floats, lens: Lens) -> Floats:
    """Pose (x, y, angle) of a thing on a known plane, from its detected points (Procrustes)."""
    flat = lens.on_view(view, thing.seen, thing.lift)
    here, there = thing.shape - thing.shape.mean(axis=0), flat - flat.mean(axis=0)
    turn = np.arctan2(np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]), np.sum(here * there))
    c, s = np.cos(turn), np.sin(turn)
    x, y = flat.mean(axis=0) - np.array([[c, -s], [s, c]]) @ thing.shape.mean(axis=0)
    return np.array([x, y, turn])
