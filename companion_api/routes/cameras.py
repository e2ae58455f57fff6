"""Cameras: the list, the choice, a phone as camera, the current picture, photographs of pieces, staged incidents."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import cv2
from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from companion_api.access import COOKIE, Brake, Role, token_text
from companion_api.answers.base import Problem, a_file, problems, shaped
from companion_api.answers.setting_up import Cameras, CameraView, FirstTime, OwnPieces, SeenOnPhoto, Unseen, Used
from companion_api.answers.table import Incidents, StagedIncident
from companion_api.folded_table import RequestError
from companion_api.log.event import EventKind
from companion_api.routes.join import qr_svg
from companion_api.routes.needs import (
    ActorNeed,
    HostNeed,
    KnownNeed,
    SessionNeed,
    TablesNeed,
    TokenNeed,
    of_app,
    token_of,
)
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.tables import Tables
from companion_api.watching.camera_manager import DRAWN, PHONE, SIMULATED, CameraManager, EyesBusyError, reader_problem
from rules.sentence import say
from vision.camera import CameraError
from vision.camera.phone import PhoneCamera
from vision.frame import Frame, PictureError, decode
from vision.look import piece_record

router = APIRouter(prefix="/api", tags=["camera"])

_brake = Brake(tries=40, seconds=60)
MAX_STILL_BYTES = 12 * 1024 * 1024
PREVIEW_PX = 320
MAX_EMPTY_TABLES = 12
"""With more tables than these the host is no beginner, even if nothing was played."""
MIN_GAP_S = 0.12  # faster stills are dropped


CameraManagerNeed = Annotated[CameraManager, of_app("camera_manager")]


class Choose(BaseModel):
    source: Annotated[str, Field(max_length=200, min_length=1)]


@router.get("/cameras", **shaped(Cameras))
def cameras(request: Request, manager: CameraManagerNeed, _: TokenNeed) -> dict[str, Any]:
    """Sources to choose from, the one in use, and whether pictures can be read."""
    problem = reader_problem()
    found = sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return {
        "used": manager.source,
        "choices": [*found, PHONE, SIMULATED],
        "blind": problem.text if problem else None,
        "blind_said": problem.to_json() if problem else None,
        "secure_port": getattr(request.app.state, "secure_port", None),
    }


@router.get("/cameras/{number}/picture", **a_file("image/jpeg"))
def glimpse(manager: CameraManagerNeed, _: HostNeed, number: Annotated[int, PathParameter(ge=0, le=99)]) -> Response:
    """A small picture of a local camera, to recognise it by."""
    with problems(404, CameraError):
        frame = manager.one_frame(str(number))
    if frame is None:
        raise Problem(404, say("this camera gives no picture"))
    width, height = frame.size
    small = cv2.resize(frame.image, (PREVIEW_PX, max(1, round(PREVIEW_PX * height / width))))
    return jpeg_response(small, 75)


def jpeg_response(image: cv2.typing.MatLike, quality: int) -> Response:
    encoded, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not encoded:
        raise Problem(500, say("the picture cannot be encoded"))
    return Response(jpeg.tobytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.get("/first", **shaped(FirstTime))
def first(tables: TablesNeed, table: KnownNeed) -> dict[str, bool]:
    """Whether nothing was ever played on this server; its host is then guided through the first set-up."""
    if table.actions:
        return {"first": False}
    ids = tables.log.tables()
    played = len(ids) > MAX_EMPTY_TABLES or any(e.kind is EventKind.ACTION for one in ids for e in tables.log.read(one))
    return {"first": not played}


@router.get("/ca.crt", **a_file("application/x-x509-ca-cert"))
def certificate(tables: TablesNeed) -> Response:
    """The certificate a phone must trust once for its live camera; single photos do not need it."""
    path = tables.data / "certificates" / "ca.crt"
    if not path.exists():
        raise Problem(404, say("this server has no https; use a photo, or start it with a free port beside its own"))
    return Response(path.read_bytes(), media_type="application/x-x509-ca-cert")


@router.post("/cameras", **shaped(Used))
def choose(manager: CameraManagerNeed, _: HostNeed, session: SessionNeed, wanted: Choose) -> dict[str, Any]:
    """Watch this table with another camera. Files and folders are for the command line only."""
    known = wanted.source in map(str, range(100)) or wanted.source in (PHONE, SIMULATED, DRAWN)
    if not known and not wanted.source.startswith(("http://", "https://", "rtsp://")):
        raise Problem(422, say("a camera is a number like 0, `phone`, `simulated`, or an http or rtsp address"))
    with problems(422, CameraError):
        manager.watch(session, wanted.source)
    return {"used": wanted.source}


@router.post("/photo", **shaped(SeenOnPhoto))
async def photo(request: Request, manager: CameraManagerNeed, token: ActorNeed, session: SessionNeed) -> dict[str, Any]:
    """Judge one photo of the table at rest, sent as the body."""
    if not _brake.allows(f"{token.table} {token.by}"):
        raise Problem(429, say("too many photos; wait a minute"))
    return await run_in_threadpool(_judge_photo, manager, session, await request.body())


def _judge_photo(manager: CameraManager, session: Session, data: bytes) -> dict[str, Any]:
    with problems(503, EyesBusyError), problems(422, PictureError, CameraError), manager.on_request.photo_slot():
        frame = Frame(decode("photo", data), source="photo", at=time.monotonic())
        return manager.judge_photo(session, frame)


@router.websocket("/camera/stream")
async def stream(socket: WebSocket) -> None:
    """Stills from a phone: JPEG in, one line of JSON out for each (`want`: size of the next one)."""
    session = _session_of(socket)
    if session is None:
        await socket.close(1008, "join the table first, with a seat or as host")
        return
    if not socket.app.state.camera_manager.is_watched(session):
        await socket.close(1008, "the camera looks at another table; only its host can turn it to this one")
        return
    await socket.accept()
    camera = await run_in_threadpool(socket.app.state.camera_manager.phone, session)
    try:
        await _receive_stills(socket, camera, session)
    except WebSocketDisconnect:
        return  # disconnected during the answer


async def _receive_stills(socket: WebSocket, camera: PhoneCamera, session: Session) -> None:
    last = 0.0
    while not camera.ended:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return  # the phone sleeps or is gone: the watcher reports a lost camera
        data = message.get("bytes")
        if data is None:
            await socket.close(1003, "a still is sent as bytes")
            return
        now = time.monotonic()
        if len(data) > MAX_STILL_BYTES:
            await socket.close(1009, f"a still has at most {MAX_STILL_BYTES} bytes")
            return
        if now - last < MIN_GAP_S:
            continue
        last = now
        await socket.send_json(await run_in_threadpool(_push_still, camera, session, data))


def _push_still(camera: PhoneCamera, session: Session, data: bytes) -> dict[str, Any]:
    """Stores a still; asks for full size while the table is at rest, else for small stills."""
    try:
        width, height = camera.push(data)
    except PictureError as error:
        return {"ok": False, "error": str(error), "said": error.sentence.to_json()}
    moving = session.status in (Status.HAND, Status.SETTLING)
    return {"ok": True, "width": width, "height": height, "want": "small" if moving else "full"}


def _session_of(socket: WebSocket) -> Session | None:
    """The table of the token, if its holder may act there."""
    tables: Tables = socket.app.state.tables
    token = token_of(tables, token_text(socket.headers.get("authorization"), socket.cookies.get(COOKIE)))
    with suppress(RequestError):
        return tables.session(token.table) if token is not None and token.may_act else None
    return None


@router.get("/camera", **shaped(CameraView | Unseen))
def seen(manager: CameraManagerNeed, token: TokenNeed) -> dict[str, Any]:
    """Pieces detected in the latest picture; `picture` is false without one."""
    moment = manager.latest(token.table)
    if moment is None or moment.frame is None:
        return {"picture": False}
    width, height = moment.frame.size
    pieces = [piece_record(piece) for piece in moment.result.pieces] if moment.result else []
    picture = {"picture": True, "width": width, "height": height, "at": moment.at}
    return {**picture, "pieces": pieces, "timings_ms": moment.timings_ms}


@router.get("/camera/picture", **a_file("image/jpeg"))
def picture(manager: CameraManagerNeed, token: TokenNeed) -> Response:
    moment = manager.latest(token.table)
    if moment is None or moment.frame is None:
        raise Problem(404, say("there is no camera picture of this table yet"))
    return jpeg_response(moment.frame.image, 80)


@router.get("/pieces", **shaped(OwnPieces))
def pieces(manager: CameraManagerNeed, table: KnownNeed) -> dict[str, Any]:
    """Photographs of people's own pieces."""
    found = manager.photographs(table.table)
    known = {look: each.version for look, each in found.known.items()}
    return {"enough": found.cover(table.game.layout(table.state)), "known": known}


