"""The director's desk: the doors of the hall, and the tables that have come in by them."""

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
from companion_api.hall.names import as_people_count
from companion_api.hall.needs import DirectorNeed, HallNeed
from companion_api.hall.people import HallRole
from companion_api.problem import Problem
from rules.sentence import say

router = APIRouter(prefix="/api")


@router.get("/invitations", **shaped(Doors))
def invitations(request: Request, hall: HallNeed, _: DirectorNeed) -> dict[str, Any]:
    """The codes of all roles, with the address that each leads to."""
    return {role.value: {"code": hall.people.code(role), "link": _link(hall, request, role)} for role in HallRole}


@router.post("/invitations/{role}/renew", **shaped(Accomplished))
def renew(hall: HallNeed, _: DirectorNeed, role: HallRole) -> dict[str, Any]:
    """Lost or passed on: the old code and all tokens of this role are worth nothing from now on."""
    hall.people.renew(role)
    return {"ok": True}


@router.get("/invitations/{role}.svg", **a_file("image/svg+xml"))
def qr(request: Request, hall: HallNeed, _: DirectorNeed, role: HallRole) -> Response:
    drawn = io.BytesIO()
    segno.make(_link(hall, request, role), error="m").save(drawn, kind="svg", scale=6, border=2)
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


def _link(hall: Hall, request: Request, role: HallRole) -> str:
    """People scan an address of the page; a table's server is started with one of the broker."""
    code = hall.people.code(role)
    if role is not HallRole.TABLE:
        return f"{request.base_url}#join={code}"
    host, _, port = hall.public.rpartition(":")
    name = request.url.hostname if host in ("0.0.0.0", "") else host
    return f"nats://{code}@{name}:{port}?hub={request.url.port or 80}"


class KnownStation(BaseModel):
    """A table server that has come in. `shut_out`: for good; under the same name it comes in as another."""

    station: str
    name: str
    shut_out: bool


@router.get("/stations")
def stations(hall: HallNeed, _: DirectorNeed) -> list[KnownStation]:
    shut_out = hall.store.all_shut_out()
    found = sorted(hall.store.stations().items(), key=lambda item: as_people_count(item[1]))
    return [KnownStation(station=station, name=name, shut_out=station in shut_out) for station, name in found]


class ShutOut(BaseModel):
    """`told`: whether the broker has ended the connection already; else it will when it is reached."""

    told: bool


@router.post("/stations/{station}/shut_out")
async def shut_out(hall: HallNeed, _: DirectorNeed, station: str) -> ShutOut:
    """A lost laptop, a table that does harm: its credentials are worth nothing from now on."""
    if station not in await asyncio.to_thread(hall.store.stations):
        raise Problem(404, say("there is no such table in this hall"))
    return ShutOut(told=await hall.shut_out(station))
