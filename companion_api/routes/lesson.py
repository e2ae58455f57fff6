"""Teaching a custom set: a picture per step, corrections by taps, and the choice of set."""

from __future__ import annotations

from typing import Annotated, Any

import cv2
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from calibration.lesson_task import Box
from companion_api.answers.base import Problem, a_file, shaped
from companion_api.answers.setting_up import LearntLooks, LessonTold, SetChosen, SetKept, ShippedChosen, Shown
from companion_api.routes.needs import HostNeed, SessionNeed
from companion_api.routes.setup import TableLookNeed, errors_as_problems
from companion_api.setting_up.learnt import appearances_at, pages_of, to_json, with_learned
from companion_api.setting_up.lesson import LessonManager
from rules.sentence import say
from vision.frame import Picture

router = APIRouter(prefix="/api/calibration/teach", tags=["setup"])

Index = Annotated[int, Field(ge=0, le=20)]
Word = Annotated[str, Field(max_length=40)]
SetName = Annotated[str, Field(min_length=1, max_length=40)]


class ShowPage(BaseModel):
    """`incomplete`: accept missing pieces. `watching`: the page polls, and the picture is taken only if it is good."""

    step: Word
    incomplete: bool = False
    watching: bool = False


class DrawBox(BaseModel):
    """A box in pixels of the refused picture (left, top, right, bottom) and the piece in it."""

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
    """Steps, pictures and names of the lesson."""
    return _lessons(request).to_json()


@router.post("", **shaped(Shown))
def show(request: Request, _: HostNeed, look: TableLookNeed, wanted: ShowPage) -> dict[str, Any]:
    """Take a picture for a step, with all tiles or all coins on the table."""
    with errors_as_problems():
        page = _lessons(request).show(wanted.step, look.frame, wanted.incomplete, wanted.watching)
    return {"pieces": len(page.named), "doubts": len(page.doubts)}


@router.post("/board", **shaped(Shown))
def board(request: Request, _: HostNeed, session: SessionNeed, look: TableLookNeed) -> dict[str, Any]:
    """Teach from the table as the game has it: every uncovered piece."""
    with errors_as_problems():
        with session.lock:
            game, state = session.game, session.state
        pages = pages_of(game, state, look)
        _lessons(request).add_pages(look.frame, pages)
    return {"pieces": sum(len(page.named) for page in pages), "doubts": sum(len(page.doubts) for page in pages)}


@router.get("/draft/picture", **a_file("image/jpeg"))
def draft(request: Request, _: HostNeed) -> Response:
    """The refused picture, to draw boxes in."""
    with errors_as_problems():
        return _jpeg(_lessons(request).draft_picture())


@router.post("/box", **shaped(LessonTold))
def box(request: Request, _: HostNeed, wanted: DrawBox) -> dict[str, Any]:
    """Mark an undetected piece; with the last one the picture is taken."""
    with errors_as_problems():
        _lessons(request).box(wanted.suit, wanted.value, wanted.box)
    return _lessons(request).to_json()


@router.post("/unbox", **shaped(LessonTold))
def unbox(request: Request, _: HostNeed) -> dict[str, Any]:
    """Remove the last box."""
    with errors_as_problems():
        _lessons(request).unbox()
    return _lessons(request).to_json()


@router.get("/{index}/picture", **a_file("image/jpeg"))
def picture(request: Request, _: HostNeed, index: int) -> Response:
    """A picture of the lesson."""
    with errors_as_problems():
        return _jpeg(_lessons(request).picture(index))


