"""Fine-tunes the reader on a taught set: it is trained on tables rendered with the set's double, mixed with tables of
other sets, and used only where it reads held-out looks better than the shipped one. Needs the extra `tuning`.

It takes some minutes. The work so far is stored in a folder, from which the same lesson continues.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import shutil
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, TypeVar

from calibration.custom_set import TaughtSet, reader_now
from calibration.double import double_of, scenes
from calibration.lesson import TABLES, GoOn, Lesson
from calibration.profile import Profile
from calibration.trial import Score
from models.render import render
from models.render.edition import PaintedSet
from models.training.pool import keep, window
from rules.sentence import Sentence, say

OWN: Final = 120
"""Tables rendered with the set's double."""
OTHERS: Final = 90
"""Tables rendered with other sets."""
STEPS: Final = 140
"""Steps of training."""
FIRST: Final = 5000
"""First seed of both, apart from the tables of the lesson's own practice, which are held out."""
NEEDED: Final = ("torch", "onnx")
MOST_TUNED: Final = 2
"""Most sets of a profile with a reader of their own: each takes 4.6 MB of its file."""
NICE: Final = 10
"""Niceness of the tuning process."""

PHASES: Final = {
    "own": "drawing tables with your set",
    "others": "drawing tables with other sets",
    "steps": "learning",
    "trial": "trying it on other tables",
    "again": "learning the lesson again",
}
Progress = Callable[[str, int, int], bool]
"""Gets phase, done and total; returns whether to go on."""
Result = TypeVar("Result")


def can_tune() -> bool:
    """Whether the packages it needs are installed."""
    return all(importlib.util.find_spec(name) for name in NEEDED)


def why_not(profile: Profile, name: str) -> Sentence | None:
    """Why a set cannot be tuned here, or None."""
    if not can_tune():
        return say("tuning needs the extra `tuning`: pip install 'piecepack-companion[tuning]'")
    others = [each.name for each in profile.sets.values() if each.has_net and each.name != name]
    if len(others) >= MOST_TUNED:
        return say("a profile holds {most} tuned sets at most: forget one of them first", most=MOST_TUNED)
    return None


def tuned(lesson: Lesson, folder: Path, progress: Progress) -> TaughtSet | None:
    """The lesson's set with a fine-tuned reader, better or not; None where `progress` stopped it, and the work so far
    stays in the folder. The lesson's table reader is as before afterwards."""
    work = folder / sha256(reader_now().encode()).hexdigest()[:16]
    for former in folder.glob("*"):
        if former != work:
            shutil.rmtree(former)
    own, others = work / "own", work / "others"
    for into, edition, count, phase in (
        (own, double_of(lesson.name, lesson.pages), OWN, "own"),
        (others, None, OTHERS, "others"),
    ):
        if not in_own_process(render_missing, into, edition, count, go_on=partial(report, progress, phase, count)):
            return None
    net = in_own_process(train_reader, own, others, work, STEPS, go_on=partial(report, progress, "steps", STEPS))
    if net is None:
        return None
    lesson.eyes.use_reader(net)
    try:
        again = lesson.finish(TABLES, partial(report, progress, "trial", TABLES))
    finally:
        lesson.eyes.use_reader(None)
    if again.tables < TABLES:
        return None
    shutil.rmtree(work)
    return replace(again, net=net)


def train_reader(own: Path, others: Path, work: Path, steps: int, go_on: GoOn) -> bytes | None:
    from models.training.own_set import tuned_reader  # torch takes half a gigabyte

    return tuned_reader(own, others, work, steps, go_on)


def in_own_process(function: Callable[..., Result], *args: object, go_on: GoOn) -> Result:
    """`function(*args, go_on)` in a process of its own, so that its memory is free afterwards; `go_on` is called in
    this process. To be called in the main thread."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=run_for_parent, args=(there,), daemon=True)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both processes, and the parent handles it
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)
    there.close()
    try:
        # Not as arguments: `start` waits for ever where the process dies before it has read them.
        here.send((function, args))
        while True:
            kind, value = here.recv()
            if kind == "done":
                result: Result = value
                return result
            if kind == "failed":
                raise value
            here.send(go_on(value))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        process.join()
        raise RuntimeError(f"{function.__name__}: the process ended with exit status {process.exitcode}") from None
    finally:
        process.kill()
        process.join()


def run_for_parent(connection: Connection) -> None:
    """The other side of `in_own_process`; ends when the parent has ended."""
    threading.Thread(target=exit_with_parent, daemon=True).start()

    def go_on(done: int) -> bool:
        connection.send(("asked", done))
        return bool(connection.recv())

    try:
        function, args = connection.recv()
        connection.send(("done", function(*args, go_on)))
    except Exception as error:
        connection.send(("failed", error))


def exit_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def better_of(before: TaughtSet, now: TaughtSet) -> TaughtSet:
    """The set with the tuned reader in use and the other one kept as `other` where that is better, else the former set;
    both with the score of the tuning."""
    looks = sum(trial.total.looks for trial in now.trials.values())
    score = Score(looks, *(sum(right_reads(each)) for each in (before, now)))
    if not is_better(now, before):
        return replace(before, tuning=score)
    return replace(now, other=replace(before, other=None), tuning=score)


def report(progress: Progress, phase: str, count: int, done: int) -> bool:
    return progress(phase, done, count)


def is_better(now: TaughtSet, before: TaughtSet) -> bool:
    """Whether more faces are read rightly on held-out rendered tables, and no fewer on the lesson's own pieces."""
    (own, drawn), (own_before, drawn_before) = map(right_reads, (now, before))
    return drawn > drawn_before and own >= own_before


def right_reads(taught: TaughtSet) -> tuple[int, int]:
    """Numbers of faces read rightly: of the lesson's own pieces, and on rendered tables."""
    trials = taught.trials.values()
    return sum(trial.own.taught for trial in trials), sum(trial.drawn.taught for trial in trials)


def render_missing(folder: Path, edition: PaintedSet | None, count: int, go_on: GoOn) -> bool:
    """Fill the folder with tables of this edition (None: each of another one); whether it is full now."""
    folder.mkdir(parents=True, exist_ok=True)
    for done, scene in enumerate(islice(scenes(edition, FIRST), count)):
        if (folder / f"{scene.seed:07d}.json").exists():
            continue
        if not go_on(done):
            return False
        keep(folder, scene.seed, render(scene, crop=window(scene)))
    return True
