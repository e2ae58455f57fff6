"""Removes pieces that share a place with a more certain one."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from vision.detect import shape
from vision.piece import CERTAIN, DetectedPiece

MAX_COVERED_SHARE: Final = 0.65
"""Covered share of a tile above which it is a pattern across the borders of more certain tiles or cards, or part of
their print."""
MAX_PAWN_OVERLAP: Final = 0.6
"""Largest overlap of two pawns, as a share of the smaller: the head of a pawn is no second pawn."""
MIN_HEAD_GROWTH: Final = 1.2
"""Area of a complete pawn beside that of its head, at least."""
SAME_PLACE: Final = 0.3
"""Distance of two pieces of one kind and size below which they are one, seen twice, in sizes of the smaller."""
MAX_GROWTH: Final = 1.5
"""Area beside that of the other below which two pieces have one size: a pyramid stands on a larger one."""
ONE_A_PLACE: Final = ("coin", "die", "pyramid")
NEIGHBOUR_SIZES: Final = 1.5
"""Distance beyond which pieces do not overlap, in sizes of the smaller."""


def without_rivals(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces without those that are seen twice, heads of complete pawns, and tiles that others cover."""
    kept: list[DetectedPiece] = []
    for piece in sorted(pieces, key=lambda each: -each.certainty):
        overlapping = _overlapping_pawns(piece, kept)
        if len(overlapping) == 1 and _is_its_head(kept[overlapping[0]], piece):
            kept[overlapping[0]] = replace(piece, certainty=kept[overlapping[0]].certainty)
        elif not overlapping and not _is_covered(piece, kept) and not _is_seen_twice(piece, kept):
            kept.append(piece)
    return kept


def _overlapping_pawns(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> list[int]:
    """Indices of the surer pawns that a pawn overlaps: one of the two is the head of the other."""
    if piece.kind != "pawn":
        return []
    area, near = shape.area(piece.outline), [id(other) for other in _neighbours(piece, surer, ("pawn",))]
    return [
        index
        for index, other in enumerate(surer)
        if id(other) in near
        and shape.shared(piece.outline, other.outline) > MAX_PAWN_OVERLAP * min(area, shape.area(other.outline))
    ]


def _is_its_head(surer: DetectedPiece, pawn: DetectedPiece) -> bool:
    """Whether the surer of two overlapping pawns is the head of the other, whose foot is the true one."""
    is_larger = shape.area(pawn.outline) > MIN_HEAD_GROWTH * shape.area(surer.outline)
    return is_larger and pawn.certainty >= CERTAIN


def _is_covered(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> bool:
    if piece.kind != "tile":
        return False
    covered = sum(shape.shared(piece.outline, other.outline) for other in _neighbours(piece, surer, ("tile", "card")))
    return covered > MAX_COVERED_SHARE * shape.area(piece.outline)


def _is_seen_twice(piece: DetectedPiece, surer: Sequence[DetectedPiece]) -> bool:
    if piece.kind not in ONE_A_PLACE:
        return False
    area = shape.area(piece.outline)
    return any(
        math.dist(piece.center, other.center) < SAME_PLACE * math.sqrt(min(area, other_area))
        and max(area, other_area) < MAX_GROWTH * min(area, other_area)
        for other in surer
        if other.kind == piece.kind
        for other_area in (shape.area(other.outline),)
    )


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
