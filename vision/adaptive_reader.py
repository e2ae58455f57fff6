"""A reader that stays on one table: the sizes of the frame that showed it a moment ago show it now, and a picture in
which nothing changed is not read again."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.detect import nearby
from vision.detect.finder import ZOOMS
from vision.detect.nearby import Box
from vision.frame import Frame
from vision.read_cache import ReadCache
from vision.table_reader import FrameResult, TableReader, total_confidence

AFRESH = 12
"""Every so many looks all sizes are tried again, and everything is read anew."""
LESS = 0.75
"""So are they when less than this share of what was understood before is understood."""
ENOUGH = 0.96
"""Sizes that by themselves, in the very same frame, let this share be understood are enough."""


@dataclass(slots=True)
class AdaptiveReader:
    """Looks only at the sizes that showed the table, and reads only what changed, while nothing speaks against it."""

    reader: TableReader
    _zooms: tuple[float, ...] = ()
    _near: Box | None = None
    _understood: float = 0.0
    _since: int = 0
    _cache: ReadCache = field(default_factory=ReadCache)

    def look(self, frame: Frame) -> FrameResult:
        if not self._zooms or self._since >= AFRESH:
            return self._afresh(frame)
        look = self._nearer(frame)
        self._since += 1
        return look if total_confidence(look.pieces) >= LESS * self._understood else self._afresh(frame)

    def _nearer(self, frame: Frame) -> FrameResult:
        """At the sizes and in the part that showed the table; in a larger part where its pieces reach farther."""
        near = self._near
        look = self.reader.look(frame, zooms=self._zooms, cache=self._cache, near=near)
        box = near and nearby.around(look.pieces, frame.size)
        if near is None or box is None or nearby.is_looked_at(box, [near]):
            return look
        self._near = box
        return self.reader.look(frame, zooms=self._zooms, cache=self._cache, near=box)

    def _afresh(self, frame: Frame) -> FrameResult:
        """All sizes; fewer do from now on if alone they show hardly less."""
        self._cache.forget()
        look = self.reader.look(frame)
        fewer = self.reader.look(frame, zooms=look.zooms, near=look.near) if look.zooms != ZOOMS else look
        self._understood, self._since, self._near = total_confidence(look.pieces), 0, look.near
        self._zooms = look.zooms if total_confidence(fewer.pieces) >= ENOUGH * self._understood else ZOOMS
        return look
