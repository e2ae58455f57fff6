"""What is known of a table before it is looked at: the interface of a calibrated profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.identify.deck import Deck
from vision.piece import DetectedPiece
from vision.plane import Plane


class TablePriors(Protocol):
    """`reweight` returns the pieces with re-weighted answers, and `plane` the table plane or None if unknown. `deck`:
    the deck of cards in use, if not the default. `reader`: a reader (ONNX file content) tuned on this set, if any."""

    @property
    def deck(self) -> Deck | None: ...

    @property
    def reader(self) -> bytes | None: ...

    def reweight(self, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]: ...

    def plane(self, pieces: Sequence[DetectedPiece], size: tuple[int, int]) -> Plane | None: ...
