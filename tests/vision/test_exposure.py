"""Frames of a table at rest become one picture with less noise; nothing that moved is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import cv2
import numpy as np
import pytest

from vision.frame import Frame, Picture
from vision.pipeline import CameraState, Moment, Pipeline
from vision.stillness import MAX_FRAMES, LongExposure
from vision.table_reader import FrameResult

NOISE = 5.0
FPS = 15
GRAINS = np.random.default_rng(4).normal(0, 1.0, (17, 360, 640, 3))


def table(coin_at: int, seed: int, noise: float = NOISE) -> Picture:
    image = np.full((360, 640, 3), 90.0)
    cv2.circle(image, (2 * coin_at, 180), 40, (40.0, 60.0, 200.0), -1)
    return np.asarray(np.clip(image + noise * GRAINS[seed % len(GRAINS)], 0, 255), np.uint8)


def grain(picture: Picture, coin_at: int) -> float:
    return float(np.std(picture.astype(float) - table(coin_at, 0, 0.0)))


def exposed(*pictures: Picture) -> Picture:
    exposure = LongExposure()
    for picture in pictures:
        exposure.add(Frame(picture))
    return exposure.of(Frame(pictures[-1])).image


def test_many_frames_have_less_noise_than_one() -> None:
    one, five = exposed(table(80, 1)), exposed(*(table(80, seed) for seed in range(5)))
    assert grain(one, 80) == pytest.approx(NOISE, rel=0.1)
    assert grain(five, 80) == pytest.approx(NOISE / 5**0.5, rel=0.1)


def test_no_sum_runs_over() -> None:
    white = np.full((20, 20, 3), 255, np.uint8)
    assert (exposed(*(white.copy() for _ in range(3 * MAX_FRAMES))) == 255).all()


def test_the_very_same_picture_tells_nothing_new() -> None:
    """A camera that knows that nothing moved gives it again; it must not outweigh the others."""
    noisy, other = table(80, 1), table(80, 2)
    twice, once = exposed(other, noisy), exposed(other, noisy, noisy, noisy)
    assert (twice == once).all()


def test_frames_of_another_size_are_another_exposure() -> None:
    small = np.full((90, 160, 3), 50, np.uint8)
    assert (exposed(table(80, 1), table(80, 2), small) == small).all()


@dataclass
class Played:
    """A coin lies still, is pushed aside in front of the camera, and lies still again."""

    rest_s: float = 1.2
    live: bool = True
    stills: bool = False
    name: str = "played"
    ended: bool = False
    _frames: Iterator[Frame] = field(init=False)

    def __post_init__(self) -> None:
        still = round(self.rest_s * FPS)
        places = [80] * still + list(range(80, 200, 12)) + [200] * still
        self._frames = (Frame(table(x, n), at=n / FPS) for n, x in enumerate(places))

    def read(self) -> Frame | None:
        frame = next(self._frames, None)
        self.ended = frame is None
        return frame

    def close(self) -> None:
        self.ended = True


@dataclass
class Lamp:
    """A dim table, for a third of a second dark, and dim again, two grey levels brighter."""

    on_again: ClassVar[float] = 1.8
    live: bool = True
    stills: bool = False
    name: str = "lamp"
    ended: bool = False
    _number: int = 0

    def read(self) -> Frame:
        at, self._number = self._number / FPS, self._number + 1
        self.ended = at > self.on_again + 1.0
        level = 39 if at < 1.5 else 11 if at < self.on_again else 41
        return Frame(np.full((360, 640, 3), level, np.uint8), at=at)

    def close(self) -> None:
        self.ended = True


@dataclass
class Onlooker:
    def look(self, frame: Frame) -> FrameResult:
        return FrameResult(frame, [], None, 0.0, [], {})


def looked(rest_s: float = 1.2) -> list[Moment]:
    return [m for m in Pipeline(Played(rest_s), Onlooker()).moments() if m.state is CameraState.LOOKED]


def test_what_was_exposed_before_the_light_went_out_is_forgotten() -> None:
    """A weak lamp that goes off and on again is no motion, but who knows what was done meanwhile."""
    pipeline = Pipeline(Lamp(), Onlooker())
    frames = [m.frame for m in pipeline.moments() if m.state is CameraState.LOOKED]
    after = [frame for frame in frames if frame is not None and frame.at > Lamp.on_again]
    assert after
    assert all((frame.image == 41).all() for frame in after), "nothing of what was before"


def test_the_eyes_get_what_was_exposed_since_something_moved_and_no_ghost_of_what_was_before() -> None:
    looks = [look.frame for look in looked() if look.frame is not None]
    before, after = ([f for f in looks if grain(f.image, x) < 8] for x in (80, 200))
    assert len(before) == len(after) == 3
    assert len(looks) == 6, "each shows one place alone"
    for frames, place in ((before, 80), (after, 200)):
        assert grain(frames[0].image, place) < 0.6 * NOISE
        assert grain(frames[-1].image, place) < grain(frames[0].image, place)


def test_a_quiet_table_is_exposed_afresh_before_it_is_read_again() -> None:
    """What was exposed ten seconds ago is not looked at once more."""
    looks = [look.frame for look in looked(rest_s=12.0) if look.frame is not None]
    third, again = looks[2], looks[3]
    assert again.at - third.at == pytest.approx(10.0, abs=0.5)
    assert grain(again.image, 80) < 0.5 * NOISE
    assert np.abs(again.image.astype(int) - third.image).mean() > 0.5, "other frames"
