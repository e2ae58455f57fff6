"""Removes pieces that share a place with a more certain one."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

from vision.detect import shape
from vision.piece import DetectedPiece

MAX_COVERED_SHARE: Final = 0.65
"""Covered share of a tile above which it is a pattern across the borders of more certain tiles or cards, or part of
their print."""
MAX_PAWN_OVERLAP: Final = 0.6
"""Largest overlap of two pawns, as a share of the smaller: the head of a pawn is no second pawn."""
NEIGHBOUR_SIZES: Final = 1.5
"""Distance beyond which pieces do not overlap, in sizes of the smaller."""


def without_rivals(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces without heads of complete pawns and without tiles that others cover."""
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
        shape.shared(piece.outline, other.outline) > MAX_PAWN_OVERLAP * min(area, shape.area(other.outline))
        for other in _neighbours(piece, surer, ("pawn",))
    )


def _is_covered(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> bool:
    if piece.kind != "tile":
        return False
    covered = sum(shape.shared(piece.outline, other.outline) for other in _neighbours(piece, surer, ("tile", "card")))
    return covered > MAX_COVERED_SHARE * shape.area(piece.outline)


def _neighbours(piece: DetectedPiece, others: Sequence[DetectedPiece], kinds: Collection[str]) -> list[DetectedPiece]:
    """The pieces of these kinds near enough to overlap."""
    x, y, area = *piece.center, shape.area(piece.outline)
    return [
        other
        for other in others
        if other.kind in kinds
        and math.hypot(x - other.center[0], y - other.center[1])
        < NEIGHBOUR_SIZES * math.sqrt(min(area, shape.area(other.outline)))
    ]
