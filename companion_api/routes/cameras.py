"""Cameras: which there are, which is used, and a phone as the camera, by stream or by single photos."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import cv2
from fastapi import APIRouter, Request, Response, WebSocket, WebSocketDisconnect
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from companion_api.access import COOKIE, Brake
from companion_api.answers.base import a_file, shaped
from companion_api.answers.setting_up import Cameras, FirstTime, SeenOnPhoto, Used
from companion_api.folded_table import RequestError
from companion_api.log.event import EventKind
from companion_api.problem import Problem
from companion_api.routes.needs import ActorNeed, HostNeed, KnownNeed, SessionNeed, TablesNeed, TokenNeed, token_of
from companion_api.seat_view import Status
from companion_api.session import Session
from companion_api.tokens import brought
from companion_api.watching.camera_manager import DRAWN, PHONE, SIMULATED, CameraManager, blindness
from companion_api.watching.on_request import EyesBusyError
from rules.sentence import say, sentence_of
from vision.camera import CameraError
from vision.camera.phone import PhoneCamera
from vision.frame import Frame, PictureError, decode

router = APIRouter(prefix="/api", tags=["camera"])

_brake = Brake(tries=40, seconds=60)
MOST_FRAME = 12 * 1024 * 1024
GLIMPSE_PX = 320
MOST_EMPTY = 12
"""Whoever has opened more tables than these knows the way, also where nothing was played at them."""
LEAST_GAP_S = 0.12  # faster stills than these are thrown away


class Choose(BaseModel):
    source: Annotated[str, Field(max_length=200, min_length=1)]


@router.get("/cameras", **shaped(Cameras))
def cameras(request: Request, _: TokenNeed) -> dict[str, Any]:
    """What may be chosen, what is used, and whether anything can be seen at all."""
    blind = blindness()
    found = sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return {
        "used": request.app.state.camera_manager.source,
        "choices": [*found, PHONE, SIMULATED],
        "blind": blind.text if blind else None,
        "blind_said": blind.to_json() if blind else None,
        "secure_port": getattr(request.app.state, "secure_port", None),
    }


@router.get("/cameras/{number}/picture", **a_file("image/jpeg"))
def glimpse(request: Request, _: HostNeed, number: Annotated[int, PathParameter(ge=0, le=99)]) -> Response:
    """One small picture of a camera of this computer, so that people see which one it is."""
    camera_manager: CameraManager = request.app.state.camera_manager
    try:
        frame = camera_manager.glimpse(str(number))
    except CameraError as error:
        raise Problem(404, sentence_of(error)) from None
    if frame is None:
        raise Problem(404, say("this camera gives no picture"))
    width, height = frame.size
    small = cv2.resize(frame.image, (GLIMPSE_PX, max(1, round(GLIMPSE_PX * height / width))))
    jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 75])[1]
    return Response(jpeg.tobytes(), media_type="image/jpeg", headers={"cache-control": "no-store"})


@router.get("/first", **shaped(FirstTime))
def first(tables: TablesNeed, table: KnownNeed) -> dict[str, bool]:
    """Whether nothing was ever played on this server: its host is then led from the box to the first turn."""
    if table.actions:
        return {"first": False}
    ids = tables.log.tables()
    played = len(ids) > MOST_EMPTY or any(e.kind is EventKind.ACTION for one in ids for e in tables.log.read(one))
    return {"first": not played}


@router.get("/ca.crt", **a_file("application/x-x509-ca-cert"))
def certificate(request: Request) -> Response:
    """What a phone must trust once for its live camera; a photo needs nothing of it."""
    path = request.app.state.tables.data / "certificates" / "ca.crt"
    if not path.exists():
        raise Problem(404, say("this server has no https; use a photo, or start it with a free port beside its own"))
    return Response(path.read_bytes(), media_type="application/x-x509-ca-cert")


@router.post("/cameras", **shaped(Used))
def choose(request: Request, _: HostNeed, session: SessionNeed, wanted: Choose) -> dict[str, Any]:
    """Look at this table with another camera. Files and folders are for the command line, not for phones."""
    known = wanted.source in map(str, range(100)) or wanted.source in (PHONE, SIMULATED, DRAWN)
    if not known and not wanted.source.startswith(("http://", "https://", "rtsp://")):
        raise Problem(422, say("a camera is a number like 0, `phone`, `simulated`, or an http or rtsp address"))
    try:
        request.app.state.camera_manager.watch(session, wanted.source)
    except CameraError as error:
        raise Problem(422, sentence_of(error)) from None
    return {"used": wanted.source}


@router.post("/photo", **shaped(SeenOnPhoto))
async def photo(request: Request, token: ActorNeed, session: SessionNeed) -> dict[str, Any]:
    """One photo of the table at rest, as the body of the request; the referee's answer comes back."""
    if not _brake.allows(f"{token.table} {token.by}"):
        raise Problem(429, say("too many photos; wait a minute"))
    data = await request.body()
    return await run_in_threadpool(_judged, request.app.state.camera_manager, session, data)


def _judged(camera_manager: CameraManager, session: Session, data: bytes) -> dict[str, Any]:
    try:
        with camera_manager.on_request.one_photo():
            frame = Frame(decode("photo", data), source="photo", at=time.monotonic())
            return camera_manager.look_once(session, frame)
    except EyesBusyError as error:
        raise Problem(503, sentence_of(error)) from None
    except (PictureError, CameraError) as error:
        raise Problem(422, sentence_of(error)) from None


@router.websocket("/camera/stream")
async def stream(socket: WebSocket) -> None:
    """Stills from a phone: JPEG in, one line of JSON out for each (`want`: how large the next one should be)."""
    session = _session_of(socket)
    if session is None:
        await socket.close(1008, "join the table first, with a seat or as host")
        return
    if not socket.app.state.camera_manager.may_see(session):
        await socket.close(1008, "the camera looks at another table; only its host can turn it to this one")
        return
    await socket.accept()
    camera = await run_in_threadpool(socket.app.state.camera_manager.phone, session)
    try:
        await _take_all(socket, camera, session)
    except WebSocketDisconnect:
        return  # it went while it was answered


async def _take_all(socket: WebSocket, camera: PhoneCamera, session: Session) -> None:
    last = 0.0
    while not camera.ended:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return  # the phone sleeps or is gone: the eyes will say that the camera is lost
        data = message.get("bytes")
        if data is None:
            await socket.close(1003, "a still is sent as bytes")
            return
        now = time.monotonic()
        if len(data) > MOST_FRAME:
            await socket.close(1009, f"a still has at most {MOST_FRAME} bytes")
            return
        if now - last < LEAST_GAP_S:
            continue
        last = now
        await socket.send_json(await run_in_threadpool(_pushed, camera, session, data))


def _pushed(camera: PhoneCamera, session: Session, data: bytes) -> dict[str, Any]:
    """A table at rest is wanted at full size; while hands move, small stills do."""
    try:
        width, height = camera.push(data)
    except PictureError as error:
        return {"ok": False, "error": str(error), "said": error.sentence.to_json()}
    moving = session.status in (Status.HAND, Status.SETTLING)
    return {"ok": True, "width": width, "height": height, "want": "small" if moving else "full"}


def _session_of(socket: WebSocket) -> Session | None:
    """The table of the token in the cookie, if its holder may act there."""
    tables = socket.app.state.tables
    token = token_of(tables, brought(socket.headers.get("authorization"), socket.cookies.get(COOKIE)))
    if token is None or not token.may_act:
        return None
    try:
        session: Session = tables.session(token.table)
    except RequestError:
        return None
    return session
