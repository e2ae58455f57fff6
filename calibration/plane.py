"""Where the table is: from the tiles that lie on it, from the printed sheet, or from four corners dragged by hand.

The plane is kept as a camera pose, not only as a homography, so that things of other heights than the plane's own come
out in their right places too. Millimetres, y pointing up in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration import bundle
from calibration.accuracy import Accuracy, errors_of, round_about
from calibration.bundle import BundleFit, FlatThing
from calibration.initial_guess import grid_start, tile_start
from calibration.lens import Lens
from calibration.plane_params import axes_of, normal_of, on_plane, on_view
from calibration.stacked_tiles import stacked_fit
from rules.pieces import Kind
from rules.pieces.sizes import SPACE_MM, THICKNESS, TILE
from rules.sentence import InputError, say
from vision.detect import shape
from vision.detect.shape import Floats

TILE_MM: Final = TILE * SPACE_MM
TOP: Final = THICKNESS[Kind.TILE] * SPACE_MM
"""How high the upper sides of tiles lie: every plane is brought there, whatever it was found by."""
UNIT: Final[Floats] = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
SIDE_TOLERANCE: Final = 0.002
"""By how much real tiles differ from their nominal side, all together: nothing in the picture can tell it."""
DRAGGED: Final = 2.0
"""Pixels by which a finger misses a corner."""
MEASURED: Final = 0.5
"""Millimetres by which a person misses with a ruler."""
PAPER: Final = 2e-4
"""By how much paper stretches after it was measured, as a share."""
PRINTED: Final = 0.1
"""Pixels by which a printed corner is usually misread."""


class PlaneError(InputError):
    """No plane can be told from this; the text says what to do."""


@dataclass(frozen=True, slots=True)
class TablePlane:
    """`view` is the plane in the camera's axes (see aslant), `frame` the place (x, y, turn) of the table's own origin
    on it, `spread` the covariance of (lens, view), `height` how high the plane lies above the bare table."""

    lens: Lens
    view: Floats
    frame: Floats
    spread: Floats
    accuracy: Accuracy
    source: str
    height: float = 0.0
    tile: float = TILE_MM
    """Side of a tile in millimetres: what makes spaces out of them."""

    def to_table(self, pixels: Floats, above: float | None = None) -> Floats:
        """Millimetres on the table, of things `above` the bare table (default: at the plane's own height)."""
        lift = 0.0 if above is None else above - self.height
        return framed(self.frame, on_view(self.lens.numbers, self.lens.size, self.view, pixels, lift))

    def to_picture(self, points: Floats, above: float | None = None) -> Floats:
        lift = 0.0 if above is None else above - self.height
        solid = on_plane(self.view, unframed(self.frame, points)) - lift * normal_of(self.view)
        return self.lens.project(solid)

    @property
    def tilt_deg(self) -> float:
        """0: the camera looks straight down."""
        return float(np.degrees(np.arccos(np.clip(normal_of(self.view)[2], -1, 1))))

    @property
    def distance_mm(self) -> float:
        """From the camera to the table, straight down."""
        return float(np.exp(self.view[2]) * normal_of(self.view)[2])

    @property
    def below_camera(self) -> Floats:
        """The place on the table straight below the camera, in millimetres."""
        away = axes_of(self.view) @ np.array([0.0, 0.0, -np.exp(self.view[2])])
        out: Floats = framed(self.frame, away[None])[0]
        return out

    def homography(self, unit_mm: float) -> Floats:
        """Takes the table (in units of so many millimetres) to the ideal picture of a lens that does not bend."""
        corners = UNIT * 4 * TILE_MM
        flat = on_plane(self.view, unframed(self.frame, corners))
        picture = flat[:, :2] / flat[:, 2:] * self.lens.focal + self.lens.centre
        return square_to(corners / unit_mm, picture)

    def moved_to(self, frame: Floats) -> TablePlane:
        return replace(self, frame=frame)

    def lifted(self, rise: float) -> TablePlane:
        """The parallel plane so much nearer to the camera; places straight above each other keep their names."""
        normal = normal_of(self.view)
        depth = np.exp(self.view[2])
        view = np.array([*self.view[:2], np.log(depth - rise / normal[2])])
        shift = axes_of(self.view) @ np.array([0.0, 0.0, np.exp(view[2]) - depth])
        frame = np.array([*(self.frame[:2] - shift), self.frame[2]])
        return replace(self, view=view, frame=frame, height=self.height + rise)


def square_to(start: Floats, end: Floats) -> Floats:
    """The homography between two sets of four points."""
    rows = []
    for (x, y), (u, v) in zip(start, end, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, -u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, -v])
    matrix = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    out: Floats = matrix / matrix[2, 2]
    return out


