"""Eyes that stay on one table: the sizes of the frame that showed it a moment ago show it now."""

from __future__ import annotations

from dataclasses import dataclass

from vision.eyes import Eyes, Look, believed
from vision.frame import Frame

AFRESH = 12
"""Every so many looks all sizes are tried again."""
LESS = 0.75
"""So are they when less than this share of what was understood before is understood."""


@dataclass(slots=True)
class Gaze:
    """Looks as `eyes` do, but only at the sizes that showed the table while nothing speaks against it."""

    eyes: Eyes
    _zooms: tuple[float, ...] = ()
    _understood: float = 0.0
    _since: int = 0

    def look(self, frame: Frame) -> Look:
        if not self._zooms or self._since >= AFRESH:
            return self._remembered(self.eyes.look(frame))
        look = self.eyes.look(frame, zooms=self._zooms)
        self._since += 1
        if believed(look.pieces) < LESS * self._understood:
            return self._remembered(self.eyes.look(frame))
        return look

    def _remembered(self, look: Look) -> Look:
        self._zooms, self._understood, self._since = look.zooms, believed(look.pieces), 0
        return look
