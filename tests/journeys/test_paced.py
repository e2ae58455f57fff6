"""Films at the pace of the clock: what a camera would have given is given, and the time is counted from the hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from companion_api.simulated.true_eyes import Errors, TrueEyes
from models.render.camera import Viewpoint
from models.render.simulated import Filming, Shot, SimulatedTable
from rules.games import game
from tests.bench.trials import paced as pacing
from tests.bench.trials.paced import FilmedFrame, FilmReel, Showing, filmed, paced

DODGEM = game("dodgem")
JPEG = cv2.imencode(".jpg", np.full((36, 64, 3), 90, np.uint8))[1].tobytes()


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def reel(*hands: bool) -> FilmReel:
    """Ten frames a second."""
    return FilmReel(DODGEM, (), [FilmedFrame(JPEG, 0.1 * (number + 1), hand) for number, hand in enumerate(hands)])


def test_at_the_pace_of_the_clock_the_newest_frame_is_given_and_the_others_are_missed() -> None:
    clock = Clock()
    camera = Showing(reel(*[False] * 6), False, clock, clock.sleep)
    numbers = []
    while not camera.ended:
        assert camera.read() is not None
        numbers.append(camera.number)
        clock.now += 0.05 if camera.number != 1 else 0.25  # a look that takes as long as two frames and a half
    assert numbers == [0, 1, 3, 4, 5]
    assert camera.read_count == 5


def test_hurried_every_frame_is_given_at_once() -> None:
    clock = Clock()
    camera = Showing(reel(*[False] * 5), True, clock, clock.sleep)
    while not camera.ended:
        camera.read()
    assert camera.read_count == 5
    assert clock.now == 100.0


def test_the_time_counts_from_the_last_frame_with_a_hand() -> None:
    clock = Clock()
    camera = Showing(reel(False, True, True, False, False), False, clock, clock.sleep)
    while not camera.ended:
        camera.read()
    clock.now += 0.3
    assert camera.since_hand() == pytest.approx(0.5)


@pytest.mark.full
def test_a_film_is_followed_at_its_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    truths: dict[float, dict[str, Any]] = {}

    class Noted(SimulatedTable):
        def shots(self) -> Iterator[Shot]:
            for shot in super().shots():
                truths[shot.at] = shot.truth()
                yield shot

    monkeypatch.setattr(pacing, "SimulatedTable", Noted)
    film = filmed(DODGEM, 1, Filming(seed=3, fps=5, view=Viewpoint(640, 360, 62, 16)))
    assert {taken.hand for taken in film.frames} == {True, False}
    pace = paced(film, lambda: TrueEyes(lambda frame: truths[frame.at], 3, Errors(misread=0.0, miss=0.0)))
    assert (pace.turns, pace.right) == (1, 1)
    (wait,) = pace.verdicts_s
    assert 0.3 <= wait < 3.0
    assert 10 < pace.taken <= pace.shown == len(film.frames)
    assert pace.hurried_fps > 0
