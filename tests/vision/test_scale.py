"""What size a thing has beside the others of its set speaks for its kind, or against it."""

from __future__ import annotations

import numpy as np
import pytest

from rules.pieces import Kind
from vision import scale
from vision.piece import DetectedPiece

INCH_PX = 40.0
TILES = 5


def square(kind: str, x: float, y: float, side: float, certainty: float = 0.95) -> DetectedPiece:
    half = side * INCH_PX / 2
    outline = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
    return DetectedPiece(Kind(kind), np.array([x, y]), outline, certainty)


def speaks_for_the_last(*others: DetectedPiece) -> float:
    pieces = [*(square("tile", 60 + 100 * n, 60, 2.0) for n in range(TILES)), *others]
    return scale.evidence(scale.find(pieces), pieces)[-1]


@pytest.mark.parametrize("side", [0.4, 0.55, 0.7])
def test_a_die_may_have_any_size_that_dice_are_sold_in(side: float) -> None:
    assert speaks_for_the_last(square("die", 200, 200, side)) > 0.2


@pytest.mark.parametrize("side", [0.4, 0.7])
def test_the_dice_of_one_set_are_of_one_size(side: float) -> None:
    set_ = [square("die", 100 + 60 * n, 200, side) for n in range(3)]
    like, unlike = (speaks_for_the_last(*set_, square("die", 300, 300, each)) for each in (side, 1.1 - side))
    assert like > speaks_for_the_last(square("die", 300, 300, side)) > unlike
    assert unlike < 0


def test_no_thing_speaks_for_its_own_size() -> None:
    alone = speaks_for_the_last(square("die", 200, 200, 1.0, certainty=0.99))
    assert alone == speaks_for_the_last(square("die", 200, 200, 1.0, certainty=0.01)) < 0


def test_where_too_few_things_lie_sizes_say_nothing() -> None:
    pieces = [square("die", 200, 200, 0.5)]
    assert scale.evidence(scale.find(pieces), pieces) == [0.0]


def test_what_is_as_large_as_a_tile_may_be_no_die() -> None:
    tiles = [square("tile", 60 + 100 * n, 60, 2.0) for n in range(TILES)]
    pieces = [*tiles, square("die", 200, 200, 0.55), square("die", 300, 300, 1.8)]
    ((index, outline),) = scale.maybe_tiles(scale.find(pieces), pieces)
    assert index == len(pieces) - 1
    assert np.allclose(outline, square("tile", 300, 300, 2.0).outline, atol=1)


def test_what_is_as_small_as_a_die_may_be_no_tile() -> None:
    tiles = [square("tile", 60 + 100 * n, 60, 2.0) for n in range(TILES)]
    pieces = [*tiles, square("tile", 200, 200, 0.7), square("tile", 300, 300, 1.5)]
    assert scale.maybe_dice(scale.find(pieces), pieces) == [len(tiles)]
    assert scale.maybe_dice(None, pieces) == []
