"""Two pieces cannot be in one place: of rivals, the more certain stays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.detect import shape
from vision.piece import DetectedPiece

RIVALS: Final = frozenset({"coin", "die", "pawn", "pyramid"})
ON_COINS: Final = frozenset({"die", "pawn", "pyramid"})
NEAR: Final = 0.4


COVERED: Final = 0.65
"""A tile that surer tiles or cards cover by more than this could hardly be seen: it is a pattern across their borders,
or a part of their drawing."""
SHARED: Final = 0.6
"""Of two pawns, no more of the smaller outline may lie in the other: the head of a pawn is no pawn of its own."""
SHEETS: Final = frozenset({"tile", "card"})


@dataclass(frozen=True, slots=True)
class Sized:
    """A piece with its size and its place, which many others are compared with."""

    piece: DetectedPiece
    size: float
    x: float
    y: float


def without_rivals(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """A piece may stand on a coin, and tiles may overlap; what stands cannot share a place, nor can whole tiles, and no
    tile lies on a card."""
    kept: list[Sized] = []
    for piece in sorted(pieces, key=lambda each: -each.certainty):
        it = Sized(piece, math.sqrt(shape.area(piece.outline)), float(piece.center[0]), float(piece.center[1]))
        if not any(rivals(it, other) for other in kept) and not hidden(it, kept):
            kept.append(it)
    return [each.piece for each in kept]


def part_of(one: Sized, other: Sized) -> bool:
    """Whether two pawns are one, seen once as a whole and once by its head."""
    if one.piece.kind != "pawn" or other.piece.kind != "pawn" or not close(one, other, 1.5):
        return False
    both = shape.shared(one.piece.outline, other.piece.outline)
    return both > SHARED * min(one.size, other.size) ** 2


def hidden(it: Sized, surer: Sequence[Sized]) -> bool:
    if it.piece.kind != "tile":
        return False
    near = [other.piece.outline for other in surer if other.piece.kind in SHEETS and close(it, other, 1.5)]
    covered = sum(shape.shared(it.piece.outline, other) for other in near)
    return covered > COVERED * it.size**2


def rivals(one: Sized, other: Sized) -> bool:
    kinds = {one.piece.kind, other.piece.kind}
    if part_of(one, other):
        return True
    if len(kinds) == 1 or not kinds <= RIVALS:
        return False
    return close(one, other, 0.6 * NEAR if "coin" in kinds and kinds & ON_COINS else NEAR)


def close(one: Sized, other: Sized, share: float) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) < share * min(one.size, other.size)
