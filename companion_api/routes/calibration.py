"""The wizard: how good the picture is just now, where the table is, teaching the eyes one's own set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, HTTPException, Request
from pydantic import BaseModel, Field

from calibration import plane as planes
from calibration.check import places
from calibration.guide import STEPS, done, quality
from calibration.keeping import ProfileError
from calibration.known import good_quads
from calibration.lens import assumed
from calibration.my_set import STEPS as LESSONS
from calibration.my_set import LessonError
from calibration.plane import PlaneError
from calibration.profile import Profile, load_or_new
from calibration.teaching import Lesson
from companion_api.routes.needs import HostNeed, TokenNeed
from vision.eyes import Eyes, Look

router = APIRouter(prefix="/api/calibration", tags=["setup"])

Point = tuple[float, float]


class Plane(BaseModel):
    """Without corners the tiles on the table say where it is; with them a rectangle of known size does (mm)."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    width: Annotated[float, Field(ge=20, le=3000)] = 210
    height: Annotated[float, Field(ge=20, le=3000)] = 297


class Show(BaseModel):
    step: Annotated[str, Field(max_length=40)]


class Finish(BaseModel):
    name: Annotated[str, Field(min_length=1, max_length=40)] = "my set"


@router.get("")
def standing(request: Request, token: TokenNeed) -> dict[str, Any]:
    """The steps, what is done, and what the camera makes of the table now."""
    with _in_words():
        profile = _profile(request)
        ready = done(profile)
    moment = request.app.state.lookout.latest(token.table)
    look = moment.look if moment is not None else None
    steps = [
        {"id": s.id, "title": s.title, "words": s.words, "needed": s.needed, "done": ready.get(s.id, False)}
        for s in STEPS
    ]
    lesson: Lesson | None = getattr(request.app.state, "lesson", None)
    return {
        "steps": steps,
        "quality": quality(look).to_json() if look is not None else None,
        "lessons": [{"id": s.id, "words": s.words, "needed": s.needed} for s in LESSONS.values()],
        "shown": [page.step.id for _, page in lesson.pages] if lesson else [],
    }


@router.post("/plane")
def plane(request: Request, host: HostNeed, wanted: Plane) -> dict[str, Any]:
    """Keep where the table is."""
    look = _look(request, host.table)
    quads = good_quads(look.pieces)
    lens = assumed(look.frame.size)
    with _in_words():
        if wanted.corners is None:
            found = planes.from_tiles(quads, lens)
        else:
            found = planes.from_corners(np.array(wanted.corners), wanted.width, wanted.height, lens)
        resting = places(found, quads) if quads else np.zeros((0, 2))
        made = datetime.now(UTC).isoformat(timespec="seconds")
        replace(_profile(request), made=made, lens=lens, plane=found, resting=resting).save(_path(request))
    request.app.state.lookout.profile_changed()
    return {"typical_mm": round(found.accuracy.typical, 2), "worst_mm": round(found.accuracy.worst, 2)}


@router.post("/teach")
def teach(request: Request, host: HostNeed, wanted: Show) -> dict[str, Any]:
    """One picture of the lesson: what lies on the table now is all tiles, or all coins."""
    look = _look(request, host.table)
    lesson = _lesson(request)
    with _in_words():
        page = lesson.show(wanted.step, look.frame)
    return {"pieces": len(page.named), "doubts": len(page.doubts), "missing": lesson.missing}


@router.post("/teach/finish")
def finish(request: Request, _: HostNeed, wanted: Finish) -> dict[str, Any]:
    """All of it or nothing: the set is kept in the profile and used."""
    lesson = _lesson(request)
    with _in_words():
        lesson.name = wanted.name
        taught = lesson.finish()
        _profile(request).with_set(taught).save(_path(request))
    request.app.state.lesson = None
    request.app.state.lookout.profile_changed()
    return {"name": wanted.name, "warnings": list(taught.leaks)}


def _path(request: Request) -> Path:
    data: Path = request.app.state.tables.data
    return data / "profile.json"


def _profile(request: Request) -> Profile:
    return load_or_new(_path(request), "table")


def _look(request: Request, table: str) -> Look:
    """What the eyes saw at last, with the frame; a table that nobody looks at cannot be calibrated."""
    moment = request.app.state.lookout.latest(table)
    look: Look | None = moment.look if moment is not None else None
    if look is None:
        raise HTTPException(409, "the camera has not looked at the table yet: choose a camera, or take a photo")
    return look


def _lesson(request: Request) -> Lesson:
    lesson: Lesson | None = getattr(request.app.state, "lesson", None)
    if lesson is None:
        eyes: Eyes | None = request.app.state.lookout.eyes()
        if eyes is None:
            raise HTTPException(409, "no eyes are installed that could learn")
        lesson = request.app.state.lesson = Lesson("my set", eyes)
    return lesson


@contextmanager
def _in_words() -> Iterator[None]:
    """What cannot be learnt or measured is said in the words of the one who found out."""
    try:
        yield
    except (PlaneError, LessonError, ProfileError) as error:
        raise HTTPException(422, str(error)) from None
