"""The hub's routes for guests, umpires, the director and table servers, and for monitoring, with their dependencies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Depends, Header, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from companion_api.access import token_text
from companion_api.answers.base import Accomplished, Problem, a_file, problems, shaped
from companion_api.answers.table import LetIn, ScreenRequest
from companion_api.hall import answers
from companion_api.hall.hall import LOST_S, AwayError, Hall
from companion_api.hall.names import natural_key
from companion_api.hall.people import COOKIE, HallPerson, HallRole
from companion_api.hall.questions import AnswerError, open_questions, ruling_on
from companion_api.hall.store import DatabaseError
from companion_api.hall.tournament import as_csv, is_result, league, result
from companion_api.hall.wall import board_png
from companion_api.news import plain
from companion_api.routes.join import Enter, Open, Shown, qr_svg, unknown_code
from rules.sentence import say


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


HallNeed = Annotated[Hall, Depends(_hall)]


def _person(
    hall: HallNeed,
    cookie: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> HallPerson:
    return _known_person(hall, token_text(authorization, cookie))


def _known_person(hall: Hall, token: str) -> HallPerson:
    person = hall.people.read(token)
    if person is None:
        raise Problem(401, say("come in first: scan the hall's code or type it in"))
    return person


PersonNeed = Annotated[HallPerson, Depends(_person)]


def _umpire(person: PersonNeed) -> HallPerson:
    if person.role not in (HallRole.UMPIRE, HallRole.DIRECTOR):
        raise Problem(403, say("only an umpire may do that"))
    return person


def _director(person: PersonNeed) -> HallPerson:
    if person.role is not HallRole.DIRECTOR:
        raise Problem(403, say("only the director may do that"))
    return person


UmpireNeed = Annotated[HallPerson, Depends(_umpire)]
DirectorNeed = Annotated[HallPerson, Depends(_director)]


router = APIRouter(prefix="/api")
_KEEPALIVE_S = 15.0
_COLLECT_S = 0.05
LAST_EVENTS = 12
Days = Annotated[float, Query(gt=0, le=3660)]
Name = Annotated[str, Field(max_length=40)]
ActionId = Annotated[str, Field(max_length=200)]


class JoinHall(BaseModel):
    """By an invitation's code, or by a token of another hub of the same hall (`handed`)."""

    code: Annotated[str, Field(max_length=40)] = ""
    name: Name = ""
    handed: Annotated[str, Field(max_length=1000)] = ""


@router.post("/join", **shaped(answers.Inside))
def join(hall: HallNeed, wanted: JoinHall, request: Request, response: Response) -> dict[str, str]:
    """Sign in with a code; umpires and directors give a name, which is shown with their decisions."""
    if wanted.handed:
        return _sign_in(hall, _known_person(hall, wanted.handed), response)
    role = _role_of_code(hall, wanted.code, request)
    if role is HallRole.TABLE:
        raise Problem(422, say("this code is for a table: companion serve --hall nats://CODE@HUB:4222"))
    if role is not HallRole.GUEST and not wanted.name.strip():
        raise Problem(422, say("give your name; it is shown with what you decide"))
    return _sign_in(hall, HallPerson(role, " ".join(wanted.name.split())), response)


def _sign_in(hall: Hall, person: HallPerson, response: Response) -> dict[str, str]:
    text = hall.people.sign(person)
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"token": text, "role": person.role.value, "name": person.name}


@router.post("/knock", **shaped(ScreenRequest))
def knock(hall: HallNeed, request: Request) -> dict[str, str]:
    """Request admission of a television without typing: the id that it shows and the secret that it keeps."""
    _brake(hall, request)
    shown, kept = hall.screen_requests.open()
    return {"id": shown, "secret": kept}


@router.get("/knock/{shown}/qr.svg", **a_file("image/svg+xml"))
def knock_qr(hall: HallNeed, request: Request, shown: Shown) -> Response:
    """QR with this page's address and the request's id in its fragment, for the phone of anybody who is signed in."""
    if not hall.screen_requests.is_waiting(shown):
        raise unknown_code()
    return qr_svg(f"{request.base_url}#let={shown}")


