"""A board as a camera sees it, whatever the table plane was taken for.

A wrong plane (few tiles, or tiles that lie on one another) bends the picture of the board, and what lies high looks
displaced. Both together are what any camera does to points in space, whatever plane its picture was laid on: one
fraction with eleven numbers. They are fitted to everything that was found, and stay near nought where little was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.referee.tuning import TUNING, Bending

Numbers = tuple[float, ...]
Spot = tuple[float, float]
Point = tuple[float, float, float]

_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class Perspective:
    """Where a point of the board appears: (A p + b + v z) / (1 + g p + k z). `numbers` are A (less one), b, v for x,
    the same for y, then g and k; places are measured from `middle` in units of `reach`."""

    middle: Spot = (0.0, 0.0)
    reach: float = 1.0
    numbers: Numbers = (0.0,) * 11

    def appears(self, x: float, y: float, z: float = 0.0) -> Spot:
        px, py = (x - self.middle[0]) / self.reach, (y - self.middle[1]) / self.reach
        a, b, c, d, e, f, g, h, i, j, k = self.numbers
        below = 1 + i * px + j * py + k * z
        qx = ((1 + a) * px + b * py + c + d * z) / below
        qy = (e * px + (1 + f) * py + g + h * z) / below
        return self.middle[0] + self.reach * qx, self.middle[1] + self.reach * qy

    def lies(self, x: float, y: float, z: float = 0.0) -> Spot:
        """Where what appears here lies, if it is so high."""
        qx, qy = (x - self.middle[0]) / self.reach, (y - self.middle[1]) / self.reach
        a, b, c, d, e, f, g, h, i, j, k = self.numbers
        rows = (1 + a - qx * i, b - qx * j, e - qy * i, 1 + f - qy * j)
        right = (qx * (1 + k * z) - c - d * z, qy * (1 + k * z) - g - h * z)
        det = rows[0] * rows[3] - rows[1] * rows[2]
        px = (right[0] * rows[3] - right[1] * rows[1]) / det
        py = (rows[0] * right[1] - rows[2] * right[0]) / det
        return self.middle[0] + self.reach * px, self.middle[1] + self.reach * py

    def strain(self, bending: Bending = TUNING.bending) -> float:
        """How far it is from a rigid motion, all in all: 1 for each number that is as large as expected."""
        return sum((number / one) ** 2 for number, one in zip(self.numbers, _spread(self.reach, bending), strict=True))

    def is_sound(self, bending: Bending = TUNING.bending) -> bool:
        """Whether the board is neither turned over nor cut by the horizon."""
        a, b, _, _, e, f, _, _, i, j, _ = self.numbers
        return (1 + a) * (1 + f) - b * e > bending.turned_over and abs(i) + abs(j) < bending.horizon


def fitted(
    points: Sequence[Point], seen: Sequence[Spot], weights: Sequence[float], bending: Bending = TUNING.bending
) -> Perspective:
    """The perspective that takes the points to where they were seen; pairs that do not agree lose their weight."""
    middle = (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))
    reach = max(1.0, *(abs(p[k] - middle[k]) for p in points for k in (0, 1)))
    found = Perspective(middle, reach)
    trust = list(weights)
    for _ in range(bending.rounds):
        found = Perspective(middle, reach, _solved(found, points, seen, trust, bending))
        gaps = [_gap(found.appears(*p), q) / (bending.far * bending.noise) for p, q in zip(points, seen, strict=True)]
        trust = [w / (1 + gap * gap) for w, gap in zip(weights, gaps, strict=True)]
    return found


def _gap(one: Spot, other: Spot) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _solved(
    frame: Perspective, points: Sequence[Point], seen: Sequence[Spot], trust: Sequence[float], bending: Bending
) -> Numbers:
    """Least squares, each number drawn towards nought as strongly as it is expected to lie there."""
    reach = frame.reach
    matrix = [[0.0] * 11 for _ in range(11)]
    right = [0.0] * 11
    for row, one in enumerate(_spread(reach, bending)):
        matrix[row][row] = (bending.noise / reach / one) ** 2
    for (x, y, z), (u, v), weight in zip(points, seen, trust, strict=True):
        px, py = (x - frame.middle[0]) / reach, (y - frame.middle[1]) / reach
        qx, qy = (u - frame.middle[0]) / reach, (v - frame.middle[1]) / reach
        _add(matrix, right, (px, py, 1.0, z, 0.0, 0.0, 0.0, 0.0, -qx * px, -qx * py, -qx * z), qx - px, weight)
        _add(matrix, right, (0.0, 0.0, 0.0, 0.0, px, py, 1.0, z, -qy * px, -qy * py, -qy * z), qy - py, weight)
    return tuple(_eliminated(matrix, right))


def _spread(reach: float, bending: Bending) -> list[float]:
    """How large each number is expected to be."""
    each = (bending.shape, bending.shape, bending.place, bending.height) * 2 + (bending.depth,) * 3
    return [one / reach for one in each]


def _add(matrix: list[list[float]], right: list[float], row: Numbers, value: float, weight: float) -> None:
    used = [(k, one) for k, one in enumerate(row) if one]
    for i, one in used:
        right[i] += weight * one * value
        line = matrix[i]
        for j, other in used:
            line[j] += weight * one * other


def _eliminated(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The matrix is symmetric and positive, so no rows need be exchanged."""
    size = len(right)
    for k in range(size):
        for i in range(k + 1, size):
            share = matrix[i][k] / max(matrix[k][k], _LEAST)
            if share:
                right[i] -= share * right[k]
                for j in range(k, size):
                    matrix[i][j] -= share * matrix[k][j]
    out = [0.0] * size
    for k in reversed(range(size)):
        known = sum(matrix[k][j] * out[j] for j in range(k + 1, size))
        out[k] = (right[k] - known) / max(matrix[k][k], _LEAST)
    return out
