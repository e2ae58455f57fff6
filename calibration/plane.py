"""The table plane: from tiles that lie on it, from the printed sheet, or from four corners dragged by hand.

It is stored as a camera pose, not only as a homography, so that positions of things at other heights are right too.
Millimetres, y pointing up in the picture. The expected error of positions comes from the covariance of the fit and the
tolerance of nominal sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from calibration import bundle
from calibration.bundle import (
    BundleFit,
    BundleStart,
    FlatThing,
    direct_linear_transform,
    grid_start,
    pose_of,
    tile_start,
)
from calibration.lens import NUMBERS, Lens, axes_of, normal_of, on_plane
from rules.pieces import Kind
from rules.pieces.sizes import SPACE_MM, THICKNESS, TILE
from rules.sentence import InputError, say
from vision.detect import shape
from vision.detect.shape import Floats
from vision.odds import softmax

TILE_MM: Final = TILE * SPACE_MM
TILE_TOP_MM: Final = THICKNESS[Kind.TILE] * SPACE_MM
"""Height of the tiles' upper sides (mm): every plane is moved there, whatever it was found by."""
UNIT_SQUARE: Final[Floats] = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
SIDE_TOLERANCE: Final = 0.002
"""Relative deviation of all tiles of a set from their nominal side, which no picture shows."""
DRAGGED_SIGMA_PX: Final = 2.0
"""Error of a corner dragged by hand (pixels, standard deviation)."""
RULER_ERROR_MM: Final = 0.5
"""Error of a length measured by hand (mm)."""
PAPER_STRETCH: Final = 2e-4
"""Relative stretch of paper after it was measured."""
SHEET_SIGMA_PX: Final = 0.1
"""Error of a detected corner of the sheet (pixels, standard deviation)."""
STOREY_PRIOR: Final[Floats] = np.array([0.92, 0.055, 0.025])
"""Prior share of tiles that lie on the table, on a tile, on two tiles; PRIOR_TILES: weight of this prior (in tiles)."""
PRIOR_TILES: Final = 3.0
EM_ROUNDS: Final = 2
MIN_STACKED: Final = 6
"""With fewer tiles a raised tile cannot be told from another plane."""


class PlaneError(InputError):
    """No plane can be fitted; the text says what to do."""


@dataclass(frozen=True, slots=True)
class TablePlane:
    """`view`: the plane in the camera's axes (see `lens`); `frame`: pose (x, y, angle) of the table's origin on it;
    `spread`: covariance of (lens, view); `height`: of the plane above the bare table."""

    lens: Lens
    view: Floats
    frame: Floats
    spread: Floats
    accuracy: Accuracy
    source: str
    height: float = 0.0
    tile: float = TILE_MM
    """Side of a tile in millimetres."""

    def to_table(self, pixels: Floats, above: float | None = None) -> Floats:
        """Positions (mm) of pixels of things `above` the bare table (default: at the plane's own height)."""
        lift = 0.0 if above is None else above - self.height
        return to_frame(self.frame, self.lens.on_view(self.view, pixels, lift))

    def to_picture(self, points: Floats, above: float | None = None) -> Floats:
        """Pixels of positions (mm) `above` the bare table (default: at the plane's own height)."""
        lift = 0.0 if above is None else above - self.height
        solid = on_plane(self.view, from_frame(self.frame, points)) - lift * normal_of(self.view)
        return self.lens.project(solid)

    @property
    def tilt_deg(self) -> float:
        """Angle of the optical axis from the vertical; 0: the camera looks straight down."""
        return float(np.degrees(np.arccos(np.clip(normal_of(self.view)[2], -1, 1))))

    @property
    def distance_mm(self) -> float:
        """Height of the camera above the plane."""
        return float(np.exp(self.view[2]) * normal_of(self.view)[2])

    @property
    def below_camera(self) -> Floats:
        """Position (mm) on the table straight below the camera."""
        offset = axes_of(self.view) @ np.array([0.0, 0.0, -np.exp(self.view[2])])
        return np.asarray(to_frame(self.frame, offset[None])[0])

    def homography(self, unit_mm: float) -> Floats:
        """From the table (in units of so many millimetres) to undistorted pixels."""
        corners = UNIT_SQUARE * 4 * TILE_MM
        flat = on_plane(self.view, from_frame(self.frame, corners))
        picture = flat[:, :2] / flat[:, 2:] * self.lens.focal + self.lens.centre
        matrix = direct_linear_transform(corners / unit_mm, picture)
        return np.asarray(matrix / matrix[2, 2])

    def moved_to(self, frame: Floats) -> TablePlane:
        return replace(self, frame=frame)

    def lifted(self, rise: float) -> TablePlane:
        """The parallel plane nearer to the camera by `rise` (mm); points above each other keep their coordinates."""
        normal = normal_of(self.view)
        depth = np.exp(self.view[2])
        view = np.array([*self.view[:2], np.log(depth - rise / normal[2])])
        shift = axes_of(self.view) @ np.array([0.0, 0.0, np.exp(view[2]) - depth])
        frame = np.array([*(self.frame[:2] - shift), self.frame[2]])
        return replace(self, view=view, frame=frame, height=self.height + rise)


