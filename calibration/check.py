"""Whether a stored calibration still holds: checked at each start and in each still picture, in a few milliseconds.

Either the tiles are no longer equal squares under the stored plane: the camera's angle or height has changed. Or all
tiles moved together: the camera or the table was pushed. Then the plane is fitted again, and its frame is placed so
that the tiles keep their positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from calibration.bundle import USUAL_SIGMA
from calibration.plane import TablePlane, from_frame, from_tiles, mm_per_pixel
from vision.detect import shape
from vision.detect.shape import Floats

MAX_SHIFT_MM: Final = 150.0
"""Largest shift (mm) of the table in the picture that a bump may cause."""
BIN_MM: Final = 12.0
BUMP_MM: Final = 4.0
BUMP_DEG: Final = 0.7
BUMP_DEVIATION: Final = 0.01
MIN_TILES: Final = 3
DIAGONAL: Final = float(np.sqrt(2))


class CalibrationState(StrEnum):
    TRUE = "true"
    BUMPED = "bumped"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Check:
    """`deviation`: of the tiles from squares of the right size (relative, robust). `moved_mm`, `turned_deg`: their
    common motion, where enough of them can be matched."""

    state: CalibrationState
    deviation: float
    moved_mm: float
    turned_deg: float
    words: str


@dataclass(frozen=True, slots=True)
class Motion:
    """A rigid motion of the plane: a rotation about the origin, then a shift; `residual`: the matches' median (mm)."""

    turn: float
    shift: Floats
    matched: list[tuple[int, int]]
    residual: float

    @property
    def score(self) -> float:
        return len(self.matched) - self.residual

    def apply(self, points: Floats) -> Floats:
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(points @ np.array([[c, s], [-s, c]]) + self.shift)


def check(plane: TablePlane, quads: Sequence[Floats], resting: Floats) -> Check:
    """Compare a plane with the tiles of a still picture; `resting`: the tiles' positions (mm) at the last look."""
    if len(quads) < MIN_TILES:
        return Check(CalibrationState.UNSURE, 0.0, 0.0, 0.0, "too few tiles in the picture to check the calibration")
    deviation, expected = deviation_from_squares(plane, quads)
    now = positions_of(plane, quads)
    motion = common_motion(resting, now)
    moved, turned = motion_size(motion, now)
    state, words = CalibrationState.TRUE, "the calibration still holds"
    if deviation > max(BUMP_DEVIATION, 3 * expected):
        state, words = CalibrationState.BUMPED, "the camera or the table was moved: calibrated again"
    elif motion is not None and (moved > BUMP_MM or abs(turned) > BUMP_DEG):
        words = f"the camera or the table was pushed by {moved:.0f} mm and {abs(turned):.1f} degrees: calibrated again"
        state = CalibrationState.BUMPED
    return Check(state, deviation, moved, turned, words)


def positions_of(plane: TablePlane, quads: Sequence[Floats]) -> Floats:
    return plane.to_table(np.array([shape.crossing(quad) for quad in quads]))


def deviation_from_squares(plane: TablePlane, quads: Sequence[Floats]) -> tuple[float, float]:
    """Relative deviation of the tiles from squares of the right size under this plane, and the deviation that their
    corners' usual error explains. All sides and diagonals are fitted for size, for stretch in any direction (also where
    all tiles lie in rows, which sides alone would not show) and for growth over the table."""
    seen = np.array(quads)
    flat = plane.to_table(seen.reshape(-1, 2)).reshape(seen.shape)
    starts, ends = flat[:, [0, 1, 2, 3, 0, 1]], flat[:, [1, 2, 3, 0, 2, 3]]
    edges, middles = (ends - starts).reshape(-1, 2), ((starts + ends) / 2).reshape(-1, 2)
    nominal = plane.tile * np.tile([1, 1, 1, 1, DIAGONAL, DIAGONAL], len(flat))
    logs = np.log(np.maximum(np.hypot(edges[:, 0], edges[:, 1]), 1e-6) / nominal)
    turns = 2 * np.arctan2(edges[:, 1], edges[:, 0])
    offset = (middles - middles.mean(axis=0)) / max(float(np.abs(middles - middles.mean(axis=0)).mean()), 1e-6)
    rows = np.column_stack([np.ones(len(logs)), np.cos(turns), np.sin(turns), offset])
    misread = max(plane.accuracy.sigma, USUAL_SIGMA)  # a plane from the sheet tells nothing of how tiles are detected
    usual = float(np.median(mm_per_pixel(plane.lens, plane.view, seen.mean(axis=1)))) * misread / plane.tile
    return float(np.linalg.norm(robust_fit(rows, logs))), usual * np.sqrt(5.0 / len(seen))


def robust_fit(rows: Floats, values: Floats) -> Floats:
    """Coefficients of a robust least-squares fit (reweighted): a wrong outline is no bump."""
    residual = np.abs(values - float(np.median(values)))
    for _ in range(4):
        weights = 1 / (1 + (residual / max(0.01, 2 * float(np.median(residual)))) ** 2)
        matrix = (rows * weights[:, None]).T @ rows + 1e-6 * np.eye(rows.shape[1])
        line = np.linalg.solve(matrix, (rows * weights[:, None]).T @ values)
        residual = np.abs(values - rows @ line)
    return np.asarray(line, dtype=np.float64)


