"""The hub's entrances: the wall for guests, the list for umpires, the door for tables, the desk for the director."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from companion_api.answers.base import Accomplished, a_file, shaped
from companion_api.answers.people import LetIn, ScreenRequest
from companion_api.hall.answers import (
    Admitted,
    Answered,
    Health,
    Hubs,
    Inside,
    LeagueStanding,
    Me,
    OneTable,
    OpenQuestion,
    Ready,
    Result,
)
from companion_api.hall.answers import WallTold as WallShown
from companion_api.hall.board_pictures import DrawnLooks
from companion_api.hall.database import DatabaseError
from companion_api.hall.hall import LOST_S, AwayError, Hall
from companion_api.hall.league import as_csv, is_result, league, result
from companion_api.hall.needs import HallNeed, PersonNeed, UmpireNeed
from companion_api.hall.people import COOKIE, HallPerson, HallRole
from companion_api.hall.questions import AnswerError, open_questions, ruling_on
from companion_api.news import plain
from companion_api.problem import Problem
from companion_api.routes.screen_requests import Enter, Open, Shown, drawn, nobody
from rules.sentence import said_by, say

router = APIRouter(prefix="/api")
_pictures = DrawnLooks()
_KEEPALIVE_S = 15.0
_TOGETHER_S = 0.05
LAST_TOLD = 12
Days = Annotated[float, Query(gt=0, le=3660)]
Name = Annotated[str, Field(max_length=40)]
ActionId = Annotated[str, Field(max_length=200)]


class JoinHall(BaseModel):
    """By a door's code, or by a token of another hub of the same hall (`handed`)."""

    code: Annotated[str, Field(max_length=40)] = ""
    name: Name = ""
    handed: Annotated[str, Field(max_length=1000)] = ""


@router.post("/join", **shaped(Inside))
def join(hall: HallNeed, wanted: JoinHall, request: Request, response: Response) -> dict[str, str]:
    """A code lets in; who rules or directs says a name, since it stands under what they decide."""
    if wanted.handed:
        known = hall.people.read(wanted.handed)
        if known is None:
            raise Problem(401, say("come in first: scan the hall's code or type it in"))
        return _inside(hall, known, response)
    role = _opened(hall, wanted.code, request)
    if role is HallRole.TABLE:
        raise Problem(422, say("this code is for a table: companion serve --hall nats://CODE@HUB:4222"))
    if role is not HallRole.GUEST and not wanted.name.strip():
        raise Problem(422, say("give your name; it is shown with what you decide"))
    return _inside(hall, HallPerson(role, " ".join(wanted.name.split())), response)


def _inside(hall: Hall, person: HallPerson, response: Response) -> dict[str, str]:
    text = hall.people.sign(person)
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"token": text, "role": person.role.value, "name": person.name}


@router.post("/knock", **shaped(ScreenRequest))
def knock(hall: HallNeed, request: Request) -> dict[str, str]:
    """A television would come in without typing: what it shows, and what it keeps."""
    if not hall.brake.allows(request.client.host if request.client else "?"):
        raise Problem(429, say("too many tries; wait a minute"))
    shown, kept = hall.knocks.knock()
    return {"id": shown, "secret": kept}


@router.get("/knock/{shown}/qr.svg", **a_file("image/svg+xml"))
def knock_qr(hall: HallNeed, request: Request, shown: Shown) -> Response:
    """For the phone of anybody inside: this address, with the knock in its fragment."""
    if not hall.knocks.is_waiting(shown):
        raise nobody()
    return drawn(f"{request.base_url}#let={shown}")


@router.post("/knock/open", **shaped(Accomplished))
def let_in(hall: HallNeed, _: PersonNeed, wanted: Open) -> dict[str, bool]:
    """Whoever is inside lets the television in, as a guest."""
    if not hall.knocks.let_in(wanted.id, HallPerson(HallRole.GUEST)):
        raise nobody()
    return {"ok": True}


@router.post("/knock/enter", **shaped(LetIn))
def enter(hall: HallNeed, wanted: Enter, response: Response) -> dict[str, bool]:
    """Asked by the television until somebody has let it in."""
    try:
        person = hall.knocks.enter(wanted.id, wanted.secret)
    except KeyError:
        raise nobody() from None
    if person is not None:
        _inside(hall, person, response)
    return {"open": person is not None}


