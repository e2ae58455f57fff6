"""A reader of one's own: kept where it is better, and gone on with where it was stopped."""

from __future__ import annotations

import multiprocessing.spawn
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from calibration import tuning, tuning_process
from calibration.custom_set import TaughtSet, reader_now
from calibration.lesson import TABLES, GoOn, Lesson
from calibration.profile import Profile
from calibration.profile_store import ProfileError
from calibration.trial import Score, Trial
from calibration.tuning import better_of, in_own_process, is_better, tuned
from models.render import Rendered
from models.training.pool import pictures
from rules.sentence import say
from vision.identify.read import Reader
from vision.nets import WEIGHTS
from vision.table_reader import TableReader

EMPTY = Rendered(np.zeros((90, 160, 3), np.uint8), {"pieces": []}, np.zeros((90, 160), np.int16))
NET = (WEIGHTS / "reader.onnx").read_bytes()


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

    def finish(self, tables: int = TABLES, go_on: GoOn = lambda _: True) -> TaughtSet:
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
def few(eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Two empty tables of each kind and three steps, without the extra; the steps that were done."""
    steps: list[int] = []
    SHIPPED[:] = [eyes.reader]

    def tuned_reader(own: Path, others: Path, work: Path, count: int, go_on: GoOn) -> bytes | None:
        assert len(pictures(own)) == len(pictures(others)) == 2
        for step in range(count):
            if not go_on(step):
                return None
            steps.append(step)
        return NET

    def in_this_process(function: Callable[..., bytes | bool | None], *args: object, go_on: GoOn) -> object:
        return function(*args, go_on)

    monkeypatch.setitem(sys.modules, "models.training.own_set", SimpleNamespace(tuned_reader=tuned_reader))
    monkeypatch.setattr(tuning, "in_own_process", in_this_process)
    monkeypatch.setattr(tuning, "STEPS", 3)
    monkeypatch.setattr(tuning, "render", lambda *_, **__: EMPTY)
    monkeypatch.setattr(tuning, "OWN", 2)
    monkeypatch.setattr(tuning, "OTHERS", 2)
    return steps


def counted(most: int, go_on: GoOn) -> tuple[int, bool]:
    return os.getpid(), all(go_on(done) for done in range(most))


def refused(go_on: GoOn) -> None:
    raise ProfileError(say("no room")) if not go_on(7) else AssertionError


def killed(go_on: GoOn) -> None:
    os._exit(int(go_on(1)) + 40)


def test_work_in_a_process_of_its_own_asks_here_whether_to_go_on() -> None:
    asked: list[tuple[int, int]] = []

    def go_on(done: int) -> bool:
        asked.append((os.getpid(), done))
        return done < 2

    process, whole = in_own_process(counted, 5, go_on=go_on)
    assert process != os.getpid()
    assert (whole, asked) == (False, [(os.getpid(), done) for done in range(3)])
    with pytest.raises(ProfileError, match="no room"):
        in_own_process(refused, go_on=go_on)
    with pytest.raises(RuntimeError, match="killed: the process ended with exit status 41"):
        in_own_process(killed, go_on=go_on)


def test_a_process_that_dies_while_it_starts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", os.fsencode(shutil.which("false") or ""))
    with pytest.raises(RuntimeError, match="counted: the process ended with exit status 1"):
        in_own_process(counted, b"as large as an edition" * 100_000, go_on=bool)


def test_a_lesson_is_tuned_and_goes_on_where_it_was_stopped(eyes: TableReader, tmp_path: Path, few: list[int]) -> None:
    (tmp_path / "another lesson").mkdir()
    lesson, stopped, whole = PractisedLesson("oak", eyes), Watcher(2), Watcher(1000)
    assert tuned(lesson, tmp_path, stopped) is None
    assert [done for _, done, _ in stopped.told] == [0, 1], "one table was drawn"
    found = tuned(lesson, tmp_path, whole)
    assert whole.told[0] == ("own", 1, 2), "the table that was drawn is not drawn again"
    assert {phase for phase, _, _ in whole.told} < set(tuning.PHASES)
    assert few == [0, 1, 2]
    assert found is not None
    assert found.net == NET
    assert found.trials["tile"].drawn.taught == 35
    assert eyes.reader is SHIPPED[0], "the eyes read as before"
    assert not list(tmp_path.iterdir()), "nothing is left lying"


def test_the_better_one_is_used_and_the_other_one_kept_for_the_way_back() -> None:
    shipped, better, worse = taught(80, 30), taught(80, 35, NET), taught(80, 29, NET)
    used = better_of(shipped, better)
    assert (used.net, used.tuning) == (NET, (150, 110, 115))
    back = used.with_other_reader()
    assert (back.net, back.has_net, back.tuning) == (None, True, used.tuning)
    assert back.trials == shipped.trials
    assert back.with_other_reader() == used
    assert TaughtSet.from_json(used.to_json()).with_other_reader() == back
    left = better_of(shipped, worse)
    assert (left.net, left.has_net, left.tuning) == (None, False, (150, 110, 109))
    assert left.with_other_reader() is left


def test_at_most_so_many_sets_of_a_profile_are_tuned(monkeypatch: pytest.MonkeyPatch) -> None:
    tuned_sets = {name: replace(taught(80, 35, NET), name=name) for name in ("oak", "elm")}
    profile = Profile(sets={**tuned_sets, "fir": replace(taught(80, 30), name="fir")})
    monkeypatch.setattr(tuning, "can_tune", lambda: True)
    assert tuning.why_not(profile, "oak") is None
    assert "forget one" in str(tuning.why_not(profile, "fir"))
    monkeypatch.setattr(tuning, "can_tune", lambda: False)
    assert "pip install" in str(tuning.why_not(profile, "oak"))


def test_a_set_of_another_release_is_learnt_again_before_it_is_tuned(
    eyes: TableReader, tmp_path: Path, few: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson, here = PractisedLesson("oak", eyes), replace(taught(80, 30), reader=reader_now())
    for can, known, phases in (
        (True, here, {"own", "others", "steps", "trial"}),
        (True, taught(80, 30), {"again", "own", "others", "steps", "trial"}),
        (True, better_of(here, replace(here, net=NET)), {"own", "others", "steps", "trial"}),
        (False, taught(80, 30), {"again"}),
    ):
        monkeypatch.setattr(tuning_process, "can_tune", lambda can=can: can)
        watcher = Watcher(1000)
        found = tuning_process.tuned_set(lesson, known, tmp_path, watcher)
        assert found is not None
        assert found.net == (NET if can else None)
        assert {phase for phase, _, _ in watcher.told} - {"steps"} == phases - {"steps"}
