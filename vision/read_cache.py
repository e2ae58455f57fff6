"""Cache of reads: on an unchanged board a look costs little more than detection.

A read is reused where a detection of its kind was at the same place and nothing around it has changed in the picture;
at intervals `AdaptiveReader` reads everything again. Only reads that were made a few times are cached: several looks at
a newly laid piece are worth more than one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.decode import SMALL, Detection
from vision.detect.shape import Floats
from vision.identify.deck import FoundCard
from vision.identify.read import CropReading

MIN_READS: Final = 3
"""Number of looks that read a detection before its read is reused."""
REDUCTION: Final = 2
"""Factor by which the picture is reduced for comparison: fine noise is no change."""
MIN_CHANGE, FLICKER_FACTOR = 6.0, 5.0
"""A pixel has changed if its brightness differs by more than this of 255, and by more than this multiple of the
picture's flicker."""
MAX_FLICKER: Final = 2.5
"""Median difference above which the light has changed."""
UNCHANGED_SHARE: Final = 2e-4
"""Changed share of the picture up to which nothing was moved."""
MAX_CHANGED_SHARE: Final = 0.3
"""Changed share above which camera or light have changed: nothing is reused."""
MARGIN_FACTOR: Final = 1.25
"""Size of the region that must be unchanged, relative to the outline: neighbours throw shadows or cover the piece."""
POSITION_TOLERANCE: Final = 0.12
"""Largest displacement of a detection, in its sizes."""
SIZE_TOLERANCE: Final = 0.15
"""Largest change of its size (log of length)."""

Grey = NDArray[np.float32]


class CachedRead(NamedTuple):
    """An earlier detection, its read (None if it was no piece), and the number of looks that read it."""

    found: Detection
    read: CropReading | None
    times: int


@dataclass(slots=True)
class ReadCache:
    """Reads of the last looks and the picture they belong to."""

    _entries: list[CachedRead] = field(default_factory=list)
    _reference: Grey | None = None
    _changed: NDArray[np.uint8] | None = None
    _matched: dict[int, CachedRead] = field(default_factory=dict)
    cards: list[FoundCard] | None = None
    """The cards found by their print, if they need not be searched again."""

    def forget(self) -> None:
        self._entries, self._reference, self.cards = [], None, None

    def unchanged(self, grey: NDArray[np.uint8], found: Sequence[Detection]) -> dict[int, CachedRead]:
        """The reusable reads by index in `found`."""
        current = reduced(grey)
        if self._reference is None or self._reference.shape != current.shape:
            self.forget()
        self._changed = None if self._reference is None else changed_mask(self._reference, current)
        if self._changed is not None and self._changed.mean() > MAX_CHANGED_SHARE:
            self.forget()
            self._changed = None
        self._matched = self._matches(found)
        if self._reference is None or self._changed is None:
            self._reference = current
        elif self._changed.mean() > UNCHANGED_SHARE:  # the reference stays elsewhere, so that slow changes add up
            self._reference = np.where(self._changed > 0, current, self._reference)
            self.cards = None
        return {index: entry for index, entry in self._matched.items() if entry.times >= MIN_READS}

    def keep(self, found: Sequence[Detection], reused: dict[int, CachedRead], reads: dict[int, CropReading]) -> None:
        """Store this look. `reads`: new reads by index in `found`; detections without one were no pieces."""
        times = {index: entry.times for index, entry in self._matched.items()}
        self._entries = [
            reused.get(index) or CachedRead(each, reads.get(index), times.get(index, 0) + 1)
            for index, each in enumerate(found)
        ]

    def _matches(self, found: Sequence[Detection]) -> dict[int, CachedRead]:
        """Entries at an unchanged place, by index in `found`."""
        if not self._entries or self._changed is None or not found:
            return {}
        unchanged = [thing for thing in self._entries if not has_change_around(self._changed, thing.found)]
        if not unchanged:
            return {}
        (positions, sizes, groups), (old_positions, old_sizes, old_groups) = (
            positions_sizes_groups(each) for each in (found, [thing.found for thing in unchanged])
        )
        distances = np.linalg.norm(positions[:, None] - old_positions, axis=2)
        fits = (distances < POSITION_TOLERANCE * old_sizes) & (groups[:, None] == old_groups)
        fits &= np.abs(np.log(sizes[:, None] / old_sizes)) < SIZE_TOLERANCE
        out: dict[int, CachedRead] = {}
        free = set(range(len(unchanged)))
        for index in np.argsort(np.where(fits, distances, np.inf).min(axis=1)):
            near = [place for place in free if fits[index, place]]
            if near:
                place = min(near, key=lambda each: float(distances[index, each]))
                free.remove(place)
                out[int(index)] = unchanged[place]
        return out


def reduced(grey: NDArray[np.uint8]) -> Grey:
    small = cv2.resize(grey, None, fx=1 / REDUCTION, fy=1 / REDUCTION, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.float32)


def changed_mask(before: Grey, current: Grey) -> NDArray[np.uint8]:
    difference = np.abs(current - before)
    flicker = float(np.median(difference))
    limit = max(MIN_CHANGE, FLICKER_FACTOR * flicker) if flicker < MAX_FLICKER else -1.0
    return np.asarray(difference > limit, np.uint8)


def has_change_around(mask: NDArray[np.uint8], found: Detection) -> bool:
    """Whether anything changed in the region of the reduced picture that a detection needs."""
    low, high = found.outline.min(axis=0), found.outline.max(axis=0)
    center, half = (low + high) / 2, (high - low) / 2 * MARGIN_FACTOR
    left, top = np.maximum(np.floor((center - half) / REDUCTION), 0).astype(int)
    right, bottom = np.ceil((center + half) / REDUCTION).astype(int) + 1
    return bool(mask[top:bottom, left:right].any())


def positions_sizes_groups(found: Sequence[Detection]) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """Position, size and kind of each detection; small kinds form one group, as they are often confused."""
    sizes = np.sqrt(np.maximum([shape.area(each.outline) for each in found], 1.0))
    groups = np.array(["small" if each.kind in SMALL else each.kind for each in found])
    return np.array([each.outline.mean(axis=0) for each in found]), sizes, groups


def with_indices(found: Sequence[Detection]) -> list[Detection]:
    """The detections with their positions in the list."""
    return [replace(each, index=index) for index, each in enumerate(found)]
