"""Feet of pawns. The net sees one pawn at a time, and puts the foot of one seen from above, or with its lower half
hidden, into the middle of the visible part. The table plane gives the vertical at its place, so the foot of its outline
is half its width from the lower end. Pawns of one set have one height, so the foot of a partly hidden one lies their
height below its head.
Half of 504 pawns of three foreign editions are within .081 of their size of the true position with this, .094
without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from rules.pieces import Kind
from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.piece import CERTAIN, DetectedPiece
from vision.plane import Plane, local_projection

FOOT_WIDTH: Final = 0.85
"""Width of a pawn's foot relative to its outline (fitted)."""
OUTLINE_WEIGHT: Final = 0.5
"""Weight of the foot of the outline against the foot by the net (fitted)."""
MAX_HIDDEN_SHARE: Final = 0.7
"""Visible share of the expected outline below which a pawn is partly hidden, if there are MIN_FELLOWS others and a
piece in front, enlarged by OCCLUDER_MARGIN, hides its foot (all chosen)."""
MIN_FELLOWS: Final = 2
OCCLUDER_MARGIN: Final = 0.15


@dataclass(frozen=True, slots=True)
class StandingOutline:
    """An outline measured along the vertical of the picture at its place, and across it."""

    up: Floats
    """Unit vector of the vertical."""
    low: float
    high: float
    middle: float
    half_width: float
    """Half the width in pixels."""
    px_per_inch: tuple[float, float, float]
    """Pixels per inch: of height, of the table along `up`, of the table across it."""

    @property
    def radius(self) -> float:
        """Radius of the foot in inches."""
        return FOOT_WIDTH * self.half_width / self.px_per_inch[2]

    @property
    def height(self) -> float:
        """Height in inches."""
        return (self.high - self.low - 2 * self.radius * self.px_per_inch[1]) / max(self.px_per_inch[0], 1e-6)

    def foot(self) -> Floats:
        """Centre of the round foot at the lower end."""
        return self.point_at(min(self.low + self.radius * self.px_per_inch[1], (self.low + self.high) / 2))

    def foot_below(self, height: float, radius: float) -> Floats | None:
        """Foot of a pawn of this size with its head here, if the outline is shorter than expected."""
        span = height * self.px_per_inch[0] + 2 * radius * self.px_per_inch[1]
        if self.high - self.low > MAX_HIDDEN_SHARE * span:
            return None
        return self.point_at(self.high - span + radius * self.px_per_inch[1])

    def point_at(self, along: float) -> Floats:
        """The point at this coordinate along `up`, in the middle across."""
        across = np.array([-self.up[1], self.up[0]])
        return along * self.up + self.middle * across


def standing_outline(piece: DetectedPiece, plane: Plane, size: tuple[int, int]) -> StandingOutline:
    table, inch_up = local_projection(plane, piece.center, size)
    tall = float(np.linalg.norm(inch_up))
    up = inch_up / tall if tall > 0 else np.array([0.0, -1.0])  # exactly below the camera nothing leans
    across = np.array([-up[1], up[0]])
    along, aside = piece.outline @ up, piece.outline @ across
    inch = tall, float(np.linalg.norm(table.T @ up)), float(np.linalg.norm(table.T @ across))
    low, high, left, right = (float(end) for end in (along.min(), along.max(), aside.min(), aside.max()))
    return StandingOutline(up, low, high, (left + right) / 2, (right - left) / 2, inch)


def with_feet(pieces: Sequence[DetectedPiece], plane: Plane | None, size: tuple[int, int]) -> list[DetectedPiece]:
    """The pieces; pawns with feet from net, outline and plane together. `size`: of the picture."""
    out = list(pieces)
    if plane is None:
        return out
    figures = {i: standing_outline(piece, plane, size) for i, piece in enumerate(pieces) if piece.kind is Kind.PAWN}
    sure = [i for i, piece in enumerate(pieces) if piece.certainty >= CERTAIN and piece.kind in STAND]
    for index, figure in figures.items():
        fellows = [figures[i] for i in sure if i != index and i in figures]
        foot = _hidden_foot(figure, fellows, [pieces[i].outline for i in sure if i != index])
        if foot is None:
            foot = OUTLINE_WEIGHT * figure.foot() + (1 - OUTLINE_WEIGHT) * pieces[index].center
        out[index] = replace(pieces[index], center=foot)
    return out


def _hidden_foot(
    figure: StandingOutline, fellows: Sequence[StandingOutline], occluders: Sequence[Floats]
) -> Floats | None:
    """Foot of a pawn shorter than its fellows, if one of the occluders hides it; else None."""
    if len(fellows) < MIN_FELLOWS:
        return None
    foot = figure.foot_below(
        float(np.median([fellow.height for fellow in fellows])), float(np.median([fellow.radius for fellow in fellows]))
    )
    if foot is None:
        return None
    at = float(foot[0]), float(foot[1])
    enlarged = [
        outline.mean(axis=0) + (1 + OCCLUDER_MARGIN) * (outline - outline.mean(axis=0)) for outline in occluders
    ]
    hides = (cv2.pointPolygonTest(outline.astype(np.float32), at, measureDist=False) >= 0 for outline in enlarged)
    return foot if any(hides) else None
