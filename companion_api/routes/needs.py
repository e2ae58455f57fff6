"""What routes need, as typed dependencies: the tables of this server, the caller's token, the caller's table."""

from __future__ import annotations

from typing import Annotated

from fastapi import Cookie, Depends, Header, Request

from companion_api.access import COOKIE, Role, Token
from companion_api.known import KnownTable
from companion_api.problem import Problem
from companion_api.session import RequestError, Session
from companion_api.signing import brought
from companion_api.tables import Tables
from rules.sentence import said_by, say


def _tables(request: Request) -> Tables:
    tables: Tables = request.app.state.tables
    return tables


TablesNeed = Annotated[Tables, Depends(_tables)]


def _token(
    tables: TablesNeed,
    companion: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> Token:
    token = tables.keys.read(brought(authorization, companion))
    if token is None:
        raise Problem(401, say("join the table first: scan its code or type it in"))
    return token


TokenNeed = Annotated[Token, Depends(_token)]


def _session(tables: TablesNeed, token: TokenNeed) -> Session:
    try:
        return tables.session(token.table)
    except RequestError as error:
        raise Problem(404, said_by(error)) from None


SessionNeed = Annotated[Session, Depends(_session)]


def _known(session: SessionNeed, token: TokenNeed) -> KnownTable:
    return session.known(token.seat)


KnownNeed = Annotated[KnownTable, Depends(_known)]
"""The caller's table as the caller may know it: what every route reads from."""


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
