"""Two pieces cannot be in one place: of rivals, the more certain stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.detect import shape
from vision.piece import Seen

RIVALS: Final = frozenset({"coin", "die", "pawn", "pyramid"})
ON_COINS: Final = frozenset({"die", "pawn", "pyramid"})
NEAR: Final = 0.4


COVERED: Final = 0.65
"""A tile that surer tiles cover by more than this could hardly be seen: it is a pattern across their borders."""


def without_rivals(pieces: Sequence[Seen]) -> list[Seen]:
    """A piece may stand on a coin, and tiles may overlap; what stands cannot share a place, nor can whole tiles."""
    kept: list[Seen] = []
    for piece in sorted(pieces, key=lambda each: -each.certainty):
        if not any(rivals(piece, other) for other in kept) and not hidden(piece, kept):
            kept.append(piece)
    return kept


def hidden(piece: Seen, surer: Sequence[Seen]) -> bool:
    if piece.kind != "tile":
        return False
    outline = piece.outline.astype(np.float32)
    near = [other.outline.astype(np.float32) for other in surer if other.kind == "tile" and close(piece, other, 1.5)]
    covered = sum(cv2.intersectConvexConvex(outline, other)[0] for other in near)
    return covered > COVERED * shape.area(piece.outline)


def rivals(one: Seen, other: Seen) -> bool:
    if one.kind == other.kind or not {one.kind, other.kind} <= RIVALS:
        return False
    if "coin" in (one.kind, other.kind) and {one.kind, other.kind} & ON_COINS:
        return close(one, other, 0.6 * NEAR)
    return close(one, other, NEAR)


def close(one: Seen, other: Seen, share: float) -> bool:
    size = min(np.sqrt(shape.area(one.outline)), np.sqrt(shape.area(other.outline)))
    return bool(np.linalg.norm(one.center - other.center) < share * size)
