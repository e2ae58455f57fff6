"""Pieces of one edition help each other to their suits."""

import numpy as np
import pytest

from vision.identify.heads import CROP
from vision.identify.inks import agreed_suits, ink_ratios, tints

INKS = np.array([[0.2, 0.2, 0.9], [0.1, 0.1, 0.1], [0.2, 0.8, 0.2], [0.9, 0.3, 0.2]])


def printed(ink: np.ndarray, lamp: float) -> np.ndarray:
    picture = np.full((3, CROP, CROP), 0.8 * lamp, np.float32)
    picture[:, 36:60, 36:60] = (0.8 * lamp * ink)[:, None, None]
    return picture


def test_ink_ratios_do_not_mind_the_lamp() -> None:
    ratios = ink_ratios(np.stack([printed(INKS[0], 1.0), printed(INKS[0], 0.5), printed(INKS[3], 0.5)]), "tile")
    assert ratios[0] == pytest.approx(ratios[1], abs=0.15)
    assert np.abs(ratios[0] - ratios[2]).max() > 0.5


def test_a_doubtful_mark_is_settled_by_its_ink() -> None:
    suits = np.repeat(np.arange(4), 4)
    chances = np.full((16, 4), 0.02)
    chances[np.arange(16), suits] = 0.94
    chances[5] = [0.4, 0.35, 0.15, 0.1]  # a moon that might be a sun
    inks = np.log(INKS[suits]) + np.random.default_rng(0).normal(0, 0.05, (16, 3))
    assert agreed_suits(chances, inks)[5].argmax() == 1
    assert (agreed_suits(chances, inks).argmax(axis=1) == suits).all()


def test_one_ink_for_all_suits_changes_hardly_anything() -> None:
    rng = np.random.default_rng(1)
    chances = rng.dirichlet([0.3] * 4, 16)
    inks = np.log(INKS[[1] * 16]) + rng.normal(0, 0.02, (16, 3))
    assert agreed_suits(chances, inks) == pytest.approx(np.maximum(chances, 1e-4), abs=0.05)


GROUNDS = np.array([[0.3, 0.6, 0.6], [0.6, 0.4, 0.4], [0.4, 0.2, 0.5], [0.5, 0.7, 0.2]])


def on_ground(ground: np.ndarray, lamp: float) -> np.ndarray:
    picture = np.broadcast_to((ground * lamp)[:, None, None], (3, CROP, CROP)).astype(np.float32)
    picture[:, 36:60, 36:60] *= 0.3
    return picture


def test_the_tint_of_a_ground_does_not_mind_the_shade() -> None:
    bright, dark, other = tints(
        np.stack([on_ground(GROUNDS[0], 1.0), on_ground(GROUNDS[0], 0.6), on_ground(GROUNDS[3], 0.6)]), "tile"
    )
    assert bright == pytest.approx(dark, abs=0.1)
    assert np.abs(bright - other).max() > 0.5


def test_a_tile_whose_sign_was_surely_misread_is_told_by_the_ground_it_is_printed_on() -> None:
    """Teal tiles and yellow ones, all printed alike; the sign of one teal tile is taken for another's, and surely."""
    suits = np.repeat(np.arange(4), 6)
    chances = np.full((24, 4), 0.01)
    chances[np.arange(24), suits] = 0.97
    chances[19] = [0.997, 0.001, 0.001, 0.001]
    rng = np.random.default_rng(2)
    inks = np.log(INKS[[1] * 24]) + rng.normal(0, 0.05, (24, 3))
    grounds = tints(np.stack([on_ground(GROUNDS[suit], rng.uniform(0.5, 1.0)) for suit in suits]), "tile")
    assert agreed_suits(chances, inks)[19].argmax() == 0
    assert agreed_suits(chances, inks, grounds)[19].argmax() == 3
    assert (agreed_suits(chances, inks, grounds).argmax(axis=1) == suits).all()


def test_one_ground_for_all_suits_changes_hardly_anything() -> None:
    rng = np.random.default_rng(3)
    chances = rng.dirichlet([0.3] * 4, 16)
    inks = np.log(INKS[[1] * 16]) + rng.normal(0, 0.02, (16, 3))
    grounds = rng.normal(0, 0.02, (16, 2))
    assert agreed_suits(chances, inks, grounds) == pytest.approx(np.maximum(chances, 1e-4), abs=0.05)