def to_frame(frame: Floats, flat: Floats) -> Floats:
    """From the plane's axes (y down) to the table's (y up)."""
    c, s = np.cos(frame[2]), np.sin(frame[2])
    offset = flat - frame[:2]
    return np.stack([c * offset[:, 0] + s * offset[:, 1], s * offset[:, 0] - c * offset[:, 1]], axis=1)


def from_frame(frame: Floats, points: Floats) -> Floats:
    """From the table's axes (y up) to the plane's (y down)."""
    c, s = np.cos(frame[2]), np.sin(frame[2])
    x, y = points[:, 0], points[:, 1]
    return np.stack([c * x + s * y, s * x - c * y], axis=1) + frame[:2]


def from_tiles(
    quads: Sequence[Floats], lens: Lens, side_mm: float = TILE_MM, height: float = TILE_TOP_MM
) -> TablePlane:
    """The plane of these tiles' upper sides; outlines that do not fit get little weight. PlaneError without a tile."""
    if not quads:
        raise PlaneError(
            say("no tile lies in the picture: lay a few tiles face up and apart, or use the printed sheet")
        )
    things = [FlatThing(UNIT_SQUARE * side_mm, quad) for quad in quads]
    fit = stacked_fit(things, lens, tile_start(things, lens))
    return replace(plane_from_fit(fit, quads, "tiles", height, SIDE_TOLERANCE), tile=side_mm)


def plane_of(quads: Sequence[Floats], lens: Lens) -> TablePlane | None:
    """The plane of these tiles, None without one."""
    return from_tiles(quads, lens) if quads else None


def from_grid(points: Floats, seen: Floats, lens: Lens) -> TablePlane:
    """The plane of the printed sheet, from its points (mm) and their pixels."""
    if len(points) < 4:
        raise PlaneError(say("too little of the sheet is in the picture: show all of it, flat on the table"))
    thing = FlatThing(points - points.mean(axis=0), seen, independent=True)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), SHEET_SIGMA_PX)
    return plane_from_fit(fit, [seen], "sheet", 0.0, PAPER_STRETCH).lifted(TILE_TOP_MM)


def from_corners(corners: Floats, width_mm: float, height_mm: float, lens: Lens) -> TablePlane:
    """The plane of a flat rectangle of known size, from its corners (pixels), clockwise from the top left."""
    if min(width_mm, height_mm) < 10:
        raise PlaneError(say("the rectangle's sides must be at least 10 mm: measure what the corners lie on"))
    if not is_convex(corners):
        raise PlaneError(say("the four corners cross or lie in a line: drag them round the rectangle, clockwise"))
    thing = FlatThing(UNIT_SQUARE * np.array([width_mm, height_mm]), corners)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), DRAGGED_SIGMA_PX)
    return plane_from_fit(fit, [corners], "corners", 0.0, RULER_ERROR_MM / min(width_mm, height_mm)).lifted(TILE_TOP_MM)


