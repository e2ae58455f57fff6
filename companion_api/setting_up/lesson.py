"""Teaching one's own set from the page: one picture a step, names put right by taps, all of it kept or nothing."""

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
from calibration.lesson_task import STEPS, Box, LessonError, NamedPage
from calibration.teaching_session import with_corrected_name, with_swapped_suits
from companion_api.setting_up.keeper import ProfileKeeper
from companion_api.setting_up.tuner import Tuner, with_other_reader
from rules.sentence import InputError, Sentence, say, sentence_of
from rules.table.observed import Identity
from vision.frame import Frame, Picture
from vision.table_reader import TableReader


@dataclass(slots=True)
class Practice:
    """How far the learning is that goes on in the background."""

    tables: int
    drawn: int = 0
    problem: Sentence | None = None
    stopped: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None

    def go_on(self, drawn: int) -> bool:
        self.drawn = drawn
        return not self.stopped.is_set()

    def told(self) -> dict[str, Any]:
        problem = self.problem
        return {
            "drawn": self.drawn,
            "tables": self.tables,
            "problem": problem.text if problem else None,
            "problem_said": problem.to_json() if problem else None,
        }


def yield_to_others() -> None:
    """This thread works when nobody else wants to, where the system can say so of one thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class LessonManager:
    """At most one lesson at a time. Its eyes are opened when it begins and let go when it ends: they take memory."""

    def __init__(
        self,
        keeper: Callable[[], ProfileKeeper],
        eyes: Callable[[], TableReader] = lesson_reader,
        tables: int = TABLES,
        tuner: Tuner | None = None,
    ) -> None:
        """`tables`: so many are drawn with the set's double when a lesson ends; `tuner`: tunes taught sets."""
        self._keeper = keeper
        self._tuner = tuner
        self._eyes = eyes
        self._tables = tables
        self._practice: Practice | None = None
        self._lesson: Lesson | None = None

    def told(self) -> dict[str, Any]:
        """What can be shown, what was shown so far, and how each piece was named."""
        lesson = self._lesson
        return {
            "steps": [
                {
                    "id": s.id,
                    "words": s.words.text,
                    "needed": s.needed,
                    "names": [_named(name) for name in _once(s.names)],
                }
                for s in STEPS.values()
            ],
            "pages": [_page(frame, page) for frame, page in lesson.pages] if lesson else [],
            "missing": lesson.missing if lesson else [],
            "draft": _drafted(lesson.draft) if lesson and lesson.draft else None,
            "practice": None if self._practice is None else self._practice.told(),
        }

    def show(self, step: str, frame: Frame, incomplete: bool, watching: bool = False) -> NamedPage:
        """One picture: what lies on the table now. `watching`: it is taken only if it is good."""
        return self._begun().show(step, frame, incomplete=incomplete, watching=watching)

    def know(self, frame: Frame, pages: list[NamedPage]) -> None:
        """One picture of a game's board, which gives every piece its name."""
        self._begun().add_pages(frame, pages)

    def _begun(self) -> Lesson:
        self._refuse_while_practising()
        self._lesson = self._lesson or Lesson("my set", self._eyes())
        return self._lesson

    def box(self, suit: str | None, value: str | None, box: Box) -> None:
        """Where a piece lies in the refused picture that the eyes do not find."""
        self._now().box(_name(suit, value), box)

    def unbox(self) -> None:
        self._now().unbox()

    def rename(self, index: int, number: int, suit: str | None, value: str | None) -> None:
        """One tap: the piece with this number is that one; whoever was that one gets the other name."""
        frame, page = self._page(index)
        self._now().pages[index] = frame, with_corrected_name(page, number, _name(suit, value))

    def swap(self, index: int, first: str, second: str) -> None:
        """All of one suit are the other, and the other way round."""
        frame, page = self._page(index)
        self._now().pages[index] = frame, with_swapped_suits(page, first, second)

    def drop(self, index: int) -> None:
        """A picture that turned out badly."""
        self._page(index)
        del self._now().pages[index]

    def end(self) -> None:
        """Nothing is kept."""
        self._refuse_while_practising()
        self._lesson = None

    def finish(self, name: str, kept: Callable[[], None]) -> tuple[str, ...]:
        """Learns in the background; then the set is kept in the profile and used, and `kept` is called. What this
        edition gives away comes back in words at once."""
        self._refuse_while_practising()
        lesson = self._now()
        lesson.refuse_incomplete()
        lesson.name = name
        practice = Practice(self._tables)

        def learn() -> None:
            yield_to_others()
            try:
                taught = lesson.finish(self._tables, practice.go_on)
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

    @property
    def learning(self) -> threading.Thread | None:
        """The thread that learns, while it does."""
        return None if self._practice is None else self._practice.thread

    def enough(self) -> None:
        """The tables that were drawn till now will do."""
        if self._practice is not None:
            self._practice.stopped.set()

    def choose_none(self) -> None:
        """Pieces are read as the program was shipped."""
        keeper = self._keeper()
        keeper.keep(keeper.profile.without_selected())

    def _refuse_while_practising(self) -> None:
        if self._practice is None:
            return
        if self._practice.problem is None:
            raise LessonError(say("the set is being learnt: wait a moment"))
        self._practice = None

    def choose(self, name: str) -> None:
        keeper = self._keeper()
        keeper.keep(keeper.profile.with_selected(name))

    def read_by_other(self, name: str) -> None:
        """From now on by the other of its two readers, the shipped and the tuned."""
        keeper = self._keeper()
        keeper.keep(with_other_reader(keeper.profile, name))

    def forget(self, name: str) -> None:
        keeper = self._keeper()
        keeper.keep(keeper.profile.without_set(name))
        self._stop_tuning(name)
        kept_lesson.delete_lesson(kept_lesson.folder_of(keeper.path, name))

    def _stop_tuning(self, name: str) -> None:
        if self._tuner is not None:
            self._tuner.stop(name)

    def drafted(self) -> Picture:
        draft = self._now().draft
        if draft is None:
            raise LessonError(say("there is no picture to draw in: take one first"))
        return draft.look.frame.image

    def picture(self, index: int) -> Picture:
        return self._page(index)[0].image

    def _now(self) -> Lesson:
        if self._lesson is None:
            raise LessonError(say("no lesson has begun: show the first picture"))
        return self._lesson

    def _page(self, index: int) -> tuple[Frame, NamedPage]:
        pages = self._now().pages
        if not 0 <= index < len(pages):
            raise LessonError(say("there is no picture {index} in this lesson", index=index + 1))
        return pages[index]


def _name(suit: str | None, value: str | None) -> Identity:
    try:
        return identity_of(suit, value)
    except InputError as error:
        raise LessonError(sentence_of(error)) from None


def _drafted(draft: Draft) -> dict[str, Any]:
    """What the eyes find in it, and the boxes that were drawn."""
    width, height = draft.look.frame.size
    return {
        "step": draft.task.id,
        "width": width,
        "height": height,
        "found": [piece.outline.round(1).tolist() for piece in draft.found],
        "boxes": [{"box": list(box), **_named(name)} for name, box in draft.boxes],
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
                **_named(each.name),
            }
            for number, each in enumerate(page.named, 1)
        ],
    }


def _named(name: Identity) -> dict[str, str | None]:
    suit, rank = name
    return {"suit": suit, "value": None if rank is None else rank.word}


def _once(names: tuple[Identity, ...]) -> list[Identity]:
    return list(dict.fromkeys(names))
