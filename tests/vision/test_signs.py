"""The numbers by which a taught set is told."""

from __future__ import annotations

import numpy as np
import pytest

from vision.identify.heads import HEADS, READER_CHANNELS
from vision.identify.read import core_colour, signs

GREY = np.full((3, 96, 96), 0.5, np.float32)


def test_the_colour_of_the_middle_is_that_of_the_thing_and_not_of_what_is_around_it() -> None:
    red = GREY.copy()
    red[:, 30:66, 30:66] = np.array([0.1, 0.1, 0.6])[:, None, None]
    blue, redness, bright = core_colour(red, 0.2)
    assert blue == pytest.approx(0, abs=1e-6)
    assert redness == pytest.approx(np.log(0.63 / 0.13), abs=1e-4)
    assert bright < -0.5, "darker than the table"
    red[:, :20] = 0.9
    assert core_colour(red, 0.2)[:2] == pytest.approx([blue, redness]), "another table"


def test_half_the_light_changes_no_colour() -> None:
    green = GREY.copy()
    green[:, 30:66, 30:66] = np.array([0.2, 0.8, 0.4])[:, None, None]
    assert core_colour(green, 0.2) == pytest.approx(core_colour(green * np.float32(0.5), 0.2), abs=0.15)


def test_only_of_what_has_height_the_colour_is_told() -> None:
    rows, embeddings = np.zeros((3, READER_CHANNELS), np.float32), np.ones((3, 64), np.float32)
    tile, coin, pawn = signs(["tile", "coin", "pawn"], rows, embeddings, np.stack([GREY] * 3))
    suit, value = (HEADS[head].stop - HEADS[head].start for head in ("suit tile", "value tile"))
    assert len(tile) == len(coin) == 64 + suit + value + 8
    assert len(pawn) == 64 + suit + 8 + 3
