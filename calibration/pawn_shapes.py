"""Shapes of a lesson's pawns: for each suit the turned body (radius over height) that fits into most of its
silhouettes, or (flat pawns) the upright prism whose silhouettes are those of its pawns.

An upright body hides a part of the table from a camera. Its disc at any height hides a disc, the farther from the point
below the camera the higher it is. The width of the hidden part there bounds the body's radius at that height.

A prism's front is symmetric, with a width at each of four heights. A point above the table hides the one on its ray
from the camera, so the hull of what the prism hides is that of its corners. It is compared with the silhouettes by
support functions: the farthest extent in each of some directions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.lesson_task import NamedPage
from calibration.plane import TablePlane
from rules.pieces import SUITS
from rules.pieces.sizes import SPACE_MM
from vision.detect.shape import Floats
from vision.frame import Frame, Picture

HEIGHTS: Final = np.linspace(0.0, 10.0, 101)
"""Heights at which a body's radius is measured, in radii of its foot."""
MARGIN: Final = 0.25
"""Margin round a pawn for its segmentation, as a share of its outline's size."""
RESOLUTION_PX: Final = 96
"""Pixels along the hidden part of the table."""
MIN_PAWNS: Final = 3
"""Fewest pawns for a shape."""
GRABCUT_ROUNDS: Final = 4
FILLED_SHARE: Final = 0.93
"""A disc fills an end where its radius is at least this share of the distance of its centre from that end."""
HEAD_RATIO: Final = 1.2
"""A body that is so many times as wide at its top as at its waist has a head."""
MAX_FOOT_DEVIATION: Final = 0.4
"""Relative deviation of the feet's radii above which they are not round."""
OWN_SHAPE: Final = 0.25
"""Relative difference above which a suit has a shape of its own."""
RADIUS_QUANTILE: Final = 0.3
"""Quantile of the views' radii that is taken for the body's radius."""
HEIGHT_QUANTILE: Final = 0.85
"""Quantile of the views' heights that is taken for its height. With both the height of turned bodies of ten kinds, of
which twelve pawns were rendered from 20 to 40 degrees off the vertical, is 5 % too small (12 % at most), from 5 to 22
degrees 16 %; their width is within 5 %."""
PROFILE_TOLERANCE: Final = 0.03
"""Tolerance of the simplified profile, in radii of the foot."""
MAX_HEIGHT: Final = 0.8
"""Largest height of a body, in camera heights."""


@dataclass(frozen=True, slots=True)
class OcclusionProfile:
    """The part of the table that one upright body hides, along the ray from the point below the camera: at distance
    `at` the largest inscribed radius (`column`); it begins at `near`. In inches; `camera_height`: the camera's."""

    camera_height: float
    near: float
    at: Floats
    column: Floats

    @property
    def foot(self) -> float:
        """Radius of the largest disc that fills the near end."""
        fits = self.column >= FILLED_SHARE * (self.at - self.near)
        return float(self.column[np.flatnonzero(fits)[-1]])

    def top(self, foot: float) -> float:
        """Height of the uppermost disc (the largest that fills the far end), for a foot of this radius."""
        far = float(self.at[np.flatnonzero(self.column)[-1]])
        fits = self.column >= FILLED_SHARE * (far - self.at)
        return self.camera_height * max(0.0, 1 - (self.near + foot) / float(self.at[np.flatnonzero(fits)[0]]))

    def radii(self, foot: float, heights: Floats) -> Floats:
        """Largest radii at these heights, for a foot of this radius. A higher disc hides more, and farther away."""
        above = np.minimum(heights / self.camera_height, MAX_HEIGHT)
        return np.asarray(np.interp((self.near + foot) / (1 - above), self.at, self.column, right=0.0) * (1 - above))


@dataclass(frozen=True, slots=True)
class TurnedBody:
    """A turned body: rows of radius and height in inches, bottom first."""

    profile: Floats

    @property
    def width(self) -> float:
        return 2 * float(self.profile[:, 0].max())

    @property
    def height(self) -> float:
        return float(self.profile[-1, 1])

    def difference(self, other: TurnedBody) -> float:
        """Mean difference of the radii from foot to top, relative to the other's largest one."""
        heights = np.linspace(0, max(self.height, other.height), len(HEIGHTS))
        own, others = (np.interp(heights, each.profile[:, 1], each.profile[:, 0], right=0.0) for each in (self, other))
        return float(np.abs(own - others).mean()) / other.width * 2


View = tuple[str, OcclusionProfile]
"""A pawn's suit and its occlusion profile."""


def silhouettes_of(frame: Frame, page: NamedPage) -> list[tuple[str, Floats]]:
    """Suit and segmented outline (pixels) of each pawn of one picture."""
    return [(str(named.name[0]), silhouette(frame.image, named.piece.outline)) for named in page.named]


