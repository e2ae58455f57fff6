"""A die seen aslant is one die."""

from __future__ import annotations

import numpy as np
import pytest

from rules.pieces import Kind
from vision.assemble import apparent_scales, with_positions, without_die_sides
from vision.frame import Frame
from vision.piece import DetectedPiece
from vision.plane import Plane
from vision.table_reader import FrameResult, on_common_plane

TABLE = Plane(np.diag([40.0, 40.0, 1.0]), 0.0)
BELOW = np.array([5.0, 20.0])
"""The camera looks from below in the picture: what is higher up lies farther away."""


def die(x: float, y: float, certainty: float = 0.9, kind: Kind = Kind.DIE) -> DetectedPiece:
    square = np.array([[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]]) + (x, y)
    return DetectedPiece(kind, np.array([x, y]), square, certainty)


def test_the_side_of_a_die_is_no_other_die() -> None:
    top, side = die(200, 100), die(196, 112)
    assert without_die_sides([side, top], TABLE, BELOW) == [top]


def test_two_dice_beside_each_other_are_two() -> None:
    dice = [die(200, 100), die(200, 119)]
    assert without_die_sides(dice, TABLE, BELOW) == dice


def test_what_hardly_is_there_takes_nothing_away() -> None:
    dice = [die(200, 100, certainty=0.36), die(196, 112)]
    assert without_die_sides(dice, TABLE, BELOW) == dice


def test_other_things_may_lie_on_each_other() -> None:
    coins = [die(200, 100, kind=Kind.COIN), die(196, 106, kind=Kind.COIN)]
    assert without_die_sides(coins, TABLE, BELOW) == coins


def tile(x: float, y: float, larger: float = 1.0) -> DetectedPiece:
    """Where the middle lies on the table, in spaces."""
    corners = np.array([[-40.0, -40.0], [40.0, -40.0], [40.0, 40.0], [-40.0, 40.0]]) * larger
    middle = np.array([40 * x, 40 * y])
    return DetectedPiece(Kind.TILE, middle, corners + middle, 0.9)


def test_a_tile_that_stands_alone_and_looks_larger_is_the_top_of_a_pile() -> None:
    assert apparent_scales([tile(0, 0), tile(9, 0, larger=1.2)], TABLE) == [1.0, pytest.approx(1.2)]


def test_a_tile_of_a_board_is_only_outlined_too_large() -> None:
    """Beside others no pile is so high; moved as one, the tile would be gone from the board."""
    assert apparent_scales([tile(0, 0), tile(2, 0, larger=1.2), tile(4, 0)], TABLE) == [1.0, 1.0, 1.0]


def test_where_all_tiles_are_outlined_roughly_none_is_a_pile() -> None:
    rough = Plane(TABLE.homography, 0.05)
    assert apparent_scales([tile(0, 0), tile(9, 0, larger=1.2)], rough) == [1.0, 1.0]


def test_looks_at_one_still_table_are_laid_on_one_plane() -> None:
    """Each look finds a plane of its own; the same tile must not lie in as many places."""
    frame = Frame(np.zeros((720, 1280, 3), np.uint8))
    rows = [tile(4 + 2 * x, 4 + 2 * y) for x in range(3) for y in range(2)]
    planes = [Plane(np.diag([scale, scale, 1.0]), 0.0) for scale in (38.0, 40.0)]
    looks = [FrameResult(frame, with_positions(rows, plane, frame.size), plane, 0.0, [], {}) for plane in planes]
    first, second = on_common_plane(looks)
    assert looks[0].pieces[0].position != looks[1].pieces[0].position
    assert first.plane is second.plane
    assert [piece.position for piece in first.pieces] == [piece.position for piece in second.pieces]


def test_the_larger_side_of_a_die_seen_from_low_down_is_no_other_die() -> None:
    """A camera at 40 degrees shows the upper side less high than the one below it."""
    width = 18.0
    top, side = flat_die(200, 100, width, 0.64 * width), flat_die(200, 100 + 0.71 * width, width, 0.77 * width)
    assert without_die_sides([side, top], TABLE, BELOW) == [top]
    touching = flat_die(200, 100 + width, width, 0.98 * width)
    above = flat_die(200, 100, width, 0.98 * width)
    assert without_die_sides([above, touching], TABLE, BELOW) == [above, touching], "from above two that touch are two"


def flat_die(x: float, y: float, wide: float, high: float) -> DetectedPiece:
    half = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * (wide / 2, high / 2)
    return DetectedPiece(Kind.DIE, np.array([x, y]), half + (x, y), 0.9)