@router.post("/knock/open", **shaped(Accomplished))
def let_in(hall: HallNeed, _: PersonNeed, wanted: Open) -> dict[str, bool]:
    """Admit a television as a guest, by anybody who is signed in."""
    if not hall.screen_requests.grant(wanted.id, HallPerson(HallRole.GUEST)):
        raise unknown_code()
    return {"ok": True}


@router.post("/knock/enter", **shaped(LetIn))
def enter(hall: HallNeed, wanted: Enter, response: Response) -> dict[str, bool]:
    """Whether the television was admitted; it polls this."""
    try:
        person = hall.screen_requests.redeem(wanted.id, wanted.secret)
    except KeyError:
        raise unknown_code() from None
    if person is not None:
        _sign_in(hall, person, response)
    return {"open": person is not None}


class Station(BaseModel):
    code: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=40)]


@router.post("/stations", **shaped(answers.Admitted))
async def station(hall: HallNeed, wanted: Station, request: Request) -> dict[str, str]:
    """Admit a table server with the tables' code: its membership with credentials."""
    if await asyncio.to_thread(_role_of_code, hall, wanted.code, request) is not HallRole.TABLE:
        raise Problem(403, say("this code is not for tables"))
    return await hall.admit(" ".join(wanted.name.split()))


def _brake(hall: Hall, request: Request) -> None:
    if not hall.brake.allows(request.client.host if request.client else "?"):
        raise Problem(429, say("too many tries; wait a minute"))


def _role_of_code(hall: Hall, code: str, request: Request) -> HallRole:
    _brake(hall, request)
    role = hall.people.role_of_code(code)
    if role is None:
        raise Problem(404, say("this code is not known here"))
    return role


@router.get("/me", **shaped(answers.Me))
def me(hall: HallNeed, person: PersonNeed) -> dict[str, str]:
    return {"role": person.role.value, "name": person.name, "hall": hall.store.setting("name", "")}


@router.get("/hubs", **shaped(answers.Hubs))
def hubs(hall: HallNeed, person: PersonNeed) -> dict[str, Any]:
    """Addresses of other hubs, and a token that is valid there, for when this hub ends."""
    others = [address for address in hall.store.hubs(LOST_S) if address != hall.address]
    return {"hubs": others, "handed": hall.people.sign(person)}


@router.get("/wall", **shaped(answers.WallTold))
def wall(hall: HallNeed, _: PersonNeed) -> dict[str, Any]:
    """The states of all tables of this evening."""
    version, rows = hall.wall.rows()
    return {"version": version, "now": time.time(), "tables": rows}


