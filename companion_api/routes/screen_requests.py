"""HTTP routes by which a large screen without a keyboard joins: it shows a code, the host grants it."""

from __future__ import annotations

import io
import secrets
from typing import Annotated, Any

import segno
from fastapi import APIRouter, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field

from companion_api.access import COOKIE, Brake, Role, Token
from companion_api.answers.base import Accomplished, a_file, shaped
from companion_api.answers.people import LetIn, ScreenRequest
from companion_api.problem import Problem
from companion_api.routes.needs import HostNeed, TablesNeed
from companion_api.screen_requests import ScreenRequests
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["joining"])
_brake = Brake(tries=30, seconds=60)
Shown = Annotated[str, PathParameter(max_length=40)]


class Open(BaseModel):
    """`id`: the code on the screen."""

    id: Annotated[str, Field(max_length=40)]


class Enter(Open):
    """`secret`: the part of the code that only the screen has."""

    secret: Annotated[str, Field(max_length=60)]


def _requests(request: Request) -> ScreenRequests[Token]:
    requests: ScreenRequests[Token] = request.app.state.screen_requests
    return requests


def unknown_code() -> Problem:
    return Problem(404, say("nobody knocks with this code any more; show a new one on the big screen"))


def qr_svg(address: str) -> Response:
    """An address as a QR code (SVG)."""
    buffer = io.BytesIO()
    segno.make(address, error="m").save(buffer, kind="svg", scale=6, border=2)
    return Response(buffer.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@router.post("/knock", **shaped(ScreenRequest))
def knock(request: Request) -> dict[str, str]:
    """Request to join as a large screen: the public id and the secret."""
    if not _brake.allows(request.client.host if request.client else "?"):
        raise Problem(429, say("too many tries; wait a minute"))
    shown, kept = _requests(request).open()
    return {"id": shown, "secret": kept}


@router.get("/knock/{shown}/qr.svg", **a_file("image/svg+xml"))
def qr(request: Request, shown: Shown) -> Response:
    """QR code of this address with the request's id in its fragment."""
    if not _requests(request).is_waiting(shown):
        raise unknown_code()
    return qr_svg(f"{request.base_url}#let={shown}")


@router.post("/knock/open", **shaped(Accomplished))
def let_in(request: Request, host: HostNeed, wanted: Open) -> dict[str, bool]:
    """The host grants a screen access to this table."""
    if not _requests(request).grant(wanted.id, Token(host.table, Role.SCREEN, None, "", secrets.token_hex(6))):
        raise unknown_code()
    return {"ok": True}


@router.post("/knock/enter", **shaped(LetIn))
def enter(request: Request, tables: TablesNeed, wanted: Enter, response: Response) -> dict[str, Any]:
    """Polled by the screen until it was granted access."""
    try:
        token = _requests(request).redeem(wanted.id, wanted.secret)
    except KeyError:
        raise unknown_code() from None
    if token is not None:
        response.set_cookie(COOKIE, tables.keys.sign(token), httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"open": token is not None}
