"""A reader tuned on one's own set at home: it learns from tables drawn with the set's double, mixed with tables of
other sets, and is kept only where it reads what was kept aside better than the shipped one does. Needs the extra
`tuning`.

It takes some minutes. What is done lies in a folder, so that a lesson of the same pictures goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from calibration.custom_set import TaughtSet
from calibration.double import double_of
from calibration.practice import WIDEST
from calibration.teaching import TABLES, Lesson
from models.render import Scene, random_scene, render
from models.render.edition import PaintedSet
from models.training.pool import keep, window

OWN: Final = 120
"""So many tables are drawn with the set's double..."""
OTHERS: Final = 90
"""... and so many with other sets."""
FIRST: Final = 5000
"""The seed of the first of them: those of the lesson's own practice are kept aside for the trial."""
NEEDED: Final = ("torch", "onnx")
MOST_TUNED: Final = 2
"""So many sets of a profile may have a reader of their own: each takes 4.6 MB of its file."""

Progress = Callable[[str, int, int], bool]
"""Told what is being done, how much of it is done and how much there is to do; says whether to go on."""


def can_tune() -> bool:
    """Whether what it needs is installed."""
    return all(importlib.util.find_spec(name) for name in NEEDED)


def tuned(lesson: Lesson, taught: TaughtSet, folder: Path, progress: Progress) -> TaughtSet | None:
    """The lesson's set with a reader of its own, or `taught` as it is where that brings nothing; None where `progress`
    said no: what was done till then stays in the folder, until another lesson is tuned there. The eyes of the lesson
    read as before in the end."""
    from models.training.own_set import STEPS, tuned_reader

    work = folder / digest(lesson)
    for former in folder.glob("*"):
        if former != work:
            shutil.rmtree(former)
    own, others = work / "own", work / "others"
    for into, edition, count, words in (
        (own, double_of(lesson.name, lesson.pages), OWN, "drawing tables with your set"),
        (others, None, OTHERS, "drawing tables with other sets"),
    ):
        if not drawn(into, edition, count, partial(of, progress, words, count)):
            return None
    net = tuned_reader(own, others, work, partial(of, progress, "learning", STEPS))
    if net is None:
        return None
    lesson.eyes.reading_with(net)
    try:
        again = lesson.finish(TABLES, partial(of, progress, "trying it on other tables", TABLES))
    finally:
        lesson.eyes.reading_with(None)
    if again.tables < taught.tables:
        return None
    shutil.rmtree(work)
    return replace(again, net=net) if is_better(again, taught) else taught


def of(progress: Progress, what: str, count: int, done: int) -> bool:
    return progress(what, done, count)


def is_better(now: TaughtSet, before: TaughtSet) -> bool:
    """More faces are told rightly on drawn tables that were kept aside, and no fewer on the lesson's own pieces."""
    (own, drawn), (own_before, drawn_before) = map(told_rightly, (now, before))
    return drawn > drawn_before and own >= own_before


def told_rightly(taught: TaughtSet) -> tuple[int, int]:
    """How many faces of the lesson's own pieces, and how many on drawn tables."""
    trials = taught.trials.values()
    return sum(trial.own.taught for trial in trials), sum(trial.drawn.taught for trial in trials)


def drawn(folder: Path, edition: PaintedSet | None, count: int, go_on: Callable[[int], bool]) -> bool:
    """Fills the folder with tables of this edition (None: each of another one); whether it is full now."""
    folder.mkdir(parents=True, exist_ok=True)
    for done, scene in enumerate(itertools.islice(tables(edition), count)):
        if (folder / f"{scene.seed:07d}.json").exists():
            continue
        if not go_on(done):
            return False
        keep(folder, scene.seed, render(scene, crop=window(scene)))
    return True


def tables(edition: PaintedSet | None) -> Iterator[Scene]:
    for seed in itertools.count(FIRST):
        scene = random_scene(seed, "train", edition=edition)
        if scene.kind != "clutter" and scene.camera.width <= WIDEST:
            yield scene


def digest(lesson: Lesson) -> str:
    """The same for the same pictures, named alike."""
    told = hashlib.sha256(lesson.name.encode())
    for frame, page in lesson.pages:
        told.update(frame.image.tobytes())
        told.update(repr([(each.name, each.piece.outline.round(1).tolist()) for each in page.named]).encode())
    return told.hexdigest()[:16]
