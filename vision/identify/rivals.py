"""Two pieces cannot stand in one place: of rivals, the more certain stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.detect import shape
from vision.piece import Seen

RIVALS: Final = frozenset({"coin", "die", "pawn", "pyramid"})
ON_COINS: Final = frozenset({"die", "pawn", "pyramid"})
NEAR: Final = 0.4


def without_rivals(pieces: Sequence[Seen]) -> list[Seen]:
    """A piece may stand on a coin; two that stand cannot share a place. Tiles and cards have no rivals here."""
    kept: list[Seen] = []
    for piece in sorted(pieces, key=lambda each: -each.certainty):
        if not any(rivals(piece, other) for other in kept):
            kept.append(piece)
    return kept


def rivals(one: Seen, other: Seen) -> bool:
    if one.kind == other.kind or not {one.kind, other.kind} <= RIVALS:
        return False
    if "coin" in (one.kind, other.kind) and {one.kind, other.kind} & ON_COINS:
        return close(one, other, 0.6 * NEAR)
    return close(one, other, NEAR)


def close(one: Seen, other: Seen, share: float) -> bool:
    size = min(np.sqrt(shape.area(one.outline)), np.sqrt(shape.area(other.outline)))
    return bool(np.linalg.norm(one.center - other.center) < share * size)
