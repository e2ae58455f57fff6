"""Joining tables, seats, new tables, and large screens."""

from __future__ import annotations

import io
import secrets
from dataclasses import replace
from typing import Annotated, Any, Literal

import segno
from fastapi import APIRouter, Request, Response
from fastapi import Path as PathParameter
from pydantic import AfterValidator, BaseModel, Field

from companion_api.access import COOKIE, Brake, Role, ScreenRequests, Token
from companion_api.answers.base import Accomplished, Problem, a_file, problems, shaped
from companion_api.answers.table import Card, Drawn, Entered, JoinCodes, LetIn, ScreenRequest, Seated, Welcome
from companion_api.folded_table import RequestError
from companion_api.projections.board import board_for, sample_layout
from companion_api.reducers import SEAT_REFUSED, SEAT_WANTED, Guest
from companion_api.routes.needs import HostNeed, SessionNeed, TablesNeed, TokenNeed, no_such_seat, of_app, token_of
from companion_api.session import Session
from companion_api.tables import AccessGrant, Tables
from rules.engine.card import SetupError, clean_name
from rules.games import UnknownGameError, available, game
from rules.pieces import Suit
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["joining"])
_brake = Brake(tries=20, seconds=60)
_seat_brake = Brake(tries=30, seconds=60)
"""Every change of seats is logged for ever."""

Name = Annotated[str, Field(max_length=40), AfterValidator(clean_name)]


class JoinTable(BaseModel):
    code: Annotated[str, Field(max_length=40)]
    name: Name = ""
    role: Literal["player", "spectator", "screen"] = "player"
    seat: Annotated[int, Field(ge=0, le=9)] | None = None
    arriving: bool = False
    """Arrivals by QR code spectate until they choose name and seat, and are logged only then."""


class NewTable(BaseModel):
    game: Annotated[str, Field(max_length=40)]
    options: dict[str, Any] = {}
    seats: Any = None


class TakeSeat(BaseModel):
    seat: Annotated[int, Field(ge=0, le=9)] | None
    name: Name = ""


class ShareSeat(BaseModel):
    """Answer to a request to share a seat."""

    phone: Annotated[str, Field(max_length=40)]
    seat: Annotated[int, Field(ge=0, le=9)]
    agree: bool


@router.get("/games", **shaped(list[Card]))
def games() -> list[dict[str, object]]:
    """All game cards: seats, options, needs; `presets`: options that belong together."""
    return [game(name).card.to_json() for name in available()]


@router.get("/games/{name}/sketch", **shaped(Drawn))
def sketch(_: TokenNeed, name: str) -> dict[str, Any]:
    """A sample layout of a game, for a small drawing."""
    if name not in available():
        raise Problem(404, say("there is no such game"))
    return sample_layout(name)


@router.post("/join", **shaped(Entered))
def join(tables: TablesNeed, wanted: JoinTable, request: Request, response: Response) -> dict[str, Any]:
    """Join by code; returns the token, also as a cookie, and the board."""
    _check_rate(_brake, _address(request))
    grant = tables.grant_by_code(wanted.code)
    if grant is None:
        raise Problem(404, say("no table has this code"))
    token = _existing_token(tables, grant, request) if wanted.arriving else None
    if token is None:
        token = _token_for(grant, wanted)
        if grant.role is Role.HOST:
            request.app.state.host_came(grant.made_for)
    return {**_welcome(tables, token, response), "board": board_for(grant.session.known(token.seat), token)}


def _existing_token(tables: Tables, grant: AccessGrant, request: Request) -> Token | None:
    """The token of a phone that is at this table already, unless the code makes it the host."""
    token = token_of(tables, request.cookies.get(COOKIE, ""))
    if token is None or (grant.role is Role.HOST and token.role is not Role.HOST):
        return None
    try:
        here = tables.current(tables.session(token.table))
    except RequestError:
        return None
    return token if here is grant.session and token.table == here.table else None


def _token_for(grant: AccessGrant, wanted: JoinTable) -> Token:
    """A new token; logged unless the phone only looks first."""
    if grant.role is Role.HOST and grant.number < grant.made_for.roster.hosts:
        said = say("this host address has already been used; a new one is shown where the companion was started")
        raise Problem(410, said)
    session = grant.session
    role = Role.HOST if grant.role is Role.HOST else Role.SPECTATOR if wanted.arriving else Role(wanted.role)
    token = Token(session.table, role, None, wanted.name, secrets.token_hex(6))
    with session.lock:  # two phones may want the same seat at once
        if role in (Role.PLAYER, Role.HOST) and wanted.seat is not None:
            if not session.roster.is_free_for(token.phone, _checked_seat(session, wanted.seat)):
                raise Problem(409, say("that seat is taken; look on first and ask to share it"))
            token = replace(token, seat=wanted.seat)
        if role is Role.HOST:
            _use_host_code(grant, token)
        elif not wanted.arriving:
            session.join(token.by, token.name, seat=token.seat, phone=token.phone)
    return token