@router.get("/stream", **a_file("text/event-stream", by=StreamingResponse))
async def stream(hall: HallNeed, _: PersonNeed, after: Annotated[int, Query(ge=0)] = 0) -> StreamingResponse:
    """Changed tables as server-sent events."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_changes(hall, after), media_type="text/event-stream", headers=headers)


async def _changes(hall: Hall, version: int) -> AsyncIterator[bytes]:
    if version > hall.wall.version:  # from before the hub was restarted
        version = 0
    with hall.wall.bell() as bell:
        yield KEEPALIVE_COMMENT
        while True:
            bell.clear()
            version, told = hall.wall.news(version)
            if told:
                yield told
                await asyncio.sleep(_COLLECT_S)
            try:
                await asyncio.wait_for(bell.wait(), _KEEPALIVE_S)
            except TimeoutError:
                yield KEEPALIVE_COMMENT


@router.get("/tables/{station}/{table}", **shaped(answers.OneTable))
def one_table(hall: HallNeed, _: PersonNeed, station: str, table: str) -> dict[str, Any]:
    """The state of one table and its last events."""
    rows = hall.store.tables(only=[(station, table)])
    if not rows:
        raise Problem(404, say("there is no such table in this hall"))
    events = hall.store.events(station, table, max(0, rows[0].seq - LAST_EVENTS))
    inner = ("v", "table", "standing")  # fields of a message that are not of the event
    shown = [{name: value for name, value in event.items() if name not in inner} for event in events]
    return {**hall.wall.row_json(rows[0]), "events": shown}


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
    tag, png = await asyncio.to_thread(board_png, look, size)
    headers = {"etag": f'"{tag}"', "cache-control": "private, no-cache"}
    if if_none_match == headers["etag"]:
        return Response(status_code=304, headers=headers)
    return Response(png, media_type="image/png", headers=headers)


@router.get("/results", **shaped(list[answers.Result]))
def results(hall: HallNeed, _: PersonNeed, days: Days = 0.6) -> list[dict[str, Any]]:
    """Finished games, the latest first."""
    rows = [row for row in hall.store.tables(time.time() - days * 86_400) if is_result(row)]
    return [result(row, hall.wall.name(row.station)) for row in sorted(rows, key=lambda row: -row.at)]


@router.get("/league", **shaped(list[answers.LeagueStanding]))
def standings(hall: HallNeed, _: PersonNeed, days: Days = 366) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in league(hall.store.tables(time.time() - days * 86_400))]


@router.get("/league.csv", **a_file("text/csv; charset=utf-8"))
def exported(hall: HallNeed, _: PersonNeed, days: Days = 366) -> Response:
    text = as_csv(league(hall.store.tables(time.time() - days * 86_400)))
    headers = {"content-disposition": 'attachment; filename="league.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/questions", **shaped(list[answers.OpenQuestion]))
def questions(
    hall: HallNeed, _: UmpireNeed, language: Annotated[str, Query(max_length=10)] = "en"
) -> list[dict[str, Any]]:
    """Open questions and claims of all tables."""
    return open_questions(hall.store, hall.wall, language)


@router.get("/pictures/{station}/{name}", **a_file("image/jpeg"))
async def picture(hall: HallNeed, _: UmpireNeed, station: str, name: str) -> Response:
    """An evidence picture; only for umpires."""
    if station not in await asyncio.to_thread(hall.store.stations):
        raise Problem(404, say("there is no such table in this hall"))
    jpeg = await hall.picture(station, name)
    if jpeg is None:
        raise Problem(404, say("this picture is not here (any more)"))
    return Response(jpeg, media_type="image/jpeg", headers={"cache-control": "private, immutable"})


class AnswerToTable(BaseModel):
    """`actions`: what was really done, where the disputed action is not upheld, or the answer to a question."""

    station: Annotated[str, Field(max_length=64)]
    table: Annotated[str, Field(max_length=64)]
    about: Annotated[int, Field(ge=1)]
    text: Annotated[str, Field(max_length=400)] = ""
    upheld: bool
    actions: Annotated[tuple[ActionId, ...], Field(max_length=20)] = ()


@router.post("/answers", **shaped(answers.Answered))
async def answer(hall: HallNeed, person: UmpireNeed, post: AnswerToTable) -> dict[str, Any]:
    """Send a ruling to the table; it comes back as an event of the table's log."""
    rows = await asyncio.to_thread(hall.store.tables, 0.0, [(post.station, post.table)])
    if not rows:
        raise Problem(404, say("there is no such table in this hall"))
    with problems(409, AnswerError):
        ruling = ruling_on(rows[0], post.about, person.by, post.text, post.upheld, post.actions)
    await hall.send(ruling)
    return {"ok": True, "id": ruling.id}


watching = APIRouter()


@watching.get("/health", **shaped(Accomplished))
def health() -> dict[str, bool]:
    """This process is alive."""
    return {"ok": True}


@watching.get("/ready", **shaped(answers.Ready))
async def ready(hall: HallNeed, response: Response) -> dict[str, bool]:
    """Whether broker and database are reached, so that events are stored."""
    try:
        await asyncio.to_thread(hall.store.stations)
        database = True
    except DatabaseError:
        database = False
    found = {"broker": hall.store_writer.is_connected, "database": database}
    if not all(found.values()):
        response.status_code = 503
    return found


@watching.get("/metrics", **a_file(CONTENT_TYPE_LATEST, by=PlainTextResponse))
def metrics(hall: HallNeed) -> Response:
    hall.wall.update_metrics()
    return Response(generate_latest(hall.metrics.registry), media_type=CONTENT_TYPE_LATEST)


async def away(_: Request, error: Exception) -> Response:
    kind = "database" if isinstance(error, DatabaseError) else "broker"
    assert isinstance(error, AwayError | DatabaseError)
    return Response(plain({"detail": str(error), "away": kind}), 503, media_type="application/json")


@router.get("/invitations", **shaped(answers.Doors))
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
    return qr_svg(_link(hall, request, role))


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
