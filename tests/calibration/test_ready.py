"""What the page takes by itself: pictures that are sharp, lit, of pieces that lie apart, and new."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.guide import refuse_unready
from calibration.lesson_task import STEPS, LessonError, Named, NamedPage
from rules.pieces import Face, Kind, Rank, Suit
from vision.frame import Picture
from vision.piece import DetectedPiece

SIDE = 60


def page(places: list[tuple[float, float]], step: str = "tiles") -> NamedPage:
    named = []
    for x, y in places:
        outline = np.array([[x, y], [x + SIDE, y], [x + SIDE, y + SIDE], [x, y + SIDE]])
        named.append(
            Named(DetectedPiece(Kind.TILE, outline.mean(axis=0), outline, 0.9, Face.FRONT), (Suit.SUNS, Rank.TWO), 9.0)
        )
    return NamedPage(STEPS[step], named)


def picture(places: list[tuple[float, float]]) -> Picture:
    """Pale tiles with a dark square, on grey."""
    image = np.full((240, 400, 3), 110, np.uint8)
    for x, y in ((round(x), round(y)) for x, y in places):
        image[y : y + SIDE, x : x + SIDE] = 215
        image[y + 15 : y + 40, x + 20 : x + 45] = 40
    return image


APART = [(30.0, 40.0), (130.0, 60.0), (250.0, 140.0)]


def test_a_good_picture_is_taken() -> None:
    refuse_unready(picture(APART), page(APART), [])
    refuse_unready(picture(APART), page(APART), [page([(30.0, 140.0), *APART[1:]])])


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (lambda image: cv2.GaussianBlur(image, (0, 0), 7), "blurred"),
        (lambda image: image // 8, "too dark"),
        (lambda image: np.minimum(image.astype(int) * 3, 255).astype(np.uint8), "too bright"),
    ],
)
def test_what_is_wrong_with_it_is_said(spoilt: object, words: str) -> None:
    assert callable(spoilt)
    with pytest.raises(LessonError, match=words):
        refuse_unready(spoilt(picture(APART)), page(APART), [])


def test_the_same_lay_out_is_taken_once() -> None:
    with pytest.raises(LessonError, match="is taken"):
        refuse_unready(picture(APART), page(APART), [page([(x + 3, y - 2) for x, y in APART[::-1]])])


def test_pieces_that_touch_are_refused_but_not_what_stands() -> None:
    near = [(30.0, 40.0), (30.0 + SIDE + 1, 52.0), (250.0, 140.0)]
    with pytest.raises(LessonError, match="touch"):
        refuse_unready(picture(near), page(near), [])
    refuse_unready(picture(near), page(near, "pyramids"), [])
