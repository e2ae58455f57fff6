"""How this set draws its values: a tile that nobody has shown yet is compared with those of its value in other suits.

The five of moons is drawn like the five of suns that lies on the table, in another colour. So only where ink is counts,
and not which. Nulls bear none, and an ace may bear its suit instead of a number: it is only told for, never against.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind, Rank
from rules.table.observed import Identity, Sighting
from vision.frame import Picture
from vision.witness.tuning import WITNESS, Figuring

Figure = NDArray[np.float32]
"""How much ink is where in the middle of a tile, from nought to one."""

_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True, slots=True)
class Figures:
    """What this set's tiles have shown, each when it was first believed."""

    shown: Mapping[Identity, Figure] = field(default_factory=dict)

    def taught(self, lessons: Iterable[tuple[Identity, Figure]]) -> Figures:
        return Figures({**dict(lessons), **self.shown})

    def weighed(self, seen: Sighting, figure: Figure | None, figuring: Figuring = WITNESS.figuring) -> Sighting:
        """The sighting with its doubts weighed by what its value is drawn like."""
        if figure is None or not self.shown or len(seen.identities) < 2:
            return seen
        said = {rank: math.exp(self._says(rank, figure, figuring)) for rank in {rank for _, rank in seen.identities}}
        return seen.weighed(lambda identity: said[identity[1]])

    def _says(self, rank: Rank | None, figure: Figure, figuring: Figuring) -> float:
        """How much likelier such a figure is on a tile of that value, in nats."""
        known = [one for (_, other), one in self.shown.items() if other is rank]
        if not known or rank in (None, Rank.NULL):
            return 0.0
        told = figuring.steep * (max(likeness(one, figure, figuring) for one in known) - figuring.even)
        return min(max(told, 0.0 if rank is Rank.ACE else figuring.least), figuring.most)


def figure_of(image: Picture, seen: Sighting, figuring: Figuring = WITNESS.figuring) -> Figure | None:
    """What is drawn in the middle of a tile that shows its face."""
    if seen.kind is not Kind.TILE or seen.face is not Face.FRONT or len(seen.outline_px) != len(_SQUARE):
        return None
    corners = np.array(seen.outline_px, np.float32)
    matrix = cv2.getPerspectiveTransform(corners, _SQUARE * np.float32(figuring.side))
    upright = cv2.warpPerspective(image, matrix, (figuring.side, figuring.side), flags=cv2.INTER_AREA)
    inner = slice(figuring.rim, figuring.side - figuring.rim)
    lab = cv2.cvtColor(upright, cv2.COLOR_BGR2LAB).astype(np.float32)[inner, inner]
    ground = np.median(lab.reshape(-1, 3), axis=0)
    ink = np.linalg.norm((lab - ground) * np.array([figuring.light, 1.0, 1.0], np.float32), axis=2)
    ink = cv2.GaussianBlur(ink, (0, 0), figuring.soft)
    low, high = np.percentile(ink, figuring.bare), np.percentile(ink, figuring.full)
    return np.asarray(np.clip((ink - low) / (high - low + figuring.grain), 0.0, 1.0), np.float32)


def likeness(one: Figure, other: Figure, figuring: Figuring = WITNESS.figuring) -> float:
    """Whichever way they lie, and a little aside: the correlation of both, at best."""
    slack = figuring.slack
    room = cv2.copyMakeBorder(other, slack, slack, slack, slack, cv2.BORDER_CONSTANT, value=0)
    turned = (np.ascontiguousarray(np.rot90(one, turn)) for turn in range(4))
    return max(float(cv2.matchTemplate(room, each, cv2.TM_CCOEFF_NORMED).max()) for each in turned)
