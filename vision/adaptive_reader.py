"""A reader for one table over time: it uses only the zooms that found the table before, and reads only what changed."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.detect import nearby
from vision.detect.finder import ZOOMS
from vision.detect.nearby import Region
from vision.frame import Frame
from vision.read_cache import ReadCache
from vision.table_reader import FrameResult, TableReader, total_confidence

FULL_LOOK_EVERY = 12
"""Number of looks after which all zooms are used and everything is read again."""
MIN_KEPT_SHARE = 0.75
"""A full look follows if the total confidence falls below this share of that of the last full look."""
SUFFICIENT_SHARE = 0.96
"""Fewer zooms are enough if they alone reach this share of the full look's total confidence on the same frame."""


@dataclass(slots=True)
class AdaptiveReader:
    """Looks with the zooms and the region needed before, and with cached reads, while the result stays as good."""

    reader: TableReader
    _zooms: tuple[float, ...] = ()
    _region: Region | None = None
    _full_confidence: float = 0.0
    _looks_since_full: int = 0
    _cache: ReadCache = field(default_factory=ReadCache)

    def look(self, frame: Frame) -> FrameResult:
        if not self._zooms or self._looks_since_full >= FULL_LOOK_EVERY:
            return self._full_look(frame)
        result = self._quick_look(frame)
        self._looks_since_full += 1
        return (
            result
            if total_confidence(result.pieces) >= MIN_KEPT_SHARE * self._full_confidence
            else self._full_look(frame)
        )

    def _quick_look(self, frame: Frame) -> FrameResult:
        """A look with the needed zooms and region; in a larger region if the pieces reach farther."""
        region = self._region
        result = self.reader.look(frame, zooms=self._zooms, cache=self._cache, region=region)
        box = region and nearby.region_of_pieces(result.pieces, frame.size)
        if region is None or box is None or nearby.is_searched(box, [region]):
            return result
        self._region = nearby.grown(region, box)
        return self.reader.look(frame, zooms=self._zooms, cache=self._cache, region=self._region)

    def _full_look(self, frame: Frame) -> FrameResult:
        """A look with all zooms. Later looks use fewer if these alone find nearly as much."""
        self._cache.forget()
        result = self.reader.look(frame)
        reduced = self.reader.look(frame, zooms=result.zooms, region=result.region) if result.zooms != ZOOMS else result
        self._full_confidence, self._looks_since_full, self._region = total_confidence(result.pieces), 0, result.region
        self._zooms = (
            result.zooms if total_confidence(reduced.pieces) >= SUFFICIENT_SHARE * self._full_confidence else ZOOMS
        )
        return result
