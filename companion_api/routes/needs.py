"""What routes need, as typed dependencies: the tables of this server, the caller's token, the caller's table."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Cookie, Depends, Header, Query, Request
from fastapi import Path as PathParameter

from companion_api.access import COOKIE, Role, Token
from companion_api.folded_table import RequestError
from companion_api.problem import Problem
from companion_api.seat_view import SeatView
from companion_api.session import Session
from companion_api.tables import Tables
from companion_api.tokens import brought
from rules.sentence import say, sentence_of


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


TablesNeed = Annotated[Tables, Depends(_tables)]


def seated(session: Session, token: Token) -> Token:
    """The token as it is worth now. A seat is shown to a phone only as long as that phone holds it: who stood up has
    perhaps kept the token, and somebody else sits there now."""
    if token.seat is None or not token.phone or session.roster.holds(token.phone, token.seat):
        return token
    return replace(token, role=token.role if token.role is Role.HOST else Role.SPECTATOR, seat=None)


def token_of(tables: Tables, text: str) -> Token | None:
    """Who comes with this text, if it was signed here."""
    token = tables.keys.read(text)
    if token is None or token.seat is None:
        return token
    try:
        return seated(tables.session(token.table), token)
    except RequestError:
        return token


def _token(
    tables: TablesNeed,
    companion: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> Token:
    token = token_of(tables, brought(authorization, companion))
    if token is None:
        raise Problem(401, say("join the table first: scan its code or type it in"))
    return token


TokenNeed = Annotated[Token, Depends(_token)]


def _session(tables: TablesNeed, token: TokenNeed) -> Session:
    try:
        return tables.session(token.table)
    except RequestError as error:
        raise Problem(404, sentence_of(error)) from None


SessionNeed = Annotated[Session, Depends(_session)]


def _known(session: SessionNeed, token: TokenNeed) -> SeatView:
    return session.known(token.seat)


KnownNeed = Annotated[SeatView, Depends(_known)]
"""The caller's table as the caller may know it: what every route reads from."""


def no_such_seat(session: Session) -> Problem:
    return Problem(
        422,
        say(
            "this game has one seat; its number is 0",
            "this game has {count} seats; the first is 0",
            count=len(session.seats),
        ),
    )


def there_is(table: SeatView, seq: int) -> None:
    """404 for the number of an event that has not been yet: a phone that has it is not of this log."""
    if seq > table.seq:
        raise Problem(404, say("there is no such event yet; the last one is {last}", last=table.seq))


def _happened(table: KnownNeed, seq: Annotated[int, PathParameter(ge=1)]) -> int:
    there_is(table, seq)
    return seq


SeqNeed = Annotated[int, Depends(_happened)]
"""The number of an event of this table."""


def _heard(table: KnownNeed, after: Annotated[int, Query(ge=0)] = 0) -> int:
    there_is(table, after)
    return after


AfterNeed = Annotated[int, Depends(_heard)]
"""The last event that a phone has heard of."""


def actor(token: TokenNeed) -> Token:
    """Who may act at the table; 403 for lookers-on."""
    if not token.may_act:
        raise Problem(403, say("you are looking on; take a seat to play"))
    return token


def host(token: TokenNeed) -> Token:
    """The host; 403 for everybody else."""
    if token.role is not Role.HOST:
        raise Problem(403, say("only the host may do that"))
    return token


ActorNeed = Annotated[Token, Depends(actor)]
HostNeed = Annotated[Token, Depends(host)]
