"""Sizes of pieces on the table they share."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.pieces import Kind
from vision import scale
from vision.piece import DetectedPiece

INCH_PX = 40.0
TILES = 5


def square(kind: str, x: float, y: float, side: float, certainty: float = 0.95) -> DetectedPiece:
    half = side * INCH_PX / 2
    outline = np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])
    return DetectedPiece(Kind(kind), np.array([x, y]), outline, certainty)


def test_the_size_of_a_piece_beside_its_kind() -> None:
    pieces = [square("tile", 60 + 100 * n, 60, 2.0) for n in range(TILES)]
    found = scale.find([*pieces, square("coin", 200, 200, 1.4)])
    assert found is not None
    assert found.size_gap("tile", *place(square("tile", 300, 200, 2.0))) == pytest.approx(0, abs=0.02)
    assert found.size_gap("die", *place(square("die", 200, 200, 1.1))) == pytest.approx(0.7, abs=0.03)


def place(piece: DetectedPiece) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return piece.center, piece.outline


def test_too_few_pieces_give_no_scale() -> None:
    assert scale.find([square("pawn", 200, 200, 0.5)]) is None


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
