"""The part of the frame in which a table's pieces lie, looked at by itself. The finder judges every place by all that
it sees: on a chequered cloth that fills the frame it hardly believes in tiles, which it finds when it is shown them
without most of the cloth. What was found first tells where to look."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from vision.detect import shape
from vision.detect.channels import STRIDE
from vision.detect.shape import Floats
from vision.piece import DetectedPiece

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the frame."""

FEWEST: Final = 2
"""So many pieces tell where a game is played; one may be a mistake."""
ROOM: Final = 1.2
"""In tiles (or the largest pieces that there are): so much more than the pieces is looked at."""
MOST: Final = 0.7
"""A part that takes more of the frame than this shows hardly less than the frame."""
FARTHER: Final = 1.1
"""Unless a part that was looked at is so many times as large, it showed what is there."""


def about(cards: Sequence[Floats], frame: tuple[int, int], seen: Collection[Box]) -> Box | None:
    """Where these cards lie, if no part as small was looked at yet: unlike what is made up on a speckled table they
    tell where the game is. (Of 756 pyramids beside cards 572 are found with this, 473 without.)"""
    box = _around(cards, frame, [_length(card) for card in cards])
    return None if box is None or any(area(part) < FARTHER * area(box) for part in seen) else box


def is_looked_at(box: Box, seen: Collection[Box]) -> bool:
    """Whether a part that was looked at is hardly smaller than this one."""
    return any(FARTHER * area(part) > area(box) for part in seen)


def around(pieces: Sequence[DetectedPiece], frame: tuple[int, int]) -> Box | None:
    """Where the pieces lie, if that is not most of the frame. `frame`: its width and height."""
    if len(pieces) < FEWEST:
        return None
    sheets = [_length(piece.outline) for piece in pieces if piece.kind in ("tile", "card")]
    sizes = sheets or [max(_length(piece.outline) for piece in pieces)]
    return _around([piece.outline for piece in pieces], frame, sizes)


def _around(outlines: Sequence[Floats], frame: tuple[int, int], sizes: Sequence[float]) -> Box | None:
    points, room = np.concatenate(outlines), ROOM * float(np.median(sizes))
    low = np.maximum(points.min(axis=0) - room, 0).astype(int) // STRIDE * STRIDE
    high = np.minimum(np.ceil(points.max(axis=0) + room), frame).astype(int)
    box = int(low[0]), int(low[1]), int(high[0]), int(high[1])
    return None if area(box) > MOST * frame[0] * frame[1] else box


def _length(outline: Floats) -> float:
    return math.sqrt(shape.area(outline))


def area(box: Box) -> int:
    left, top, right, bottom = box
    return max(0, right - left) * max(0, bottom - top)
