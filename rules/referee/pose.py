"""The pose of a board on the table, with the perspective of a camera, whatever table plane was calibrated.

A wrong plane (few tiles, or tiles on top of each other) bends the picture of the board, and high pieces look
displaced. Both are a projection of space onto a plane: a fraction with eleven parameters, fitted with priors around
zero.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rules.referee.exposure import HeightMap
from rules.referee.tuning import TUNING, PoseSearchLimits

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Perspective:
    """The projection of a point of the board: (A p + b + v z) / (1 + g p + k z). `numbers` are A (less one), b, v
    for x, the same for y, then g and k; places are relative to `middle` in units of `reach`."""

    middle: Spot = (0.0, 0.0)
    reach: float = 1.0
    numbers: tuple[float, ...] = (0.0,) * 11

    def project(self, x: Number, y: Number, z: Number) -> tuple[Number, Number]:
        """Of one point, or of arrays of points."""
        px, py = (x - self.middle[0]) / self.reach, (y - self.middle[1]) / self.reach
        a, b, c, d, e, f, g, h, i, j, k = self.numbers
        below = 1 + i * px + j * py + k * z
        qx = ((1 + a) * px + b * py + c + d * z) / below
        qy = (e * px + (1 + f) * py + g + h * z) / below
        return self.middle[0] + self.reach * qx, self.middle[1] + self.reach * qy

    def unproject(self, x: float, y: float, z: float = 0.0) -> Spot:
        """The point of this height that appears here."""
        qx, qy = (x - self.middle[0]) / self.reach, (y - self.middle[1]) / self.reach
        a, b, c, d, e, f, g, h, i, j, k = self.numbers
        rows = (1 + a - qx * i, b - qx * j, e - qy * i, 1 + f - qy * j)
        right = (qx * (1 + k * z) - c - d * z, qy * (1 + k * z) - g - h * z)
        det = rows[0] * rows[3] - rows[1] * rows[2]
        px = (right[0] * rows[3] - right[1] * rows[1]) / det
        py = (rows[0] * right[1] - rows[2] * right[0]) / det
        return self.middle[0] + self.reach * px, self.middle[1] + self.reach * py

    def is_valid(self, limits: PoseSearchLimits = TUNING.pose_search) -> bool:
        """Whether the board is neither turned over nor cut by the horizon."""
        a, b, _, _, e, f, _, _, i, j, _ = self.numbers
        return (1 + a) * (1 + f) - b * e > limits.turned_over and abs(i) + abs(j) < limits.horizon


def centre_and_radius(points: Floats) -> tuple[Spot, float]:
    """The centre of a board and its largest distance from it, along x or y."""
    x, y = points[:, :2].mean(axis=0)
    return (float(x), float(y)), max(1.0, float(np.abs(points[:, :2] - (x, y)).max()))


def scaled(points: Floats, scale: float) -> Perspective:
    grown = scale - 1
    return Perspective(*centre_and_radius(points), (grown, 0.0, 0.0, 0.0, 0.0, grown, *[0.0] * 5))


def fit_perspective(
    points: Floats,
    seen: Floats,
    weights: Sequence[float] | Floats,
    error_share: float = 1.0,
    limits: PoseSearchLimits = TUNING.pose_search,
) -> tuple[Perspective, float]:
    """The maximum a posteriori perspective that takes the points (x, y, height) to where they were seen, and the
    cost of its freedom in nats (Laplace): how much less likely such parameters are than none, and how much of their
    prior the sightings rule out. `weights`: inverse variance of each place, in spaces squared. `error_share`: error
    of the table plane as a share of the largest expected."""
    middle, reach = centre_and_radius(points)
    (px, py), z = ((points[:, :2] - middle) / reach).T, points[:, 2]
    qx, qy = ((seen - middle) / reach).T
    one, zero = np.ones(len(points)), np.zeros(len(points))
    across = [px, py, one, z, zero, zero, zero, zero, -qx * px, -qx * py, -qx * z]
    along = [zero, zero, zero, zero, px, py, one, z, -qy * px, -qy * py, -qy * z]
    rows = np.concatenate([np.column_stack(across), np.column_stack(along)])
    each = (limits.shape, limits.shape, limits.place, limits.height) * 2
    spread = error_share * np.array((*each, *(limits.depth,) * 3)) / reach
    rows *= spread  # each number in units of its expected size
    weighed = rows * np.tile(np.asarray(weights) * reach**2, 2)[:, None]
    matrix = np.eye(11) + weighed.T @ rows
    numbers = np.linalg.solve(matrix, weighed.T @ np.concatenate([qx - px, qy - py]))
    cost = (float(numbers @ numbers) + float(np.linalg.slogdet(matrix)[1])) / 2
    return Perspective(middle, reach, tuple(float(number) for number in numbers * spread)), cost


@dataclass(frozen=True, slots=True)
class Registration:
    """Board to table: a camera's perspective, then a turn counter-clockwise by `turn` degrees, then a shift."""

    turn: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    perspective: Perspective | None = None

    @staticmethod
    def of(turn: complex, shift: complex, perspective: Perspective | None = None) -> Registration:
        """From the complex numbers that turn and shift the table's plane."""
        return Registration(math.degrees(cmath.phase(turn)), shift.real, shift.imag, perspective)

    def to_table(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        if self.perspective is not None:
            x, y = self.perspective.project(x, y, z)
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return cos * x - sin * y + self.dx, sin * x + cos * y + self.dy

    def places(self, points: Floats) -> Floats:
        """Table positions of the points (rows of x, y and height)."""
        flat = points[:, :2] if self.perspective is None else np.column_stack(self.perspective.project(*points.T))
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        out: Floats = flat @ np.array([[c, s], [-s, c]]) + (self.dx, self.dy)
        return out

    def to_board(self, x: float, y: float) -> tuple[float, float]:
        x, y = self.unrotated(x, y)
        return (x, y) if self.perspective is None else self.perspective.unproject(x, y)

    def unrotated(self, x: float, y: float) -> tuple[float, float]:
        """The shift and turn undone; the perspective stays."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x - self.dx, y - self.dy
        return c * x + s * y, -s * x + c * y

    def surface_place(self, height_map: HeightMap, x: float, y: float) -> tuple[float, float]:
        """The board position of a sighting: the first surface on its line of sight."""
        if self.perspective is None:
            return self.to_board(x, y)
        flat = self.unrotated(x, y)
        for height in height_map.heights:
            place = self.perspective.unproject(*flat, height)
            if height_map.at(*place) >= height - 1e-3:
                return place
        return self.perspective.unproject(*flat)