class Station(BaseModel):
    code: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=40)]


@router.post("/stations", **shaped(Admitted))
async def station(hall: HallNeed, wanted: Station, request: Request) -> dict[str, str]:
    """A table server comes in with the tables' code and gets what it may write with."""
    if await asyncio.to_thread(_opened, hall, wanted.code, request) is not HallRole.TABLE:
        raise Problem(403, say("this code is not for tables"))
    return await hall.admit(" ".join(wanted.name.split()))


def _opened(hall: Hall, code: str, request: Request) -> HallRole:
    if not hall.brake.allows(request.client.host if request.client else "?"):
        raise Problem(429, say("too many tries; wait a minute"))
    role = hall.people.opens(code)
    if role is None:
        raise Problem(404, say("this code is not known here"))
    return role


@router.get("/me", **shaped(Me))
def me(hall: HallNeed, person: PersonNeed) -> dict[str, str]:
    return {"role": person.role.value, "name": person.name, "hall": hall.store.setting("name", "")}


@router.get("/hubs", **shaped(Hubs))
def hubs(hall: HallNeed, person: PersonNeed) -> dict[str, Any]:
    """Where else this hall is shown, and what lets the same person in there: for when this hub ends."""
    others = [address for address in hall.store.hubs(LOST_S) if address != hall.address]
    return {"hubs": others, "handed": hall.people.sign(person)}


# The wall -------------------------------------------------------------------------------------------------------


@router.get("/wall", **shaped(WallShown))
def wall(hall: HallNeed, _: PersonNeed) -> dict[str, Any]:
    """All tables of this evening."""
    version, rows = hall.wall.rows()
    return {"version": version, "now": time.time(), "tables": rows}


