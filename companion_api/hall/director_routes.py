"""Routes for the director: invitations by role, and the table servers that have joined."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import segno
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from companion_api.answers.base import Accomplished, a_file, shaped
from companion_api.hall.answers import Doors
from companion_api.hall.hall import Hall
from companion_api.hall.names import natural_key
from companion_api.hall.needs import DirectorNeed, HallNeed
from companion_api.hall.people import HallRole
from companion_api.problem import Problem
from rules.sentence import say

router = APIRouter(prefix="/api")


@router.get("/invitations", **shaped(Doors))
def invitations(request: Request, hall: HallNeed, _: DirectorNeed) -> dict[str, Any]:
    """The code of each role, with its address."""
    return {role.value: {"code": hall.people.code(role), "link": _link(hall, request, role)} for role in HallRole}


@router.post("/invitations/{role}/renew", **shaped(Accomplished))
def renew(hall: HallNeed, _: DirectorNeed, role: HallRole) -> dict[str, Any]:
    """Replace a role's code; the old one and all tokens of the role become invalid."""
    hall.people.renew(role)
    return {"ok": True}


@router.get("/invitations/{role}.svg", **a_file("image/svg+xml"))
def qr(request: Request, hall: HallNeed, _: DirectorNeed, role: HallRole) -> Response:
    drawn = io.BytesIO()
    segno.make(_link(hall, request, role), error="m").save(drawn, kind="svg", scale=6, border=2)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


def _link(hall: Hall, request: Request, role: HallRole) -> str:
    """The address in an invitation: of the page for people, of the broker for table servers."""
    code = hall.people.code(role)
    if role is not HallRole.TABLE:
        return f"{request.base_url}#join={code}"
    host, _, port = hall.public.rpartition(":")
    name = request.url.hostname if host in ("0.0.0.0", "") else host
    return f"nats://{code}@{name}:{port}?hub={request.url.port or 80}"


class KnownStation(BaseModel):
    """A table server that has joined. `shut_out`: for good; under the same name it joins as another station."""

    station: str
    name: str
    shut_out: bool


@router.get("/stations")
def stations(hall: HallNeed, _: DirectorNeed) -> list[KnownStation]:
    shut_out = hall.store.all_shut_out()
    found = sorted(hall.store.stations().items(), key=lambda item: natural_key(item[1]))
    return [KnownStation(station=station, name=name, shut_out=station in shut_out) for station, name in found]


class ShutOut(BaseModel):
    """`told`: whether the broker has ended the connection already; if not, it will when it is reached."""

    told: bool


@router.post("/stations/{station}/shut_out")
async def shut_out(hall: HallNeed, _: DirectorNeed, station: str) -> ShutOut:
    """Invalidate a table server's credentials, for a lost laptop or a table that does harm."""
    if station not in await asyncio.to_thread(hall.store.stations):
        raise Problem(404, say("there is no such table in this hall"))
    return ShutOut(told=await hall.shut_out(station))
