"""From pictures to a taught set: the whole lesson, all of it or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from calibration.album import Album, album_of, side_of
from calibration.leaks import coins_leak
from calibration.my_set import STEPS, LessonError, NamedPage, learn
from calibration.taught import Examples, TaughtSet, judges_from
from rules.sentence import Joint, say, several
from rules.table.observed import Identity
from vision.eyes import Eyes
from vision.frame import Frame

MOST: Final = 10
KEEN: Final = 0.12
"""In a lesson it is known how many pieces lie there, so also what is hardly certain is looked at."""


def keen_eyes() -> Eyes:
    return Eyes(certain=KEEN)


@dataclass(slots=True)
class Lesson:
    """Collects pages; `finish` makes the set of them. A page that cannot be learnt from leaves no trace."""

    name: str
    eyes: Eyes
    pages: list[tuple[Frame, NamedPage]] = field(default_factory=list)

    def show(
        self, step: str, frame: Frame, corrections: Mapping[int, Identity] | None = None, incomplete: bool = False
    ) -> NamedPage:
        """One picture for one step; LessonError says what is wrong with it. `incomplete`: a person has seen that pieces
        are missing (lost, or not found) and wants to go on with the others."""
        if step not in STEPS:
            raise LessonError(
                say("no step is called {step}; there are {known}", step=repr(step), known=", ".join(STEPS))
            )
        if len(self.pages) >= MOST:
            raise LessonError(say("{most} pictures are enough: finish, or begin the lesson again", most=MOST))
        page = learn(self.eyes, self.eyes.look(frame), STEPS[step], corrections, incomplete)
        self.pages.append((frame, page))
        return page

    def replace_last(self, page: NamedPage) -> None:
        """After a tap."""
        self.pages[-1] = (self.pages[-1][0], page)

    @property
    def missing(self) -> list[str]:
        """Needed steps without a picture."""
        shown = {page.step.id for _, page in self.pages}
        return [step.id for step in STEPS.values() if step.needed and step.id not in shown]

    def finish(self) -> TaughtSet:
        if self.missing:
            wanted = several((STEPS[step].words for step in self.missing), Joint.SEMICOLON)
            raise LessonError(say("pictures are still missing. {wanted}", wanted=wanted))
        pages = [page for _, page in self.pages]
        judges = judges_from(lessons_of(pages))
        return TaughtSet(
            self.name,
            self.eyes.reader.session.model.sha256,
            judges,
            sum(len(page.named) for page in pages),
            self.leaks(),
            albums_of(pages),
        )

    def leaks(self) -> tuple[str, ...]:
        """What this edition gives away, from the last pair of coin pictures."""
        by_step = {page.step.id: (frame, page) for frame, page in self.pages}
        if not {"coin-values", "coin-suits"} <= set(by_step):
            return ()
        frame, values = by_step["coin-values"]
        words = coins_leak(values, frame.image, by_step["coin-suits"][1])
        return (words,) if words else ()


def albums_of(pages: Sequence[NamedPage]) -> dict[str, Album]:
    """Of every side that was shown with all its faces, and of what stands."""
    shown: dict[str, list[NamedPage]] = {}
    for page in pages:
        if page.step.looks_the_same and {each.name for each in page.named} == set(page.step.names):
            shown.setdefault(side_of(page.step.kind, page.step.face), []).append(page)
    return {
        side: album_of(
            [each.name for page in those for each in page.named],
            np.stack([reading.embeddings for page in those for reading in page.readings]),
        )
        for side, those in shown.items()
    }


def lessons_of(pages: Sequence[NamedPage]) -> dict[str, list[Examples]]:
    out: dict[str, list[Examples]] = {}
    for page in pages:
        for question, examples in page.examples().items():
            out.setdefault(question, []).append(examples)
    return out