def _use_host_code(grant: AccessGrant, host: Token) -> None:
    """Uses up the code at the table it was made for; the seat belongs to the current table."""
    seat_fields: dict[str, Any] = {"seat": host.seat, "phone": host.phone}
    if grant.session is grant.made_for:
        grant.session.join(host.by, host.name, host_code=grant.number, **seat_fields)
        return
    grant.made_for.join(host.by, host.name, host_code=grant.number)
    if host.seat is not None:
        grant.session.join(host.by, host.name, **seat_fields)


@router.post("/seat", **shaped(Seated))
def take_seat(
    tables: TablesNeed, token: TokenNeed, session: SessionNeed, wanted: TakeSeat, response: Response
) -> dict[str, Any]:
    """Change or leave a seat. For a taken seat its holders and the host are asked."""
    if token.role is Role.SCREEN:
        raise Problem(403, say("the big screen has no seat"))
    _check_rate(_seat_brake, f"{token.table} {token.phone or token.by}")
    phone, name = token.phone or secrets.token_hex(6), wanted.name or token.name
    with session.lock:
        seat = None if wanted.seat is None else _checked_seat(session, wanted.seat)
        if seat is not None and not session.roster.is_free_for(phone, seat):
            if (phone, seat) not in session.roster.wanted:
                facts = {"phone": phone, "name": name, "seat": seat}
                text = f"{name or 'somebody'} would share a seat"
                session.note(token.by, {"code": SEAT_WANTED, "text": text, "facts": facts})
            asking = replace(token, name=name, phone=phone)  # it keeps the seat it has
            return {**_welcome(tables, asking, response), "asked": True}
        role = token.role if token.role is Role.HOST else Role.SPECTATOR if seat is None else Role.PLAYER
        changed = Token(token.table, role, seat, name, phone)
        if seat is None or Guest(phone, name) not in session.roster.holders(seat):
            session.join(changed.by, changed.name, seat=seat, phone=phone)
    return _welcome(tables, changed, response)


@router.post("/seat/share", **shaped(Accomplished))
def share(session: SessionNeed, token: TokenNeed, answer: ShareSeat) -> dict[str, bool]:
    """Agree to share a seat, or not; for its holders and the host."""
    if token.role is not Role.HOST and token.seat != answer.seat:
        raise Problem(403, say("only the person who sits there, or the host, can agree to that"))
    with session.lock:
        guest = session.roster.wanted.get((answer.phone, answer.seat))
        if guest is None:
            raise Problem(409, say("nobody is asking for that any more"))
        if answer.agree:
            session.join(f"seat:{answer.seat}", guest.name, seat=answer.seat, phone=guest.phone)
        else:
            facts = {"phone": guest.phone, "name": guest.name, "seat": answer.seat}
            session.note(token.by, {"code": SEAT_REFUSED, "text": "the seat is not shared", "facts": facts})
    return {"ok": True}


@router.post("/tables", **shaped(Welcome))
def new_table(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, wanted: NewTable, response: Response
) -> dict[str, Any]:
    """Open a new table, with the same host."""
    with problems(422, UnknownGameError, SetupError, RequestError, ValueError):
        session, new = tables.open_next(old, host.by, wanted.game, wanted.options, _people(wanted.seats))
    return moved_to(old, session, new, request, tables, host, response)


@router.post("/rematch", **shaped(Welcome))
def rematch(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, response: Response
) -> dict[str, Any]:
    """A rematch with the same people, options and clock; another seat begins."""
    with problems(422, SetupError, RequestError, ValueError):
        session, new = tables.rematch(old, host.by)
    return moved_to(old, session, new, request, tables, host, response)


def _people(seats: Any) -> Any:
    """Names entered on a phone: somebody called "A" does not ask for the suit of arms."""
    if not isinstance(seats, list):
        return seats
    suits = {suit.value for suit in Suit}
    return [{"name": each} if isinstance(each, str) and each not in suits else each for each in seats]


def moved_to(
    old: Session, session: Session, new: bool, request: Request, tables: Tables, host: Token, response: Response
) -> dict[str, Any]:
    """The host's token at the other table; a watcher of that table is left alone."""
    if new:
        request.app.state.camera_manager.follow(session)
    return _welcome(tables, _token_at(session, host, old), response)


@router.post("/follow", **shaped(Welcome))
def follow(tables: TablesNeed, token: TokenNeed, old: SessionNeed, response: Response) -> dict[str, Any]:
    """Follow the host to another table, in the same role and seat."""
    session = tables.current(old)
    if session is old:
        raise Problem(409, say("nobody has opened another table"))
    return _welcome(tables, _token_at(session, token, old), response)


