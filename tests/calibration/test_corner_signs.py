"""A tile's suit is told by the sign in its corner, whatever lies on the tile and however it is turned."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from calibration.corner_signs import CornerSigns, fitted_classifier, ink_contrast
from calibration.views import SetPictures, plain_view, under_pyramid
from rules.pieces import SUITS, Face, Kind
from vision.identify.heads import CROP
from vision.identify.read import Array
from vision.piece import DetectedPiece
from vision.rectify import Layers

SIDE = 120
OUTLINE = np.array([[20.0, 20], [140, 20], [140, 140], [20, 140]])
BLUE, RED = (0.7, 0.2, 0.1), (0.1, 0.1, 0.7)


def tile(suit: int, middle: int) -> Layers:
    """One that has only its sign in common with the others of its suit: a square, a disc, two bars, a frame."""
    image = np.full((SIDE + 40, SIDE + 40, 3), 90, np.uint8)
    cv2.rectangle(image, (20, 20), (139, 139), (205, 215, 220), -1)
    ink = (60, 50, 40)
    if suit == 0:
        cv2.rectangle(image, (30, 30), (46, 46), ink, -1)
    elif suit == 1:
        cv2.circle(image, (38, 38), 9, ink, -1)
    elif suit == 2:
        cv2.rectangle(image, (30, 30), (34, 46), ink, -1)
        cv2.rectangle(image, (42, 30), (46, 46), ink, -1)
    else:
        cv2.rectangle(image, (30, 30), (46, 46), ink, 3)
    for line in range(middle):
        cv2.rectangle(image, (66, 66 + 9 * line), (98, 70 + 9 * line), ink, -1)
    return Layers(image)


def piece() -> DetectedPiece:
    return DetectedPiece(Kind.TILE, OUTLINE.mean(axis=0), OUTLINE, 1.0, Face.FRONT)


@pytest.fixture(scope="module")
def known() -> CornerSigns:
    examples = [(SUITS[suit], tile(suit, middle), piece()) for suit in range(4) for middle in range(2)]
    hues = [np.array(hue, np.float32) for hue in (BLUE, RED)]
    return fitted_classifier(examples, SetPictures(colours=hues))


def shown(suit: int) -> Array:
    return plain_view(tile(suit, 5), piece(), CROP, None)


@pytest.mark.parametrize("suit", range(4))
def test_the_sign_tells_from_every_side_and_under_what_stands_there(known: CornerSigns, suit: int) -> None:
    for turn in range(4):
        view = np.ascontiguousarray(np.rot90(shown(suit), turn))
        assert int(np.argmax(known.votes(view))) == suit
    view = shown(suit)
    view[40:80, 36:90] = BLUE
    assert int(np.argmax(known.votes(view))) == suit


def test_a_tile_without_a_sign_says_nothing(known: CornerSigns) -> None:
    blank = np.full((CROP, CROP, 3), 0.8, np.float32)
    assert np.abs(known.votes(blank)).max() < 0.5
    sure = known.votes(shown(1))
    assert sure[1] - np.delete(sure, 1).max() > 1
    assert np.exp(sure).mean() == pytest.approx(1), "nothing is said of all suits together"


def test_it_is_kept_in_a_profile_and_damage_is_told(known: CornerSigns) -> None:
    again = CornerSigns.from_json(json.loads(json.dumps(known.to_json())))
    assert np.allclose(again.votes(shown(2)), known.votes(shown(2)), atol=1e-4)
    with pytest.raises(ValueError, match="corners"):
        CornerSigns.from_json({"weights": known.to_json()["weights"][:48]})


def test_what_stands_on_a_tile_has_its_colour_in_several_lights() -> None:
    rng = np.random.default_rng(0)
    view = np.full((CROP, CROP, 3), 0.8, np.float32)
    for _ in range(20):
        covered = under_pyramid(view, np.array(RED, np.float32), rng)
        changed = (covered != view).any(axis=2)
        assert changed.mean() < 0.7
        pixels = covered[changed]
        assert (pixels[:, 2] >= pixels[:, 0]).all(), "red in any light"
    assert (view == np.float32(0.8)).all(), "the view itself is left as it was"


def test_ink_is_measured_against_its_ground() -> None:
    blank = np.full((32, 32, 3), 0.6, np.float32)
    marked = blank.copy()
    marked[10:20, 10:20] = 0.1
    assert ink_contrast(blank) == pytest.approx(0)
    assert ink_contrast(marked) > 0.1
