"""Views of a taught piece: always that piece, never twice the same."""

import numpy as np

from calibration.views import SetPictures, views
from rules.pieces import Face, Kind
from vision.piece import DetectedPiece
from vision.rectify import Layers

SIDE = 48


def tile() -> tuple[Layers, DetectedPiece]:
    """Dark above and bright below, on grey."""
    image = np.full((120, 120, 3), 128, np.uint8)
    image[30:60, 30:90] = 20
    image[60:90, 30:90] = 240
    outline = np.array([[30.0, 30], [90, 30], [90, 90], [30, 90]])
    return Layers(image), DetectedPiece(Kind.TILE, outline.mean(axis=0), outline, 0.9, Face.FRONT)


def made(count: int, coins: list[np.ndarray]) -> np.ndarray:
    return views(*tile(), SetPictures(coins), count, SIDE, np.random.default_rng(3))


def test_the_first_view_is_the_piece_as_found_and_each_next_is_turned() -> None:
    shown = made(8, [])
    assert shown.shape == (8, 3, SIDE, SIDE)
    assert (shown >= 0).all()
    assert (shown <= 1).all()
    halves = [
        (view[:, :18].mean(), view[:, -18:].mean(), view[:, :, :18].mean(), view[:, :, -18:].mean()) for view in shown
    ]
    top, bottom, left, right = halves[0]
    assert top < 0.2
    assert bottom > 0.8
    assert abs(left - right) < 0.1
    darkest = [int(np.argmin(half)) for half in halves]
    assert darkest[:4] == [0, 2, 1, 3], "quarter turns against the clock"
    assert len({view.tobytes() for view in shown}) == 8


def test_coins_of_the_set_lie_on_some_of_them() -> None:
    """A coin of a colour that is nowhere else."""
    coin = np.zeros((SIDE, SIDE, 3), np.float32)
    coin[..., 0] = 1.0
    blue = [float((view[0] - view[1]).max()) > 0.5 for view in made(60, [coin])]
    plain = [float((view[0] - view[1]).max()) > 0.5 for view in made(60, [])]
    assert 15 <= sum(blue) - sum(plain) <= 40