def _jpeg(picture: Picture) -> Response:
    encoded, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    if not encoded:
        raise Problem(500, say("the picture cannot be encoded"))
    return Response(jpeg.tobytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.post("/rename", **shaped(LessonTold))
def rename(request: Request, _: HostNeed, wanted: Rename) -> dict[str, Any]:
    """Rename a piece."""
    with errors_as_problems():
        _lessons(request).rename(wanted.page, wanted.number, wanted.suit, wanted.value)
    return _lessons(request).to_json()


@router.post("/swap", **shaped(LessonTold))
def swap(request: Request, _: HostNeed, wanted: SwapNames) -> dict[str, Any]:
    """Exchange two suits."""
    with errors_as_problems():
        _lessons(request).swap(wanted.page, wanted.first, wanted.second)
    return _lessons(request).to_json()


@router.post("/drop", **shaped(LessonTold))
def drop(request: Request, _: HostNeed, wanted: DropPage) -> dict[str, Any]:
    """Remove a picture."""
    with errors_as_problems():
        _lessons(request).drop(wanted.page)
    return _lessons(request).to_json()


@router.post("/finish", **shaped(SetKept))
def finish(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Learn the set in the background (the lesson reports progress), then save and use it."""
    with errors_as_problems():
        leaks = _lessons(request).finish(wanted.name, request.app.state.camera_manager.profile_changed)
    return {"name": wanted.name, "warnings": list(leaks)}


@router.post("/enough", **shaped(LessonTold))
def enough(request: Request, _: HostNeed) -> dict[str, Any]:
    """Learn from the tables drawn so far."""
    _lessons(request).stop_practice()
    return _lessons(request).to_json()


@router.get("/learnt", **shaped(LearntLooks))
def learnt(request: Request, _: HostNeed, session: SessionNeed) -> dict[str, Any]:
    """Appearances learned in this game, and whether to offer keeping them."""
    with errors_as_problems():
        return to_json(appearances_at(session), request.app.state.camera_manager.keeper.profile)


@router.post("/learnt", **shaped(LearntLooks))
def keep_learnt(request: Request, _: HostNeed, session: SessionNeed, wanted: NameSet) -> dict[str, Any]:
    """Keep them under this name for the next game."""
    keeper = request.app.state.camera_manager.keeper
    appearances = appearances_at(session)
    with errors_as_problems():
        keeper.keep(with_learned(keeper.profile, appearances, wanted.name))
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name, **to_json(appearances, keeper.profile)}


@router.post("/end", **shaped(LessonTold))
def end(request: Request, _: HostNeed) -> dict[str, Any]:
    """End the lesson without saving."""
    with errors_as_problems():
        _lessons(request).end()
    return _lessons(request).to_json()


@router.post("/choose", **shaped(SetChosen))
def choose(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Use a taught set."""
    with errors_as_problems():
        _lessons(request).choose(wanted.name)
    request.app.state.camera_manager.profile_changed()
    request.app.state.tuner.resume()
    return {"name": wanted.name}


@router.post("/other", **shaped(SetChosen))
def other(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Switch between the shipped and the tuned reader of this set."""
    with errors_as_problems():
        _lessons(request).switch_reader(wanted.name)
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name}


@router.post("/tune", **shaped(SetChosen))
def tune(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Tune the reader to this set in the background, continuing earlier tuning; the calibration reports progress."""
    with errors_as_problems():
        request.app.state.tuner.start(wanted.name)
    return {"name": wanted.name}


@router.post("/tune/stop", **shaped(SetChosen))
def stop_tuning(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    """Stop tuning; `tune` continues it."""
    request.app.state.tuner.stop(wanted.name)
    return {"name": wanted.name}


@router.post("/shipped", **shaped(ShippedChosen))
def shipped(request: Request, _: HostNeed) -> dict[str, Any]:
    """Use the shipped appearance."""
    with errors_as_problems():
        _lessons(request).choose_none()
    request.app.state.camera_manager.profile_changed()
    return {"using": None}


@router.post("/forget", **shaped(SetChosen))
def forget(request: Request, _: HostNeed, wanted: NameSet) -> dict[str, Any]:
    with errors_as_problems():
        _lessons(request).forget(wanted.name)
    request.app.state.camera_manager.profile_changed()
    return {"name": wanted.name}


def _lessons(request: Request) -> LessonManager:
    lesson_manager: LessonManager = request.app.state.lesson_manager
    return lesson_manager
