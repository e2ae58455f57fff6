"""The set-up: differences from the layout, calibration, marked hands, and teaching a custom set."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel, Field, model_validator

from calibration.lesson_task import Box, LessonError
from calibration.plane import PlaneError, TablePlane
from calibration.profile_store import ProfileError
from calibration.sheet import PAPERS, SheetError, as_pdf
from companion_api.answers import setting_up as answers
from companion_api.answers.base import Problem, a_file, problems, shaped
from companion_api.projections.setup_help import setup_help
from companion_api.routes.cameras import CameraManagerNeed, jpeg_response
from companion_api.routes.needs import HostNeed, KnownNeed, SessionNeed, TokenNeed, host, no_such_seat, of_app
from companion_api.setting_up.hands import Area
from companion_api.setting_up.learnt import appearances_at, pages_of, to_json, with_learned
from companion_api.setting_up.lesson import LessonManager, piece_name
from companion_api.setting_up.tuner import Tuner
from companion_api.setting_up.wizard import Wizard
from rules.sentence import InputError, say
from rules.table.layout import Zone
from vision.nets import ModelError
from vision.table_reader import FrameResult


async def errors_as_problems() -> AsyncIterator[None]:
    """Dependency of routes whose errors of calibration and teaching become 422 answers with their own sentence."""
    with problems(422, PlaneError, LessonError, ProfileError, SheetError, ModelError):
        yield


router = APIRouter(prefix="/api", tags=["setup"], dependencies=[Depends(errors_as_problems)])

Point = tuple[float, float]


WizardNeed = Annotated[Wizard, of_app("wizard")]


def _look(manager: CameraManagerNeed, host: HostNeed) -> FrameResult:
    """The newest frame result of the table; 409 where no frame has been read yet."""
    moment = manager.latest(host.table)
    look = moment.result if moment is not None else None
    if look is None:
        raise Problem(409, say("the camera has not looked at the table yet: choose a camera, or take a photo"))
    return look


TableLookNeed = Annotated[FrameResult, Depends(_look)]


@router.get("/setup", **shaped(answers.SetUp))
def setup(manager: CameraManagerNeed, table: KnownNeed) -> dict[str, Any]:
    """The expected layout and the observed differences, piece by piece."""
    return setup_help(table, manager.latest(table.table))


Share = Annotated[float, Field(ge=-0.5, le=1.5)]
"""A hand moved by a bump may reach beyond the picture."""


class Marked(BaseModel):
    """Four corners in shares of the picture's width and height; only the supply has no seat."""

    zone: Literal["hand", "spent", "supply"]
    seat: Annotated[int, Field(ge=0, le=9)] | None = None
    corners: Annotated[list[tuple[Share, Share]], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _check_owner(self) -> Marked:
        if (self.zone == "supply") is (self.seat is not None):
            raise InputError(say("a hand or a spent heap belongs to a seat, a supply to none"))
        return self


class MarkHands(BaseModel):
    areas: Annotated[list[Marked], Field(max_length=24)]


@router.get("/hands", **shaped(list[answers.HandArea]))
def areas(manager: CameraManagerNeed, _: TokenNeed) -> list[dict[str, Any]]:
    """The marked areas."""
    return [area.to_json() for area in manager.hands.areas]


@router.post("/hands", **shaped(list[answers.HandArea]))
def mark(manager: CameraManagerNeed, session: SessionNeed, _: HostNeed, wanted: MarkHands) -> list[dict[str, Any]]:
    """Replace all areas."""
    if any(area.seat is not None and area.seat >= len(session.seats) for area in wanted.areas):
        raise no_such_seat(session)
    marked = [Area(Zone(area.zone), area.seat, tuple(area.corners)) for area in wanted.areas]
    manager.hands.keep(marked)
    return [area.to_json() for area in marked]


class MeasurePlane(BaseModel):
    """Without corners the tiles define the plane; with them a rectangle of known size (mm)."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    width: Annotated[float, Field(ge=20, le=3000)] = 210
    height: Annotated[float, Field(ge=20, le=3000)] = 297


class Sheet(BaseModel):
    """`lies`: the sheet lies on the table and defines the plane; else it is another view for the lens."""

    lies: bool = True


@router.get("/calibration", **shaped(answers.Calibration))
def standing(manager: CameraManagerNeed, wizard: WizardNeed, token: TokenNeed) -> dict[str, Any]:
    """Steps, progress and the current picture's quality."""
    moment = manager.latest(token.table)
    return wizard.standing(moment.result if moment is not None else None)


@router.post("/calibration/plane", **shaped(answers.AccuracyTold))
def plane(wizard: WizardNeed, _: HostNeed, look: TableLookNeed, wanted: MeasurePlane) -> dict[str, Any]:
    """Save the table plane."""
    if wanted.corners is None:
        return _accuracy(wizard.from_tiles(look))
    return _accuracy(wizard.from_corners(look, wanted.corners, wanted.width, wanted.height))


@router.post("/calibration/sheet", **shaped(answers.AccuracyTold | answers.SheetCount))
def sheet(wizard: WizardNeed, _: HostNeed, look: TableLookNeed, wanted: Sheet) -> dict[str, Any]:
    """Use the printed sheet in the picture."""
    return _accuracy(wizard.from_sheet(look)) if wanted.lies else {"sheets": wizard.sheet(look.frame)}


@router.get("/calibration/sheet.pdf", **a_file("application/pdf"))
def printed(_: TokenNeed, paper: Annotated[str, Query(pattern=f"^({'|'.join(PAPERS)})$")] = "a4") -> Response:
    """The sheet as PDF."""
    return Response(as_pdf(paper), media_type="application/pdf")


def _accuracy(found: TablePlane) -> dict[str, Any]:
    return {"typical_mm": round(found.accuracy.typical, 2), "worst_mm": round(found.accuracy.worst, 2)}


# Teaching a custom set: a picture per step, corrections by taps, and the choice of set ----------------------------

lesson_router = APIRouter(
    prefix="/api/calibration/teach", tags=["setup"], dependencies=[Depends(host), Depends(errors_as_problems)]
)


LessonsNeed = Annotated[LessonManager, of_app("lesson_manager")]
TunerNeed = Annotated[Tuner, of_app("tuner")]
LESSON_QUALITY = 85
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


@lesson_router.get("", **shaped(answers.LessonTold))
def lesson(lessons: LessonsNeed) -> dict[str, Any]:
    """Steps, pictures and names of the lesson."""
    return lessons.to_json()


@lesson_router.post("", **shaped(answers.Shown))
def show(lessons: LessonsNeed, look: TableLookNeed, wanted: ShowPage) -> dict[str, Any]:
    """Take a picture for a step, with all tiles or all coins on the table."""
    incomplete, watching = wanted.incomplete, wanted.watching
    page = lessons.open_lesson().show(wanted.step, look.frame, incomplete=incomplete, watching=watching)
    return {"pieces": len(page.named), "doubts": len(page.doubts)}


@lesson_router.post("/board", **shaped(answers.Shown))
def board(lessons: LessonsNeed, session: SessionNeed, look: TableLookNeed) -> dict[str, Any]:
    """Teach from the table as the game has it: every uncovered piece."""
    with session.lock:
        game, state = session.game, session.state
    pages = pages_of(game, state, look)
    lessons.open_lesson().add_pages(look.frame, pages)
    return {"pieces": sum(len(page.named) for page in pages), "doubts": sum(len(page.doubts) for page in pages)}


@lesson_router.get("/draft/picture", **a_file("image/jpeg"))
def draft(lessons: LessonsNeed) -> Response:
    """The refused picture, to draw boxes in."""
    return jpeg_response(lessons.draft_picture(), LESSON_QUALITY)


@lesson_router.post("/box", **shaped(answers.LessonTold))
def box(lessons: LessonsNeed, wanted: DrawBox) -> dict[str, Any]:
    """Mark an undetected piece; with the last one the picture is taken."""
    lessons.current().box(piece_name(wanted.suit, wanted.value), wanted.box)
    return lessons.to_json()


@lesson_router.post("/unbox", **shaped(answers.LessonTold))
def unbox(lessons: LessonsNeed) -> dict[str, Any]:
    """Remove the last box."""
    lessons.current().unbox()
    return lessons.to_json()


@lesson_router.get("/{index}/picture", **a_file("image/jpeg"))
def picture(lessons: LessonsNeed, index: int) -> Response:
    """A picture of the lesson."""
    return jpeg_response(lessons.page(index)[0].image, LESSON_QUALITY)


@lesson_router.post("/rename", **shaped(answers.LessonTold))
def rename(lessons: LessonsNeed, wanted: Rename) -> dict[str, Any]:
    """Rename a piece."""
    lessons.rename(wanted.page, wanted.number, wanted.suit, wanted.value)
    return lessons.to_json()


@lesson_router.post("/swap", **shaped(answers.LessonTold))
def swap(lessons: LessonsNeed, wanted: SwapNames) -> dict[str, Any]:
    """Exchange two suits."""
    lessons.swap(wanted.page, wanted.first, wanted.second)
    return lessons.to_json()


@lesson_router.post("/drop", **shaped(answers.LessonTold))
def drop(lessons: LessonsNeed, wanted: DropPage) -> dict[str, Any]:
    """Remove a picture."""
    lessons.drop(wanted.page)
    return lessons.to_json()


@lesson_router.post("/finish", **shaped(answers.SetKept))
def finish(lessons: LessonsNeed, manager: CameraManagerNeed, wanted: NameSet) -> dict[str, Any]:
    """Learn the set in the background (the lesson reports progress), then save and use it."""
    leaks = lessons.finish(wanted.name, manager.profile_changed)
    return {"name": wanted.name, "warnings": list(leaks)}


@lesson_router.post("/enough", **shaped(answers.LessonTold))
def enough(lessons: LessonsNeed) -> dict[str, Any]:
    """Learn from the tables drawn so far."""
    lessons.stop_practice()
    return lessons.to_json()


@lesson_router.get("/learnt", **shaped(answers.LearntLooks))
def learnt(manager: CameraManagerNeed, session: SessionNeed) -> dict[str, Any]:
    """Appearances learned in this game, and whether to offer keeping them."""
    return to_json(appearances_at(session), manager.keeper.profile)


@lesson_router.post("/learnt", **shaped(answers.LearntLooks))
def keep_learnt(manager: CameraManagerNeed, session: SessionNeed, wanted: NameSet) -> dict[str, Any]:
    """Keep them under this name for the next game."""
    appearances = appearances_at(session)
    manager.use(with_learned(manager.keeper.profile, appearances, wanted.name))
    return {"name": wanted.name, **to_json(appearances, manager.keeper.profile)}


@lesson_router.post("/end", **shaped(answers.LessonTold))
def end(lessons: LessonsNeed) -> dict[str, Any]:
    """End the lesson without saving."""
    lessons.end()
    return lessons.to_json()


@lesson_router.post("/choose", **shaped(answers.SetChosen))
def choose(manager: CameraManagerNeed, tuner: TunerNeed, wanted: NameSet) -> dict[str, Any]:
    """Use a taught set."""
    manager.use(manager.keeper.profile.with_selected(wanted.name))
    tuner.resume()
    return {"name": wanted.name}


@lesson_router.post("/other", **shaped(answers.SetChosen))
def other(manager: CameraManagerNeed, wanted: NameSet) -> dict[str, Any]:
    """Switch between the shipped and the tuned reader of this set."""
    profile = manager.keeper.profile
    manager.use(profile.with_stored_set(profile.set_named(wanted.name).with_other_reader()))
    return {"name": wanted.name}


@lesson_router.post("/tune", **shaped(answers.SetChosen))
def tune(tuner: TunerNeed, wanted: NameSet) -> dict[str, Any]:
    """Tune the reader to this set in the background, continuing earlier tuning; the calibration reports progress."""
    tuner.start(wanted.name)
    return {"name": wanted.name}


@lesson_router.post("/tune/stop", **shaped(answers.SetChosen))
def stop_tuning(tuner: TunerNeed, wanted: NameSet) -> dict[str, Any]:
    """Stop tuning; `tune` continues it."""
    tuner.stop(wanted.name)
    return {"name": wanted.name}


@lesson_router.post("/shipped", **shaped(answers.ShippedChosen))
def shipped(manager: CameraManagerNeed) -> dict[str, Any]:
    """Use the shipped appearance."""
    manager.use(manager.keeper.profile.without_selected())
    return {"using": None}


@lesson_router.post("/forget", **shaped(answers.SetChosen))
def forget(lessons: LessonsNeed, manager: CameraManagerNeed, wanted: NameSet) -> dict[str, Any]:
    lessons.forget(wanted.name)
    manager.profile_changed()
    return {"name": wanted.name}
