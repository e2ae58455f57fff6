"""Projection between points above the board and the picture.

The plane of a board gives a first estimate of the camera. Once it is known which piece is which, all of them together
refine it: a mountain of tiles is not flat, and a coin on three tiles is nearer to the camera."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.table.evidence import Ground
from vision.detect.shape import Floats
from vision.plane import Plane, lens_and_pose
from vision.rectify import apply, inverse
from vision.witness.tuning import WITNESS

LIMITS = WITNESS.camera
_SQUARE: Final = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], np.float32)


@dataclass(frozen=True)
class ProjectiveCamera:
    """`focal`: focal length in pixels. `pose`: 3x4 matrix from board points (spaces, z up) to camera coordinates.
    `size`: that of the picture."""

    focal: float
    pose: Floats
    size: tuple[int, int]

    @staticmethod
    def of(plane: Plane, ground: Ground, size: tuple[int, int]) -> ProjectiveCamera:
        """The camera of a plane and the board's place on it, with the principal point in the middle of the picture."""
        corners = np.array([ground.to_table(float(x), float(y)) for x, y in _SQUARE], np.float32)
        board = cv2.getPerspectiveTransform(_SQUARE, corners).astype(np.float64)
        return ProjectiveCamera(*lens_and_pose(plane.homography @ board, size), size)

    def raised(self, height: float) -> ProjectiveCamera:
        """The same camera if the ground it was fitted to lies at this height above the board."""
        shifted = self.pose[:, 3] - height * self.pose[:, 2]
        return replace(self, pose=np.column_stack([self.pose[:, :3], shifted]))

    @property
    def lens(self) -> Floats:
        return np.array([[self.focal, 0, self.size[0] / 2], [0, self.focal, self.size[1] / 2], [0, 0, 1.0]])

    @cached_property
    def matrix(self) -> Floats:
        return self.lens @ self.pose

    def project(self, points: Floats) -> Floats:
        """Picture pixels of points (n x 3) on or above the board."""
        projected = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = np.where(np.abs(projected[:, 2:]) < 1e-6, 1e-6, projected[:, 2:])
        return projected[:, :2] / depth

    def at_height(self, pixels: Floats, height: float) -> Floats:
        """Board positions of picture pixels at this height."""
        matrix = self.matrix
        homography = np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * height + matrix[:, 3]])
        return apply(inverse(homography), pixels)

    def space_px(self, x: float, y: float) -> float:
        """Approximate size of a space at this place, in pixels."""
        ends = self.project(np.array([[x - 0.5, y, 0.0], [x + 0.5, y, 0.0], [x, y - 0.5, 0.0], [x, y + 0.5, 0.0]]))
        a, b = ends[1] - ends[0], ends[3] - ends[2]
        return float(np.sqrt(max(abs(a[0] * b[1] - a[1] * b[0]), 1.0)))

    def refined(self, points: Floats, pixels: Floats) -> ProjectiveCamera:
        """The camera fitted to these correspondences, robust to outliers."""
        if len(points) < LIMITS.min_points:
            return self
        best, best_error = self, self.error(points, pixels)
        for factor in LIMITS.focal_factors:
            fitted = self._fitted(points, pixels, self.focal * factor)
            if fitted is not None and (error := fitted.error(points, pixels)) < LIMITS.max_error_ratio * best_error:
                best, best_error = fitted, error
        return best

    def error(self, points: Floats, pixels: Floats) -> float:
        """Mean reprojection error in pixels, with outliers clipped; infinite without points."""
        if not len(points):
            return np.inf
        residuals = self._residuals(points, pixels)
        limit = LIMITS.outlier_factor * float(np.median(residuals)) + 1.0
        return float(np.minimum(residuals, limit).mean())

    def _residuals(self, points: Floats, pixels: Floats) -> Floats:
        """Reprojection error of each point, in pixels."""
        return np.asarray(np.linalg.norm(self.project(points) - pixels, axis=1))

    def _fitted(self, points: Floats, pixels: Floats, focal: float) -> ProjectiveCamera | None:
        """The camera with this focal length, fitted to the inliers; None if the fit fails."""
        scale = float(np.linalg.norm(self.pose[:, :3], axis=0).mean())
        u, _, v = np.linalg.svd(self.pose[:, :3] / scale)
        rotation, _ = cv2.Rodrigues(u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v)
        translation = self.pose[:, 3:] / scale
        translation[2] *= focal / self.focal
        lens = ProjectiveCamera(focal, self.pose, self.size).lens
        is_inlier: NDArray[np.bool_] = np.ones(len(points), np.bool_)
        fitted: ProjectiveCamera | None = None
        for _ in range(LIMITS.iterations):
            if is_inlier.sum() < LIMITS.min_points:
                return fitted
            rotation, refined = cv2.solvePnPRefineLM(
                points[is_inlier], pixels[is_inlier], lens, None, rotation, translation
            )
            translation = np.asarray(refined, np.float64)
            if not (np.isfinite(rotation).all() and np.isfinite(translation).all()):
                return None
            fitted = ProjectiveCamera(focal, np.column_stack([cv2.Rodrigues(rotation)[0], translation]), self.size)
            residuals = fitted._residuals(points, pixels)
            is_inlier = residuals <= LIMITS.outlier_factor * float(np.median(residuals)) + 0.5
        return fitted
