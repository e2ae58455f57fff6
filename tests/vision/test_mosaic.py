"""Of two readings of a board, the one that fits together."""

from __future__ import annotations

import numpy as np

from vision.identify.mosaic import agreed
from vision.piece import Seen

BOX = np.array([[0.0, 0], [100, 0], [100, 100], [0, 100]])


def tile(x: float, y: float, certainty: float) -> Seen:
    at = np.array([x, y])
    return Seen("tile", at + 50, BOX + at, certainty, "back")


def test_a_pattern_across_a_border_gives_way() -> None:
    true = [tile(0, 0, 0.9), tile(100, 0, 0.6), tile(0, 100, 0.8), tile(100, 100, 0.8)]
    across = tile(50, 0, 0.75)
    *kept, doubted = agreed([*true, across])
    assert all(piece.certainty > 0.5 for piece in kept)
    assert doubted.certainty < 0.4


def test_tiles_that_overlap_by_a_quarter_may_both_be_there() -> None:
    assert all(piece.certainty > 0.7 for piece in agreed([tile(0, 0, 0.9), tile(60, 40, 0.9)]))


def test_one_tile_and_small_pieces_are_left_as_they_are() -> None:
    alone = [tile(0, 0, 0.6), Seen("coin", np.array([50.0, 50]), BOX / 3, 0.7)]
    assert [piece.certainty for piece in agreed(alone)] == [0.6, 0.7]
