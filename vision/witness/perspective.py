"""Where a point above the board shows in the picture, heights included, and the way back.

A plane with a board lying on it gives a first guess; once it is known which piece is which, all of them together fix
the camera more exactly: a mountain of tiles is not flat, and a coin on three tiles lies nearer to the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.table.evidence import Ground
from vision.detect.shape import Floats
from vision.plane import Plane, lens_and_pose
from vision.rectify import apply, inverse
from vision.witness.tuning import WITNESS, CameraFit

_SQUARE: Final = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], np.float32)


@dataclass(frozen=True, slots=True)
class ProjectiveCamera:
    """`focal` in pixels, `pose` takes points of the board (spaces, z up) to the camera, `size` is the picture's."""

    focal: float
    pose: Floats
    size: tuple[int, int]

    @staticmethod
    def of(plane: Plane, ground: Ground, size: tuple[int, int]) -> ProjectiveCamera:
        """The lens is taken to look through the middle of the picture."""
        there = np.array([ground.to_table(float(x), float(y)) for x, y in _SQUARE], np.float32)
        board = cv2.getPerspectiveTransform(_SQUARE, there).astype(np.float64)
        return ProjectiveCamera(*lens_and_pose(plane.homography @ board, size), size)

    def raised(self, height: float) -> ProjectiveCamera:
        """The same camera, if what it was taken to see of the ground lies so high above it."""
        lower = self.pose[:, 3] - height * self.pose[:, 2]
        return replace(self, pose=np.column_stack([self.pose[:, :3], lower]))

    @property
    def lens(self) -> Floats:
        return np.array([[self.focal, 0, self.size[0] / 2], [0, self.focal, self.size[1] / 2], [0, 0, 1.0]])

    @property
    def matrix(self) -> Floats:
        return self.lens @ self.pose

    def project(self, points: Floats) -> Floats:
        """Points (n x 3) on or above the board to picture pixels."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = np.where(np.abs(seen[:, 2:]) < 1e-6, 1e-6, seen[:, 2:])
        return seen[:, :2] / depth

    def at_height(self, pixels: Floats, height: float) -> Floats:
        """Where on the board something lies that shows here, if it lies so high."""
        full = self.matrix
        level = np.column_stack([full[:, 0], full[:, 1], full[:, 2] * height + full[:, 3]])
        return apply(inverse(level), pixels)

    def space_px(self, x: float, y: float) -> float:
        """How many pixels a space is there, about."""
        ends = self.project(np.array([[x - 0.5, y, 0.0], [x + 0.5, y, 0.0], [x, y - 0.5, 0.0], [x, y + 0.5, 0.0]]))
        a, b = ends[1] - ends[0], ends[3] - ends[2]
        return float(np.sqrt(max(abs(a[0] * b[1] - a[1] * b[0]), 1.0)))

    def refined(self, points: Floats, pixels: Floats, camera: CameraFit = WITNESS.camera) -> ProjectiveCamera:
        """The camera that shows these points at these pixels; what lies far off does not count."""
        if len(points) < camera.fewest:
            return self
        best, least = self, self._spread(points, pixels, camera)
        for factor in camera.focals:
            fitted = self._fitted(points, pixels, self.focal * factor, camera)
            spread = fitted._spread(points, pixels, camera) if fitted else np.inf
            if fitted is not None and spread < camera.better * least:
                best, least = fitted, spread
        return best

    def spread(self, points: Floats, pixels: Floats, camera: CameraFit = WITNESS.camera) -> float:
        """How far off these points show, in pixels, what lies far off hardly counting more than the rest."""
        return self._spread(points, pixels, camera) if len(points) else np.inf

    def _off(self, points: Floats, pixels: Floats) -> Floats:
        out: Floats = np.linalg.norm(self.project(points) - pixels, axis=1)
        return out

    def _spread(self, points: Floats, pixels: Floats, camera: CameraFit) -> float:
        off = self._off(points, pixels)
        limit = camera.outlying * float(np.median(off)) + 1.0
        return float(np.minimum(off, limit).mean())

    def _fitted(self, points: Floats, pixels: Floats, focal: float, camera: CameraFit) -> ProjectiveCamera | None:
        scale = float(np.linalg.norm(self.pose[:, :3], axis=0).mean())
        u, _, v = np.linalg.svd(self.pose[:, :3] / scale)
        turn, _ = cv2.Rodrigues(u @ np.diag([1, 1, np.linalg.det(u @ v)]) @ v)
        shift = self.pose[:, 3:] / scale
        shift[2] *= focal / self.focal
        lens = ProjectiveCamera(focal, self.pose, self.size).lens
        near: NDArray[np.bool_] = np.ones(len(points), np.bool_)
        fitted: ProjectiveCamera | None = None
        for _ in range(camera.rounds):
            if near.sum() < camera.fewest:
                return fitted
            turn, moved = cv2.solvePnPRefineLM(points[near], pixels[near], lens, None, turn, shift)
            shift = np.asarray(moved, np.float64)
            if not (np.isfinite(turn).all() and np.isfinite(shift).all()):
                return None
            fitted = ProjectiveCamera(focal, np.column_stack([cv2.Rodrigues(turn)[0], shift]), self.size)
            off = fitted._off(points, pixels)
            near = off <= camera.outlying * float(np.median(off)) + 0.5
        return fitted
