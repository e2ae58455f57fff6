"""The camera model: lens parameters with their covariance, and a table plane in the camera's axes.

A lens has seven parameters in units of the picture's width, so that they hold at every resolution of the same camera:
the logarithm of the focal length, the two shifts of the principal point, and the distortion terms k1 k2 p1 p2. The
prior covariance is as wide as cameras differ; every fit of a plane narrows it. A plane (`view`) has three: two tilts
and the logarithm of its depth along the optical axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from rules.sentence import InputError, say, sentence_of
from vision.detect.shape import Floats

NUMBERS: Final = 7
PRIOR_MEAN: Final[Floats] = np.array([np.log(0.80), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
"""Prior mean: a field of view of 64 degrees and no distortion."""
PRIOR_SIGMA: Final[Floats] = np.array([0.16, 0.008, 0.008, 0.07, 0.02, 6e-4, 6e-4])
"""Prior standard deviations: how much webcams and phones differ."""
AGEING_SIGMA: Final[Floats] = np.array([2e-3, 4e-4, 4e-4, 2e-3, 1e-3, 5e-5, 5e-5])
"""Standard deviations added before the next fit: focus moves, and covariances are too optimistic."""


class LensError(InputError):
    """Invalid lens parameters; the text says why."""


@dataclass(frozen=True, slots=True)
class Lens:
    """`size`: (width, height) of the pictures; `spread`: covariance; `source`: "assumed", "tiles", "sheet",
    "stored"."""

    size: tuple[int, int]
    numbers: Floats
    spread: Floats
    source: str = "assumed"

    @property
    def focal(self) -> float:
        return float(np.exp(self.numbers[0])) * self.size[0]

    @property
    def centre(self) -> Floats:
        width, height = self.size
        return np.asarray((np.array([0.5, height / width / 2]) + self.numbers[1:3]) * width)

    @property
    def known(self) -> float:
        """Relative standard deviation of the focal length."""
        return float(np.sqrt(self.spread[0, 0]))

    def project(self, points: Floats) -> Floats:
        """Pixels of points (n x 3) in the camera's axes."""
        depth = np.maximum(points[:, 2:3], 1e-6)
        return distorted(self.numbers, points[:, :2] / depth) * self.focal + self.centre

    def rays(self, pixels: Floats) -> Floats:
        """Undistorted coordinates at focal length one of these pixels: the inverse of `project`."""
        target = (pixels - self.centre) / self.focal
        guess = target
        for _ in range(8):
            guess = guess + np.clip(target - distorted(self.numbers, guess), -0.3, 0.3)
        return guess

    def on_view(self, view: Floats, pixels: Floats, lift: float = 0.0) -> Floats:
        """Intersections of the pixels' rays with the plane, or one `lift` (mm) nearer to the camera, in the plane's
        axes."""
        normal = normal_of(view)
        flat = self.rays(pixels)
        full = np.column_stack([flat, np.ones(len(flat))])
        centre = np.array([0.0, 0.0, np.exp(view[2])]) - lift * normal
        reach = full @ normal
        reach = np.where(reach > 1e-6, reach, 1e-6)  # a pixel above the horizon is very far away
        solid = full * ((centre @ normal) / reach)[:, None] - centre
        return solid @ axes_of(view).T

    def straight(self, pixels: Floats) -> Floats:
        """Undistorted pixels."""
        return self.rays(pixels) * self.focal + self.centre

    def at_size(self, size: tuple[int, int]) -> Lens:
        """The lens at another resolution. Another aspect ratio is another crop of the sensor: the prior is returned."""
        if size == self.size:
            return self
        if abs(size[0] / size[1] - self.size[0] / self.size[1]) < 0.01:
            return replace(self, size=size)
        return assumed(size)

    def aged(self) -> Lens:
        return replace(self, spread=self.spread + np.diag(AGEING_SIGMA**2))

    def to_json(self) -> dict[str, Any]:
        return {
            "size": list(self.size),
            "numbers": [float(f"{value:.9g}") for value in self.numbers],
            "spread": [[float(f"{value:.6g}") for value in row] for row in self.spread],
            "source": self.source,
        }


def assumed(size: tuple[int, int]) -> Lens:
    """The prior lens."""
    return Lens(size, PRIOR_MEAN.copy(), np.diag(PRIOR_SIGMA**2), "assumed")


def from_json(data: Mapping[str, Any]) -> Lens:
    try:
        width, height = (int(value) for value in data["size"])
        numbers = np.array(data["numbers"], dtype=np.float64)
        spread = np.array(data["spread"], dtype=np.float64)
        source = str(data["source"])
    except (KeyError, TypeError, ValueError) as error:
        raise LensError(say("the lens has no readable {why}", why=sentence_of(error))) from None
    if numbers.shape != (NUMBERS,) or spread.shape != (NUMBERS, NUMBERS) or min(width, height) < 16:
        raise LensError(say("a lens has {numbers} numbers with their spread, and a picture size", numbers=NUMBERS))
    if not (np.isfinite(numbers).all() and np.isfinite(spread).all() and abs(numbers[0]) < 3):
        raise LensError(say("the lens's numbers are not those of a camera"))
    return Lens((width, height), numbers, spread, source)


def distorted(numbers: Floats, flat: Floats) -> Floats:
    """Distorted coordinates of undistorted ones at focal length one."""
    k1, k2, p1, p2 = numbers[3:]
    x, y = flat[:, 0], flat[:, 1]
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * k2)
    return np.stack(
        [x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y],
        axis=1,
    )


# Planes ---------------------------------------------------------------------------------------------------------


def on_plane(views: Floats, flat: Floats) -> Floats:
    """Points of the plane in the camera's axes; one row of `views` for all points or one for each."""
    rx, ry, depth = np.atleast_2d(views).T
    cx, sx, cy, sy = np.cos(rx), np.sin(rx), np.cos(ry), np.sin(ry)
    x, y = flat[:, 0], flat[:, 1]
    return np.stack([cy * x + sy * sx * y, cx * y, -sy * x + cy * sx * y + np.exp(depth)], axis=1)


def normal_of(view: Floats) -> Floats:
    """The plane's unit normal in the camera's axes, pointing away from the camera; one for each row of views."""
    rx, ry = view[..., 0], view[..., 1]
    return np.stack([np.sin(ry) * np.cos(rx), -np.sin(rx), np.cos(ry) * np.cos(rx)], axis=-1)


def axes_of(view: Floats) -> Floats:
    """The plane's two axes (rows) in the camera's axes."""
    return on_plane(np.array([*view[:2], -np.inf]), np.eye(2))
