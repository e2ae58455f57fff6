"""What is in doubt is read again from its other sides."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.readings import SQUARE, reading
from vision.identify.again import combined, in_first_orientation, is_uncertain, other_views
from vision.identify.heads import SUITS, VALUES
from vision.identify.read import CropReading
from vision.rectify import apply


def sure(read: CropReading, **chances: float) -> CropReading:
    """The reading, as sure as given of its best answer to some questions."""
    beliefs = dict(read.beliefs)
    for head, chance in chances.items():
        full = head.replace("_", " ")
        best = int(np.argmax(beliefs[full]))
        rest = (1 - chance) / (len(beliefs[full]) - 1)
        beliefs[full] = np.where(np.arange(len(beliefs[full])) == best, chance, rest)
    return replace(read, beliefs=beliefs)


@pytest.mark.parametrize(("suit", "value", "doubted"), [(0.99, 0.99, False), (0.6, 0.99, True), (0.99, 0.6, True)])
def test_a_face_is_read_again_if_any_of_what_it_shows_is_in_doubt(suit: float, value: float, doubted: bool) -> None:
    face = reading("tile", SQUARE, "tile front", suit_tile=1, value_tile=3)
    assert is_uncertain(sure(face, **{"class": 0.99}, suit_tile=suit, value_tile=value)) is doubted


def test_nobody_doubts_the_suit_of_a_back() -> None:
    assert not is_uncertain(sure(reading("tile", SQUARE, "tile back"), **{"class": 0.99}))


def test_the_other_pictures_of_what_lies_are_turned_by_quarters() -> None:
    read = reading("tile", SQUARE, "tile front")
    views = dict(other_views(read))
    assert list(views) == [1, 2, 3]
    first = apply(read.to_crop, SQUARE)
    for quarters, matrix in views.items():
        assert apply(matrix, SQUARE) == pytest.approx(np.roll(first, -quarters, axis=0), abs=1.0)


def test_what_stands_is_seen_in_a_mirror() -> None:
    read = reading("pawn", SQUARE, "pawn")
    ((_, matrix),) = other_views(read)
    once, again = apply(read.to_crop, SQUARE), apply(matrix, SQUARE)
    assert again[:, 0] == pytest.approx(read.side - 1 - once[:, 0])
    assert again[:, 1] == pytest.approx(once[:, 1])


def test_two_readings_that_agree_are_surer_of_it_than_of_anything_else_and_keep_the_first_ones_corner() -> None:
    once = reading("tile", SQUARE, "tile front", suit_tile=2, value_tile=5, turn_tile=1)
    again = reading("tile", SQUARE, "tile front", suit_tile=2, value_tile=4, turn_tile=3)
    both = combined(sure(once, value_tile=0.5), [in_first_orientation(sure(again, value_tile=0.9), 2)])
    assert SUITS[int(np.argmax(both.beliefs["suit tile"]))] == SUITS[2]
    assert VALUES[int(np.argmax(both.beliefs["value tile"]))] == VALUES[4], "the surer reading decides"
    assert int(np.argmax(both.beliefs["turn tile"])) == 1, (
        "the second is turned: its third corner is the first one's second"
    )
    assert both.found is once.found
