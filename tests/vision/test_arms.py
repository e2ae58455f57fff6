"""Arms over a real table: what is judged, what is waited for, and what is looked at again.

Each picture was taken a second after the one before. `Held` shows it twice within that second, as if everything kept
still: so an arm is told by what it looks like and not by its motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Frame, read_frame
from vision.pipeline import CameraState, Moment, Pipeline
from vision.table_reader import TableReader

SHOWN = Path(__file__).parent / "arms"
SECONDS = sorted(int(path.stem) for path in SHOWN.glob("*.jpg"))
ARMS = {4, 5, 6, 19, 20, 66, 90, 91, 92, 107, 108, 109, 110, 111, 122}
SHADOWS = {67, 123}
"""A shadow alone; a camera that has just brightened the picture."""
KNOCKED = {37, 38}
QUICK = (66, 67, 109, 122, 123)
"""Enough to show each of these once, but for a knock and for an arm that comes and goes."""
STILL_S = 0.35


@dataclass
class Held:
    """Plays the seconds one after another; each is there at its beginning and STILL_S later, or only once."""

    seconds: Sequence[int]
    times: int = 2
    name: str = "held"
    live: bool = False
    stills: bool = False
    _shown: int = field(default=0, init=False)

    @property
    def ended(self) -> bool:
        return self._shown >= self.times * len(self.seconds)

    def read(self) -> Frame:
        number, again = divmod(self._shown, self.times)
        self._shown += 1
        second = self.seconds[number]
        return Frame(read_frame(SHOWN / f"{second:03d}.jpg").image, source=str(second), at=second + STILL_S * again)

    def close(self) -> None:
        self._shown = self.times * len(self.seconds)


def played(eyes: TableReader, seconds: Sequence[int], times: int = 2) -> dict[int, list[Moment]]:
    """What was told of each second."""
    told: dict[int, list[Moment]] = {second: [] for second in seconds}
    for moment in Pipeline(Held(seconds, times), eyes, fused=1).moments():
        told[int(moment.at)].append(moment)
    return told


def judged(told: dict[int, list[Moment]]) -> set[int]:
    return {second for second, moments in told.items() if any(m.state is CameraState.LOOKED for m in moments)}


@pytest.mark.parametrize("seconds", [QUICK, pytest.param(SECONDS, marks=pytest.mark.full)], ids=["quick", "all"])
def test_nothing_is_judged_under_an_arm_and_nothing_is_lost_to_shadow_light_or_a_knock(
    seconds: Sequence[int], eyes: TableReader
) -> None:
    seen = judged(played(eyes, seconds))
    assert not seen & ARMS
    assert seen == set(seconds) - ARMS, "all others are looked at, shadows, light and knocks among them"
    assert {*SHADOWS, *KNOCKED} & set(seconds) <= seen


def test_an_arm_that_comes_and_goes_is_waited_for_without_a_look(eyes: TableReader) -> None:
    """As they were taken: something else is there every second, so no table is at rest."""
    told = played(eyes, SECONDS, times=1)
    assert not judged(told)
    assert all(moment.result is None for moments in told.values() for moment in moments)


def test_after_a_knock_the_table_is_seen_as_it_lies_now_without_a_ghost_of_before(eyes: TableReader) -> None:
    told = played(eyes, (36, 38, 39))
    for second, moments in told.items():
        [looked] = [m for m in moments if m.state is CameraState.LOOKED]
        assert looked.frame is not None
        shown = read_frame(SHOWN / f"{second:03d}.jpg").image
        assert np.abs(looked.frame.image.astype(int) - shown).max() <= 1
        assert looked.moved_at == second


def test_what_an_arm_covered_is_seen_in_the_second_when_it_is_gone(eyes: TableReader) -> None:
    """A stone was laid meanwhile: it is in the picture that is looked at."""
    told = played(eyes, (3, 4, 5, 6, 7))
    assert judged(told) == {3, 7}
    before, after = (m.frame for s in (3, 7) for m in told[s] if m.state is CameraState.LOOKED)
    assert before is not None
    assert after is not None
    changed = cv2.blur(np.abs(after.image.astype(np.float32) - before.image).mean(axis=2), (12, 12))
    row, column = np.unravel_index(np.argmax(changed), changed.shape)
    assert np.hypot(row - 200, column - 200) < 30, "the stone lies in the middle"
