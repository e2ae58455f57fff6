"""The wizard: how good the picture is just now, and keeping where the table is."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from calibration.plane import TablePlane
from calibration.sheet import PAPERS, as_pdf
from companion_api.answers.base import a_file, shaped
from companion_api.answers.setting_up import AccuracyTold, Calibration, SheetCount
from companion_api.routes.needs import HostNeed, TokenNeed
from companion_api.routes.setup_needs import Point, TableLookNeed, in_words
from companion_api.setting_up.wizard import Wizard
from vision.table_reader import FrameResult

router = APIRouter(prefix="/api/calibration", tags=["setup"])


class MeasurePlane(BaseModel):
    """Without corners the tiles on the table say where it is; with them a rectangle of known size does (mm)."""

    corners: Annotated[list[Point], Field(min_length=4, max_length=4)] | None = None
    width: Annotated[float, Field(ge=20, le=3000)] = 210
    height: Annotated[float, Field(ge=20, le=3000)] = 297


class Sheet(BaseModel):
    """`lies`: the sheet lies on the table, so it says where the table is; else it is one more view of the lens."""

    lies: bool = True


@router.get("", **shaped(Calibration))
def standing(request: Request, token: TokenNeed) -> dict[str, Any]:
    """The steps, what is done, and what the camera makes of the table now."""
    moment = request.app.state.camera_manager.latest(token.table)
    look: FrameResult | None = moment.result if moment is not None else None
    return _wizard(request).standing(look)


@router.post("/plane", **shaped(AccuracyTold))
def plane(request: Request, _: HostNeed, look: TableLookNeed, wanted: MeasurePlane) -> dict[str, Any]:
    """Keep where the table is."""
    with in_words():
        if wanted.corners is None:
            return _accuracy(_wizard(request).from_tiles(look))
        return _accuracy(_wizard(request).from_corners(look, wanted.corners, wanted.width, wanted.height))


@router.post("/sheet", **shaped(AccuracyTold | SheetCount))
def sheet(request: Request, _: HostNeed, look: TableLookNeed, wanted: Sheet) -> dict[str, Any]:
    """The printed sheet is in the picture."""
    with in_words():
        if wanted.lies:
            return _accuracy(_wizard(request).from_sheet(look))
        return {"sheets": _wizard(request).sheet(look.frame)}


@router.get("/sheet.pdf", **a_file("application/pdf"))
def printed(_: TokenNeed, paper: Annotated[str, Query(pattern=f"^({'|'.join(PAPERS)})$")] = "a4") -> Response:
    """The sheet in true size."""
    return Response(as_pdf(paper), media_type="application/pdf")


def _wizard(request: Request) -> Wizard:
    wizard: Wizard = request.app.state.wizard
    return wizard


def _accuracy(found: TablePlane) -> dict[str, Any]:
    return {"typical_mm": round(found.accuracy.typical, 2), "worst_mm": round(found.accuracy.worst, 2)}
