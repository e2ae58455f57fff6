"""Teaching one's own set: a picture for each step, names put right by taps, and which set is played with."""

from __future__ import annotations

from typing import Annotated, Any

import cv2
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from calibration.lesson_task import Box
from companion_api.answers.base import a_file, shaped
from companion_api.answers.setting_up import LearntLooks, LessonTold, SetChosen, SetKept, ShippedChosen, Shown
from companion_api.problem import Problem
from companion_api.routes.needs import HostNeed, SessionNeed
from companion_api.routes.setup_needs import TableLookNeed, in_words
from companion_api.setting_up.learnt import keeping, learnt_at, told
from companion_api.setting_up.lesson import LessonManager
from companion_api.setting_up.opening_lesson import pages_of
from rules.sentence import say
from vision.frame import Picture

router = APIRouter(prefix="/api/calibration/teach", tags=["setup"])

Index = Annotated[int, Field(ge=0, le=20)]
Word = Annotated[str, Field(max_length=40)]
SetName = Annotated[str, Field(min_length=1, max_length=40)]


class ShowPage(BaseModel):
    """`incomplete`: the host has seen that pieces are missing and goes on with the others. `watching`: the page looks
    by itself, and the picture is taken only if it is good."""

    step: Word
    incomplete: bool = False
    watching: bool = False


class DrawBox(BaseModel):
    """Left, top, right and bottom in pixels of the picture that was refused, and what lies there."""

    box: Box
    suit: Word | None = None
    value: Word | None = None


class Rename(BaseModel):
    page: Index
    number: Annotated[int, Field(ge=1, le=100)]
    suit: Word | None = None
    value: Word | None = None


class SwapNames(BaseModel):
    page: Index
    first: Word
    second: Word


class DropPage(BaseModel):
    page: Index


class NameSet(BaseModel):
    name: SetName = "my set"


@router.get("", **shaped(LessonTold))
def lesson(request: Request, _: HostNeed) -> dict[str, Any]:
    """The steps of the lesson, the pictures shown so far, and how every piece was named."""
    return _classroom(request).told()


@router.post("", **shaped(Shown))
def show(request: Request, _: HostNeed, look: TableLookNeed, wanted: ShowPage) -> dict[str, Any]:
    """One picture of the lesson: what lies on the table now is all tiles, or all coins."""
    with in_words():
        page = _classroom(request).show(wanted.step, look.frame, wanted.incomplete, wanted.watching)
    return {"pieces": len(page.named), "doubts": len(page.doubts)}


@router.post("/board", **shaped(Shown))
def board(request: Request, _: HostNeed, session: SessionNeed, look: TableLookNeed) -> dict[str, Any]:
    """Everything on the table lies as the game has it: what is open to view teaches the lesson."""
    with in_words():
        with session.lock:
            game, state = session.game, session.state
        pages = pages_of(game, state, look)
        _classroom(request).know(look.frame, pages)
    return {"pieces": sum(len(page.named) for page in pages), "doubts": sum(len(page.doubts) for page in pages)}


@router.get("/draft/picture", **a_file("image/jpeg"))
def draft(request: Request, _: HostNeed) -> Response:
    """The picture that was refused, to draw boxes in."""
    with in_words():
        return _jpeg(_classroom(request).drafted())


@router.post("/box", **shaped(LessonTold))
def box(request: Request, _: HostNeed, wanted: DrawBox) -> dict[str, Any]:
    """A box about a piece of the refused picture that the eyes do not find. With the last one the picture is taken."""
    with in_words():
        _classroom(request).box(wanted.suit, wanted.value, wanted.box)
    return _classroom(request).told()


@router.post("/unbox", **shaped(LessonTold))
def unbox(request: Request, _: HostNeed) -> dict[str, Any]:
    """Without the box that was drawn last."""
    with in_words():
        _classroom(request).unbox()
    return _classroom(request).told()


@router.get("/{index}/picture", **a_file("image/jpeg"))
def picture(request: Request, _: HostNeed, index: int) -> Response:
    """A picture of the lesson."""
    with in_words():
        return _jpeg(_classroom(request).picture(index))


