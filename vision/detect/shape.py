"""Shapes as numbers without jumps.

The corners of a square have no first one, and a net that must name them in order goes wrong near 45 degrees.
So a square is told as its ellipse (a symmetric 2x2 matrix that makes it from the unit square) and four times
its angle inside that ellipse; both change smoothly when the square turns.

What draws outlines from numbers does so for one shape or for many at once (any leading axes).
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TURNED: Final[Floats] = np.stack([-np.sin(np.arange(8) * np.pi / 4), np.cos(np.arange(8) * np.pi / 4)], axis=1)
QUARTERS: Final[Floats] = np.arange(4) * np.pi / 2
ROUND: Final[Floats] = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
EIGHT: Final[Floats] = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=1)
"""Unit vectors of the eight hull directions, the first to the right, then clockwise in the picture."""


def root(matrix: Floats) -> Floats:
    """The symmetric square root of a symmetric positive matrix."""
    values, vectors = np.linalg.eigh(matrix)
    out: Floats = (vectors * np.sqrt(np.maximum(values, 1e-9))) @ vectors.T
    return out


def spread(points: Floats) -> Floats:
    """The symmetric matrix that makes these corners from the corners (+-1, +-1)."""
    around = points - points.mean(axis=0)
    return root(around.T @ around / len(points))


def disc_spread(points: Floats) -> Floats:
    """The symmetric matrix that makes this outline from the unit circle."""
    out: Floats = spread(points) * np.sqrt(2.0)
    return out


def quad_phase(points: Floats, matrix: Floats) -> float:
    """Four times the angle of the first corner, once the ellipse is made round."""
    normal = (points - points.mean(axis=0)) @ np.linalg.inv(matrix)
    corners = normal[:, 0] + 1j * normal[:, 1]
    return float(np.angle(np.sum(corners**4)))


def symmetric(xx: Floats, xy: Floats, yy: Floats) -> Floats:
    return np.stack([np.stack([xx, xy], axis=-1), np.stack([xy, yy], axis=-1)], axis=-2)


def quad(center: Floats, matrix: Floats, phase: Floats | float) -> Floats:
    """The four corners, clockwise in the picture, from the first one past `phase / 4`."""
    angles = np.asarray(phase)[..., None] / 4 + QUARTERS
    unit = np.sqrt(2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    out: Floats = center[..., None, :] + unit @ matrix
    return out


def disc(center: Floats, matrix: Floats) -> Floats:
    return center[..., None, :] + ROUND @ matrix


def supports(center: Floats, outline: Floats) -> Floats:
    """How far the outline reaches from `center` in each of the eight directions."""
    out: Floats = ((outline - center) @ EIGHT.T).max(axis=0)
    return out


def hull(center: Floats, reach: Floats) -> Floats:
    """The polygon between the eight support lines."""
    after = np.roll(reach, -1, axis=-1)
    along = (after - reach * np.cos(np.pi / 4)) / np.sin(np.pi / 4)
    out: Floats = center[..., None, :] + EIGHT * reach[..., None] + TURNED * along[..., None]
    return out


def crossing(corners: Floats) -> Floats:
    """Where the diagonals meet: the picture of the square's true centre."""
    a, b, c, d = corners
    first, second = c - a, d - b
    cross = float(first[0] * second[1] - first[1] * second[0])
    if abs(cross) < 1e-9:
        mean: Floats = corners.mean(axis=0)
        return mean
    gap = b - a
    share = float(gap[0] * second[1] - gap[1] * second[0]) / cross
    out: Floats = a + share * first
    return out


def area(outline: Floats) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def shared(one: Floats, other: Floats) -> float:
    """The area that two convex outlines have in common."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def inside(points: Floats, quads: Floats, beside: float = 0.0) -> NDArray[np.bool_]:
    """Which point lies in which convex quad, or no further `beside` it than this share of its side (points x quads)."""
    sides = np.roll(quads, -1, axis=1) - quads
    away = points[:, None, None] - quads
    turns = sides[..., 0] * away[..., 1] - sides[..., 1] * away[..., 0]
    rooms = beside * np.array([area(quad) for quad in quads])[:, None]
    return np.asarray((turns >= -rooms).all(axis=2) | (turns <= rooms).all(axis=2))
