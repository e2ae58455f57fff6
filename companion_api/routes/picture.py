"""The camera's picture with what was recognised in it, and the QR code of the table."""

from __future__ import annotations

from typing import Annotated, Any

import cv2
from fastapi import APIRouter, Request, Response
from pydantic import Field

from companion_api.access import Role
from companion_api.answers.base import a_file, shaped
from companion_api.answers.setting_up import CameraView, OwnPieces, Unseen
from companion_api.problem import Problem
from companion_api.routes.needs import KnownNeed, TablesNeed, TokenNeed
from companion_api.routes.screen_requests import drawn
from rules.sentence import say
from vision.look import piece_record
from vision.pipeline import Moment

router = APIRouter(prefix="/api", tags=["camera"])


def _latest(request: Request, table: str) -> Moment:
    moment: Moment | None = request.app.state.camera_manager.latest(table)
    if moment is None or moment.frame is None:
        raise Problem(404, say("there is no camera picture of this table yet"))
    return moment


@router.get("/camera", **shaped(CameraView | Unseen))
def seen(request: Request, token: TokenNeed) -> dict[str, Any]:
    """What the eyes saw in the latest picture that they looked at; `picture` is false while there is none."""
    moment: Moment | None = request.app.state.camera_manager.latest(token.table)
    if moment is None or moment.frame is None:
        return {"picture": False}
    width, height = moment.frame.size
    pieces = [piece_record(piece) for piece in moment.result.pieces] if moment.result else []
    return {
        "picture": True,
        "width": width,
        "height": height,
        "at": moment.at,
        "pieces": pieces,
        "timings_ms": moment.timings_ms,
    }


@router.get("/camera/picture", **a_file("image/jpeg"))
def picture(request: Request, token: TokenNeed) -> Response:
    moment = _latest(request, token.table)
    assert moment.frame is not None
    good, jpeg = cv2.imencode(".jpg", moment.frame.image, [cv2.IMWRITE_JPEG_QUALITY, 80])
    if not good:
        raise Problem(500, say("the picture cannot be encoded"))
    return Response(jpeg.tobytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.get("/pieces", **shaped(OwnPieces))
def pieces(request: Request, table: KnownNeed) -> dict[str, Any]:
    """People's own pieces, to draw boards with."""
    found = request.app.state.camera_manager.photographs(table.table)
    known = {look: each.version for look, each in found.known.items()}
    return {"enough": found.are_enough_for(table.game.layout(table.state)), "known": known}


@router.get("/pieces/{look}", **a_file("image/jpeg"))
def piece(request: Request, token: TokenNeed, look: Annotated[str, Field(max_length=60)]) -> Response:
    """One of them, from above and upright."""
    found = request.app.state.camera_manager.photographs(token.table).known.get(look)
    if found is None:
        raise Problem(404, say("there is no photograph of that piece"))
    return Response(found.jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=604800"})


@router.get("/qr.svg", **a_file("image/svg+xml"))
def qr(request: Request, tables: TablesNeed, token: TokenNeed) -> Response:
    """The way in for other phones: the address this phone uses, with the join code in its fragment."""
    code = tables.keys.code(token.table, Role.PLAYER)
    return drawn(f"{request.base_url}#join={code}")
