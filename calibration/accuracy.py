"""How wrong places on the table are, honestly: from what the fit itself does not know, and what nothing tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.lens import NUMBERS, Lens
from calibration.plane_params import on_plane, on_view
from rules.pieces.sizes import SPACE_MM
from vision.detect.shape import Floats

PLAYED: Final = 14 * SPACE_MM
"""Side of the square, round the sheet or the dragged corners, for which the error is told: a big game lies in it."""
CUT: Final = 0.06
"""A piece nearer to the picture's edge than this share of its width is not seen whole."""
DRAWS: Final = 200
"""Tables that might be, drawn from what the fit does not know."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Millimetres. `typical`: half of the pieces lie nearer than this to where they are said to be; `worst`: all but
    one in twenty, at the worst place; `plane`: as `typical`, if the pieces were read without any error. `sigma` is the
    corners' error in pixels."""

    typical: float
    worst: float
    plane: float
    sigma: float
    used: int
    wild: int

    def to_json(self) -> dict[str, Any]:
        return {
            "typical_mm": round(self.typical, 3),
            "worst_mm": round(self.worst, 3),
            "plane_mm": round(self.plane, 3),
            "corner_px": round(self.sigma, 3),
            "used": self.used,
            "left_out": self.wild,
        }


def round_about(lens: Lens, view: Floats, seen: Floats) -> Floats:
    """Pixels all over the table round about what was seen, as far as it is in the picture: where the game will lie."""
    span = np.linspace(-PLAYED / 2, PLAYED / 2, 8)
    middle = on_view(lens.numbers, lens.size, view, seen).mean(axis=0)
    places = middle + np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2)
    pixels = lens.project(on_plane(view, places))
    edge = CUT * lens.size[0]
    inside: Floats = pixels[((pixels > edge) & (pixels < np.array(lens.size) - edge)).all(axis=1)]
    return inside if len(inside) >= 4 else seen


def errors_of(
    lens: Lens, view: Floats, spread: Floats, pixels: Floats, reading: float, tolerance: float
) -> tuple[float, float, float]:
    """How wrong places at these pixels are, relative to each other (typical, worst and plane of Accuracy): many tables
    that might be are drawn and measured.

    Three parts: what the fit does not know, what reading a piece's middle adds (four corners, half the error), and what
    nothing in the picture tells (the true side).
    """
    rng = np.random.default_rng(1)
    base = on_view(lens.numbers, lens.size, view, pixels)
    slopes = np.stack([place_slope(lens, view, pixels, base, number) for number in range(NUMBERS + 3)], axis=-1)
    unknown = rng.multivariate_normal(np.zeros(NUMBERS + 3), spread, DRAWS, method="eigh")
    away = unknown @ slopes.reshape(-1, NUMBERS + 3).T
    away += rng.normal(0, tolerance, (DRAWS, 1)) * (base - base.mean(axis=0)).ravel()
    misread = rng.normal(0, reading / 2, (DRAWS, *base.shape)) * mm_per_pixel(lens, view, pixels)[:, None]
    alone, both = distances(away, base), distances(away + misread.reshape(DRAWS, -1), base)
    typical, plane = (float(np.median(np.median(each, axis=1))) for each in (both, alone))
    return typical, float(np.percentile(both, 95, axis=0).max()), plane


def distances(away: Floats, base: Floats) -> Floats:
    """How far every place (column) of every drawn table (row) is off, shifts and turns of the whole table apart."""
    rigid = rigid_motions(base)
    own = away - (away @ rigid) @ rigid.T
    out: Floats = np.linalg.norm(own.reshape(len(away), -1, 2), axis=2)
    return out


def place_slope(lens: Lens, view: Floats, pixels: Floats, base: Floats, number: int) -> Floats:
    numbers, pose, step = lens.numbers.copy(), view.copy(), 1e-6
    (numbers if number < NUMBERS else pose)[number if number < NUMBERS else number - NUMBERS] += step
    out: Floats = (on_view(numbers, lens.size, pose, pixels) - base) / step
    return out


def rigid_motions(points: Floats) -> Floats:
    """Orthonormal columns: the shifts and the turn that change no distance."""
    around = points - points.mean(axis=0)
    ones, none = np.ones(len(points)), np.zeros(len(points))
    columns = [
        np.stack([ones, none], axis=1),
        np.stack([none, ones], axis=1),
        np.stack([-around[:, 1], around[:, 0]], axis=1),
    ]
    out: Floats = np.linalg.qr(np.stack([column.ravel() for column in columns], axis=1))[0]
    return out


def mm_per_pixel(lens: Lens, view: Floats, pixels: Floats) -> Floats:
    """How much table one pixel shows there: the root mean square over the two directions."""
    base = on_view(lens.numbers, lens.size, view, pixels)
    steps = [on_view(lens.numbers, lens.size, view, pixels + shift) - base for shift in np.eye(2)]
    out: Floats = np.sqrt((steps[0] ** 2 + steps[1] ** 2).sum(axis=1) / 2)
    return out
