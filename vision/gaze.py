"""Eyes that stay on one table: what was the right size of the frame a moment ago is right now."""

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
    """Looks as `eyes` do, but tries only the size that proved right while nothing speaks against it."""

    eyes: Eyes
    _zoom: float | None = None
    _understood: float = 0.0
    _since: int = 0

    def look(self, frame: Frame) -> Look:
        if self._zoom is None or self._since >= AFRESH:
            return self._remembered(self.eyes.look(frame))
        look = self.eyes.look(frame, zoom=self._zoom)
        self._since += 1
        if believed(look.pieces) < LESS * self._understood:
            return self._remembered(self.eyes.look(frame))
        return look

    def _remembered(self, look: Look) -> Look:
        self._zoom, self._understood, self._since = look.zoom, believed(look.pieces), 0
        return look
