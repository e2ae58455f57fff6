"""Where the table is: from the tiles that lie on it, from the printed sheet, or from four corners dragged by hand.

The plane is kept as a camera pose, not only as a homography, so that things of other heights than the plane's own come
out in their right places too. Millimetres, y pointing up in the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from calibration import bundle
from calibration.bundle import Fit, Start, Thing
from calibration.lens import NUMBERS, Lens, rays
from rules.pieces.sizes import MM_PER_INCH, REFERENCE
from vision.detect import shape
from vision.detect.shape import Floats
from vision.rectify import apply

TILE_MM: Final = REFERENCE.tile_side
TOP: Final = REFERENCE.tile_thickness
"""How high the upper sides of tiles lie: every plane is brought there, whatever it was found by."""
UNIT: Final[Floats] = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
SIDE_TOLERANCE: Final = 0.002
"""By how much real tiles differ from their nominal side, all together: nothing in the picture can tell it."""
EIGHT: Final = tuple((float(np.cos(a)), float(np.sin(a))) for a in np.arange(8) * np.pi / 4)
DRAGGED: Final = 2.0
"""Pixels by which a finger misses a corner."""
MEASURED: Final = 0.5
"""Millimetres by which a person misses with a ruler."""
PLAYED: Final = 14 * MM_PER_INCH
"""Side of the square, round the sheet or the dragged corners, for which the error is told: a big game lies in it."""
CUT: Final = 0.06
"""A piece nearer to the picture's edge than this share of its width is not seen whole."""
PAPER: Final = 2e-4
"""By how much paper stretches after it was measured, as a share."""
PRINTED: Final = 0.1
"""Pixels by which a printed corner is usually misread."""
DRAWS: Final = 200
"""Tables that might be, drawn from what the fit does not know."""


class PlaneError(ValueError):
    """No plane can be told from this; the text says what to do."""


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


@dataclass(frozen=True, slots=True)
class TablePlane:
    """`view` is the plane in the camera's axes (see bundle), `frame` the place (x, y, turn) of the table's own origin
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
        solid = bundle.on_plane(self.view, unframed(self.frame, points)) - lift * bundle.normal_of(self.view)
        return self.lens.project(solid)

    @property
    def tilt_deg(self) -> float:
        """0: the camera looks straight down."""
        return float(np.degrees(np.arccos(np.clip(bundle.normal_of(self.view)[2], -1, 1))))

    @property
    def distance_mm(self) -> float:
        """From the camera to the table, straight down."""
        return float(np.exp(self.view[2]) * bundle.normal_of(self.view)[2])

    def homography(self, unit_mm: float) -> Floats:
        """Takes the table (in units of so many millimetres) to the ideal picture of a lens that does not bend."""
        corners = UNIT * 4 * TILE_MM
        flat = bundle.on_plane(self.view, unframed(self.frame, corners))
        picture = flat[:, :2] / flat[:, 2:] * self.lens.focal + self.lens.centre
        return square_to(corners / unit_mm, picture)

    def moved_to(self, frame: Floats) -> TablePlane:
        return replace(self, frame=frame)

    def lifted(self, rise: float) -> TablePlane:
        """The parallel plane so much nearer to the camera; places straight above each other keep their names."""
        normal = bundle.normal_of(self.view)
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


def on_view(numbers: Floats, size: tuple[int, int], view: Floats, pixels: Floats, lift: float = 0.0) -> Floats:
    """Where the rays of these pixels meet the plane (or one lifted towards the camera), in the plane's own axes."""
    normal = bundle.normal_of(view)
    flat = rays(numbers, size, pixels)
    full = np.column_stack([flat, np.ones(len(flat))])
    centre = np.array([0.0, 0.0, np.exp(view[2])]) - lift * normal
    reach = full @ normal
    reach = np.where(reach > 1e-6, reach, 1e-6)  # a pixel above the horizon is very far away
    solid = full * ((centre @ normal) / reach)[:, None] - centre
    out: Floats = solid @ axes_of(view).T
    return out


def axes_of(view: Floats) -> Floats:
    """The plane's two axes (rows) in the camera's."""
    return bundle.on_plane(np.array([*view[:2], -np.inf]), np.eye(2))


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
        raise PlaneError("no tile lies in the picture: lay a few tiles face up and apart, or use the printed sheet")
    things = [Thing(UNIT * side_mm, quad) for quad in quads]
    fit = bundle.fit(things, lens, tile_start(things, lens), sigma)
    return replace(finished(fit, quads, "tiles", height, SIDE_TOLERANCE), tile=side_mm)


def from_grid(points: Floats, seen: Floats, lens: Lens, sigma: float = PRINTED) -> TablePlane:
    """The plane over the printed sheet: its points in millimetres and where they are seen."""
    if len(points) < 4:
        raise PlaneError("too little of the sheet is in the picture: show all of it, flat on the table")
    thing = Thing(points - points.mean(axis=0), seen, alone=True)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), sigma)
    return finished(fit, [seen], "sheet", 0.0, PAPER).lifted(TOP)


def from_corners(corners: Floats, width_mm: float, height_mm: float, lens: Lens) -> TablePlane:
    """Four corners dragged by hand onto something flat of known size, from its top left, clockwise."""
    if min(width_mm, height_mm) < 10:
        raise PlaneError("the rectangle's sides must be at least 10 mm: measure what the corners lie on")
    if not convex(corners):
        raise PlaneError("the four corners cross or lie in a line: drag them round the rectangle, clockwise")
    thing = Thing(UNIT * np.array([width_mm, height_mm]), corners)
    fit = bundle.fit([thing], lens, grid_start([thing], lens), DRAGGED)
    return finished(fit, [corners], "corners", 0.0, MEASURED / min(width_mm, height_mm)).lifted(TOP)


