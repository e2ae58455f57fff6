"""Tiles that look alike show their backs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.readings import SQUARE, reading
from vision.identify.compared import SIDE_CLASSES, with_compared_sides
from vision.identify.heads import CLASSES
from vision.identify.read import CropReading


def tile(back: float, look: np.ndarray, **heads: int) -> CropReading:
    """The read of a tile with this probability of its back and this embedding. `heads`: answers if it is a front."""
    read = reading("tile", SQUARE, "tile front", **heads)
    classes = np.full(len(CLASSES), 0.02 / (len(CLASSES) - 2))
    classes[SIDE_CLASSES] = 0.98 * (1 - back), 0.98 * back
    return replace(read, beliefs={**read.beliefs, "class": classes}, embedding=look.astype(np.float32))


def backs_of(reads: list[CropReading]) -> list[float]:
    return [read.chance("tile back") / (read.chance("tile front") + read.chance("tile back")) for read in reads]


COMMON, *OWN = np.eye(64)[:6]


def test_what_looks_like_the_others_is_a_back_and_what_looks_like_none_of_them_a_front() -> None:
    alike = [tile(back, COMMON + 0.3 * own) for back, own in zip((0.95, 0.7, 0.4, 0.35), OWN, strict=False)]
    told = backs_of(with_compared_sides([*alike, tile(0.6, OWN[4], suit_tile=2)], {}))
    assert min(told[:4]) > 0.6
    assert told[4] < 0.5


def test_the_chance_of_a_tile_stays_and_other_kinds_are_left_as_they_are() -> None:
    coin = reading("coin", SQUARE, "coin front")
    before = [tile(0.4, COMMON), coin, tile(0.9, COMMON)]
    after = with_compared_sides(before, {})
    assert after[1] is coin
    for old, new in zip(before, after, strict=True):
        assert np.isclose(sum(old.beliefs["class"][SIDE_CLASSES]), sum(new.beliefs["class"][SIDE_CLASSES]))


def test_a_tile_by_itself_shows_what_was_read() -> None:
    alone = [tile(0.4, COMMON)]
    assert with_compared_sides(alone, {}) == alone


def test_tiles_that_look_alike_and_are_surely_fronts_stay_fronts() -> None:
    assert (
        max(backs_of(with_compared_sides([tile(0.001, COMMON), tile(0.002, COMMON), tile(0.001, COMMON)], {}))) < 0.05
    )


def test_tiles_that_look_alike_but_show_different_suits_are_no_backs() -> None:
    """Of two nulls only the suit differs."""
    looks = [COMMON + 0.3 * own for own in OWN[:2]]
    nulls = [tile(0.3, look, suit_tile=suit) for suit, look in enumerate(looks)]
    plain = [tile(0.3, look) for look in looks]
    assert max(backs_of(with_compared_sides(nulls, {}))) < 0.4
    assert min(backs_of(with_compared_sides(plain, {}))) > 0.6


def test_a_blank_tile_among_fronts_is_the_front_that_no_other_tile_shows() -> None:
    faces = [(suit, value) for suit in range(4) for value in range(6)]
    looks = np.eye(64)
    shown = [tile(0.02, look, suit_tile=s, value_tile=v) for (s, v), look in zip(faces[:-1], looks, strict=False)]
    free, taken = faces[-1], faces[0]
    rest, double = (tile(0.8, looks[-1], suit_tile=s, value_tile=v) for s, v in (free, taken))
    assert backs_of(with_compared_sides([*shown, rest], {}))[-1] < 0.5
    assert (
        backs_of(with_compared_sides([*shown, double], {}))[-1] > backs_of(with_compared_sides([*shown, rest], {}))[-1]
    )


def test_a_back_that_was_read_for_certain_stays_one_among_fronts() -> None:
    shown = [tile(0.02, look, suit_tile=n % 4, value_tile=n // 4) for n, look in enumerate(np.eye(64)[:23])]
    assert backs_of(with_compared_sides([*shown, tile(0.999, np.eye(64)[-1])], {}))[-1] > 0.8
