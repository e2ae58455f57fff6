"""Teaching one's own set from the page: one picture a step, names put right by taps, all of it kept or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from calibration.my_set import STEPS, LessonError, NamedPage, renamed, swapped
from calibration.shown import identity_of
from calibration.teaching import TABLES, Lesson, keen_eyes
from companion_api.setting_up.keeper import ProfileKeeper
from rules.sentence import SaidError, said_by, say
from rules.table.observed import Identity
from vision.eyes import Eyes
from vision.frame import Frame, Picture


class Classroom:
    """At most one lesson at a time. Its eyes are opened when it begins and let go when it ends: they take memory."""

    def __init__(
        self, keeper: Callable[[], ProfileKeeper], eyes: Callable[[], Eyes] = keen_eyes, tables: int = TABLES
    ) -> None:
        """`tables`: so many are drawn with the set's double when a lesson ends."""
        self._keeper = keeper
        self._eyes = eyes
        self._tables = tables
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
        }

    def show(self, step: str, frame: Frame, incomplete: bool) -> NamedPage:
        """One picture: what lies on the table now. A lesson that begins with a bad picture has not begun."""
        lesson = self._lesson or Lesson("my set", self._eyes())
        page = lesson.show(step, frame, incomplete=incomplete)
        self._lesson = lesson
        return page

    def rename(self, index: int, number: int, suit: str | None, value: str | None) -> None:
        """One tap: the piece with this number is that one; whoever was that one gets the other name."""
        frame, page = self._page(index)
        try:
            name = identity_of(suit, value)
        except SaidError as error:
            raise LessonError(said_by(error)) from None
        self._now().pages[index] = frame, renamed(page, number, name)

    def swap(self, index: int, first: str, second: str) -> None:
        """All of one suit are the other, and the other way round."""
        frame, page = self._page(index)
        self._now().pages[index] = frame, swapped(page, first, second)

    def drop(self, index: int) -> None:
        """A picture that turned out badly."""
        self._page(index)
        del self._now().pages[index]

    def end(self) -> None:
        """Nothing is kept."""
        self._lesson = None

    def finish(self, name: str) -> tuple[str, ...]:
        """The set is kept in the profile and used; what this edition gives away comes back in words."""
        lesson = self._now()
        lesson.name = name
        taught = lesson.finish(self._tables)
        keeper = self._keeper()
        keeper.keep(keeper.profile.with_set(taught))
        self._lesson = None
        return taught.leaks

    def choose(self, name: str) -> None:
        keeper = self._keeper()
        keeper.keep(keeper.profile.choosing(name))

    def forget(self, name: str) -> None:
        keeper = self._keeper()
        keeper.keep(keeper.profile.without_set(name))

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