def convex(corners: Floats) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    after = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    return bool((turns > 1.0).all())


def tile_start(things: Sequence[Thing], lens: Lens) -> Start:
    """The tilt under which the tiles look most like equal squares: tried all over, then more finely round the best."""
    seen = np.array([thing.seen for thing in things])
    tilts = [np.zeros(2)] + [tilt * np.array(way) for tilt in (0.25, 0.5, 0.75, 1.0) for way in EIGHT]
    best = min(tilts, key=lambda tilt: unsquare(tilt, seen, lens)[0])
    for reach in (0.12, 0.06, 0.03, 0.015):
        best = min((best, *(best + reach * np.array(way) for way in EIGHT)), key=lambda t: unsquare(t, seen, lens)[0])
    side = float(np.linalg.norm(things[0].shape[1] - things[0].shape[0]))
    view = np.array([*best, np.log(side / unsquare(best, seen, lens)[1])])
    return Start(view[None], np.array([place_of(thing, view, lens) for thing in things]))


def unsquare(tilt: Floats, seen: Floats, lens: Lens) -> tuple[float, float]:
    """How unlike equal squares the tiles are on a plane of this tilt at distance one, and how long their sides are."""
    flat = on_view(lens.numbers, lens.size, np.array([*tilt, 0.0]), seen.reshape(-1, 2)).reshape(seen.shape)
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, 2:] - flat[:, :2], axis=2) / np.sqrt(2)
    lengths = np.concatenate([sides, across], axis=1)
    side = max(float(np.median(lengths)), 1e-9)
    return float(np.median(np.abs(lengths / side - 1), axis=1).mean()), side


def grid_start(things: Sequence[Thing], lens: Lens) -> Start:
    """Each thing in a picture of its own."""
    views = []
    for thing in things:
        straight = lens.straight(thing.seen)
        views.append(view_of(least_homography(thing.shape, straight), lens))
    return Start(np.array(views), np.array([place_of(t, v, lens) for t, v in zip(things, views, strict=True)]))


def least_homography(points: Floats, seen: Floats) -> Floats:
    """Least squares over all points, both sides brought to unit size first."""
    before, after = unit_size(points), unit_size(seen)
    here, there = apply(before, points), apply(after, seen)
    rows = []
    for (x, y), (u, v) in zip(here, there, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y, -u], [0, 0, 0, x, y, 1, -v * x, -v * y, -v]]
    matrix = np.linalg.svd(np.array(rows))[2][-1].reshape(3, 3)
    out: Floats = np.linalg.inv(after) @ matrix @ before
    return out


def unit_size(points: Floats) -> Floats:
    middle = points.mean(axis=0)
    scale = 1 / max(float(np.abs(points - middle).max()), 1e-9)
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1.0]])


def view_of(homography: Floats, lens: Lens) -> Floats:
    """(tilt x, tilt y, log depth) of the plane that a homography (y down) shows through this lens."""
    camera = np.array([[lens.focal, 0, lens.centre[0]], [0, lens.focal, lens.centre[1]], [0, 0, 1.0]])
    axes = np.linalg.inv(camera) @ homography
    axes = axes / np.sqrt(np.linalg.norm(axes[:, 0]) * np.linalg.norm(axes[:, 1]))
    axes = axes * (1.0 if axes[2, 2] > 0 else -1.0)
    normal = np.cross(axes[:, 0], axes[:, 1])
    normal = normal / max(float(np.linalg.norm(normal)), 1e-9)
    normal = normal * (1.0 if normal[2] > 0 else -1.0)
    depth = float(axes[:, 2] @ normal) / max(float(normal[2]), 0.2)
    rx = -np.arcsin(np.clip(normal[1], -0.98, 0.98))
    ry = np.arctan2(normal[0], max(float(normal[2]), 0.05))
    return np.array([rx, ry, np.log(max(depth, 1e-3))])


def place_of(thing: Thing, view: Floats, lens: Lens) -> Floats:
    """Place and turn of a thing whose points are seen, on a known plane (Procrustes)."""
    flat = on_view(lens.numbers, lens.size, view, thing.seen)
    here, there = thing.shape - thing.shape.mean(axis=0), flat - flat.mean(axis=0)
    turn = np.arctan2(np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]), np.sum(here * there))
    c, s = np.cos(turn), np.sin(turn)
    x, y = flat.mean(axis=0) - np.array([[c, -s], [s, c]]) @ thing.shape.mean(axis=0)
    return np.array([x, y, turn])


def finished(fit: Fit, quads: Sequence[Floats], source: str, height: float, tolerance: float) -> TablePlane:
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


def round_about(lens: Lens, view: Floats, seen: Floats) -> Floats:
    """Pixels all over the table round about what was seen, as far as it is in the picture: where the game will lie."""
    span = np.linspace(-PLAYED / 2, PLAYED / 2, 8)
    middle = on_view(lens.numbers, lens.size, view, seen).mean(axis=0)
    places = middle + np.stack(np.meshgrid(span, span), axis=-1).reshape(-1, 2)
    pixels = lens.project(bundle.on_plane(view, places))
    edge = CUT * lens.size[0]
    inside: Floats = pixels[((pixels > edge) & (pixels < np.array(lens.size) - edge)).all(axis=1)]
    return inside if len(inside) >= 4 else seen


def better_source(lens: Lens, source: str) -> str:
    """Corners tell nothing of the lens, and tiles less than a sheet did."""
    return lens.source if source == "corners" or lens.source in ("sheet", "stored") else source


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
