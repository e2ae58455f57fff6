"""What the pawns of a lesson are shaped like: of each suit the turned body (a profile of radii over heights) that fits
into most of what is seen of them.

An upright body hides some of the table from a camera. A disc of it at any height hides a disc, the farther from the
camera's foot the higher it is: what is hidden shows the body's discs one behind the other. As wide as it is there, so
wide the body can be at that height.
"""

from __future__ import annotations

from collections.abc import Sequence
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
"""Where a body's radius is measured, in radii of its foot."""
ROOM: Final = 0.25
"""As much of its outline's size is seen round a pawn when it is cut from its table."""
FINE: Final = 96
"""Pixels along what a pawn hides."""
SURE: Final = 3
"""Fewer pawns than these tell nothing."""
ROUNDS: Final = 4
FILLED: Final = 0.93
"""A disc fills an end where so much of what lies before its middle is its radius."""
BULGE: Final = 1.2
"""What is so much wider at its top than at its waist has a head."""
OVAL: Final = 0.4
"""Feet that differ by more than this share are not round."""
UNLIKE: Final = 0.25
"""Bodies that differ by more than this share are of two shapes."""
NARROW: Final = 0.3
"""The share of the views that show a body narrower than it is taken to be..."""
TALL: Final = 0.85
"""... and lower. With these the height of turned bodies of ten kinds, of which twelve pawns were drawn from 20 to 40
degrees off the vertical, is 5 % too small (12 % at most of them), from 5 to 22 degrees 16 %; their width within 5 %."""
SMOOTH: Final = 0.03
"""Radii of its foot by which a profile may be off, so that it needs few points."""
HIGHEST: Final = 0.8
"""No body reaches nearer to the camera than this, in camera heights."""


@dataclass(frozen=True, slots=True)
class OcclusionProfile:
    """What one upright body hides of the table: from its `near` end away from the camera's foot, at each place `at` how
    much room (`column`) there is to its edge. In inches, with a camera so `high`."""

    high: float
    near: float
    at: Floats
    column: Floats

    @property
    def foot(self) -> float:
        """The radius of the largest disc that fills its near end."""
        fits = self.column >= FILLED * (self.at - self.near)
        return float(self.column[np.flatnonzero(fits)[-1]])

    def top(self, foot: float) -> float:
        """How high its uppermost disc lies, where its foot is so wide: the largest that fills its far end."""
        far = float(self.at[np.flatnonzero(self.column)[-1]])
        fits = self.column >= FILLED * (far - self.at)
        return self.high * max(0.0, 1 - (self.near + foot) / float(self.at[np.flatnonzero(fits)[0]]))

    def radii(self, foot: float, heights: Floats) -> Floats:
        """How wide (radius) it may be at these heights, where its foot is so wide. A disc that lies higher hides more,
        and farther away."""
        above = np.minimum(heights / self.high, HIGHEST)
        out: Floats = np.interp((self.near + foot) / (1 - above), self.at, self.column, right=0.0) * (1 - above)
        return out


@dataclass(frozen=True, slots=True)
class Turned:
    """A turned body: rows of radius and height, in inches, bottom first."""

    profile: Floats

    @property
    def wide(self) -> float:
        return 2 * float(self.profile[:, 0].max())

    @property
    def high(self) -> float:
        return float(self.profile[-1, 1])

    def unlike(self, other: Turned) -> float:
        """How far their radii differ from foot to top, as a share of the other's widest one."""
        heights = np.linspace(0, max(self.high, other.high), len(HEIGHTS))
        mine, its = (np.interp(heights, each.profile[:, 1], each.profile[:, 0], right=0.0) for each in (self, other))
        return float(np.abs(mine - its).mean()) / other.wide * 2


View = tuple[str, OcclusionProfile]
"""A pawn's suit, and what it hides, in inches."""


