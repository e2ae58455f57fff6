"""A reader tuned on one's own set at home: it learns from tables drawn with the set's double, mixed with tables of
other sets, and is used only where it reads what was kept aside better than the shipped one does. Needs the extra
`tuning`.

It takes some minutes. What is done lies in a folder, so that the same lesson goes on where it stopped.
"""

from __future__ import annotations

import importlib.util
import itertools
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from calibration.custom_set import TaughtSet, reader_now
from calibration.double import double_of
from calibration.lesson import TABLES, Lesson
from calibration.practice import WIDEST
from calibration.profile import Profile
from calibration.trial import Score
from models.render import Scene, random_scene, render
from models.render.edition import PaintedSet
from models.training.pool import keep, window
from rules.sentence import Sentence, say

OWN: Final = 120
"""So many tables are drawn with the set's double..."""
OTHERS: Final = 90
"""... and so many with other sets."""
FIRST: Final = 5000
"""The seed of the first of them: those of the lesson's own practice are kept aside for the trial."""
NEEDED: Final = ("torch", "onnx")
MOST_TUNED: Final = 2
"""So many sets of a profile may have a reader of their own: each takes 4.6 MB of its file."""
NICE: Final = 10
"""How far tuning stands back behind whatever else runs (steps of the system's priorities)."""

PHASES: Final = {
    "own": "drawing tables with your set",
    "others": "drawing tables with other sets",
    "steps": "learning",
    "trial": "trying it on other tables",
    "again": "learning the lesson again",
}
Progress = Callable[[str, int, int], bool]
"""Told the phase, how much of it is done and how much there is to do; says whether to go on."""


def can_tune() -> bool:
    """Whether what it needs is installed."""
    return all(importlib.util.find_spec(name) for name in NEEDED)


def why_not(profile: Profile, name: str) -> Sentence | None:
    """Why the set of this name cannot be tuned here, or None."""
    if not can_tune():
        return say("tuning needs the extra `tuning`: pip install 'piecepack-companion[tuning]'")
    others = [each.name for each in profile.sets.values() if each.has_net and each.name != name]
    if len(others) >= MOST_TUNED:
        return say("a profile holds {most} tuned sets at most: forget one of them first", most=MOST_TUNED)
    return None


def tuned(lesson: Lesson, folder: Path, progress: Progress) -> TaughtSet | None:
    """The lesson's set as a reader of its own knows it, better or not; None where `progress` said no: what was done
    till then stays in the folder. The eyes of the lesson read as before in the end."""
    from models.training.own_set import STEPS, tuned_reader

    work = folder / sha256(reader_now().encode()).hexdigest()[:16]
    for former in folder.glob("*"):
        if former != work:
            shutil.rmtree(former)
    own, others = work / "own", work / "others"
    for into, edition, count, phase in (
        (own, double_of(lesson.name, lesson.pages), OWN, "own"),
        (others, None, OTHERS, "others"),
    ):
        if not drawn(into, edition, count, partial(of, progress, phase, count)):
            return None
    net = tuned_reader(own, others, work, partial(of, progress, "steps", STEPS))
    if net is None:
        return None
    lesson.eyes.use_reader(net)
    try:
        again = lesson.finish(TABLES, partial(of, progress, "trial", TABLES))
    finally:
        lesson.eyes.use_reader(None)
    if again.tables < TABLES:
        return None
    shutil.rmtree(work)
    return replace(again, net=net)


def better_of(before: TaughtSet, now: TaughtSet) -> TaughtSet:
    """The set with the tuned reader in use where that is better, the other way of reading it kept beside it; else as it
    was before. Either way with what the tuning would bring."""
    told = Score(looks_of(now), *(sum(told_rightly(each)) for each in (before, now)))
    if not is_better(now, before):
        return replace(before, tuning=told)
    return replace(now, other=replace(before, other=None), tuning=told)


def of(progress: Progress, phase: str, count: int, done: int) -> bool:
    return progress(phase, done, count)


def is_better(now: TaughtSet, before: TaughtSet) -> bool:
    """More faces are told rightly on drawn tables that were kept aside, and no fewer on the lesson's own pieces."""
    (own, drawn), (own_before, drawn_before) = map(told_rightly, (now, before))
    return drawn > drawn_before and own >= own_before


def told_rightly(taught: TaughtSet) -> tuple[int, int]:
    """How many faces of the lesson's own pieces, and how many on drawn tables."""
    trials = taught.trials.values()
    return sum(trial.own.taught for trial in trials), sum(trial.drawn.taught for trial in trials)


def looks_of(taught: TaughtSet) -> int:
    return sum(trial.together.looks for trial in taught.trials.values())


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