def is_convex(corners: Floats) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((turns > 1.0).all())


def plane_from_fit(fit: BundleFit, quads: Sequence[Floats], source: str, height: float, tolerance: float) -> TablePlane:
    """The fitted plane with its accuracy, its origin in the middle of what was fitted."""
    used = [quad for quad, trust in zip(quads, fit.trust, strict=True) if trust > 0.25]
    lens = replace(fit.lens, source=lens_source(fit.lens, source))
    view = fit.views[0]
    tiles = source == "tiles"
    pixels = np.array([shape.crossing(quad) for quad in used]) if tiles else grid_round(lens, view, used[0])
    origin = lens.on_view(view, pixels if tiles else used[0]).mean(axis=0)
    reading = fit.sigma if tiles else bundle.USUAL_SIGMA  # corners of a sheet tell nothing of how pieces are detected
    errors = expected_errors(lens, view, fit.spread, pixels, reading, tolerance)
    accuracy = Accuracy(*errors, sigma=fit.sigma, used=len(used), left_out=len(quads) - len(used))
    return TablePlane(lens, view, np.array([origin[0], origin[1], 0.0]), fit.spread, accuracy, source, height)


def lens_source(lens: Lens, source: str) -> str:
    """The lens's new source: dragged corners tell nothing of the lens, and tiles less than the sheet."""
    return lens.source if source == "corners" or lens.source in ("sheet", "stored") else source


# Tiles on tiles -------------------------------------------------------------------------------------------------


def stacked_fit(things: Sequence[FlatThing], lens: Lens, start: BundleStart) -> BundleFit:
    """The fit in which tiles may lie on tiles (nearer to the camera, so larger): each gets its expected height by
    EM."""
    fit, shares = bundle.fit(things, lens, start), STOREY_PRIOR
    for _ in range(EM_ROUNDS if len(things) >= MIN_STACKED else 0):
        chances = storey_probabilities(things, fit, shares)
        shares = (chances.sum(axis=0) + PRIOR_TILES * STOREY_PRIOR) / (len(things) + PRIOR_TILES)
        lifts = chances @ (np.arange(len(STOREY_PRIOR)) * TILE_TOP_MM)
        raised = [replace(thing, lift=float(lift)) for thing, lift in zip(things, lifts, strict=True)]
        fit = bundle.fit(raised, lens, BundleStart(fit.views, fit.places))
    return fit


def storey_probabilities(things: Sequence[FlatThing], fit: BundleFit, shares: Floats) -> Floats:
    """Probability of each thing (row) to lie on none, one or two tiles (column), from its residuals there."""
    logs = np.empty((len(things), len(shares)))
    for storey in range(len(shares)):
        squares = [squared_residual(replace(thing, lift=storey * TILE_TOP_MM), fit) for thing in things]
        logs[:, storey] = np.log(shares[storey]) - np.array(squares) / (2 * fit.sigma**2)
    return softmax(logs)


def squared_residual(thing: FlatThing, fit: BundleFit) -> float:
    """Sum of squared residuals (pixels) of a thing at its best pose."""
    place = pose_of(thing, fit.views[0], fit.lens)
    residual = bundle.problem_of([thing], fit.lens).project(fit.lens.numbers, fit.views, place[None]) - thing.seen
    return float((residual**2).sum())


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
    middle = lens.on_view(view, seen).mean(axis=0)
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
    base = lens.on_view(view, pixels)
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
    """By the number of that index, of the lens's and then the view's."""
    numbers, step = np.concatenate([lens.numbers, view]), 1e-6
    numbers[number] += step
    return (replace(lens, numbers=numbers[:NUMBERS]).on_view(numbers[NUMBERS:], pixels) - base) / step


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
    base = lens.on_view(view, pixels)
    steps = [lens.on_view(view, pixels + shift) - base for shift in np.eye(2)]
    return np.asarray(np.sqrt((steps[0] ** 2 + steps[1] ** 2).sum(axis=1) / 2))
