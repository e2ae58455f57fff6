"""A hole in a board is no tile: it looks like the table."""

from __future__ import annotations

import numpy as np

from rules.pieces import Kind
from vision.bare import MAX_NATS, table_similarity
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.rectify import Layers

SIDE = 60.0
WOOD, MAPLE, SLATE = (40, 60, 110), (150, 190, 220), (52, 50, 48)


def square(column: int, row: int) -> Floats:
    low = np.array([140.0 + SIDE * column, 60.0 + SIDE * row])
    return low + SIDE * np.array([[0, 0], [1, 0], [1, 1], [0, 1]])


def seen(column: int, row: int, kind: Kind = Kind.TILE, certainty: float = 0.9) -> DetectedPiece:
    ring = square(column, row)
    return DetectedPiece(kind, ring.mean(axis=0), ring, certainty)


def board(table: tuple[int, int, int], tiles: tuple[int, int, int]) -> Layers:
    """Three by three with a hole in the middle, everything a little noisy."""
    picture = np.empty((360, 480, 3))
    picture[:] = table
    for place in range(9):
        if place != 4:
            left, top = square(place % 3, place // 3)[0].astype(int)
            picture[top : top + int(SIDE), left : left + int(SIDE)] = tiles
    noisy = picture + np.random.default_rng(0).normal(0, 4, picture.shape)
    return Layers(np.clip(noisy, 0, 255).astype(np.uint8))


def nine() -> list[DetectedPiece]:
    return [seen(place % 3, place // 3) for place in range(9)]


def test_the_hole_looks_like_the_table_and_the_tiles_do_not() -> None:
    bare = table_similarity(board(WOOD, MAPLE), nine())
    assert bare[4] == MAX_NATS
    assert bare[:4] + bare[5:] == [0.0] * 8


def test_dark_tiles_on_a_dark_table_are_not_doubted() -> None:
    assert max(table_similarity(board(SLATE, SLATE), nine())) < 1.2


def test_what_lies_on_a_tile_says_nothing_about_it() -> None:
    """Only a strip of the tile is in sight beside a sheet of the table's colour that was found to be a coin."""
    layers = board(WOOD, MAPLE)
    left, top = square(0, 0)[0].astype(int)
    layers.full[top : top + 52, left : left + 60] = WOOD
    covering = DetectedPiece(Kind.COIN, square(0, 0).mean(axis=0), square(0, 0) - [0, 8], 0.9)
    assert table_similarity(layers, nine())[0] > 1.5
    assert table_similarity(layers, [*nine(), covering])[0] == 0.0


def test_where_no_table_is_to_be_seen_nothing_is_said() -> None:
    whole = DetectedPiece(
        Kind.COIN, np.array([240.0, 180.0]), np.array([[0.0, 0], [480, 0], [480, 360], [0, 360]]), 0.9
    )
    assert table_similarity(board(WOOD, MAPLE), [*nine(), whole]) == [0.0] * 10


def test_pictures_without_tiles_and_tiles_outside_of_them_do_no_harm() -> None:
    layers = board(WOOD, MAPLE)
    assert table_similarity(layers, []) == []
    assert table_similarity(layers, [seen(0, 0, Kind.PAWN)]) == [0.0]
    assert table_similarity(layers, [*nine(), seen(-30, 0), seen(0, 40)])[9:] == [0.0, 0.0]
