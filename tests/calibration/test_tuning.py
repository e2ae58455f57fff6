"""A reader of one's own: kept where it is better, and gone on with where it was stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from calibration import tuning
from calibration.custom_set import TaughtSet
from calibration.teaching import TABLES, GoOn, Lesson, always
from calibration.trial import Score, Trial
from calibration.tuning import digest, is_better, tuned
from models.render import Rendered
from models.training.pool import pictures
from vision.eyes import Eyes
from vision.identify.read import Reader
from vision.nets import WEIGHTS

EMPTY = Rendered(np.zeros((90, 160, 3), np.uint8), {"pieces": []}, np.zeros((90, 160), np.int16))
NET = (WEIGHTS / "namer.onnx").read_bytes()
"""Answers as a reader does, otherwise."""


def taught(own: int, drawn: int, net: bytes | None = None) -> TaughtSet:
    trials = {"tile": Trial(Score(100, 70, own), Score(50, 20, drawn))}
    return TaughtSet("oak", "abc", pieces=24, trials=trials, tables=40, net=net)


def test_a_reader_that_is_worse_on_the_lessons_pieces_or_no_better_on_tables_is_not_kept() -> None:
    before = taught(80, 30)
    assert is_better(taught(80, 31), before)
    assert not is_better(taught(79, 40), before)
    assert not is_better(taught(90, 30), before)


class PractisedLesson(Lesson):
    """`finish` only tells how well the eyes are to know its pieces, as they read then."""

    def finish(self, tables: int = TABLES, go_on: GoOn = always) -> TaughtSet:
        done = next((number for number in range(tables) if not go_on(number)), tables)
        return replace(taught(80, 35 if self.eyes.reader is not SHIPPED[0] else 30), tables=done)


SHIPPED: list[Reader] = []


class Watcher:
    """Is told what is done, and says no when it has been told so many times."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.told: list[tuple[str, int, int]] = []

    def __call__(self, what: str, done: int, of: int) -> bool:
        self.told.append((what, done, of))
        return len(self.told) < self.most


@pytest.fixture
def few(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Two empty tables of each kind and three steps, without the extra; the steps that were done."""
    steps: list[int] = []
    SHIPPED[:] = [eyes.reader]

    def tuned_reader(own: Path, others: Path, work: Path, go_on: Callable[[int], bool]) -> bytes | None:
        assert len(pictures(own)) == len(pictures(others)) == 2
        for step in range(3):
            if not go_on(step):
                return None
            steps.append(step)
        return NET

    monkeypatch.setitem(sys.modules, "models.training.own_set", SimpleNamespace(STEPS=3, tuned_reader=tuned_reader))
    monkeypatch.setattr(tuning, "render", lambda *_, **__: EMPTY)
    monkeypatch.setattr(tuning, "OWN", 2)
    monkeypatch.setattr(tuning, "OTHERS", 2)
    return steps


def test_a_lesson_is_tuned_and_goes_on_where_it_was_stopped(eyes: Eyes, tmp_path: Path, few: list[int]) -> None:
    (tmp_path / "another lesson").mkdir()
    lesson, stopped, whole = PractisedLesson("oak", eyes), Watcher(2), Watcher(1000)
    assert tuned(lesson, taught(80, 30), tmp_path, stopped) is None
    assert [done for _, done, _ in stopped.told] == [0, 1], "one table was drawn"
    better = tuned(lesson, taught(80, 30), tmp_path, whole)
    assert whole.told[0] == ("drawing tables with your set", 1, 2), "the table that was drawn is not drawn again"
    assert few == [0, 1, 2]
    assert better is not None
    assert better.net == NET
    assert better.trials["tile"].drawn.taught == 35
    assert eyes.reader is SHIPPED[0], "the eyes read as before"
    assert not list(tmp_path.iterdir()), "nothing is left lying"


def test_a_reader_that_brings_nothing_is_thrown_away(eyes: Eyes, tmp_path: Path, few: list[int]) -> None:
    before = taught(90, 35)
    assert tuned(PractisedLesson("oak", eyes), before, tmp_path, Watcher(1000)) is before


def test_another_lesson_begins_anew(eyes: Eyes) -> None:
    assert digest(Lesson("oak", eyes)) == digest(Lesson("oak", eyes))
    assert digest(Lesson("oak", eyes)) != digest(Lesson("elm", eyes))