@router.get("/stream", **a_file("text/event-stream", by=StreamingResponse))
async def stream(hall: HallNeed, _: PersonNeed, after: Annotated[int, Query(ge=0)] = 0) -> StreamingResponse:
    """Tables that have changed, as server-sent events."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_changes(hall, after), media_type="text/event-stream", headers=headers)


async def _changes(hall: Hall, version: int) -> AsyncIterator[bytes]:
    bell = hall.wall.bell()
    if version > hall.wall.version:  # of a hub that has been started anew
        version = 0
    try:
        yield KEEPALIVE_COMMENT
        while True:
            bell.clear()
            version, told = hall.wall.news(version)
            if told:
                yield told
                await asyncio.sleep(_TOGETHER_S)
            try:
                await asyncio.wait_for(bell.wait(), _KEEPALIVE_S)
            except TimeoutError:
                yield KEEPALIVE_COMMENT
    finally:
        hall.wall.leave(bell)


@router.get("/tables/{station}/{table}", **shaped(OneTable))
def one_table(hall: HallNeed, _: PersonNeed, station: str, table: str) -> dict[str, Any]:
    """One table alone: how it stands and what happened last."""
    rows = hall.store.tables(only=[(station, table)])
    if not rows:
        raise Problem(404, say("there is no such table in this hall"))
    events = hall.store.events(station, table, max(0, rows[0].seq - LAST_TOLD))
    return {**hall.wall.shown(rows[0]), "events": [as_guests_know(event) for event in events]}


def as_guests_know(message: dict[str, Any]) -> dict[str, Any]:
    """The event of a message, as the table itself tells it."""
    return {name: value for name, value in message.items() if name not in ("v", "table", "standing")}


@router.get("/tables/{station}/{table}/board.png", **a_file("image/png"))
async def board(
    hall: HallNeed,
    _: PersonNeed,
    station: str,
    table: str,
    size: Annotated[int, Query(ge=100, le=1600)] = 1000,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    look = await hall.look(station, table)
    if look is None:
        raise Problem(404, say("this table has not been drawn yet"))
    tag, png = await asyncio.to_thread(_pictures.of, look, size)
    headers = {"etag": f'"{tag}"', "cache-control": "private, no-cache"}
    if if_none_match == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(png, media_type="image/png", headers=headers)


@router.get("/results", **shaped(list[Result]))
def results(hall: HallNeed, _: PersonNeed, days: Days = 0.6) -> list[dict[str, Any]]:
    """Games that are over, the latest first."""
    rows = [row for row in hall.store.tables(time.time() - days * 86_400) if is_result(row)]
    return [result(row, hall.wall.name(row.station)) for row in sorted(rows, key=lambda row: -row.at)]


@router.get("/league", **shaped(list[LeagueStanding]))
def standings(hall: HallNeed, _: PersonNeed, days: Days = 366) -> list[dict[str, Any]]:
    return [entry.to_json() for entry in league(hall.store.tables(time.time() - days * 86_400))]


@router.get("/league.csv", **a_file("text/csv; charset=utf-8"))
def exported(hall: HallNeed, _: PersonNeed, days: Days = 366) -> Response:
    text = as_csv(league(hall.store.tables(time.time() - days * 86_400)))
    headers = {"content-disposition": 'attachment; filename="league.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


# The umpire -----------------------------------------------------------------------------------------------------


@router.get("/questions", **shaped(list[OpenQuestion]))
def questions(
    hall: HallNeed, _: UmpireNeed, language: Annotated[str, Query(max_length=10)] = "en"
) -> list[dict[str, Any]]:
    """What waits for an umpire, at all tables."""
    return open_questions(hall.store, hall.wall, language)


@router.get("/pictures/{station}/{name}", **a_file("image/jpeg"))
async def picture(hall: HallNeed, _: UmpireNeed, station: str, name: str) -> Response:
    """The evidence; only for those who decide."""
    if station not in await asyncio.to_thread(hall.store.stations):
        raise Problem(404, say("there is no such table in this hall"))
    jpeg = await hall.picture(station, name)
    if jpeg is None:
        raise Problem(404, say("this picture is not here (any more)"))
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, immutable"})


class AnswerToTable(BaseModel):
    """`actions`: what was really done, where the disputed action falls, or the answer to a question."""

    station: Annotated[str, Field(max_length=64)]
    table: Annotated[str, Field(max_length=64)]
    about: Annotated[int, Field(ge=1)]
    text: Annotated[str, Field(max_length=400)] = ""
    upheld: bool
    actions: Annotated[tuple[ActionId, ...], Field(max_length=20)] = ()


@router.post("/answers", **shaped(Answered))
async def answer(hall: HallNeed, person: UmpireNeed, post: AnswerToTable) -> dict[str, Any]:
    """The ruling goes to the table and comes back as an event of its log."""
    rows = await asyncio.to_thread(hall.store.tables, 0.0, [(post.station, post.table)])
    if not rows:
        raise Problem(404, say("there is no such table in this hall"))
    try:
        ruling = ruling_on(rows[0], post.about, person.by, post.text, post.upheld, post.actions)
    except AnswerError as error:
        raise Problem(409, said_by(error)) from None
    await hall.send(ruling)
    return {"ok": True, "id": ruling.id}


# The machinery --------------------------------------------------------------------------------------------------

watching = APIRouter()


@watching.get("/health", **shaped(Health))
def health() -> dict[str, bool]:
    """This process is alive."""
    return {"ok": True}


@watching.get("/ready", **shaped(Ready))
async def ready(hall: HallNeed, response: Response) -> dict[str, bool]:
    """Broker and database are reached: what tables send is stored."""
    try:
        await asyncio.to_thread(hall.store.stations)
        database = True
    except DatabaseError:
        database = False
    found = {"broker": hall.storing.is_connected, "database": database}
    if not all(found.values()):
        response.status_code = 503
    return found


@watching.get("/metrics", **a_file(CONTENT_TYPE_LATEST, by=PlainTextResponse))
def metrics(hall: HallNeed) -> Response:
    hall.wall.count()
    return Response(generate_latest(hall.metrics.registry), media_type=CONTENT_TYPE_LATEST)


async def away(_: Request, error: Exception) -> Response:
    kind = "database" if isinstance(error, DatabaseError) else "broker"
    assert isinstance(error, AwayError | DatabaseError)
    return Response(plain({"detail": str(error), "away": kind}), 503, media_type="application/json")
