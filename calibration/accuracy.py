"""Expected error of positions on the table: from the covariance of the fit and the tolerance of nominal sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.lens import NUMBERS, Lens, on_plane, on_view
from rules.pieces.sizes import SPACE_MM
from vision.detect.shape import Floats

GAME_SIDE_MM: Final = 14 * SPACE_MM
"""Side (mm) of the square round the sheet or the dragged corners in which the error is estimated: a big game's size."""
EDGE_SHARE: Final = 0.06
"""Margin of the picture, as a share of its width, in which pieces are cut off."""
SAMPLES: Final = 200
"""Number of samples of the fit's parameters."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Millimetres. `typical`: median error of positions; `worst`: 95th percentile at the worst position; `plane`: as
    `typical`, if the pieces were detected without error. `sigma`: the corners' error (pixels); `used`,
    `left_out`: numbers of outlines that were fitted and left out."""

    typical: float
    worst: float
    plane: float
    sigma: float
    used: int
    left_out: int

    def to_json(self) -> dict[str, Any]:
        return {
            "typical_mm": round(self.typical, 3),
            "worst_mm": round(self.worst, 3),
            "plane_mm": round(self.plane, 3),
            "corner_px": round(self.sigma, 3),
            "used": self.used,
            "left_out": self.left_out,
        }


def grid_round(lens: Lens, view: Floats, seen: Floats) -> Floats:
    """Pixels of a grid of positions round the detected points, where the game will lie, as far as the picture shows
    it."""
    span = np.linspace(-GAME_SIDE_MM / 2, GAME_SIDE_MM / 2, 8)
    middle = on_view(lens.numbers, lens.size, view, seen).mean(axis=0)
    places = middle + np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2)
    pixels = lens.project(on_plane(view, places))
    edge = EDGE_SHARE * lens.size[0]
    inside: Floats = pixels[((pixels > edge) & (pixels < np.array(lens.size) - edge)).all(axis=1)]
    return inside if len(inside) >= 4 else seen


def expected_errors(
    lens: Lens, view: Floats, spread: Floats, pixels: Floats, reading: float, tolerance: float
) -> tuple[float, float, float]:
    """Errors of positions at these pixels relative to each other (typical, worst and plane of Accuracy), from SAMPLES
    samples of three parts: the fit's covariance, the error of a piece's centre (four corners: half of `reading`, in
    pixels), and the relative `tolerance` of the true side.
    """
    rng = np.random.default_rng(1)
    base = on_view(lens.numbers, lens.size, view, pixels)
    slopes = np.stack([position_derivative(lens, view, pixels, base, number) for number in range(NUMBERS + 3)], axis=-1)
    deviations = rng.multivariate_normal(np.zeros(NUMBERS + 3), spread, SAMPLES, method="eigh")
    errors = deviations @ slopes.reshape(-1, NUMBERS + 3).T
    errors += rng.normal(0, tolerance, (SAMPLES, 1)) * (base - base.mean(axis=0)).ravel()
    misread = rng.normal(0, reading / 2, (SAMPLES, *base.shape)) * mm_per_pixel(lens, view, pixels)[:, None]
    alone, both = non_rigid_errors(errors, base), non_rigid_errors(errors + misread.reshape(SAMPLES, -1), base)
    typical, plane = (float(np.median(np.median(each, axis=1))) for each in (both, alone))
    return typical, float(np.percentile(both, 95, axis=0).max()), plane


def non_rigid_errors(errors: Floats, base: Floats) -> Floats:
    """Error of every position (column) in every sample (row), without the rigid motion of the whole table."""
    rigid = rigid_basis(base)
    own = errors - (errors @ rigid) @ rigid.T
    return np.asarray(np.linalg.norm(own.reshape(len(errors), -1, 2), axis=2))


def position_derivative(lens: Lens, view: Floats, pixels: Floats, base: Floats, number: int) -> Floats:
    numbers, pose, step = lens.numbers.copy(), view.copy(), 1e-6
    (numbers if number < NUMBERS else pose)[number if number < NUMBERS else number - NUMBERS] += step
    return (on_view(numbers, lens.size, pose, pixels) - base) / step


def rigid_basis(points: Floats) -> Floats:
    """Orthonormal basis of the shifts and the rotation, which change no distance."""
    around = points - points.mean(axis=0)
    ones, none = np.ones(len(points)), np.zeros(len(points))
    columns = [
        np.stack([ones, none], axis=1),
        np.stack([none, ones], axis=1),
        np.stack([-around[:, 1], around[:, 0]], axis=1),
    ]
    return np.linalg.qr(np.stack([column.ravel() for column in columns], axis=1))[0]


def mm_per_pixel(lens: Lens, view: Floats, pixels: Floats) -> Floats:
    """Millimetres of table per pixel there: root mean square over the two directions."""
    base = on_view(lens.numbers, lens.size, view, pixels)
    steps = [on_view(lens.numbers, lens.size, view, pixels + shift) - base for shift in np.eye(2)]
    return np.asarray(np.sqrt((steps[0] ** 2 + steps[1] ** 2).sum(axis=1) / 2))
