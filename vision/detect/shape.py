"""Outlines as numbers that change continuously with the shape.

A square has no first corner, and a net that must give its corners in order fails near 45 degrees. So a square is
represented by its ellipse (the symmetric 2x2 matrix that makes it from the unit square) and four times its angle inside
that ellipse; both change continuously when the square turns.

Functions from numbers to outlines take one shape or many at once (any leading axes)."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

HULL_TANGENTS: Final[Floats] = np.stack([-np.sin(np.arange(8) * np.pi / 4), np.cos(np.arange(8) * np.pi / 4)], axis=1)
QUARTER_TURNS: Final[Floats] = np.arange(4) * np.pi / 2
CIRCLE: Final[Floats] = np.stack([np.cos(np.arange(16) * np.pi / 8), np.sin(np.arange(16) * np.pi / 8)], axis=1)
HULL_DIRECTIONS: Final[Floats] = np.stack([np.cos(np.arange(8) * np.pi / 4), np.sin(np.arange(8) * np.pi / 4)], axis=1)
"""Unit vectors of the eight hull directions, the first to the right, then clockwise in the picture."""


def matrix_sqrt(matrix: Floats) -> Floats:
    """Symmetric square root of a symmetric positive matrix."""
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 1e-9))) @ vectors.T)


def spread(points: Floats) -> Floats:
    """Symmetric matrix that makes these corners from the corners (+-1, +-1)."""
    around = points - points.mean(axis=0)
    return matrix_sqrt(around.T @ around / len(points))


def disc_spread(points: Floats) -> Floats:
    """Symmetric matrix that makes this outline from the unit circle."""
    return np.asarray(spread(points) * np.sqrt(2.0))


def quad_phase(points: Floats, matrix: Floats) -> float:
    """Four times the angle of the first corner after making the ellipse round."""
    normal = (points - points.mean(axis=0)) @ np.linalg.inv(matrix)
    corners = normal[:, 0] + 1j * normal[:, 1]
    return float(np.angle(np.sum(corners**4)))


def symmetric(xx: Floats, xy: Floats, yy: Floats) -> Floats:
    """Symmetric 2x2 matrices from their three entries."""
    return np.stack([np.stack([xx, xy], axis=-1), np.stack([xy, yy], axis=-1)], axis=-2)


def quad(center: Floats, matrix: Floats, phase: Floats | float) -> Floats:
    """The four corners, clockwise in the picture, from the first one past `phase / 4`."""
    angles = np.asarray(phase)[..., None] / 4 + QUARTER_TURNS
    unit = np.sqrt(2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return np.asarray(center[..., None, :] + unit @ matrix)


def disc(center: Floats, matrix: Floats) -> Floats:
    """Sixteen points of the ellipse that `matrix` makes of the unit circle."""
    return center[..., None, :] + CIRCLE @ matrix


def supports(center: Floats, outline: Floats) -> Floats:
    """Extent of the outline from `center` in each of the eight directions."""
    return np.asarray(((outline - center) @ HULL_DIRECTIONS.T).max(axis=0))


def hull(center: Floats, reach: Floats) -> Floats:
    """The polygon of the eight support lines."""
    after = np.roll(reach, -1, axis=-1)
    along = (after - reach * np.cos(np.pi / 4)) / np.sin(np.pi / 4)
    return np.asarray(center[..., None, :] + HULL_DIRECTIONS * reach[..., None] + HULL_TANGENTS * along[..., None])


def crossing(corners: Floats) -> Floats:
    """Intersection of the diagonals: the projection of the square's true centre."""
    a, b, c, d = corners
    first, second = c - a, d - b
    cross = float(first[0] * second[1] - first[1] * second[0])
    if abs(cross) < 1e-9:
        return np.asarray(corners.mean(axis=0))
    start_gap = b - a
    share = float(start_gap[0] * second[1] - start_gap[1] * second[0]) / cross
    return np.asarray(a + share * first)


def area(outline: Floats) -> float:
    return float(cv2.contourArea(outline.astype(np.float32)))


def shared(one: Floats, other: Floats) -> float:
    """Area of the intersection of two convex outlines."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def inside(points: Floats, quads: Floats, tolerance_share: float = 0.0) -> NDArray[np.bool_]:
    """Mask (points x quads) of the points inside each convex quad, or outside by at most this share of its side."""
    sides = np.roll(quads, -1, axis=1) - quads
    offsets = points[:, None, None] - quads
    cross = sides[..., 0] * offsets[..., 1] - sides[..., 1] * offsets[..., 0]
    tolerance = tolerance_share * np.array([area(quad) for quad in quads])[:, None]
    return np.asarray((cross >= -tolerance).all(axis=2) | (cross <= tolerance).all(axis=2))