@router.get("/pieces/{look}", **a_file("image/jpeg"))
def piece(manager: CameraManagerNeed, token: TokenNeed, look: Annotated[str, Field(max_length=60)]) -> Response:
    """A photograph, from above and upright."""
    found = manager.photographs(token.table).known.get(look)
    if found is None:
        raise Problem(404, say("there is no photograph of that piece"))
    return Response(found.jpeg, media_type="image/jpeg", headers={"cache-control": "private, max-age=604800"})


@router.get("/qr.svg", **a_file("image/svg+xml"))
def qr(request: Request, tables: TablesNeed, token: TokenNeed) -> Response:
    """QR code with this server's address and the join code in its fragment."""
    code = tables.keys.code(token.table, Role.PLAYER)
    return qr_svg(f"{request.base_url}#join={code}")


demo_router = APIRouter(prefix="/api/demo", tags=["demo"])


class StageIncident(BaseModel):
    incident: Annotated[str, Field(max_length=40)] = "illegal"


@demo_router.get("", **shaped(Incidents))
def incidents(manager: CameraManagerNeed, _: TokenNeed) -> dict[str, Any]:
    """Incidents that can be staged; none at a real table."""
    return {"incidents": list(manager.incidents)}


@demo_router.post("/stage", **shaped(StagedIncident))
def stage(manager: CameraManagerNeed, _: HostNeed, wanted: StageIncident) -> dict[str, Any]:
    """Stage an incident next."""
    with problems(409, RequestError):
        manager.stage(wanted.incident)
    return {"staged": wanted.incident}
