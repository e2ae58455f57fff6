"""What the outliner is asked for is what the eyes make of its answer."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

pytest.importorskip("torch")

from models.training.outliner_data import (
    STORE,
    WIDER,
    OutlinedThing,
    back_quarters,
    cut_square,
    detected_things,
    is_near,
    jitter_of,
    labels_of,
    matching_piece,
    random_view,
)
from models.training.truth import Labelled
from vision.detect.decode import Detection
from vision.detect.finder import Finder, Prepared
from vision.detect.outliner import CLOSE, FLAT, OUTLINER_CHANNELS, STANDING, outline_geometry
from vision.rectify import apply

BLANK = np.zeros((112, 112, 3), np.uint8)


def square(half: float, degrees: float) -> np.ndarray:
    turn = np.deg2rad(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    out: np.ndarray = CLOSE / 2 + half * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) @ spin.T
    return out


def answered(kind: str, outline: np.ndarray, center: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The outline after being asked for and placed in a picture 100 px wide about (200, 300)."""
    labels = labels_of(OutlinedThing(BLANK, kind, outline, center))
    row = np.zeros(OUTLINER_CHANNELS)
    row[FLAT], row[STANDING] = np.nan_to_num(labels["flat"]), np.nan_to_num(labels["standing"])  # type: ignore[call-overload]
    centers, outlines = outline_geometry(
        [kind], np.array([[200.0, 300.0]]), np.array([100.0]), row[None].astype(np.float32)
    )
    return centers[0], outlines[0]


@pytest.mark.parametrize("kind", ["tile", "die", "card"])
@pytest.mark.parametrize("degrees", [0, 30, 45, 89])
def test_squares(kind: str, degrees: float) -> None:
    outline = square(12, degrees)
    center, got = answered(kind, outline, outline.mean(axis=0))
    want = (outline - CLOSE / 2) * 100 / CLOSE + np.array([200.0, 300.0])
    assert center == pytest.approx([200, 300])
    assert min(np.abs(np.roll(got, k, axis=0) - want).max() for k in range(4)) < 1e-6


def test_discs_and_standing_things() -> None:
    angles = np.arange(16) * np.pi / 8
    disc = CLOSE / 2 + np.stack([10 * np.cos(angles), 6 * np.sin(angles)], axis=1)
    _, got = answered("coin", disc, disc.mean(axis=0))
    assert np.ptp(got, axis=0) == pytest.approx(np.array([20, 12]) * 100 / CLOSE)
    center, hull = answered("pawn", disc, np.array([CLOSE / 2, CLOSE / 2 + 3]))
    assert center == pytest.approx([200, 300 + 3 * 100 / CLOSE])
    assert np.ptp(hull, axis=0) == pytest.approx(np.ptp(got, axis=0))


def test_nothing_asks_for_no_outline() -> None:
    labels = labels_of(OutlinedThing(BLANK, "nothing", np.zeros((4, 2)), np.zeros(2)))
    assert labels["class"] == 0
    assert np.isnan(labels["flat"]).all()  # type: ignore[call-overload]
    assert np.isnan(labels["standing"]).all()  # type: ignore[call-overload]


@pytest.mark.parametrize("side", [40.0, 300.0])
def test_a_square_cut_is_where_its_matrix_says(side: float) -> None:
    image = np.zeros((400, 600, 3), np.uint8)
    image[195:206, 315:326] = 255
    cut, matrix = cut_square(image, np.array([300.0, 200.0]), side, 112)
    x, y = apply(matrix, np.array([[320.0, 200.0]]))[0]
    if side == 300.0:
        rows, columns = np.nonzero(cut[..., 0] > 127)
        assert (columns.mean(), rows.mean()) == pytest.approx((x, y), abs=0.6)
    else:
        assert not (0 <= x < 112)


