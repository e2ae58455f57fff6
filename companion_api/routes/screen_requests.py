"""A big screen comes in without typing: the host lets in what it shows."""

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
from companion_api.screen_requests import Knocks
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["joining"])
_brake = Brake(tries=30, seconds=60)
Shown = Annotated[str, PathParameter(max_length=40)]


class Open(BaseModel):
    """`id`: what the big screen shows."""

    id: Annotated[str, Field(max_length=40)]


class Enter(Open):
    """`secret`: the half of the code that only the big screen has."""

    secret: Annotated[str, Field(max_length=60)]


def _knocks(request: Request) -> Knocks[Token]:
    knocks: Knocks[Token] = request.app.state.knocks
    return knocks


def nobody() -> Problem:
    return Problem(404, say("nobody knocks with this code any more; show a new one on the big screen"))


def drawn(address: str) -> Response:
    """An address as a QR."""
    made = io.BytesIO()
    segno.make(address, error="m").save(made, kind="svg", scale=6, border=2)
    return Response(made.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@router.post("/knock", **shaped(ScreenRequest))
def knock(request: Request) -> dict[str, str]:
    """A big screen would come in: what it shows, and what it keeps."""
    if not _brake.allows(request.client.host if request.client else "?"):
        raise Problem(429, say("too many tries; wait a minute"))
    shown, kept = _knocks(request).knock()
    return {"id": shown, "secret": kept}


@router.get("/knock/{shown}/qr.svg", **a_file("image/svg+xml"))
def qr(request: Request, shown: Shown) -> Response:
    """For the host's phone: this address, with the knock in its fragment."""
    if not _knocks(request).is_waiting(shown):
        raise nobody()
    return drawn(f"{request.base_url}#let={shown}")


@router.post("/knock/open", **shaped(Accomplished))
def let_in(request: Request, host: HostNeed, wanted: Open) -> dict[str, bool]:
    """The host lets the big screen see this table."""
    if not _knocks(request).let_in(wanted.id, Token(host.table, Role.SCREEN, None, "", secrets.token_hex(6))):
        raise nobody()
    return {"ok": True}


@router.post("/knock/enter", **shaped(LetIn))
def enter(request: Request, tables: TablesNeed, wanted: Enter, response: Response) -> dict[str, Any]:
    """Asked by the big screen until somebody has let it in."""
    try:
        token = _knocks(request).enter(wanted.id, wanted.secret)
    except KeyError:
        raise nobody() from None
    if token is not None:
        response.set_cookie(COOKIE, tables.keys.sign(token), httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"open": token is not None}
