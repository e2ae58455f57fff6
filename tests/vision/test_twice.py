"""What is in doubt is read a second time."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.readings import SQUARE, reading
from vision.identify.heads import SUITS, VALUES
from vision.identify.read import Read
from vision.identify.twice import in_doubt, other_view, together
from vision.rectify import apply


def sure(read: Read, **chances: float) -> Read:
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
    assert in_doubt(sure(face, **{"class": 0.99}, suit_tile=suit, value_tile=value)) is doubted


def test_nobody_doubts_the_suit_of_a_back() -> None:
    assert not in_doubt(sure(reading("tile", SQUARE, "tile back"), **{"class": 0.99}))


def test_the_second_picture_of_what_lies_is_turned_half_round() -> None:
    read = reading("tile", SQUARE, "tile front")
    places = apply(other_view(read), SQUARE)
    assert places == pytest.approx(read.side - 1 - apply(read.to_crop, SQUARE))


def test_what_stands_is_seen_in_a_mirror() -> None:
    read = reading("pawn", SQUARE, "pawn")
    once, again = apply(read.to_crop, SQUARE), apply(other_view(read), SQUARE)
    assert again[:, 0] == pytest.approx(read.side - 1 - once[:, 0])
    assert again[:, 1] == pytest.approx(once[:, 1])


def test_two_readings_that_agree_are_surer_of_it_than_of_anything_else_and_keep_the_first_ones_corner() -> None:
    once = reading("tile", SQUARE, "tile front", suit_tile=2, value_tile=5, turn_tile=1)
    again = reading("tile", SQUARE, "tile front", suit_tile=2, value_tile=4, turn_tile=3)
    both = together(sure(once, value_tile=0.5), sure(again, value_tile=0.9))
    assert SUITS[int(np.argmax(both.beliefs["suit tile"]))] == SUITS[2]
    assert VALUES[int(np.argmax(both.beliefs["value tile"]))] == VALUES[4], "the surer reading decides"
    assert int(np.argmax(both.beliefs["turn tile"])) == 1, (
        "the second is turned: its third corner is the first one's second"
    )
    assert both.found is once.found