def test_views_keep_the_middle_near_the_middle() -> None:
    rng = np.random.default_rng(0)
    spots = np.array([apply(random_view(rng, 0.1, 0.2), np.full((1, 2), STORE / 2))[0] for _ in range(200)])
    assert np.abs(spots.mean(axis=0) - CLOSE / 2).max() < 1
    assert np.abs(spots - CLOSE / 2).max() < CLOSE / 3


def test_what_was_cut_as_it_was_found_is_missed_once_only() -> None:
    pawn = OutlinedThing(BLANK, "pawn", square(10, 0), np.full(2, CLOSE / 2))
    assert jitter_of(pawn) > jitter_of(replace(pawn, kind="tile")) > jitter_of(replace(pawn, as_found=True))
    assert jitter_of(replace(pawn, kind="pyramid")) == jitter_of(pawn)


def test_a_sighting_beside_a_piece_means_it_and_one_far_off_means_none() -> None:
    coin = Labelled("coin", square(10, 0) + 100, np.array([124.0, 124.0]), 1.0, *[None] * 6)
    beside = Detection("die", 0.5, coin.center + 4, square(8, 20) + 104)
    far = Detection("coin", 0.5, coin.center + 15, square(10, 0) + 115)
    huge = Detection("tile", 0.5, coin.center, square(30, 0) + 100)
    assert matching_piece(beside, [coin]) is coin
    assert matching_piece(far, [coin]) is None
    assert matching_piece(huge, [coin]) is None


class SmallPicturesOnly:
    """A finder that sees one coin, and one that is none, in the smallest size of a picture and nothing in others."""

    def raw(self, prepared: Prepared) -> Prepared:
        return prepared

    def decode(self, raw: Prepared, _: Prepared) -> list[Detection]:
        if raw.scale > 0.5:
            return []
        return [
            Detection("coin", 0.5, spot, square(8, 0) - CLOSE / 2 + spot) for spot in (HERE + 3, np.array([300.0, 60]))
        ]


HERE = np.array([124.0, 124.0])


def test_what_only_a_small_picture_shows_is_learnt_from_too() -> None:
    coin = Labelled("coin", square(10, 0) - CLOSE / 2 + HERE, HERE, 1.0, *[None] * 6)
    found = detected_things(np.zeros((400, 600, 3), np.uint8), [coin], cast("Finder", SmallPicturesOnly()))
    assert [(thing.kind, thing.as_found) for thing in found] == [("coin", True), ("nothing", False)]
    assert found[0].center == pytest.approx(np.full(2, STORE / 2 - 3 * STORE / (WIDER * 16)), abs=0.5)


def test_a_quarter_of_a_back_is_a_place_without_a_piece_and_no_bad_sighting_of_the_tile() -> None:
    back = Labelled("tile", square(16, 20), np.full(2, CLOSE / 2), 1.0, None, None, "back", None, None, 20.0)
    front = replace(back, face="front", suit="suns", value="2")
    found = back_quarters([back], 12, np.random.default_rng(0))
    assert len(found) == 12
    for quad in found:
        assert np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1) == pytest.approx([16] * 4, rel=0.15)
        assert not is_near(Detection("tile", 0.9, quad.mean(axis=0), quad), back)
    assert is_near(Detection("tile", 0.9, square(15, 20).mean(axis=0) + 8, square(15, 20) + 8), back)
    assert back_quarters([front], 12, np.random.default_rng(0)) == []


def test_a_space_on_which_something_stands_is_not_asked_for() -> None:
    back = Labelled("tile", square(16, 0), np.full(2, CLOSE / 2), 1.0, None, None, "back", None, None, 0.0)
    coin = Labelled("coin", square(5, 0) - 8, np.full(2, CLOSE / 2 - 8), 1.0, None, "2", "front", None, None, 0.0)
    corners = [quad.mean(axis=0) for quad in back_quarters([back, coin], 40, np.random.default_rng(1))]
    assert corners
    assert all(np.linalg.norm(each - coin.center) > 8 for each in corners)