def _jpeg(picture: Picture) -> Response:
    good, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not good:
        raise Problem(500, say("the picture cannot be encoded"))
    return Response(jpeg.tobytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.post("/rename", **shaped(LessonTold))
def rename(request: Request, _: HostNeed, wanted: Rename) -> dict[str, Any]:
    """One tap: this piece is that one."""
    with in_words():
        _classroom(request).rename(wanted.page, wanted.number, wanted.suit, wanted.value)
    return _classroom(request).told()


@router.post("/swap", **shaped(LessonTold))
def swap(request: Request, _: HostNeed, wanted: SwapNames) -> dict[str, Any]:
    """All of one suit are the other, and the other way round."""
    with in_words():
        _classroom(request).swap(wanted.page, wanted.first, wanted.second)
    return _classroom(request).told()


@router.post("/drop", **shaped(LessonTold))
def drop(request: Request, _: HostNeed, wanted: DropPage) -> dict[str, Any]:
    """Take a picture out of the lesson."""
    with in_words():
        _classroom(request).drop(wanted.page)
    return _classroom(request).told()


@router.post("/finish", **shaped(SetKept))
def finish(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """All of it or nothing: the set is learnt in the background (the lesson says how far it is), then kept in the
    profile and used."""
    with in_words():
        leaks = _classroom(request).finish(wanted.name, request.app.state.camera_manager.profile_changed)
    return {"name": wanted.name, "warnings": list(leaks)}


@router.post("/enough", **shaped(LessonTold))
def enough(request: Request, _: HostNeed) -> dict[str, Any]:
    """Learn from what was drawn till now."""
    _classroom(request).enough()
    return _classroom(request).told()


@router.get("/learnt", **shaped(LearntLooks))
def learnt(request: Request, _: HostNeed, session: SessionNeed) -> dict[str, Any]:
    """What this game has shown of the set, and whether it is worth keeping."""
    with in_words():
        return told(learnt_at(session), request.app.state.camera_manager.keeper.profile)


@router.post("/learnt", **shaped(LearntLooks))
def keep_learnt(request: Request, _: HostNeed, session: SessionNeed, wanted: NameSet) -> dict[str, Any]:
    """Keep it under this name; the next game begins with it."""
    keeper = request.app.state.camera_manager.keeper
    looks = learnt_at(session)
    with in_words():
        keeper.keep(keeping(keeper.profile, looks, wanted.name))
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name, **told(looks, keeper.profile)}


@router.post("/end", **shaped(LessonTold))
def end(request: Request, _: HostNeed) -> dict[str, Any]:
    """Leave the lesson; nothing is kept."""
    with in_words():
        _classroom(request).end()
    return _classroom(request).told()


@router.post("/choose", **shaped(SetChosen))
def choose(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Play with a set that was taught before."""
    with in_words():
        _classroom(request).choose(wanted.name)
    request.app.state.camera_manager.profile_changed()
    request.app.state.tuner.resume()
    return {"name": wanted.name}


@router.post("/other", **shaped(SetChosen))
def other(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Read this set by the other of its two readers: the shipped one, or the one that was tuned on it."""
    with in_words():
        _classroom(request).read_by_other(wanted.name)
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name}


@router.post("/tune", **shaped(SetChosen))
def tune(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Tune the eyes to this set in the background; the calibration says how far that is. What was begun goes on."""
    with in_words():
        request.app.state.tuner.start(wanted.name)
    return {"name": wanted.name}


@router.post("/tune/stop", **shaped(SetChosen))
def stop_tuning(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """What was done is kept; `tune` goes on from there."""
    request.app.state.tuner.stop(wanted.name)
    return {"name": wanted.name}


@router.post("/shipped", **shaped(ShippedChosen))
def shipped(request: Request, _: HostNeed) -> dict[str, Any]:
    """Play with no taught set: pieces are read as the program was shipped."""
    with in_words():
        _classroom(request).choose_none()
    request.app.state.camera_manager.profile_changed()
    return {"using": None}


@router.post("/forget", **shaped(SetChosen))
def forget(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    with in_words():
        _classroom(request).forget(wanted.name)
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name}


def _classroom(request: Request) -> LessonManager:
    lesson_manager: LessonManager = request.app.state.lesson_manager
    return lesson_manager
