"""Finding a table, joining it, opening a new one."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import BaseModel, Field

from companion_api.access import COOKIE, Brake, Role, Token
from companion_api.log.event import EventKind
from companion_api.projections.board import board_for
from companion_api.routes.needs import HostNeed, SessionNeed, TablesNeed, TokenNeed
from companion_api.session import RequestError, Session
from companion_api.tables import Tables
from rules.engine.card import SetupError
from rules.games import UnknownGameError, available, game

router = APIRouter(prefix="/api", tags=["joining"])
_brake = Brake(tries=20, seconds=60)

Name = Annotated[str, Field(max_length=40)]


class Join(BaseModel):
    code: Annotated[str, Field(max_length=40)]
    name: Name = ""
    role: Literal["player", "spectator", "screen"] = "player"
    seat: Annotated[int, Field(ge=0, le=9)] | None = None


class NewTable(BaseModel):
    game: Annotated[str, Field(max_length=40)]
    options: dict[str, Any] = {}
    seats: Any = None


class TakeSeat(BaseModel):
    seat: Annotated[int, Field(ge=0, le=9)] | None
    name: Name = ""


@router.get("/games")
def games() -> list[dict[str, object]]:
    """The cards of all games: seats, options, what is needed."""
    return [game(name).card.to_json() for name in available()]


@router.post("/join")
def join(tables: TablesNeed, wanted: Join, request: Request, response: Response) -> dict[str, Any]:
    """A code opens the door; the token comes as a cookie and in the answer, with the board as this phone may see it."""
    if not _brake.allows(request.client.host if request.client else "?"):
        raise HTTPException(429, "too many tries; wait a minute")
    session = tables.by_code(wanted.code)
    if session is None:
        raise HTTPException(404, "no table has this code")
    opened = tables.keys.opens(session.table, wanted.code)
    role = Role.HOST if opened is Role.HOST else Role(wanted.role)
    seat = _free_seat(session, wanted.seat) if role in (Role.PLAYER, Role.HOST) else None
    token = Token(session.table, role, seat, wanted.name)
    session.join(token.by, wanted.name)
    return {**_welcome(tables, token, response), "board": board_for(session.known(token.seat), token)}


@router.post("/seat")
def take_seat(
    tables: TablesNeed, token: TokenNeed, session: SessionNeed, wanted: TakeSeat, response: Response
) -> dict[str, Any]:
    """Sit down elsewhere, or stand up."""
    if token.role is Role.SCREEN:
        raise HTTPException(403, "the big screen has no seat")
    seat = _free_seat(session, wanted.seat)
    role = token.role if token.role is Role.HOST else Role.SPECTATOR if seat is None else Role.PLAYER
    changed = Token(token.table, role, seat, wanted.name or token.name)
    session.join(changed.by, changed.name)
    return _welcome(tables, changed, response)


@router.post("/tables")
def new_table(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, wanted: NewTable, response: Response
) -> dict[str, Any]:
    """Open a new table; whoever may is the host of the one before."""
    try:
        session = tables.begin(wanted.game, wanted.options, wanted.seats)
    except (UnknownGameError, SetupError, RequestError, ValueError) as error:
        raise HTTPException(422, str(error)) from None
    return move_to(session, request, tables, host, old, response)


def move_to(
    session: Session, request: Request, tables: Tables, host: Token, old: Session, response: Response
) -> dict[str, Any]:
    """The camera, the host and everybody at the old table go to this one."""
    request.app.state.lookout.follow(session)
    old.move_on(host.by, session.table)
    return _welcome(tables, Token(session.table, Role.HOST, host.seat, host.name), response)


@router.post("/follow")
def follow(tables: TablesNeed, token: TokenNeed, old: SessionNeed, response: Response) -> dict[str, Any]:
    """Go where the host went, in the same role and seat."""
    moved = [event.data["table"] for event in old.events if event.kind is EventKind.MOVED]
    if not moved:
        raise HTTPException(409, "nobody has opened another table")
    session = tables.session(moved[-1])
    seat = token.seat if token.seat is not None and token.seat < len(session.seats) else None
    role = Role.SPECTATOR if token.role is Role.PLAYER and seat is None else token.role
    return _welcome(tables, Token(session.table, role, seat, token.name), response)


@router.get("/codes")
def codes(tables: TablesNeed, token: TokenNeed) -> dict[str, str]:
    """The join code stays reachable from every phone."""
    return {"player": tables.keys.code(token.table, Role.PLAYER)}


def _free_seat(session: Session, seat: int | None) -> int | None:
    if seat is not None and seat >= len(session.seats):
        raise HTTPException(422, f"this game has {len(session.seats)} seats; the first is 0")
    return seat


def _welcome(tables: TablesNeed, token: Token, response: Response) -> dict[str, Any]:
    text = tables.keys.sign(token)
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"token": text, "table": token.table, "role": token.role.value, "seat": token.seat}
