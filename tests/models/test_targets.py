"""What training asks for is what the eyes read back."""

import numpy as np
import pytest

from models.training.targets import GROUP_OF, Targets, encode
from models.training.truth import Labelled
from vision.detect.channels import COIN, DIE, FINDER_CHANNELS, HEAT, SQUARE, STANDING
from vision.detect.decode import decode

SIZE = 256


def piece(kind: str, outline: np.ndarray, visible: float = 1.0) -> Labelled:
    return Labelled(kind, outline, outline.mean(axis=0), visible, None, None, None, None, None, None)


def square(x: float, y: float, half: float, degrees: float) -> np.ndarray:
    turn = np.deg2rad(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    out: np.ndarray = half * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) @ spin.T + np.array([x, y])
    return out


def ring(x: float, y: float, wide: float, high: float, points: int = 8) -> np.ndarray:
    angles = (np.arange(points) + 0.5) * 2 * np.pi / points
    return np.stack([x + wide * np.cos(angles), y + high * np.sin(angles)], axis=1)


def perfect_map(targets: Targets) -> np.ndarray:
    """The answer of a net that has learnt everything."""
    out = np.zeros((FINDER_CHANNELS, SIZE // 4, SIZE // 4), np.float32)
    heat = np.clip(targets.heat, 1e-4, 1 - 1e-4)
    out[HEAT] = np.log(heat / (1 - heat))
    for group, row, column, numbers, _ in targets.cells:
        out[(SQUARE, COIN, DIE, STANDING)[group], row, column] = numbers
    return out


@pytest.mark.parametrize("degrees", [0, 20, 44, 45, 71])
def test_squares_come_back(degrees: float) -> None:
    tile, die = square(70.3, 81.7, 40, degrees), square(180.2, 200.9, 11, degrees)
    found = decode(perfect_map(encode([piece("tile", tile), piece("die", die)], SIZE, SIZE)))
    assert {each.kind for each in found} == {"tile", "die"}
    for each, true in zip(sorted(found, key=lambda f: f.center[0]), (tile, die), strict=True):
        assert min(np.abs(np.roll(each.outline, k, axis=0) - true).max() for k in range(4)) < 0.01


def test_coins_and_pawns_come_back() -> None:
    coin, pawn = ring(60, 60, 17, 12, 16), ring(150, 170, 20, 20)
    targets = encode([piece("coin", coin), piece("pawn", pawn)], SIZE, SIZE)
    found = {each.kind: each for each in decode(perfect_map(targets))}
    assert np.ptp(found["coin"].outline, axis=0) == pytest.approx([34, 24], abs=0.1)
    assert found["coin"].center == pytest.approx([60, 60], abs=0.01)
    assert found["pawn"].center == pytest.approx([150, 170], abs=0.01)
    assert np.ptp(found["pawn"].outline, axis=0) == pytest.approx(np.ptp(pawn, axis=0), abs=4)


def test_a_coin_on_the_middle_of_a_tile_disturbs_nothing() -> None:
    tile, coin = square(128, 128, 45, 10), ring(128, 128, 17, 17, 16)
    found = decode(perfect_map(encode([piece("tile", tile), piece("coin", coin)], SIZE, SIZE)))
    assert sorted(each.kind for each in found) == ["coin", "tile"]


def test_what_is_hardly_visible_is_neither_asked_nor_forbidden() -> None:
    targets = encode([piece("tile", square(128, 128, 45, 0), visible=0.15)], SIZE, SIZE)
    assert targets.heat.max() == 0
    assert targets.mask.max() == 0
    assert targets.care[0, 31, 31] == 0
    assert targets.care[0, 0, 0] == 1
    assert targets.cells == []


def test_every_kind_belongs_to_a_group() -> None:
    assert set(GROUP_OF) == {"tile", "card", "coin", "die", "pawn", "pyramid"}
