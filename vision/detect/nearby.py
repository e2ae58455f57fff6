"""The region of the frame that holds the pieces, to be searched separately. The finder's answer at a place depends on
the whole input: on a chequered cloth that fills the frame it misses tiles that it finds without most of the cloth. The
first detections give the region."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np

from vision.detect import shape
from vision.detect.channels import STRIDE
from vision.detect.shape import Floats
from vision.piece import DetectedPiece

TILE_PX: Final = 80
"""Side of a tile in the input at which the finder misses least. (Found, and of the right kind, in 49 pictures: tiles
.98 at 45 to 128 pixels, .90 at 32, .68 at 23; dice .93, .91, .36; pyramids .94 to .96 at 64 to 91, .79 at 45.)"""
MAX_ENLARGED: Final = 2.5
"""Largest scale of the input."""
MAX_INPUT_PX: Final = 1.3e6
"""Pixels of the input up to which a region is enlarged (budget: two and a half times a whole frame at zoom 1)."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the frame."""


class Region(NamedTuple):
    """A part of the frame, and the scale of the input in which it is searched."""

    box: Box
    scale: float


MIN_PIECES: Final = 2
"""Number of pieces from which a region is defined; one may be a mistake."""
MARGIN_TILES: Final = 1.2
"""Margin around the pieces, in tiles (or the largest pieces present)."""
MAX_FRAME_SHARE: Final = 0.7
"""Share of the frame above which a region shows hardly more than the frame."""
MIN_GROWTH: Final = 1.1
"""Growth in area from which a larger region is worth a search."""


def region_of_cards(cards: Sequence[Floats], frame: tuple[int, int], searched: Collection[Region]) -> Box | None:
    """The region of these cards unless one as small was searched: unlike false detections on a speckled table they show
    where the game is. (Of 756 pyramids beside cards 572 are found with this, 473 without.)"""
    box = _padded_box(cards, frame, [_size(card) for card in cards])
    return None if box is None or any(area(part.box) < MIN_GROWTH * area(box) for part in searched) else box


def grown(region: Region, box: Box) -> Region:
    """This larger region, in as large a scale as the budget allows."""
    return Region(box, enlarged(box, region.scale, min(1.0, region.scale)))


def enlarged(box: Box, scale: float, least: float) -> float:
    """The scale of a region's input: this one within the budget, but not less than `least`."""
    return max(least, min(scale, MAX_ENLARGED, math.sqrt(MAX_INPUT_PX / area(box))))


def is_searched(box: Box, searched: Collection[Region]) -> bool:
    """Whether a searched region is hardly smaller than this one."""
    return any(MIN_GROWTH * area(part.box) > area(box) for part in searched)


def region_of_pieces(pieces: Sequence[DetectedPiece], frame: tuple[int, int]) -> Box | None:
    """The region of the pieces if it is not most of the frame. `frame`: its width and height."""
    if len(pieces) < MIN_PIECES:
        return None
    flat_sizes = [_size(piece.outline) for piece in pieces if piece.kind in ("tile", "card")]
    sizes = flat_sizes or [max(_size(piece.outline) for piece in pieces)]
    return _padded_box([piece.outline for piece in pieces], frame, sizes)


def _padded_box(outlines: Sequence[Floats], frame: tuple[int, int], sizes: Sequence[float]) -> Box | None:
    points, margin = np.concatenate(outlines), MARGIN_TILES * float(np.median(sizes))
    low = np.maximum(points.min(axis=0) - margin, 0).astype(int) // STRIDE * STRIDE
    high = np.minimum(np.ceil(points.max(axis=0) + margin), frame).astype(int)
    box = int(low[0]), int(low[1]), int(high[0]), int(high[1])
    return None if area(box) > MAX_FRAME_SHARE * frame[0] * frame[1] else box


def _size(outline: Floats) -> float:
    return math.sqrt(shape.area(outline))


def area(box: Box) -> int:
    left, top, right, bottom = box
    return max(0, right - left) * max(0, bottom - top)