def motion_size(motion: Motion | None, now: Floats) -> tuple[float, float]:
    """Shift (mm, at the middle of the tiles) and rotation (degrees) of a motion."""
    if motion is None:
        return 0.0, 0.0
    middle = now.mean(axis=0)[None]
    return float(np.linalg.norm(motion.apply(middle) - middle)), float(np.degrees(motion.turn))


def common_motion(before: Floats, now: Floats) -> Motion | None:
    """The motion that takes tiles back to where they lay before; None where too few agree (many were moved)."""
    if min(len(before), len(now)) < MIN_TILES:
        return None
    best: Motion | None = None
    for turn in np.radians([0.0, -3.0, 3.0, -6.0, 6.0]):
        found = motion_near(before, now, float(turn))
        if found is not None and (best is None or found.score > best.score):
            best = found
        if best is not None and len(best.matched) >= 0.9 * min(len(before), len(now)):
            break  # the usual case: nothing was touched
    return best


def motion_near(before: Floats, now: Floats, turn: float) -> Motion | None:
    """The best motion near a rotation: the shift with most votes, then nearest neighbours and best motion in turns."""
    middle = now.mean(axis=0)
    c, s = np.cos(turn), np.sin(turn)
    motion = Motion(turn, middle - middle @ np.array([[c, s], [-s, c]]), [], np.inf)
    motion = Motion(turn, motion.shift + voted_shift(before, motion.apply(now)), [], np.inf)
    for reach in (20.0, 15.0, 8.0, 4.0):
        pairs = mutual_neighbours(before, motion.apply(now), reach)
        if len(pairs) < MIN_TILES:
            return None
        motion = best_motion(before, now, pairs)
    enough = len(motion.matched) >= max(MIN_TILES, 0.6 * min(len(before), len(now)))
    return motion if enough and motion.residual < 2.0 else None


def voted_shift(before: Floats, now: Floats) -> Floats:
    """The shift with most votes of all pairs; of equal ones the smallest, since rows of tiles repeat."""
    shifts = (before[:, None] - now[None]).reshape(-1, 2)
    edges = np.arange(-MAX_SHIFT_MM, MAX_SHIFT_MM + BIN_MM, BIN_MM)
    votes = np.histogram2d(shifts[:, 0], shifts[:, 1], bins=(edges, edges))[0]
    near = votes[:-1, :-1] + votes[1:, :-1] + votes[:-1, 1:] + votes[1:, 1:]
    crossings = edges[1:-1]
    lengths = np.hypot(crossings[:, None], crossings[None])
    row, column = np.unravel_index(np.argmax(near - lengths / MAX_SHIFT_MM), near.shape)
    peak = np.array([crossings[row], crossings[column]])
    voters = shifts[(np.abs(shifts - peak) < BIN_MM).all(axis=1)]
    return np.median(voters, axis=0) if len(voters) else np.zeros(2)


def mutual_neighbours(before: Floats, moved: Floats, reach: float) -> list[tuple[int, int]]:
    """Index pairs (before, now) of mutual nearest neighbours within `reach`."""
    distances = np.linalg.norm(before[:, None] - moved[None], axis=2)
    nearest, back = distances.argmin(axis=0), distances.argmin(axis=1)
    return [(int(i), j) for j, i in enumerate(nearest) if back[i] == j and distances[i, j] < reach]


def best_motion(before: Floats, now: Floats, pairs: Sequence[tuple[int, int]]) -> Motion:
    there, here = before[[i for i, _ in pairs]], now[[j for _, j in pairs]]
    a, b = here - here.mean(axis=0), there - there.mean(axis=0)
    turn = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b)))
    c, s = np.cos(turn), np.sin(turn)
    shift = there.mean(axis=0) - here.mean(axis=0) @ np.array([[c, s], [-s, c]])
    motion = Motion(turn, shift, list(pairs), 0.0)
    return replace(motion, residual=float(np.median(np.linalg.norm(motion.apply(here) - there, axis=1))))


def refit(plane: TablePlane, quads: Sequence[Floats], resting: Floats) -> TablePlane:
    """The plane fitted to these tiles, with the lens as a prior and the tiles at the positions they had."""
    new = from_tiles(quads, plane.lens.aged(), plane.tile, plane.height)
    new = new.moved_to(nearest_frame(plane, new))
    back = common_motion(resting, positions_of(new, quads))
    return new if back is None else new.moved_to(frame_after(new.frame, back))


def nearest_frame(old: TablePlane, new: TablePlane) -> Floats:
    """The frame in which the middle of the picture keeps its position and direction."""
    width, height = new.lens.size
    seen = np.array([[0.45, 0.5], [0.55, 0.5], [0.5, 0.45], [0.5, 0.55]]) * (width, height)
    motion = best_motion(old.to_table(seen), new.to_table(seen), [(k, k) for k in range(4)])
    return frame_after(new.frame, motion)


def frame_after(frame: Floats, motion: Motion) -> Floats:
    """The frame in which every position is moved by `motion`."""
    turned = np.array([frame[0], frame[1], frame[2] + motion.turn])
    origin = from_frame(turned, -motion.shift[None])[0]
    return np.array([origin[0], origin[1], turned[2]])
