"""A die seen aslant is one die."""

from __future__ import annotations

import numpy as np

from rules.pieces import Kind
from vision.assemble import upper_sides
from vision.piece import Seen
from vision.plane import Plane

TABLE = Plane(np.diag([40.0, 40.0, 1.0]), 0.0)
BELOW = np.array([5.0, 20.0])
"""The camera looks from below in the picture: what is higher up lies farther away."""


def die(x: float, y: float, certainty: float = 0.9, kind: Kind = Kind.DIE) -> Seen:
    square = np.array([[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]]) + (x, y)
    return Seen(kind, np.array([x, y]), square, certainty)


def test_the_side_of_a_die_is_no_other_die() -> None:
    top, side = die(200, 100), die(196, 112)
    assert upper_sides([side, top], TABLE, BELOW) == [top]


def test_two_dice_beside_each_other_are_two() -> None:
    dice = [die(200, 100), die(200, 119)]
    assert upper_sides(dice, TABLE, BELOW) == dice


def test_what_hardly_is_there_takes_nothing_away() -> None:
    dice = [die(200, 100, certainty=0.36), die(196, 112)]
    assert upper_sides(dice, TABLE, BELOW) == dice


def test_other_things_may_lie_on_each_other() -> None:
    coins = [die(200, 100, kind=Kind.COIN), die(196, 106, kind=Kind.COIN)]
    assert upper_sides(coins, TABLE, BELOW) == coins
