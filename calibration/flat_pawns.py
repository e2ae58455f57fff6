"""Shapes of a lesson's flat pawns (slabs): for each suit the upright prism whose silhouettes are those of its pawns.

Its front is symmetric, with a width at each of four heights. A point above the table hides the one on its ray from the
camera, so the hull of what the prism hides is that of its corners. It is compared with the silhouettes by support
functions: the farthest extent in each of some directions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.plane import TablePlane
from rules.pieces import SUITS
from rules.pieces.sizes import SPACE_MM
from vision.detect.shape import Floats

_ANGLES: Final = np.arange(32) * np.pi / 16
DIRECTIONS: Final = np.column_stack([np.cos(_ANGLES), np.sin(_ANGLES)])
LEVELS: Final = np.array([0.0, 1 / 3, 2 / 3, 1.0])
"""Heights of the widths, as shares of the pawn's."""
START: Final = (0.8, 0.8, 0.8, 0.8, 0.3, 1.0)
"""Initial widths, thickness and height (inches)."""
TURNS: Final = tuple(np.arange(6) * np.pi / 6)
"""Initial directions of the front."""
LOW, HIGH = 0.08, 3.0
"""Range of every length (inches)."""
PRIOR_SIGMA: Final = 0.5
"""Standard deviation of the logarithm of each length about its start."""
SIGMA: Final = 0.02
"""Error of a silhouette's extent (inches)."""
MAX_SHARE: Final = 0.8
"""Largest height, in camera heights."""
STEPS: Final = 25
MIN_VIEWS: Final = 3
"""Fewest silhouettes of a suit."""
MAX_RESIDUAL: Final = 0.03
"""Largest root mean square of the extents' errors (inches) of a slab. Figures with arms and legs leave .035 to .06 and
sizes that are a third off, others .01 to .026."""
MIN_FLAT: Final = 2
"""Fewest suits whose pawns are slabs, for all to be."""


@dataclass(frozen=True, slots=True)
class HiddenArea:
    """What one pawn hides of the table, in inches from the point below the camera: `extent` in each direction."""

    camera_height: float
    extent: Floats

    @property
    def middle(self) -> Floats:
        """The point with the least squared difference of opposite extents."""
        return np.asarray(2 * (self.extent @ DIRECTIONS) / len(DIRECTIONS))


@dataclass(frozen=True, slots=True)
class FlatBody:
    """A slab: widths at LEVELS, thickness and height (inches). `residual`: root mean square of the
    extents' errors."""

    widths: Floats
    thick: float
    height: float
    residual: float

    @property
    def width(self) -> float:
        return float(self.widths.max())

    @property
    def outline(self) -> Floats:
        """Its front (x, height), counter-clockwise, one unit high."""
        half, levels = self.widths / 2 / self.height, LEVELS
        return np.vstack([np.column_stack([half, levels]), np.column_stack([-half, levels])[::-1]])


def hidden_area(plane: TablePlane, outline: Floats) -> HiddenArea:
    """What a body with this outline (pixels) hides."""
    places = (plane.to_table(outline, 0.0) - plane.below_camera) / SPACE_MM
    height = (plane.distance_mm + plane.height) / SPACE_MM
    return HiddenArea(height, np.asarray((places @ DIRECTIONS.T).max(axis=0), np.float64))


def flat_bodies(areas: Mapping[str, Sequence[HiddenArea]]) -> dict[str, FlatBody]:
    """The slab of each suit; where none fits its silhouettes, that of another suit. Empty where few suits have one."""
    found = {suit: body for suit, views in areas.items() if (body := flat_body(views)) is not None}
    if len(found) < MIN_FLAT:
        return {}
    best = min(found.values(), key=lambda body: body.residual)
    return {str(suit): found.get(str(suit), best) for suit in SUITS}


def flat_body(views: Sequence[HiddenArea]) -> FlatBody | None:
    """The slab that fits best into these silhouettes of one suit; None where they are few or none does."""
    if len(views) < MIN_VIEWS:
        return None
    places = [placed(view, np.log(START)) for view in views]
    values = fitted(views, np.concatenate([np.log(START), *places]))
    left = residuals(views, values)[: -len(START)] * SIGMA
    lengths = np.exp(values[: len(START)])
    body = FlatBody(lengths[:-2], float(lengths[-2]), float(lengths[-1]), float(np.sqrt(np.mean(left**2))))
    return body if body.residual < MAX_RESIDUAL else None


def placed(view: HiddenArea, lengths: Floats) -> Floats:
    """Position and turn of a slab of usual size that explain a silhouette best."""
    middle = view.middle * (1 - np.exp(lengths[-1]) / 2 / view.camera_height)
    starts = [np.array([*middle, turn]) for turn in TURNS]
    found = [fitted([view], np.concatenate([lengths, start])) for start in starts]
    return min(found, key=lambda values: float((residuals([view], values) ** 2).sum()))[len(lengths) :]


def extents(view: HiddenArea, lengths: Floats, place: Floats) -> Floats:
    """Extents of what a slab hides at a place (x, y, turn)."""
    widths, thick, height = lengths[:-2], lengths[-2], lengths[-1]
    along = DIRECTIONS @ [np.cos(place[2]), np.sin(place[2])]
    aside = DIRECTIONS @ [-np.sin(place[2]), np.cos(place[2])]
    rectangles = np.abs(along) * widths[:, None] / 2 + np.abs(aside) * thick / 2
    scales = 1 / (1 - np.minimum(LEVELS * height / view.camera_height, MAX_SHARE))
    return np.asarray((scales[:, None] * (DIRECTIONS @ place[:2] + rectangles)).max(axis=0))


def residuals(views: Sequence[HiddenArea], values: Floats) -> Floats:
    """Errors of all extents and the deviation of the lengths from their start, in standard deviations."""
    count = len(START)
    lengths = np.clip(np.exp(values[:count]), LOW, HIGH)
    places = values[count:].reshape(-1, 3)
    errors = [(extents(v, lengths, p) - v.extent) / SIGMA for v, p in zip(views, places, strict=True)]
    return np.concatenate([*errors, (values[:count] - np.log(START)) / PRIOR_SIGMA])


def fitted(views: Sequence[HiddenArea], values: Floats) -> Floats:
    """The values after some Levenberg-Marquardt steps."""
    damping, now = 1e-2, residuals(views, values)
    for _ in range(STEPS):
        slopes = np.column_stack([(residuals(views, values + d) - now) / 1e-5 for d in np.eye(len(values)) * 1e-5])
        matrix, target = slopes.T @ slopes, slopes.T @ now
        change = np.linalg.solve(matrix + damping * np.diag(np.diag(matrix) + 1e-9), target)
        moved = values - np.clip(change, -0.3, 0.3)
        after = residuals(views, moved)
        if after @ after < now @ now:
            values, now, damping = moved, after, damping / 4
        else:
            damping *= 6
    return values