def _token_at(session: Session, token: Token, old: Session) -> Token:
    """The same person at another table: in the seat with their name, else in the seat theirs became. Names are free to
    take: where somebody sits who did not share the old seat, this phone spectates. Without a seat, the previous one is
    remembered for the next table."""
    old_seat = token.seat if token.seat is not None else old.roster.previous_seats.get(token.phone)
    places = old.roster.places if old.roster.moved_to == session.table else ()
    # their places may be of a larger table before
    mapped_seat = places[old_seat] if old_seat is not None and old_seat < len(places) else old_seat
    new_seat = next((i for i, seat in enumerate(session.seats) if token.name and seat.name == token.name), mapped_seat)
    seat = new_seat if old_seat is not None and new_seat is not None and new_seat < len(session.seats) else None
    with session.lock:
        if seat is not None and token.phone and not session.roster.holds(token.phone, seat):
            sharers = old.roster.holders(token.seat) if token.seat is not None else ()
            shared = {guest.phone for guest in sharers}
            seat = seat if all(guest.phone in shared for guest in session.roster.holders(seat)) else None
        player = Role.SPECTATOR if seat is None else Role.PLAYER
        role = player if token.role in (Role.PLAYER, Role.SPECTATOR) else token.role
        moved = replace(token, table=session.table, role=role, seat=seat)
        remembered = {"stood": old_seat} if seat is None and old_seat is not None else {}
        if moved.phone and (seat is not None or remembered):
            session.join(
                moved.by, moved.name, key=f"along {moved.phone}", seat=seat, phone=moved.phone, along=True, **remembered
            )
    return moved


@router.get("/codes", **shaped(JoinCodes))
def codes(tables: TablesNeed, token: TokenNeed, session: SessionNeed) -> dict[str, str]:
    """Join codes; the host also gets the next host code."""
    found = {"player": tables.keys.code(token.table, Role.PLAYER)}
    return found | ({"host": tables.host_code(session)} if token.role is Role.HOST else {})


def _checked_seat(session: Session, seat: int) -> int:
    if seat >= len(session.seats):
        raise no_such_seat(session)
    return seat


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _check_rate(brake: Brake, caller: str) -> None:
    if not brake.allows(caller):
        raise Problem(429, say("too many tries; wait a minute"))


def _welcome(tables: TablesNeed, token: Token, response: Response) -> dict[str, Any]:
    """The token, which becomes the browser's cookie too."""
    text = tables.keys.sign(token)
    response.set_cookie(COOKIE, text, httponly=True, samesite="strict", max_age=90 * 86_400)
    return {"token": text, "table": token.table, "role": token.role.value, "seat": token.seat}


# Large screens without a keyboard: they show a code, the host grants it ------------------------------------------

_screen_brake = Brake(tries=30, seconds=60)
Shown = Annotated[str, PathParameter(max_length=40)]


class Open(BaseModel):
    """`id`: the code on the screen."""

    id: Annotated[str, Field(max_length=40)]


class Enter(Open):
    """`secret`: the part of the code that only the screen has."""

    secret: Annotated[str, Field(max_length=60)]


ScreensNeed = Annotated[ScreenRequests[Token], of_app("screen_requests")]


def unknown_code() -> Problem:
    return Problem(404, say("nobody knocks with this code any more; show a new one on the big screen"))


def qr_svg(address: str) -> Response:
    """An address as a QR code (SVG)."""
    buffer = io.BytesIO()
    segno.make(address, error="m").save(buffer, kind="svg", scale=6, border=2)
    return Response(buffer.getvalue(), media_type="image/svg+xml", headers={"cache-control": "no-store"})


@router.post("/knock", **shaped(ScreenRequest))
def knock(request: Request, screens: ScreensNeed) -> dict[str, str]:
    """Request to join as a large screen: the public id and the secret."""
    _check_rate(_screen_brake, _address(request))
    shown, kept = screens.open()
    return {"id": shown, "secret": kept}


@router.get("/knock/{shown}/qr.svg", **a_file("image/svg+xml"))
def qr(request: Request, screens: ScreensNeed, shown: Shown) -> Response:
    """QR code of this address with the request's id in its fragment."""
    if not screens.is_waiting(shown):
        raise unknown_code()
    return qr_svg(f"{request.base_url}#let={shown}")


@router.post("/knock/open", **shaped(Accomplished))
def let_in(screens: ScreensNeed, host: HostNeed, wanted: Open) -> dict[str, bool]:
    """The host grants a screen access to this table."""
    if not screens.grant(wanted.id, Token(host.table, Role.SCREEN, None, "", secrets.token_hex(6))):
        raise unknown_code()
    return {"ok": True}


@router.post("/knock/enter", **shaped(LetIn))
def enter(screens: ScreensNeed, tables: TablesNeed, wanted: Enter, response: Response) -> dict[str, Any]:
    """Polled by the screen until it was granted access."""
    try:
        token = screens.redeem(wanted.id, wanted.secret)
    except KeyError:
        raise unknown_code() from None
    if token is not None:
        _welcome(tables, token, response)
    return {"open": token is not None}
