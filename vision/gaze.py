"""Eyes that stay on one table: the sizes of the frame that showed it a moment ago show it now, and a picture in which
nothing changed is not read again."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.detect.finder import ZOOMS
from vision.detect.nearby import Box
from vision.eyes import Eyes, Look, believed
from vision.frame import Frame
from vision.recall import Recall

AFRESH = 12
"""Every so many looks all sizes are tried again, and everything is read anew."""
LESS = 0.75
"""So are they when less than this share of what was understood before is understood."""
ENOUGH = 0.96
"""Sizes that by themselves, in the very same frame, let this share be understood are enough: one tile of a small board
is more than the rest."""


@dataclass(slots=True)
class Gaze:
    """Looks as `eyes` do, but only at the sizes that showed the table, and reads nothing again that has not changed,
    while nothing speaks against it."""

    eyes: Eyes
    _zooms: tuple[float, ...] = ()
    _near: Box | None = None
    _understood: float = 0.0
    _since: int = 0
    _recall: Recall = field(default_factory=Recall)

    def look(self, frame: Frame) -> Look:
        if not self._zooms or self._since >= AFRESH:
            return self._afresh(frame)
        look = self.eyes.look(frame, zooms=self._zooms, recall=self._recall, near=self._near)
        self._since += 1
        return look if believed(look.pieces) >= LESS * self._understood else self._afresh(frame)

    def _afresh(self, frame: Frame) -> Look:
        """All sizes; fewer do from now on if alone they show hardly less."""
        self._recall.forget()
        look = self.eyes.look(frame)
        fewer = self.eyes.look(frame, zooms=look.zooms, near=look.near) if look.zooms != ZOOMS else look
        self._understood, self._since, self._near = believed(look.pieces), 0, look.near
        self._zooms = look.zooms if believed(fewer.pieces) >= ENOUGH * self._understood else ZOOMS
        return look
