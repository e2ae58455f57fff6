"""Tiles that look alike show their backs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.vision.readings import SQUARE, reading
from vision.identify.backs import SIDE_CLASSES, with_compared_sides
from vision.identify.heads import CLASSES
from vision.identify.read import CropReading


def tile(back: float, look: np.ndarray) -> CropReading:
    """One that shows its back with this chance, and whose picture looks so."""
    read = reading("tile", SQUARE, "tile front")
    classes = np.full(len(CLASSES), 0.02 / (len(CLASSES) - 2))
    classes[SIDE_CLASSES] = 0.98 * (1 - back), 0.98 * back
    return replace(read, beliefs={**read.beliefs, "class": classes}, embedding=look.astype(np.float32))


def backs_of(reads: list[CropReading]) -> list[float]:
    return [read.chance("tile back") / (read.chance("tile front") + read.chance("tile back")) for read in reads]


COMMON, *OWN = np.eye(64)[:6]


def test_what_looks_like_the_others_is_a_back_and_what_looks_like_none_of_them_a_front() -> None:
    alike = [tile(back, COMMON + 0.3 * own) for back, own in zip((0.95, 0.7, 0.4, 0.35), OWN, strict=False)]
    told = backs_of(with_compared_sides([*alike, tile(0.6, OWN[4])], {}))
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