def views_of(frame: Frame, page: NamedPage, plane: TablePlane) -> list[View]:
    """Of the pawns of one picture, on the plane of the tiles in it."""
    return [(str(named.name[0]), hidden(plane, silhouette(frame.image, named.piece.outline))) for named in page.named]


def turned_bodies(views: Sequence[View]) -> dict[str, Turned]:
    """By suit; all suits have that of all pawns together, but for those that are seen to differ from it. Nothing where
    the feet are not round."""
    if len(views) < SURE or not are_round([seen for _, seen in views]):
        return {}
    usual, out = turned([seen for _, seen in views]), {}
    for suit in map(str, SUITS):
        seen = [each for name, each in views if name == suit]
        own = turned(seen) if len(seen) >= SURE else usual
        out[suit] = own if own.unlike(usual) > UNLIKE else usual
    return out


def are_round(views: Sequence[OcclusionProfile]) -> bool:
    """Whether the feet are discs of about one size: into the corner of what a sawn figure hides goes a small one."""
    feet, widest = (np.array(sizes) for sizes in zip(*((each.foot, each.column.max()) for each in views), strict=True))
    usual = float(np.median(feet))
    return bool(np.median(np.abs(feet - usual)) < OVAL * usual and usual > OVAL * np.median(widest))


def turned(views: Sequence[OcclusionProfile]) -> Turned:
    """The body that fits into most of its views: each of them tells how wide it is at most, and what of its top shows
    beyond its foot how high at least. What is wider at its top than below ends in a ball, else flat: seen from above
    one hides as much as the other."""
    foot = float(np.median([each.foot for each in views]))
    heights = HEIGHTS * foot
    seen = np.quantile([each.radii(foot, heights) for each in views], NARROW, axis=0)
    top = max(float(np.quantile([each.top(foot) for each in views], TALL)), foot / 2)
    rows = np.column_stack([seen, heights])[heights < top]
    head = float(np.interp(top, heights, seen))
    ball = head if head > BULGE * rows[:, 0].min() else 0.0
    turns = np.linspace(0, np.pi / 2, 6)
    dome = np.column_stack([head * np.cos(turns), top + ball * np.sin(turns)]) if ball else np.array([[head, top]])
    line = cv2.approxPolyDP(np.vstack([rows, dome]).astype(np.float32), SMOOTH * foot, False)[:, 0]
    return Turned(np.vstack([[0.0, 0.0], line, [0.0, line[-1, 1] + foot / 100]]))


def silhouette(picture: Picture, outline: Floats) -> Floats:
    """The outline of what lies there by its colours against those of the table about it (points in the picture)."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    room = ROOM * float((high - low).max())
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
    cv2.grabCut(part, own, (0, 0, 1, 1), np.zeros((1, 65)), np.zeros((1, 65)), ROUNDS, cv2.GC_INIT_WITH_MASK)
    lines, _ = cv2.findContours((own & 1).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(lines, key=cv2.contourArea)
    out: Floats = longest[:, 0].astype(np.float64) + (left, top)
    return out


def hidden(plane: TablePlane, outline: Floats) -> OcclusionProfile:
    """What a body of this outline hides of the table."""
    places = (plane.to_table(outline, 0.0) - plane.below_camera) / SPACE_MM
    way = places.mean(axis=0)
    way = way / np.linalg.norm(way)
    flat = np.column_stack([places @ way, places @ [-way[1], way[0]]])
    low, size = flat.min(axis=0), np.ptp(flat, axis=0)
    fine = FINE / float(size.max())
    hides = np.zeros(tuple(int(n) + 5 for n in (size * fine)[::-1]), np.uint8)
    cv2.fillPoly(hides, [np.round((flat - low) * fine + 2).astype(np.int32)], 1)
    within = cv2.distanceTransform(hides, cv2.DIST_L2, 5) / fine
    at = (np.arange(hides.shape[1]) - 2) / fine + low[0]
    high = (plane.distance_mm + plane.height) / SPACE_MM
    return OcclusionProfile(high, float(low[0]), at, within.max(axis=0).astype(np.float64))
