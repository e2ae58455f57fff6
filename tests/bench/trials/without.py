"""Eyes and referee with one of their senses taken away, to see what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from rules.table.evidence import TableEvidence
from vision.detect.nearby import Box
from vision.eyes import Look
from vision.frame import Frame
from vision.piece import Seen
from vision.pipeline import Looking
from vision.witness.change import Difference, Small
from vision.witness.tuning import Differing
from vision.witness.witness import FrameEvidence


class Sense(StrEnum):
    WITNESS = "witness"  # the picture is asked at all
    CHANGE = "change"  # what changed since the table was known; the board is tracked all the same
    NEARER = "nearer"  # what changed is looked at once more from nearer
    NAMES = "names"  # what the nets read: suit and value


@dataclass(frozen=True, slots=True)
class Senses:
    without: frozenset[Sense] = frozenset()

    def __str__(self) -> str:
        return f"without {', '.join(sorted(self.without))}" if self.without else "all senses"

    def seeing(self, eyes: Looking) -> Looking:
        return _Lessened(eyes, self.without) if self.without - {Sense.WITNESS, Sense.CHANGE} else eyes

    def told(self, seen: TableEvidence) -> TableEvidence:
        """The moment as the referee may ask about it."""
        if Sense.WITNESS in self.without:
            return TableEvidence(seen.table)
        if Sense.CHANGE in self.without and isinstance(seen.picture, FrameEvidence):
            seen.picture.difference = _untold
        return seen


ALL_SENSES = Senses()


class _Untold(Difference):
    """Nothing can be told of any place; the pictures are of one table all the same."""

    @property
    def share(self) -> float:
        return 0.0


def _untold(before: Small, after: Small, _: Differing) -> Difference:
    shape = min(before.image.shape[:2], after.image.shape[:2])
    nothing = np.zeros(shape, np.bool_)
    return _Untold(nothing, ~nothing, np.zeros(shape, np.int8), nothing)


class _Lessened:
    def __init__(self, eyes: Looking, without: frozenset[Sense]) -> None:
        self._eyes, self._without = eyes, without

    def look(self, frame: Frame) -> Look:
        look = self._eyes.look(frame)
        return replace(look, pieces=self._lessened(look.pieces), closer=self._nearer(look))

    def _nearer(self, look: Look) -> Callable[[Box, float], list[Seen]] | None:
        closer = look.closer
        if closer is None or Sense.NEARER in self._without:
            return None
        return lambda box, times: self._lessened(closer(box, times))

    def _lessened(self, pieces: Iterable[Seen]) -> list[Seen]:
        return [self._less(piece) for piece in pieces]

    def _less(self, piece: Seen) -> Seen:
        if Sense.NAMES in self._without and piece.kind != "die":  # a throw can be known in no other way
            piece = replace(piece, suits={}, ranks={}, marks={})
        return piece
