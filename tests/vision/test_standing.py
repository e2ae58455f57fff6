"""What most of the standing pieces are, a doubtful one is too."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.readings import SQUARE, reading
from vision.identify.compared import with_compared_kinds
from vision.identify.name import which_stands
from vision.identify.read import CropReading


def standing(label: str, pyramid: float) -> CropReading:
    """The read of a piece that the reader takes for `label`. `pyramid`: the outliner's probability of a pyramid."""
    read = reading("pawn", SQUARE, label)
    return replace(read, found=replace(read.found, pyramid=pyramid))


def kinds_of(reads: list[CropReading]) -> list[str]:
    return [which_stands(read).found.kind for read in with_compared_kinds(reads, {})]


PAWN, PYRAMID = standing("pawn", 0.05), standing("pyramid", 0.95)


@pytest.mark.parametrize("doubtful", [standing("pyramid", 0.005), standing("pawn", 0.995)])
def test_one_on_which_outliner_and_reader_disagree_is_what_the_others_are(doubtful: CropReading) -> None:
    assert kinds_of([*[PAWN] * 8, doubtful])[-1] == "pawn"
    assert kinds_of([*[PYRAMID] * 8, doubtful])[-1] == "pyramid"


def test_a_sure_pawn_among_pyramids_stays_one() -> None:
    assert kinds_of([*[PYRAMID] * 8, PAWN])[-1] == "pawn"


def test_one_alone_and_other_kinds_stay_as_they_are() -> None:
    alone = [standing("pyramid", 0.3), reading("coin", SQUARE, "coin front")]
    assert with_compared_kinds(alone, {}) == alone