def turned_bodies(views: Sequence[View]) -> dict[str, TurnedBody]:
    """Bodies by suit: that of all pawns together, except for suits that differ from it. Empty where the feet are not
    round."""
    if len(views) < MIN_PAWNS or not have_round_feet([profile for _, profile in views]):
        return {}
    usual, out = fitted_body([profile for _, profile in views]), {}
    for suit in map(str, SUITS):
        own_views = [each for name, each in views if name == suit]
        own = fitted_body(own_views) if len(own_views) >= MIN_PAWNS else usual
        out[suit] = own if own.difference(usual) > OWN_SHAPE else usual
    return out


def have_round_feet(views: Sequence[OcclusionProfile]) -> bool:
    """Whether the feet are discs of about one size; the hidden part of a flat figure ends in a corner."""
    feet, widest = (np.array(sizes) for sizes in zip(*((each.foot, each.column.max()) for each in views), strict=True))
    usual = float(np.median(feet))
    return bool(
        np.median(np.abs(feet - usual)) < MAX_FOOT_DEVIATION * usual and usual > MAX_FOOT_DEVIATION * np.median(widest)
    )


def fitted_body(views: Sequence[OcclusionProfile]) -> TurnedBody:
    """The body that fits into most views: each gives its largest width and its least height. A body that is wider at
    its top than below ends in a ball, else flat: from above both hide the same."""
    foot = float(np.median([each.foot for each in views]))
    heights = HEIGHTS * foot
    seen = np.quantile([each.radii(foot, heights) for each in views], RADIUS_QUANTILE, axis=0)
    top = max(float(np.quantile([each.top(foot) for each in views], HEIGHT_QUANTILE)), foot / 2)
    rows = np.column_stack([seen, heights])[heights < top]
    head = float(np.interp(top, heights, seen))
    ball = head if head > HEAD_RATIO * rows[:, 0].min() else 0.0
    turns = np.linspace(0, np.pi / 2, 6)
    dome = np.column_stack([head * np.cos(turns), top + ball * np.sin(turns)]) if ball else np.array([[head, top]])
    line = cv2.approxPolyDP(np.vstack([rows, dome]).astype(np.float32), PROFILE_TOLERANCE * foot, False)[:, 0]
    return TurnedBody(np.vstack([[0.0, 0.0], line, [0.0, line[-1, 1] + foot / 100]]))


def silhouette(picture: Picture, outline: Floats) -> Floats:
    """Outline (pixels) of the piece, segmented from the table round it by colour (GrabCut)."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    room = MARGIN * float((high - low).max())
    left, top = np.maximum(np.floor(low - room), 0).astype(int)
    right, bottom = np.ceil(high + room).astype(int) + 1
    part = np.ascontiguousarray(picture[top:bottom, left:right])
    near = np.zeros(part.shape[:2], np.uint8)
    cv2.fillPoly(near, [np.round(outline - (left, top)).astype(np.int32)], 1)
    reach = np.ones((3, 3), np.uint8)
    grown = cv2.dilate(near, reach, iterations=max(1, round(room / 2)))
    core = cv2.erode(near, reach, iterations=max(1, round(float((high - low).min()) / 5)))
    if not core.any() or grown.all():
        return outline
    own = np.where(near > 0, cv2.GC_PR_FGD, np.where(grown > 0, cv2.GC_PR_BGD, cv2.GC_BGD))
    own = np.where(core > 0, cv2.GC_FGD, own).astype(np.uint8)
    cv2.setRNGSeed(1)
    cv2.grabCut(part, own, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), GRABCUT_ROUNDS, cv2.GC_INIT_WITH_MASK)
    lines, _ = cv2.findContours((own & 1).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(lines, key=cv2.contourArea)
    return np.asarray(longest[:, 0].astype(np.float64) + (left, top))


def occlusion_profile(plane: TablePlane, outline: Floats) -> OcclusionProfile:
    places = (plane.to_table(outline, 0.0) - plane.below_camera) / SPACE_MM
    direction = places.mean(axis=0)
    direction = direction / np.linalg.norm(direction)
    flat = np.column_stack([places @ direction, places @ [-direction[1], direction[0]]])
    low, size = flat.min(axis=0), np.ptp(flat, axis=0)
    fine = RESOLUTION_PX / float(size.max())
    hides = np.zeros(tuple(int(n) + 5 for n in (size * fine)[::-1]), np.uint8)
    cv2.fillPoly(hides, [np.round((flat - low) * fine + 2).astype(np.int32)], 1)
    within = cv2.distanceTransform(hides, cv2.DIST_L2, 5) / fine
    at = (np.arange(hides.shape[1]) - 2) / fine + low[0]
    camera_height = (plane.distance_mm + plane.height) / SPACE_MM
    return OcclusionProfile(camera_height, float(low[0]), at, within.max(axis=0).astype(np.float64))


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
    scales = 1 / (1 - np.minimum(LEVELS * height / view.camera_height, MAX_HEIGHT))
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
