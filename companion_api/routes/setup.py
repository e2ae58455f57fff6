"""The set-up: differences from the layout, calibration, and marked hands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, Field, model_validator

from calibration.lesson_task import LessonError
from calibration.plane import PlaneError, TablePlane
from calibration.profile_store import ProfileError
from calibration.sheet import PAPERS, SheetError, as_pdf
from companion_api.answers.base import Problem, a_file, shaped
from companion_api.answers.setting_up import AccuracyTold, Calibration, HandArea, SetUp, SheetCount
from companion_api.projections.setup_help import setup_help
from companion_api.routes.needs import HostNeed, KnownNeed, SessionNeed, TokenNeed, no_such_seat
from companion_api.setting_up.hands import Area
from companion_api.setting_up.wizard import Wizard
from rules.sentence import InputError, say, sentence_of
from rules.table.layout import Zone
from vision.nets import ModelError
from vision.table_reader import FrameResult

router = APIRouter(prefix="/api", tags=["setup"])

Point = tuple[float, float]


def _look(request: Request, host: HostNeed) -> FrameResult:
    """The newest frame result of the table; 409 where no frame has been read yet."""
    moment = request.app.state.camera_manager.latest(host.table)
    look: FrameResult | None = moment.result if moment is not None else None
    if look is None:
        raise Problem(409, say("the camera has not looked at the table yet: choose a camera, or take a photo"))
    return look


TableLookNeed = Annotated[FrameResult, Depends(_look)]


@contextmanager
def errors_as_problems() -> Iterator[None]:
    """Turns errors of calibration and teaching into 422 answers with their own sentence."""
    try:
        yield
    except (PlaneError, LessonError, ProfileError, SheetError, ModelError) as error:
        raise Problem(422, sentence_of(error)) from None


@router.get("/setup", **shaped(SetUp))
def setup(request: Request, table: KnownNeed) -> dict[str, Any]:
    """The expected layout and the observed differences, piece by piece."""
    return setup_help(table, request.app.state.camera_manager.latest(table.table))


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


@router.get("/hands", **shaped(list[HandArea]))
def areas(request: Request, _: TokenNeed) -> list[dict[str, Any]]:
    """The marked areas."""
    return [area.to_json() for area in request.app.state.camera_manager.hands.areas]


@router.post("/hands", **shaped(list[HandArea]))
def mark(request: Request, session: SessionNeed, _: HostNeed, wanted: MarkHands) -> list[dict[str, Any]]:
    """Replace all areas."""
    if any(area.seat is not None and area.seat >= len(session.seats) for area in wanted.areas):
        raise no_such_seat(session)
    marked = [Area(Zone(area.zone), area.seat, tuple(area.corners)) for area in wanted.areas]
    with errors_as_problems():
        request.app.state.camera_manager.hands.keep(marked)
    return [area.to_json() for area in marked]


class MeasurePlane(BaseModel):
    """Without corners the tiles define the plane; with them a rectangle of known size (mm)."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    width: Annotated[float, Field(ge=20, le=3000)] = 210
    height: Annotated[float, Field(ge=20, le=3000)] = 297


class Sheet(BaseModel):
    """`lies`: the sheet lies on the table and defines the plane; else it is another view for the lens."""

    lies: bool = True


@router.get("/calibration", **shaped(Calibration))
def standing(request: Request, token: TokenNeed) -> dict[str, Any]:
    """Steps, progress and the current picture's quality."""
    moment = request.app.state.camera_manager.latest(token.table)
    look: FrameResult | None = moment.result if moment is not None else None
    return _wizard(request).standing(look)


@router.post("/calibration/plane", **shaped(AccuracyTold))
def plane(request: Request, _: HostNeed, look: TableLookNeed, wanted: MeasurePlane) -> dict[str, Any]:
    """Save the table plane."""
    with errors_as_problems():
        if wanted.corners is None:
            return _accuracy(_wizard(request).from_tiles(look))
        return _accuracy(_wizard(request).from_corners(look, wanted.corners, wanted.width, wanted.height))


@router.post("/calibration/sheet", **shaped(AccuracyTold | SheetCount))
def sheet(request: Request, _: HostNeed, look: TableLookNeed, wanted: Sheet) -> dict[str, Any]:
    """Use the printed sheet in the picture."""
    with errors_as_problems():
        if wanted.lies:
            return _accuracy(_wizard(request).from_sheet(look))
        return {"sheets": _wizard(request).sheet(look.frame)}


@router.get("/calibration/sheet.pdf", **a_file("application/pdf"))
def printed(_: TokenNeed, paper: Annotated[str, Query(pattern=f"^({'|'.join(PAPERS)})$")] = "a4") -> Response:
    """The sheet as PDF."""
    return Response(as_pdf(paper), media_type="application/pdf")


def _wizard(request: Request) -> Wizard:
    wizard: Wizard = request.app.state.wizard
    return wizard


def _accuracy(found: TablePlane) -> dict[str, Any]:
    return {"typical_mm": round(found.accuracy.typical, 2), "worst_mm": round(found.accuracy.worst, 2)}
