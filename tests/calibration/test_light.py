"""Light, sharpness and the wizard's advice."""

import cv2
import numpy as np
import pytest

from calibration import guide, light
from calibration.profile import Profile
from calibration.sheet import find
from rules.pieces import Kind
from tests.calibration.scenes import random_camera, sheet_picture, tiles
from vision.detect import shape
from vision.frame import Frame, Picture
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult


def table_picture(quads: list[np.ndarray], level: float = 120.0, size: tuple[int, int] = (1280, 720)) -> Picture:
    """Pale tiles with dark drawings on a plain table."""
    width, height = size
    image = np.full((height, width, 3), level * 0.7, np.float32)
    for quad in quads:
        middle = quad.mean(axis=0)
        for share, shade in ((1.0, 1.65), (0.5, 0.35), (0.25, 1.65)):
            cv2.fillConvexPoly(image, (middle + share * (quad - middle)).astype(np.int32), (level * shade,) * 3)
    noisy = image + np.random.default_rng(1).normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def small_table() -> list[np.ndarray]:
    seed = next(s for s in range(20) if random_camera(s, 15).width == 1280)
    return tiles(seed, 15, noise=0.3).quads


def look(image: Picture, quads: list[np.ndarray], hand: float = 0.0) -> FrameResult:
    return FrameResult(
        Frame(image), [DetectedPiece(Kind.TILE, shape.crossing(q), q, 0.9) for q in quads], None, hand, [], {}
    )


def codes(image: Picture, quads: list[np.ndarray], hand: float = 0.0) -> list[str]:
    return [each.code for each in guide.quality(look(image, quads, hand)).advice]


def test_a_good_table_needs_no_advice() -> None:
    quads = small_table()
    found = guide.quality(look(table_picture(quads), quads))
    assert found.advice == ()
    assert found.light.score > 0.8
    assert found.tiles == len(quads)
    assert found.error_mm is not None
    assert found.error_mm < 1
    assert found.tilt_deg == pytest.approx(15, abs=4)


@pytest.mark.parametrize(("level", "words"), [(25.0, "too dark"), (240.0, "too bright")])
def test_exposure(level: float, words: str) -> None:
    quads = small_table()
    found = light.judge(table_picture(quads, level), quads)
    assert any(words in each.words for each in light.advice(found))
    assert found.score < light.judge(table_picture(quads), quads).score


def test_a_mirroring_lamp_is_found_where_it_is() -> None:
    image = table_picture(small_table())
    cv2.circle(image, (1130, 110), 22, (255, 255, 255), -1)
    assert "the lamp mirrors at the top right" in " ".join(each.words for each in light.advice(light.judge(image)))


def test_a_shadow_is_found_where_it_is() -> None:
    image = table_picture(small_table())
    image[400:, :420] = image[400:, :420] * 0.3
    assert "a shadow lies at the bottom left" in " ".join(each.words for each in light.advice(light.judge(image)))


def test_blur_hand_and_missing_tiles_are_said() -> None:
    quads = small_table()
    image = table_picture(quads)
    assert "blur" in codes(np.asarray(cv2.GaussianBlur(image, (0, 0), 5), np.uint8), quads)
    assert "hand" in codes(image, quads, 0.1)
    assert codes(image, [])[0] == "no-tiles"
    assert "few-tiles" in codes(image, quads[:3])


def test_small_tiles_say_how_much_nearer() -> None:
    quads = [quad * 0.5 + (320.0, 180.0) for quad in small_table()]
    words = [each.words for each in guide.quality(look(table_picture(quads), quads)).advice]
    assert any("lower the camera about" in each for each in words)


def test_white_from_the_sheet() -> None:
    camera = random_camera(0, 5.0)
    tinted = np.clip(sheet_picture(camera, 0) * np.array([0.6, 0.8, 1.0]), 0, 255).astype(np.uint8)
    factors = light.white_from_sheet(tinted, find(tinted))
    assert factors[0] / factors[2] == pytest.approx(1 / 0.6, rel=0.05)
    paper = light.corrected(tinted, factors).reshape(-1, 3).max(axis=0).astype(float)
    assert np.ptp(paper) < 12


def test_the_wizard_knows_what_is_done() -> None:
    assert {step.id for step in guide.STEPS} == set(guide.steps_done(Profile()))
    assert not any(guide.steps_done(Profile()).values())
