"""What the routes of the set-up share: the newest look at the caller's table, and refusals in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Depends, Request

from calibration.lesson_task import LessonError
from calibration.plane import PlaneError
from calibration.profile_store import ProfileError
from calibration.sheet import SheetError
from companion_api.problem import Problem
from companion_api.routes.needs import HostNeed
from rules.sentence import say, sentence_of
from vision.nets import ModelError
from vision.table_reader import FrameResult

Point = tuple[float, float]


def _look(request: Request, host: HostNeed) -> FrameResult:
    """What the eyes saw at last, with the frame; a table that nobody looks at cannot be calibrated."""
    moment = request.app.state.camera_manager.latest(host.table)
    look: FrameResult | None = moment.result if moment is not None else None
    if look is None:
        raise Problem(409, say("the camera has not looked at the table yet: choose a camera, or take a photo"))
    return look


TableLookNeed = Annotated[FrameResult, Depends(_look)]


@contextmanager
def in_words() -> Iterator[None]:
    """What cannot be learnt or measured is said in the words of the one who found out."""
    try:
        yield
    except (PlaneError, LessonError, ProfileError, SheetError, ModelError) as error:
        raise Problem(422, sentence_of(error)) from None
