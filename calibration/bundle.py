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

from calibration.lens import NUMBERS, Lens, normal_of, on_plane, project
from vision.detect.shape import Floats

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

    def project(self, numbers: Floats, views: Floats, places: Floats) -> Floats:
        """Predicted pixels of every point."""
        x, y, turn = places[self.thing].T
        c, s = np.cos(turn), np.sin(turn)
        flat = np.stack(
            [x + c * self.shape[:, 0] - s * self.shape[:, 1], y + s * self.shape[:, 0] + c * self.shape[:, 1]]
        )
        own = views[self.view]
        return project(numbers, self.lens.size, on_plane(own, flat.T) - self.lift[:, None] * normal_of(own))


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


def robust_weights(problem: BundleProblem, rest: Floats) -> Floats:
    """Robust weight of each point: near one for usual groups, near zero for outliers; one where there are few
    groups."""
    total = np.bincount(problem.group, (rest**2).sum(axis=1))
    if len(total) < 3:
        return np.ones(len(rest))
    offs = np.sqrt(total / (2 * np.bincount(problem.group)))
    usual = max(MIN_USUAL_RESIDUAL, float(np.median(offs)))
    out: Floats = (1 / (1 + (offs / (OUTLIER * usual)) ** 4) ** 2)[problem.group]
    return out


def mean_weights(problem: BundleProblem, trust: Floats) -> Floats:
    """Mean weight of each thing's points."""
    return np.bincount(problem.thing, trust) / np.bincount(problem.thing)


def fit(things: Sequence[FlatThing], lens: Lens, start: BundleStart, sigma: float = USUAL_SIGMA) -> BundleFit:
    """The maximum-likelihood lens, planes and poses. `sigma`: expected error of corners (pixels)."""
    problem = problem_of(things, lens)
    values = np.concatenate([lens.numbers, start.views.ravel(), start.places.ravel()])
    precision: Floats = np.asarray(np.linalg.inv(lens.spread), dtype=np.float64)
    noise = sigma
    damping, rest = 1e-3, residuals(problem, values)
    for _ in range(STEPS):
        trust = robust_weights(problem, rest)
        cost = cost_of(problem, values, rest, trust, noise, precision)
        slopes = jacobian(problem, values, rest)
        moved, left, damping, gained = step(problem, values, rest, slopes, trust, noise, precision, damping, cost)
        values, rest = moved, left
        noise = noise_of(problem, rest, trust, sigma)
        if gained < 1e-5:
            break
    return fit_of(problem, values, rest, noise, precision, lens)


def cost_of(
    problem: BundleProblem, values: Floats, rest: Floats, trust: Floats, noise: float, precision: Floats
) -> float:
    away = values[:NUMBERS] - problem.lens.numbers
    return float((trust * (rest**2).sum(axis=1)).sum() / noise**2 + away @ precision @ away)


def normal_equations(
    problem: BundleProblem, values: Floats, rest: Floats, slopes: Floats, trust: Floats, noise: float, precision: Floats
) -> tuple[Floats, Floats]:
    weights = np.repeat(trust, 2) / noise**2
    matrix = (slopes * weights[:, None]).T @ slopes
    target = slopes.T @ (weights * rest.ravel())
    matrix[:NUMBERS, :NUMBERS] += precision
    target[:NUMBERS] += precision @ (values[:NUMBERS] - problem.lens.numbers)
    matrix[np.diag_indices_from(matrix)] += 1e-9  # a thing without weight must not make the system singular
    return matrix, target


def step(
    problem: BundleProblem,
    values: Floats,
    rest: Floats,
    slopes: Floats,
    trust: Floats,
    noise: float,
    precision: Floats,
    damping: float,
    cost: float,
) -> tuple[Floats, Floats, float, float]:
    """One Levenberg-Marquardt step: values, residuals, damping and the relative decrease of the cost."""
    matrix, target = normal_equations(problem, values, rest, slopes, trust, noise, precision)
    for _ in range(8):
        way = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix)), target)
        moved = values - way / max(1.0, float(np.abs(way[: NUMBERS + 3 * problem.counts[0]]).max()) / MAX_STEP)
        left = residuals(problem, moved)
        after = cost_of(problem, moved, left, trust, noise, precision)
        if np.isfinite(after) and after <= cost:
            return moved, left, max(damping / 8, 1e-9), (cost - after) / max(cost, 1e-12)
        damping *= 10
    return values, rest, damping, 0.0


def noise_of(problem: BundleProblem, rest: Floats, trust: Floats, sigma: float) -> float:
    """Posterior error of corners (pixels), from the residuals and its prior."""
    total = float((trust * (rest**2).sum(axis=1)).sum())
    placed = 3 * float(mean_weights(problem, trust).sum())
    free = max(0.0, 2 * float(trust.sum()) - placed - 3 * problem.counts[0])
    return float(np.sqrt((total + PRIOR_WEIGHT * sigma**2) / (free + PRIOR_WEIGHT)))


def fit_of(
    problem: BundleProblem, values: Floats, rest: Floats, noise: float, precision: Floats, lens: Lens
) -> BundleFit:
    trust = robust_weights(problem, rest)
    slopes = jacobian(problem, values, rest)
    matrix = normal_equations(problem, values, rest, slopes, trust, noise, precision)[0]
    spread: Floats = np.asarray(np.linalg.inv(matrix), dtype=np.float64)
    numbers, views, places = unpacked(problem, values)
    posterior_lens = replace(lens, numbers=numbers, spread=spread[:NUMBERS, :NUMBERS])
    known = spread[: NUMBERS + 3, : NUMBERS + 3]
    return BundleFit(posterior_lens, views, places, known, noise, mean_weights(problem, trust))
