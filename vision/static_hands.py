"""What looks like a hand, and lies just as it lay before something moved, is no hand: a cloth, a wooden frame, an arm
that rests beside the table while others play. Hands that act come and go, and never lie twice alike."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.stillness import CHANGED, Grey, otherwise, small

AROUND = 9
"""A net's border wavers: so many pixels of the small picture around what was taken for a hand are as good as it."""


@dataclass(frozen=True, slots=True)
class _Seen:
    hands: NDArray[np.bool_]
    grey: Grey


class StaticHands:
    """What was taken for hands in this still moment and in the one before the table moved."""

    def __init__(self) -> None:
        self._now: _Seen | None = None
        self._before: _Seen | None = None

    def moved(self) -> None:
        """The still moment is over."""
        if self._now is not None:
            self._before, self._now = self._now, None

    def acting(self, hands: NDArray[np.bool_] | None, picture: Picture) -> float | None:
        """The share of the picture that hands cover, without those that lie as they lay; None where nobody told where
        they are."""
        if hands is None:
            return None
        grey = small(picture)
        size = grey.shape[1], grey.shape[0]
        shown = cv2.resize(hands.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
        self._now = _Seen(shown, grey)
        if self._before is None or self._before.grey.shape != grey.shape:
            return float(shown.mean())
        lay = cv2.dilate(self._before.hands.astype(np.uint8), np.ones((AROUND, AROUND), np.uint8)) > 0
        acting = shown & ~(lay & (otherwise(self._before.grey, grey) <= CHANGED))
        return float(acting.mean())
