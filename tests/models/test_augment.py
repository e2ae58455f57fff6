"""Pictures as other makers and other cameras would show them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.augment import augment_piece, carved, distorted, printed
from vision.frame import Picture


@pytest.fixture
def figure() -> Picture:
    picture = np.full((96, 96, 3), 210, np.uint8)
    cv2.putText(picture, "4", (28, 72), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (40, 30, 160), 6)
    return picture


def test_prints_differ_and_keep_their_size(figure: Picture) -> None:
    made = [printed(figure, np.random.default_rng(seed)) for seed in range(60)]
    assert {each.shape for each in made} == {figure.shape}
    assert {each.dtype for each in made} == {figure.dtype}
    assert 0.2 < np.mean([not np.array_equal(each, figure) for each in made]) < 0.5


def test_a_line_drawn_by_another_hand_stays_where_it_is(figure: Picture) -> None:
    bent = distorted(figure, np.random.default_rng(1))
    ink = [np.argwhere(each[..., 1] < 120).mean(axis=0) for each in (figure, bent)]
    assert np.linalg.norm(ink[0] - ink[1]) < 4


def test_a_sunk_figure_has_lost_its_colour(figure: Picture) -> None:
    inked = figure[..., 1] < 60
    assert carved(figure, np.random.default_rng(2))[inked].mean() > figure[inked].mean() + 20


def test_what_has_a_colour_only_keeps_its_print(figure: Picture) -> None:
    """A pawn is told by its colour: it is not printed otherwise."""
    looks = [augment_piece(figure, np.random.default_rng(seed), has_shape=False) for seed in range(20)]
    assert min(each.mean() for each in looks) > 90
