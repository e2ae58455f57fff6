"""A knocked camera is noticed, and everything is where it was again; a move or another light is no knock."""

import time

import numpy as np
import pytest

from calibration import lens, plane
from calibration.check import CalibrationState, check, positions_of, refit
from models.render.camera import PinholeCamera
from tests.calibration.scenes import INCH, THICK, Tiles, corners, random_camera, tiles


def bumped(camera: PinholeCamera, seed: int) -> PinholeCamera:
    """Two centimetres and three degrees."""
    rng = np.random.default_rng([seed, 8])
    turn, push = rng.normal(0, 1, 3), rng.normal(0, 1, 3)
    turn, push = turn / np.linalg.norm(turn) * np.radians(3), push / np.linalg.norm(push) * 20 / INCH
    return camera.bumped((turn[0], turn[1], turn[2]), (push[0], push[1], push[2]))


def table(seed: int, camera: PinholeCamera, look: int = 0, noise: float = 0.5) -> Tiles:
    """The same tiles in another look: the places are the seed's, the corners' errors are the look's."""
    exact = tiles(seed, 0.0, noise=0.0, camera=camera)
    rng = np.random.default_rng([seed, look, 7])
    return Tiles(camera, [quad + rng.normal(0, noise, quad.shape) for quad in exact.quads], exact.places)


@pytest.fixture(params=range(5))
def before(request: pytest.FixtureRequest) -> tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]:
    seed = int(request.param)
    camera = random_camera(seed, 10.0 + 8 * seed)
    seen = table(seed, camera)
    fitted = plane.from_tiles(seen.quads, lens.assumed(seen.size), height=THICK * INCH)
    return seed, camera, fitted, positions_of(fitted, seen.quads)


def test_an_untouched_table_stays_calibrated(before: tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]) -> None:
    seed, camera, fitted, resting = before
    for look in range(1, 4):
        found = check(fitted, table(seed, camera, look).quads, resting)
        assert found.state is CalibrationState.TRUE
        assert found.moved_mm < 1.5


def test_a_bump_is_noticed_and_put_right(before: tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]) -> None:
    seed, camera, fitted, resting = before
    seen = table(seed, bumped(camera, seed), 1)
    found = check(fitted, seen.quads, resting)
    assert found.state is CalibrationState.BUMPED
    assert "moved" in found.words or "pushed" in found.words
    again = refit(fitted, seen.quads, resting)
    now = positions_of(again, seen.quads)
    nearest = np.linalg.norm(now[:, None] - resting[None], axis=2).min(axis=1)
    assert np.median(nearest) < 1.0
    assert check(again, seen.quads, resting).state is CalibrationState.TRUE


def test_tiles_in_rows_stay_calibrated() -> None:
    """Touching tiles, all turned alike: sides alone would not tell whether the table is sheared."""
    camera = random_camera(4, 20.0)
    rows = [(2.0 * x, 2.0 * y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    exact = [camera.project(np.column_stack([corners(x, y, 0.0), np.full(4, THICK)])) for x, y in rows]
    rng = np.random.default_rng(2)
    looks = [[quad + rng.normal(0, 0.7, quad.shape) for quad in exact] for _ in range(9)]
    fitted = plane.from_tiles(looks[0], lens.assumed((camera.width, camera.height)))
    resting = positions_of(fitted, looks[0])
    assert {check(fitted, look, resting).state for look in looks[1:]} == {CalibrationState.TRUE}


def test_moves_are_no_bump(before: tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]) -> None:
    """A third of the tiles lie somewhere else, one is gone."""
    seed, camera, fitted, resting = before
    seen = table(seed, camera, 2)
    moved = list(seen.quads)[1:]
    for k in range(len(moved) // 3):
        moved[k] = fitted.to_picture(fitted.to_table(moved[k]) + (70.0, 40.0))
    assert check(fitted, moved, resting).state is CalibrationState.TRUE


def test_too_few_tiles_is_said(before: tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]) -> None:
    _, _, fitted, resting = before
    assert check(fitted, [], resting).state is CalibrationState.UNSURE


@pytest.mark.long
def test_the_check_is_quick(before: tuple[int, PinholeCamera, plane.TablePlane, np.ndarray]) -> None:
    """About 10 ms; the processor's own time, because others use these cores too."""
    seed, camera, fitted, resting = before
    quads = table(seed, camera, 3).quads
    times = []
    for _ in range(12):
        begun = time.thread_time()
        check(fitted, quads, resting)
        times.append(time.thread_time() - begun)
    assert min(times) < 0.015
