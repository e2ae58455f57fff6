"""What dice show is told by a net that reads only dice, beside the reader."""

from collections.abc import Iterator

import numpy as np
import pytest

from models.render import random_scene, render
from models.training.calibrate import read_all
from models.training.truth import labelled, match
from tests.vision.readings import SQUARE, reading
from vision.detect.shape import Floats
from vision.identify.dice import DieAnswers, fused, size_of, with_answers
from vision.identify.heads import VALUES
from vision.identify.read import CropReading
from vision.rectify import Layers
from vision.table_reader import TableReader

FIRST = 980_000
"""Scenes from here show thrown dice of sets that no net has learnt from."""


def thrown(eyes: TableReader, scenes: int) -> Iterator[tuple[CropReading, CropReading, str]]:
    """Each die as the reader alone reads it, as it is read together with the net for dice, and what it shows."""
    for seed in range(FIRST, FIRST + scenes):
        drawn = render(random_scene(seed, "test", "throws"))
        layers = Layers(drawn.image)
        alone = read_all(layers, eyes)
        beside = eyes.dice(layers, alone)
        truth = [labelled(piece) for piece in drawn.truth["pieces"] if piece["kind"] == "die"]
        for i, j in match(truth, [read.found for read in alone]).pairs:
            if truth[i].value is not None:
                yield alone[j], beside[j], str(truth[i].value)


def surprise(read: CropReading, value: str) -> float:
    return -float(np.log(read.beliefs["value die"][VALUES.index(value)] + 1e-3))


@pytest.mark.full
def test_what_dice_of_unknown_sets_show_surprises_less_once_the_net_for_dice_is_heard(
    eyes: TableReader,
) -> None:
    told = list(thrown(eyes, 12))
    assert len(told) > 30
    alone = np.mean([surprise(read, value) for read, _, value in told])
    beside = np.mean([surprise(read, value) for _, read, value in told])
    assert beside < 0.97 * alone


def said(*chances: float) -> Floats:
    return np.asarray(np.log(np.array(chances)), dtype=np.float64)


def test_what_is_trusted_more_decides() -> None:
    three, four = said(0.1, 0.8, 0.1), said(0.1, 0.1, 0.8)
    assert int(np.argmax(fused(three, four, 0.0, (1.0, 0.2, 0.2, 1.0)))) == 1
    assert int(np.argmax(fused(three, four, 1.0, (1.0, 0.2, 0.2, 1.0)))) == 2
    assert fused(three, four, 0.5, (0.0, 0.0, 1.0, 1.0)) == pytest.approx(np.exp(four))


def test_only_what_it_was_asked_changes(eyes: TableReader) -> None:
    read, beside, _ = next(thrown(eyes, 1))
    assert {head for head in read.beliefs if (read.beliefs[head] != beside.beliefs[head]).any()} <= {
        "value die",
        "suit die",
    }
    assert with_answers(read, DieAnswers({}, 1.0), {}).beliefs == read.beliefs


@pytest.mark.parametrize(("side", "size"), [(4.0, 0.0), (10.0, 0.0), (14.142, 0.5), (20.0, 1.0), (80.0, 1.0)])
def test_large_dice_show_clearly_and_small_ones_do_not(side: float, size: float) -> None:
    assert size_of(side * SQUARE / 80.0) == pytest.approx(size, abs=1e-3)


def test_what_hardly_shows_is_believed_less() -> None:
    read = reading("die", SQUARE, "die", value_die=2)
    mine = {"value die": np.log(np.array([0.02, 0.02, 0.02, 0.9, 0.02, 0.02]))}
    weights = {"small": 0.3, "large": 1.0, "reader small": 0.0, "reader large": 0.0}
    named = {f"value die, {of}": weight for of, weight in weights.items()}
    small, large = (with_answers(read, DieAnswers(mine, size), named).beliefs["value die"][3] for size in (0.0, 1.0))
    assert large == pytest.approx(0.9)
    assert small < 0.6
