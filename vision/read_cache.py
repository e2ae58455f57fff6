"""What was read a moment ago need not be read again while it looks the same: on a quiet board a look costs little more
than finding.

A thing is taken from the cache where one of its kind was found before and nothing around it has changed in the picture
since; every so many looks `AdaptiveReader` reads everything anew. Only what was read a few times is cached: several
looks at a piece that has just been laid are worth more than one.
"""

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

OFTEN: Final = 3
"""So many looks read a thing anew before it is recalled."""
COARSE: Final = 2
"""Changes are looked for in a picture so many times smaller: fine noise is no change."""
NEWS, NOISES = 6.0, 5.0
"""A part is new if its brightness differs by so many steps of 255, and by so many times what the picture flickers."""
FLICKER: Final = 2.5
"""What differs more than this everywhere does not flicker: the light is another."""
SPECKS: Final = 2e-4
"""If no more than this share of the picture is new, nothing was moved."""
ELSEWHERE: Final = 0.3
"""If more than this share is new, the camera was moved or the light is another: nothing is recalled."""
ROOM: Final = 1.25
"""How much more than its outline must be unchanged: something beside it throws shadows, or covers it."""
BESIDE: Final = 0.12
"""How far (in lengths of it) the finder may see a thing from where it saw it before."""
ALIKE: Final = 0.15
"""How much (in log of length) it may seem larger or smaller."""

Grey = NDArray[np.float32]


class CachedRead(NamedTuple):
    """A thing that was found before, what reading made of it (nothing, if it was no piece), and how often."""

    found: Detection
    read: CropReading | None
    times: int


@dataclass(slots=True)
class ReadCache:
    """What the last looks read, and the picture they read it in."""

    _things: list[CachedRead] = field(default_factory=list)
    _seen: Grey | None = None
    _changed: NDArray[np.uint8] | None = None
    _matched: dict[int, CachedRead] = field(default_factory=dict)
    _cards: list[FoundCard] | None = None

    def forget(self) -> None:
        self._things, self._seen, self._cards = [], None, None

    def unchanged(self, grey: NDArray[np.uint8], found: Sequence[Detection]) -> dict[int, CachedRead]:
        """Which of what was found now need not be read, by its place in `found`."""
        now = coarse(grey)
        if self._seen is None or self._seen.shape != now.shape:
            self.forget()
        self._changed = None if self._seen is None else changed(self._seen, now)
        if self._changed is not None and self._changed.mean() > ELSEWHERE:
            self.forget()
            self._changed = None
        self._matched = self._matching(found)
        if self._seen is None or self._changed is None:
            self._seen = now
        elif self._changed.mean() > SPECKS:  # elsewhere it stays what was read: a slow change is one at last
            self._seen = np.where(self._changed > 0, now, self._seen)
            self._cards = None
        return {index: thing for index, thing in self._matched.items() if thing.times >= OFTEN}

    def keep(self, found: Sequence[Detection], recalled: dict[int, CachedRead], reads: dict[int, CropReading]) -> None:
        """`reads`: what was read just now, by its place in `found`; the rest of it was no piece."""
        self._things = [
            recalled.get(index) or CachedRead(each, reads.get(index), self._times(index))
            for index, each in enumerate(found)
        ]

    def _times(self, index: int) -> int:
        before = self._matched.get(index)
        return before.times + 1 if before else 1

    def cards(self) -> list[FoundCard] | None:
        """The cards that were found by their drawings, if they need not be looked for again."""
        return self._cards

    def keep_cards(self, cards: list[FoundCard]) -> None:
        self._cards = cards

    def _matching(self, found: Sequence[Detection]) -> dict[int, CachedRead]:
        """What stands where it stood, by its place in `found`."""
        if not self._things or self._changed is None or not found:
            return {}
        still = [thing for thing in self._things if not touched(self._changed, thing.found)]
        if not still:
            return {}
        (places, sizes, groups), (places_then, sizes_then, groups_then) = (
            measured(each) for each in (found, [thing.found for thing in still])
        )
        gaps = np.linalg.norm(places[:, None] - places_then, axis=2)
        fits = (gaps < BESIDE * sizes_then) & (np.abs(np.log(sizes[:, None] / sizes_then)) < ALIKE)
        fits &= groups[:, None] == groups_then
        out: dict[int, CachedRead] = {}
        free = set(range(len(still)))
        for index in np.argsort(np.where(fits, gaps, np.inf).min(axis=1)):
            near = [place for place in free if fits[index, place]]
            if near:
                place = min(near, key=lambda each: float(gaps[index, each]))
                free.remove(place)
                out[int(index)] = still[place]
        return out


def coarse(grey: NDArray[np.uint8]) -> Grey:
    small = cv2.resize(grey, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)), np.float32)


def changed(before: Grey, now: Grey) -> NDArray[np.uint8]:
    """Where the picture is not what it was."""
    gap = np.abs(now - before)
    flicker = float(np.median(gap))
    return np.asarray(gap > (max(NEWS, NOISES * flicker) if flicker < FLICKER else -1.0), np.uint8)


def touched(change: NDArray[np.uint8], found: Detection) -> bool:
    """Whether anything changed in the part of the coarse picture that a thing needs."""
    low, high = found.outline.min(axis=0), found.outline.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2 * ROOM
    left, top = np.maximum(np.floor((middle - half) / COARSE), 0).astype(int)
    right, bottom = np.ceil((middle + half) / COARSE).astype(int) + 1
    return bool(change[top:bottom, left:right].any())


def measured(found: Sequence[Detection]) -> tuple[Floats, Floats, NDArray[np.str_]]:
    """Where each thing is, how large, and of which kind; the small kinds are often taken for each other."""
    sizes = np.sqrt(np.maximum([shape.area(each.outline) for each in found], 1.0))
    groups = np.array(["small" if each.kind in SMALL else each.kind for each in found])
    return np.array([each.outline.mean(axis=0) for each in found]), sizes, groups


def numbered(found: Sequence[Detection]) -> list[Detection]:
    """Each knows its place in the list, whatever becomes of the others."""
    return [replace(each, index=index) for index, each in enumerate(found)]
