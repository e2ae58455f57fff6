"""Print of this set's values and colours of its suits: a tile not shown so far is compared with tiles of its value in
other suits, and with others of its suit.

The five of moons is drawn like the five of suns in another colour: for values only the ink mask counts, for suits only
the ink's colour. Nulls bear no ink, and an ace may bear its suit instead of a number, so similarity can only support an
ace. A set that prints all suits in one colour gives no evidence about suits."""

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
from vision.identify.read import ink_to_ground
from vision.witness.tuning import WITNESS

Ink = NDArray[np.float32]
"""Amount of ink at each place in the middle of a tile, from 0 to 1."""
Tint = NDArray[np.float32]
"""Colour of the ink against its ground in logarithms, which makes it independent of the lamp: the excess of each
channel over their mean, and last the overall darkness."""

LIMITS = WITNESS.marking
_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Marking:
    """Ink and colour of the print of a tile."""

    ink: Ink
    tint: Tint


@dataclass(frozen=True, slots=True)
class SetMarkings:
    """Markings that this set's tiles have shown, each from when it was first accepted."""

    shown: Mapping[Identity, Marking] = field(default_factory=dict)

    def taught(self, lessons: Iterable[tuple[Identity, Marking | None]]) -> SetMarkings:
        """With these lessons added; known markings stay."""
        return SetMarkings({**{face: one for face, one in lessons if one is not None}, **self.shown})

    def weighed(self, sighting: Sighting, marking: Marking | None) -> Sighting:
        """The observation with its identities weighted by the similarity of its print to known values and suits."""
        if marking is None or not self.shown or len(sighting.identities) < 2:
            return sighting
        ranks = {rank: self._value_nats(rank, marking) for rank in {rank for _, rank in sighting.identities}}
        suits = self._suit_nats(marking)

        def factor(identity: Identity) -> float:
            suit, rank = identity
            colour_nats = suits.get(suit, 0.0) if suit is not None and rank is not Rank.NULL else 0.0
            return math.exp(ranks[rank] + colour_nats)

        return sighting.reweighted(factor)

    def _value_nats(self, rank: Rank | None, marking: Marking) -> float:
        """Log likelihood ratio of such a print for a value, in nats."""
        known = [one for (_, other), one in self.shown.items() if other is rank]
        if not known or rank in (None, Rank.NULL):
            return 0.0
        correlation = max(likeness(one.ink, marking.ink) for one in known)
        nats = LIMITS.nats_per_correlation * (correlation - LIMITS.neutral_correlation)
        return min(max(nats, 0.0 if rank is Rank.ACE else LIMITS.min_value_nats), LIMITS.max_nats)

    def _suit_nats(self, marking: Marking) -> dict[Suit, float]:
        """Log likelihood ratio of such a colour for each known suit, in nats."""
        known = defaultdict[Suit, list[Tint]](list)
        for (suit, rank), one in self.shown.items():
            if suit is not None and rank is not Rank.NULL:
                known[suit].append(one.tint)
        gaps = [_tint_distance(*pair) for pair in combinations(known.values(), 2)]
        if max(gaps, default=0.0) < LIMITS.same_ink_distance:
            return {}
        least, most = LIMITS.neutral_distance_limits
        neutral = min(max(median(gaps) / 2, least), most)  # pale inks differ by less
        nats = {suit: _colour_nats(_tint_distance(tints, [marking.tint]) / neutral) for suit, tints in known.items()}
        # Where two suits are printed alike a third may be, of which nothing is known yet.
        likeliest = max(nats.values())
        return nats if min(gaps) >= LIMITS.same_ink_distance else {suit: nats.get(suit, likeliest) for suit in SUITS}


def _colour_nats(distance: float) -> float:
    """Log likelihood ratio of a colour distance, in nats. `distance`: 1 is neutral."""
    nats = (LIMITS.same_tint_nats if distance < 1 else LIMITS.far_tint_nats) * (1 - distance)
    return min(max(nats, LIMITS.min_tint_nats), LIMITS.max_nats)


def marking_of(image: Picture, sighting: Sighting) -> Marking | None:
    """The print in the middle of a tile that shows its face; None for other pieces."""
    if sighting.kind is not Kind.TILE or sighting.face is not Face.FRONT or len(sighting.outline_px) != len(_SQUARE):
        return None
    corners = np.array(sighting.outline_px, np.float32)
    matrix = cv2.getPerspectiveTransform(corners, _SQUARE * np.float32(LIMITS.side_px))
    rectified = cv2.warpPerspective(image, matrix, (LIMITS.side_px, LIMITS.side_px), flags=cv2.INTER_AREA)
    inner = slice(LIMITS.rim_px, LIMITS.side_px - LIMITS.rim_px)
    center = np.asarray(rectified[inner, inner], np.uint8)
    return Marking(_ink(center), _tint(center))


def _ink(center: Picture) -> Ink:
    lab = cv2.cvtColor(center, cv2.COLOR_BGR2LAB).astype(np.float32)
    ground = np.median(lab.reshape(-1, 3), axis=0)
    ink = np.linalg.norm((lab - ground) * np.array([LIMITS.brightness_weight, 1.0, 1.0], np.float32), axis=2)
    ink = cv2.GaussianBlur(ink, (0, 0), LIMITS.blur_sigma_px)
    low, high = np.percentile(ink, LIMITS.bare_percentile), np.percentile(ink, LIMITS.full_percentile)
    return np.asarray(np.clip((ink - low) / (high - low + LIMITS.min_contrast), 0.0, 1.0), np.float32)


def _tint(center: Picture) -> Tint:
    pixels = center.reshape(-1, 3).T.astype(np.float64) / np.iinfo(np.uint8).max
    ratio = ink_to_ground(pixels[None], LIMITS.ink_share)[0]
    return np.asarray([*(ratio - ratio.mean()), LIMITS.darkness_weight * ratio.mean()], np.float32)


def _tint_distance(tints: Iterable[Tint], others: Iterable[Tint]) -> float:
    """Distance of the nearest two tints."""
    return min(float(np.linalg.norm(one - other)) for one, other in product(tints, others))


def likeness(one: Ink, other: Ink) -> float:
    """Largest correlation of two ink masks over quarter turns and small shifts."""
    slack = LIMITS.max_shift_px
    padded = cv2.copyMakeBorder(other, slack, slack, slack, slack, cv2.BORDER_CONSTANT, value=0)
    rotations = (np.ascontiguousarray(np.rot90(one, turn)) for turn in range(4))
    return max(float(cv2.matchTemplate(padded, each, cv2.TM_CCOEFF_NORMED).max()) for each in rotations)
