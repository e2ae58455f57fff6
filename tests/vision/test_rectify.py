import numpy as np
import pytest

from vision.identify.heads import CROP
from vision.rectify import Layers, apply, cut, frame_quad, inverse, to_crop

TURNED = np.array([[300.0, 100], [500, 300], [300, 500], [100, 300]])


def board() -> np.ndarray:
    """A white square standing on its corner, its first corner red."""
    image = np.zeros((600, 600, 3), np.uint8)
    y, x = np.mgrid[0:600, 0:600]
    image[np.abs(x - 300) + np.abs(y - 300) < 200] = 255
    image[(np.abs(x - 300) < 30) & (np.abs(y - 150) < 30)] = (0, 0, 255)
    return image


@pytest.mark.parametrize("scale", [0.05, 0.2, 0.4, 1.0])
def test_every_layer_shows_the_same_place(scale: float) -> None:
    matrix = to_crop("tile", TURNED, margin=1.0)
    picture = cut(*Layers(board()).fitting(scale, matrix))
    assert picture[CROP // 2 + 10, CROP // 2 + 10].tolist() == [255, 255, 255]
    assert picture[8:12, 8:12, 2].min() > 200
    assert picture[8:12, 8:12, 0].max() < 60


def test_crops_are_upright_and_undone_by_the_inverse() -> None:
    matrix = to_crop("tile", TURNED)
    assert apply(inverse(matrix), apply(matrix, TURNED)) == pytest.approx(TURNED)
    middle = apply(matrix, np.array([[300.0, 300.0]]))[0]
    assert middle == pytest.approx([CROP / 2, CROP / 2])


def test_standing_things_are_framed_square() -> None:
    outline = np.array([[10.0, 10], [30, 12], [28, 70], [12, 70]])
    frame = frame_quad("pawn", outline)
    assert np.ptp(frame, axis=0) == pytest.approx([60, 60])
