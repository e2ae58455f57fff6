"""How this set draws its values and colours its suits: a tile that nobody has shown yet is compared with those of its
value in other suits, and with others of its suit.

The five of moons is drawn like the five of suns that lies on the table, in another colour: for values only where ink is
counts, and for suits only which. Nulls bear none, and an ace may bear its suit instead of a number: of its value it is
only told for, never against. A set that prints all suits in one colour tells none of them by that.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import SUITS, Face, Kind, Rank, Suit
from rules.table.observed import Identity, Sighting
from vision.frame import Picture
from vision.identify.signs import ink_to_ground
from vision.witness.tuning import WITNESS, MarkingThresholds

Ink = NDArray[np.float32]
"""How much ink is where in the middle of a tile, from nought to one."""
Tint = NDArray[np.float32]
"""The colour of the ink against its ground's, in logarithms, so that no lamp changes it: what each colour has more than
the others, and last, how dark all of it is."""

_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Marking:
    """What is drawn on a tile."""

    ink: Ink
    tint: Tint


@dataclass(frozen=True, slots=True)
class SetMarkings:
    """What this set's tiles have shown, each when it was first believed."""

    shown: Mapping[Identity, Marking] = field(default_factory=dict)

    def taught(self, lessons: Iterable[tuple[Identity, Marking]]) -> SetMarkings:
        return SetMarkings({**dict(lessons), **self.shown})

    def weighed(self, seen: Sighting, figure: Marking | None, limits: MarkingThresholds = WITNESS.marking) -> Sighting:
        """The sighting with its doubts weighed by what its value is drawn like, and its suit coloured like."""
        if figure is None or not self.shown or len(seen.identities) < 2:
            return seen
        ranks = {rank: self._of_value(rank, figure, limits) for rank in {rank for _, rank in seen.identities}}
        suits = self._of_suits(figure, limits)

        def by(identity: Identity) -> float:
            suit, rank = identity
            coloured = suits.get(suit, 0.0) if suit is not None and rank is not Rank.NULL else 0.0
            return math.exp(ranks[rank] + coloured)

        return seen.weighed(by)

    def _of_value(self, rank: Rank | None, figure: Marking, limits: MarkingThresholds) -> float:
        """How much likelier such a figure is on a tile of that value, in nats."""
        known = [one for (_, other), one in self.shown.items() if other is rank]
        if not known or rank in (None, Rank.NULL):
            return 0.0
        told = limits.steep * (max(likeness(one.ink, figure.ink, limits) for one in known) - limits.even)
        return min(max(told, 0.0 if rank is Rank.ACE else limits.least), limits.most)

    def _of_suits(self, figure: Marking, limits: MarkingThresholds) -> dict[Suit, float]:
        """How much likelier such a colour is on a tile of each suit of which one is known."""
        known = defaultdict[Suit, list[Tint]](list)
        for (suit, rank), one in self.shown.items():
            if suit is not None and rank is not Rank.NULL:
                known[suit].append(one.tint)
        gaps = [_gap(*pair) for pair in combinations(known.values(), 2)]
        if max(gaps, default=0.0) < limits.one_ink:
            return {}
        least, most = limits.even_tint
        even = min(max(median(gaps) / 2, least), most)  # pale inks differ by less
        told = {suit: _told_by(_gap(tints, [figure.tint]) / even, limits) for suit, tints in known.items()}
        # Where two suits are printed alike a third may be, of which nothing is known yet.
        likeliest = max(told.values())
        return told if min(gaps) >= limits.one_ink else {suit: told.get(suit, likeliest) for suit in SUITS}


def _told_by(gap: float, limits: MarkingThresholds) -> float:
    """`gap`: one is as likely of another suit."""
    nats = (limits.nearer if gap < 1 else limits.farther) * (1 - gap)
    return min(max(nats, limits.least_tint), limits.most)


def marking_of(image: Picture, seen: Sighting, limits: MarkingThresholds = WITNESS.marking) -> Marking | None:
    """What is drawn in the middle of a tile that shows its face."""
    if seen.kind is not Kind.TILE or seen.face is not Face.FRONT or len(seen.outline_px) != len(_SQUARE):
        return None
    corners = np.array(seen.outline_px, np.float32)
    matrix = cv2.getPerspectiveTransform(corners, _SQUARE * np.float32(limits.side))
    upright = cv2.warpPerspective(image, matrix, (limits.side, limits.side), flags=cv2.INTER_AREA)
    inner = slice(limits.rim, limits.side - limits.rim)
    middle = np.asarray(upright[inner, inner], np.uint8)
    return Marking(_ink(middle, limits), _tint(middle, limits))


def _ink(middle: Picture, limits: MarkingThresholds) -> Ink:
    lab = cv2.cvtColor(middle, cv2.COLOR_BGR2LAB).astype(np.float32)
    ground = np.median(lab.reshape(-1, 3), axis=0)
    ink = np.linalg.norm((lab - ground) * np.array([limits.light, 1.0, 1.0], np.float32), axis=2)
    ink = cv2.GaussianBlur(ink, (0, 0), limits.soft)
    low, high = np.percentile(ink, limits.bare), np.percentile(ink, limits.full)
    return np.asarray(np.clip((ink - low) / (high - low + limits.grain), 0.0, 1.0), np.float32)


def _tint(middle: Picture, limits: MarkingThresholds) -> Tint:
    pixels = middle.reshape(-1, 3).T.astype(np.float64) / np.iinfo(np.uint8).max
    ratio = ink_to_ground(pixels[None], limits.surely_ink)[0]
    return np.asarray([*(ratio - ratio.mean()), limits.dark * ratio.mean()], np.float32)


def _gap(some: Iterable[Tint], others: Iterable[Tint]) -> float:
    """How far apart the nearest two are."""
    return min(float(np.linalg.norm(one - other)) for one, other in product(some, others))


def likeness(one: Ink, other: Ink, limits: MarkingThresholds = WITNESS.marking) -> float:
    """Whichever way they lie, and a little aside: the correlation of both, at best."""
    slack = limits.slack
    room = cv2.copyMakeBorder(other, slack, slack, slack, slack, cv2.BORDER_CONSTANT, value=0)
    turned = (np.ascontiguousarray(np.rot90(one, turn)) for turn in range(4))
    return max(float(cv2.matchTemplate(room, each, cv2.TM_CCOEFF_NORMED).max()) for each in turned)