def framed(frame: Floats, flat: Floats) -> Floats:
    """From the plane's axes (y down) to the table's (y up)."""
    c, s = np.cos(frame[2]), np.sin(frame[2])
    away = flat - frame[:2]
    out: Floats = np.stack([c * away[:, 0] + s * away[:, 1], s * away[:, 0] - c * away[:, 1]], axis=1)
    return out


def unframed(frame: Floats, points: Floats) -> Floats:
    c, s = np.cos(frame[2]), np.sin(frame[2])
    x, y = points[:, 0], points[:, 1]
    out: Floats = np.stack([c * x + s * y, s * x - c * y], axis=1) + frame[:2]
    return out


def from_tiles(
    quads: Sequence[Floats],
    lens: Lens,
    side_mm: float = TILE_MM,
    height: float = TOP,
    sigma: float = bundle.USUAL_SIGMA,
) -> TablePlane:
    """The plane of these tiles' upper sides; outlines that do not fit are left out."""
    if not quads:
        raise PlaneError(
            say("no tile lies in the picture: lay a few tiles face up and apart, or use the printed sheet")
        )
    things = [FlatThing(UNIT * side_mm, quad) for quad in quads]
    fit = stacked_fit(things, lens, tile_start(things, lens), sigma)
    return replace(finished(fit, quads, "tiles", height, SIDE_TOLERANCE), tile=side_mm)


def from_grid(points: Floats, seen: Floats, lens: Lens) -> TablePlane:
    """The plane over the printed sheet: its points in millimetres and where they are seen."""
    if len(points) < 4:
        raise PlaneError(say("too little of the sheet is in the picture: show all of it, flat on the table"))
    thing = FlatThing(points - points.mean(axis=0), seen, alone=True)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), PRINTED)
    return finished(fit, [seen], "sheet", 0.0, PAPER).lifted(TOP)


def from_corners(corners: Floats, width_mm: float, height_mm: float, lens: Lens) -> TablePlane:
    """Four corners dragged by hand onto something flat of known size, from its top left, clockwise."""
    if min(width_mm, height_mm) < 10:
        raise PlaneError(say("the rectangle's sides must be at least 10 mm: measure what the corners lie on"))
    if not convex(corners):
        raise PlaneError(say("the four corners cross or lie in a line: drag them round the rectangle, clockwise"))
    thing = FlatThing(UNIT * np.array([width_mm, height_mm]), corners)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), DRAGGED)
    return finished(fit, [corners], "corners", 0.0, MEASURED / min(width_mm, height_mm)).lifted(TOP)


def convex(corners: Floats) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((turns > 1.0).all())


def finished(fit: BundleFit, quads: Sequence[Floats], source: str, height: float, tolerance: float) -> TablePlane:
    believed = [quad for quad, trust in zip(quads, fit.trust, strict=True) if trust > 0.25]
    lens = replace(fit.lens, source=better_source(fit.lens, source))
    view = fit.views[0]
    tiles = source == "tiles"
    judged = np.array([shape.crossing(quad) for quad in believed]) if tiles else round_about(lens, view, believed[0])
    spot = on_view(lens.numbers, lens.size, view, judged if tiles else believed[0]).mean(axis=0)
    reading = fit.sigma if tiles else bundle.USUAL_SIGMA  # a sheet or a finger tells nothing of how pieces are read
    errors = errors_of(lens, view, fit.spread, judged, reading, tolerance)
    told = Accuracy(*errors, sigma=fit.sigma, used=len(believed), wild=len(quads) - len(believed))
    return TablePlane(lens, view, np.array([spot[0], spot[1], 0.0]), fit.spread, told, source, height)


def better_source(lens: Lens, source: str) -> str:
    """Corners tell nothing of the lens, and tiles less than a sheet did."""
    return lens.source if source == "corners" or lens.source in ("sheet", "stored") else source
