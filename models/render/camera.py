"""Pinhole camera with lens distortion; world coordinates are inches, z up."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike

from models.render.raster import Doubles

Distortion = tuple[float, float, float, float, float]
FARTHEST = 0.5
"""Distance beyond the picture's edge, in widths, to which pixels are undistorted: 400 random lenses stay below .16,
and what a strong lens never shows has no place."""


@dataclass(frozen=True, slots=True)
class PinholeCamera:
    """Pinhole camera with OpenCV's five distortion terms; `rotation` and `shift` map world to camera."""

    width: int
    height: int
    focal: float
    centre: tuple[float, float]
    rotation: tuple[tuple[float, float, float], ...]
    shift: tuple[float, float, float]
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def matrix(self) -> Doubles:
        """Intrinsic matrix K."""
        return np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1.0]])

    @property
    def turn(self) -> Doubles:
        """Rotation matrix R."""
        return np.array(self.rotation, float)

    @property
    def place(self) -> Doubles:
        """Position of the camera in the world."""
        return np.asarray(-self.turn.T @ np.array(self.shift))

    def to_camera(self, points: Doubles) -> Doubles:
        """World points (n, 3) in camera coordinates."""
        return np.asarray(points @ self.turn.T + np.array(self.shift))

    def pinhole(self, points: Doubles) -> Doubles:
        """Pixels of world points without distortion."""
        seen = self.to_camera(points)
        return np.asarray(seen[:, :2] / seen[:, 2:3] * self.focal + np.array(self.centre))

    def project(self, points: Doubles) -> Doubles:
        """Pixels of world points with distortion."""
        return self.distort(self.pinhole(points))

    def distort(self, pixels: Doubles) -> Doubles:
        """Maps undistorted pixels to distorted ones."""
        x, y = ((pixels - np.array(self.centre)) / self.focal).T
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        bent_x = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        bent_y = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        return np.asarray(np.stack([bent_x, bent_y], 1) * self.focal + np.array(self.centre))

    def undistort(self, pixels: Doubles) -> Doubles:
        """Maps distorted pixels to undistorted ones."""
        if not any(self.distortion):
            return pixels
        size, beyond = np.array([self.width, self.height]), FARTHEST * max(self.width, self.height)
        guess = pixels.copy()
        for _ in range(12):  # far beyond the corners of a strong lens it does not converge
            guess = np.clip(guess + (pixels - self.distort(guess)), -beyond, size + beyond)
        return guess

    @property
    def shows_corners(self) -> bool:
        """Whether something is seen in the corners of the picture: strong barrel distortion leaves them empty."""
        corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * (self.width, self.height)
        return bool(np.abs(self.distort(self.undistort(corners)) - corners).max() < 1)

    def table_homography(self) -> Doubles:
        """Homography from (x, y, 1) on the table to undistorted pixels."""
        turn = self.turn
        plane = np.stack([turn[:, 0], turn[:, 1], np.array(self.shift)], axis=1)
        homography = self.matrix @ plane
        return np.asarray(homography / homography[2, 2])

    def bumped(self, turn: ArrayLike, push: ArrayLike) -> "PinholeCamera":
        """The camera after a small rotation (radians) and translation (inches) in its own axes."""
        knock = np.asarray(cv2.Rodrigues(np.array(turn, float))[0])
        rotation = knock @ self.turn
        shift = knock @ np.array(self.shift) + np.array(push)
        return replace(self, rotation=as_rows(rotation), shift=(shift[0], shift[1], shift[2]))


def as_rows(matrix: Doubles) -> tuple[tuple[float, float, float], ...]:
    """A 3x3 array as tuples."""
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in matrix)


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Camera placement in degrees, inches and pixels (see camera_at)."""

    width: int = 1280
    height: int = 720
    fov_deg: float = 62.0
    tilt_deg: float = 15.0
    turn_deg: float = 0.0
    roll_deg: float = 0.0
    distance: float = 20.0
    aim: tuple[float, float] = (0.0, 0.0)
    distortion: Distortion = (0.0, 0.0, 0.0, 0.0, 0.0)
    off_centre: tuple[float, float] = (0.0, 0.0)

    @property
    def focal(self) -> float:
        """Focal length in pixels."""
        return self.width / 2 / math.tan(math.radians(self.fov_deg) / 2)


def camera_at(view: Viewpoint) -> PinholeCamera:
    """Camera that looks at `aim` from `distance`, tilted from straight down, at azimuth `turn_deg` (0: south of the
    aim, so that north is up in the picture)."""
    tilt, turn = math.radians(view.tilt_deg), math.radians(view.turn_deg)
    back = np.array([math.sin(tilt) * math.sin(turn), -math.sin(tilt) * math.cos(turn), math.cos(tilt)])
    right = np.array([math.cos(turn), math.sin(turn), 0.0])
    down = np.cross(-back, right)
    roll = math.radians(view.roll_deg)
    c, s = math.cos(roll), math.sin(roll)
    rotation = np.stack([right * c + down * s, down * c - right * s, -back])
    eye = np.array([view.aim[0], view.aim[1], 0.0]) + back * view.distance
    shift = -rotation @ eye
    centre = (view.width / 2 + view.off_centre[0], view.height / 2 + view.off_centre[1])
    at = (float(shift[0]), float(shift[1]), float(shift[2]))
    return PinholeCamera(view.width, view.height, view.focal, centre, as_rows(rotation), at, view.distortion)
