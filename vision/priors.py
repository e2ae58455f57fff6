"""What is already known of a table before it is looked at: the door through which a calibrated profile comes in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.identify.deck import Deck
from vision.piece import DetectedPiece
from vision.plane import Plane


class TablePriors(Protocol):
    """`named` gives the pieces with their doubts weighed anew; `plane` the table plane, or None where it knows none;
    `deck` the cards that are played with here, if they are others than usual; `reader` the file (ONNX) of a reader that
    was tuned on this set, if one was."""

    @property
    def deck(self) -> Deck | None: ...

    @property
    def reader(self) -> bytes | None: ...

    def named(self, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]: ...

    def plane(self, pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None: ...
