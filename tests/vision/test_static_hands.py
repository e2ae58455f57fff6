"""A cloth that looks like a hand is none; a hand is one wherever it lies."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frame import Picture
from vision.stillness import StaticHands
from vision.table_reader import MIN_HAND_SHARE

CLOTH = np.random.default_rng(3).integers(60, 200, (90, 160, 1), np.uint8).repeat(8, 0).repeat(8, 1).repeat(3, 2)


def hands(*, left: int) -> NDArray[np.bool_]:
    cells = np.zeros((180, 320), np.bool_)
    cells[60:120, left : left + 60] = True
    return cells


def changed(left: int) -> Picture:
    """The cloth with something else on it, where cells from there on are."""
    out = CLOTH.copy()
    out[240:480, left * 4 : left * 4 + 240] = 90
    return out


def told(first: int, second: int, picture: Picture, moved: bool = True) -> float:
    resting = StaticHands()
    resting.moving_share(hands(left=first), CLOTH)
    if moved:
        resting.moved()
    share = resting.moving_share(hands(left=second), picture)
    assert share is not None
    return share


SHARE = 60 * 60 / (180 * 320)


@pytest.mark.parametrize("light", [1.0, 0.9])
def test_what_lies_as_it_lay_before_something_moved_is_no_hand(light: float) -> None:
    darker = (CLOTH * light).astype(np.uint8)
    assert told(20, 20, darker) < MIN_HAND_SHARE
    assert told(20, 21, darker) < MIN_HAND_SHARE, "its border wavers"
    assert told(20, 20, changed(200)) < MIN_HAND_SHARE, "somebody played elsewhere"


def test_a_hand_that_came_is_a_hand() -> None:
    assert told(20, 200, CLOTH) == pytest.approx(SHARE, rel=0.1)
    assert told(20, 20, changed(20)) == pytest.approx(SHARE, rel=0.2)


def test_a_hand_that_has_not_moved_yet_is_one() -> None:
    assert told(20, 20, CLOTH, moved=False) == pytest.approx(SHARE, rel=0.1)


def test_nothing_is_told_where_nobody_says_where_hands_are() -> None:
    assert StaticHands().moving_share(None, CLOTH) is None
