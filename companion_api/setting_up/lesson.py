"""Teaching a custom set from the page: one picture a step, names corrected by taps, all of it kept or nothing."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from calibration import kept_lesson
from calibration.learned_appearance import identity_of
from calibration.lesson import TABLES, Draft, Lesson, lesson_reader
from calibration.lesson_task import STEPS, LessonError, LessonTask, NamedPage
from calibration.teaching_session import with_corrected_name, with_swapped_suits
from companion_api.setting_up.keeper import ProfileKeeper, problem_json
from companion_api.setting_up.tuner import Tuner
from rules.sentence import InputError, Sentence, say, sentence_of
from rules.table.observed import Identity
from vision.frame import Frame, Picture
from vision.table_reader import TableReader


@dataclass(slots=True)
class Practice:
    """Progress of the learning in the background."""

    tables: int
    drawn: int = 0
    problem: Sentence | None = None
    stopped: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def report(self, drawn: int) -> bool:
        self.drawn = drawn
        return not self.stopped.is_set()

    def to_json(self) -> dict[str, Any]:
        return {"drawn": self.drawn, "tables": self.tables, **problem_json(self.problem)}


def lower_priority() -> None:
    """Lowers this thread's priority, where the system supports priorities of threads (Linux)."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class LessonManager:
    """At most one lesson at a time. Its reader is opened when it begins and released when it ends, for its memory."""

    def __init__(
        self,
        keeper: Callable[[], ProfileKeeper],
        eyes: Callable[[], TableReader] = lesson_reader,
        tables: int = TABLES,
        tuner: Tuner | None = None,
    ) -> None:
        """`tables`: synthetic tables drawn with the set at the end of a lesson; `tuner`: tunes taught sets."""
        self._keeper = keeper
        self._tuner = tuner
        self._eyes = eyes
        self._tables = tables
        self._practice: Practice | None = None
        self._lesson: Lesson | None = None

    def to_json(self) -> dict[str, Any]:
        lesson = self._lesson
        return {
            "steps": [_step_json(step) for step in STEPS.values()],
            "pages": [_page(frame, page) for frame, page in lesson.pages] if lesson else [],
            "missing": lesson.missing if lesson else [],
            "draft": _draft_json(lesson.draft) if lesson and lesson.draft else None,
            "practice": None if self._practice is None else self._practice.to_json(),
        }

    def open_lesson(self) -> Lesson:
        """The lesson that goes on, or a new one."""
        self._check_not_practising()
        self._lesson = self._lesson or Lesson("my set", self._eyes())
        return self._lesson

    def rename(self, index: int, number: int, suit: str | None, value: str | None) -> None:
        """Renames one piece; the piece that had the name gets the other one."""
        frame, page = self.page(index)
        self.current().pages[index] = frame, with_corrected_name(page, number, piece_name(suit, value))

    def swap(self, index: int, first: str, second: str) -> None:
        frame, page = self.page(index)
        self.current().pages[index] = frame, with_swapped_suits(page, first, second)

    def drop(self, index: int) -> None:
        self.page(index)
        del self.current().pages[index]

    def end(self) -> None:
        self._check_not_practising()
        self._lesson = None

    def finish(self, name: str, kept: Callable[[], None]) -> tuple[str, ...]:
        """Learns in the background; then the set is saved in the profile and used, and `kept` is called. Returns at
        once what the backs of this edition give away."""
        self._check_not_practising()
        lesson = self.current()
        lesson.refuse_incomplete()
        lesson.name = name
        practice = Practice(self._tables)

        def learn() -> None:
            lower_priority()
            try:
                taught = lesson.finish(self._tables, practice.report)
                keeper = self._keeper()
                self._stop_tuning(name)
                kept_lesson.store_lesson(lesson, kept_lesson.folder_of(keeper.path, name))
                keeper.keep(keeper.profile.with_set(taught))
            except InputError as error:
                practice.problem = sentence_of(error)
                return
            self._lesson, self._practice = None, None
            kept()

        self._practice = practice
        practice.thread = threading.Thread(target=learn, name="lesson", daemon=True)
        practice.thread.start()
        return lesson.leaks()

    def stop_practice(self) -> None:
        """Those drawn so far suffice."""
        if self._practice is not None:
            self._practice.stopped.set()

    def _check_not_practising(self) -> None:
        if self._practice is None:
            return
        if self._practice.problem is None:
            raise LessonError(say("the set is being learnt: wait a moment"))
        self._practice = None

    def forget(self, name: str) -> None:
        keeper = self._keeper()
        keeper.keep(keeper.profile.without_set(name))
        self._stop_tuning(name)
        kept_lesson.delete_lesson(kept_lesson.folder_of(keeper.path, name))

    def _stop_tuning(self, name: str) -> None:
        if self._tuner is not None:
            self._tuner.stop(name)

    def draft_picture(self) -> Picture:
        if (draft := self.current().draft) is None:
            raise LessonError(say("there is no picture to draw in: take one first"))
        return draft.look.frame.image

    def current(self) -> Lesson:
        if self._lesson is None:
            raise LessonError(say("no lesson has begun: show the first picture"))
        return self._lesson

    def page(self, index: int) -> tuple[Frame, NamedPage]:
        pages = self.current().pages
        if not 0 <= index < len(pages):
            raise LessonError(say("there is no picture {index} in this lesson", index=index + 1))
        return pages[index]


def piece_name(suit: str | None, value: str | None) -> Identity:
    try:
        return identity_of(suit, value)
    except InputError as error:
        raise LessonError(sentence_of(error)) from None


def _draft_json(draft: Draft) -> dict[str, Any]:
    width, height = draft.look.frame.size
    return {
        "step": draft.task.id,
        "width": width,
        "height": height,
        "found": [piece.outline.round(1).tolist() for piece in draft.found],
        "boxes": [{"box": list(box), **_name_json(name)} for name, box in draft.boxes],
    }


def _page(frame: Frame, page: NamedPage) -> dict[str, Any]:
    width, height = frame.size
    return {
        "step": page.step.id,
        "width": width,
        "height": height,
        "doubts": len(page.doubts),
        "pieces": [
            {
                "number": number,
                "outline_px": each.piece.outline.round(1).tolist(),
                "center_px": each.piece.center.round(1).tolist(),
                "doubt": each.doubtful,
                **_name_json(each.name),
            }
            for number, each in enumerate(page.named, 1)
        ],
    }


def _step_json(step: LessonTask) -> dict[str, Any]:
    names = [_name_json(name) for name in dict.fromkeys(step.names)]
    return {"id": step.id, "words": step.words.text, "needed": step.needed, "names": names}


def _name_json(name: Identity) -> dict[str, str | None]:
    suit, rank = name
    return {"suit": suit, "value": None if rank is None else rank.word}
