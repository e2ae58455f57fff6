"""Two pieces cannot be in one place: of rivals, the more certain stays."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

from vision.detect import shape
from vision.piece import DetectedPiece

COVERED: Final = 0.65
"""A tile that surer tiles or cards cover by more than this is a pattern across their borders or part of a drawing."""
SHARED: Final = 0.6
"""Of two pawns, no more of the smaller outline may lie in the other: the head of a pawn is no pawn of its own."""
NEAR: Final = 1.5
"""What lies farther away, in sizes of the smaller, shares nothing."""


def without_rivals(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """Without the heads of pawns that were seen as a whole, and tiles that others cover."""
    kept: list[DetectedPiece] = []
    for piece in sorted(pieces, key=lambda each: -each.certainty):
        if not _is_a_head(piece, kept) and not _is_covered(piece, kept):
            kept.append(piece)
    return kept


def _is_a_head(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> bool:
    if piece.kind != "pawn":
        return False
    area = shape.area(piece.outline)
    return any(
        shape.shared(piece.outline, other.outline) > SHARED * min(area, shape.area(other.outline))
        for other in _beside(piece, surer, ("pawn",))
    )


def _is_covered(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> bool:
    if piece.kind != "tile":
        return False
    covered = sum(shape.shared(piece.outline, other.outline) for other in _beside(piece, surer, ("tile", "card")))
    return covered > COVERED * shape.area(piece.outline)


def _beside(piece: DetectedPiece, others: Sequence[DetectedPiece], kinds: Collection[str]) -> list[DetectedPiece]:
    """Those of these kinds that may touch it."""
    x, y, area = *piece.center, shape.area(piece.outline)
    return [
        other
        for other in others
        if other.kind in kinds
        and math.hypot(x - other.center[0], y - other.center[1])
        < NEAR * math.sqrt(min(area, shape.area(other.outline)))
    ]
