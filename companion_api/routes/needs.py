"""Shared by routes: the caller's token, session and view as dependencies; expected event, key and refusals of posts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Depends, Header, HTTPException, Query, Request
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field

from companion_api.access import COOKIE, Role, Token, token_text
from companion_api.answers.base import Problem, problems
from companion_api.folded_table import RequestError
from companion_api.log.event import Event
from companion_api.log.store import LogUnavailableError, StaleError
from companion_api.projections.choices import events_for, with_values
from companion_api.seat_view import SeatView
from companion_api.session import OutdatedError, Session
from companion_api.tables import Tables
from rules.engine.action import Action, action_from_json
from rules.engine.refusal import Refusal
from rules.sentence import say, sentence_of


def of_app(name: str) -> Any:
    """The dependency on what the app keeps under this name."""

    def found(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(found)


TablesNeed = Annotated[Tables, of_app("tables")]


def current_token(session: Session, token: Token) -> Token:
    """The token with its current rights: a phone that no longer holds the seat becomes a spectator, since another
    may hold it."""
    if token.seat is None or not token.phone or session.roster.holds(token.phone, token.seat):
        return token
    return replace(token, role=token.role if token.role is Role.HOST else Role.SPECTATOR, seat=None)


def token_of(tables: Tables, text: str) -> Token | None:
    token = tables.keys.read(text)
    if token is None or token.seat is None:
        return token
    try:
        return current_token(tables.session(token.table), token)
    except RequestError:
        return token


def _token(
    tables: TablesNeed,
    companion: Annotated[str | None, Cookie(alias=COOKIE)] = None,
    authorization: Annotated[str | None, Header()] = None,
) -> Token:
    token = token_of(tables, token_text(authorization, companion))
    if token is None:
        raise Problem(401, say("join the table first: scan its code or type it in"))
    return token


TokenNeed = Annotated[Token, Depends(_token)]


def _session(tables: TablesNeed, token: TokenNeed) -> Session:
    with problems(404, RequestError):
        return tables.session(token.table)


SessionNeed = Annotated[Session, Depends(_session)]


def _seat_view(session: SessionNeed, token: TokenNeed) -> SeatView:
    return session.known(token.seat)


KnownNeed = Annotated[SeatView, Depends(_seat_view)]
"""The caller's table as the caller may know it; every route reads from it."""


def no_such_seat(session: Session) -> Problem:
    count = len(session.seats)
    said = say("this game has one seat; its number is 0", "this game has {count} seats; the first is 0", count=count)
    return Problem(422, said)


def check_event_exists(table: SeatView, seq: int) -> None:
    """404 for the number of a future event, which comes from another log."""
    if seq > table.seq:
        raise Problem(404, say("there is no such event yet; the last one is {last}", last=table.seq))


def _event_seq(table: KnownNeed, seq: Annotated[int, PathParameter(ge=1)]) -> int:
    check_event_exists(table, seq)
    return seq


SeqNeed = Annotated[int, Depends(_event_seq)]
"""The number of an event of this table."""


def _after_seq(table: KnownNeed, after: Annotated[int, Query(ge=0)] = 0) -> int:
    check_event_exists(table, after)
    return after


AfterNeed = Annotated[int, Depends(_after_seq)]
"""The last event a phone has."""


def actor(token: TokenNeed) -> Token:
    if not token.may_act:
        raise Problem(403, say("you are looking on; take a seat to play"))
    return token


def host(token: TokenNeed) -> Token:
    if token.role is not Role.HOST:
        raise Problem(403, say("only the host may do that"))
    return token


ActorNeed = Annotated[Token, Depends(actor)]
HostNeed = Annotated[Token, Depends(host)]


Key = Annotated[str, Field(max_length=80, pattern=r"^[^\s\x00-\x1f\x7f]*$")]
"""No blanks, so that no phone can take the server's own keys, which have one (for the ruling on a claim); no control
characters, which PostgreSQL rejects."""
ActionData = str | dict[str, Any]
_MAX_MISSED = 50


class Post(BaseModel):
    """`expected`: the last event the phone has; `key`: makes a repeated post harmless."""

    expected: Annotated[int, Field(ge=0)] | None = None
    key: Key | None = None


class Posted(BaseModel):
    """It is done, and stands in the log under this number."""

    ok: bool = True
    seq: int


def posted(session: Session, token: Token, post: Post, write: Callable[[], Event | Refusal]) -> Posted:
    """The event, 409 with what the phone has missed, or the refusal. A repeated key gets the first answer, whatever
    changed since."""
    if done := session.event_with_key(post.key):
        return Posted(seq=done.seq)
    try:
        if post.expected is not None and post.expected > session.seq:
            raise StaleError(post.expected, session.seq)
        result = write()
    except StaleError as stale:
        table = session.known(token.seat)
        missed = list(events_for(table, max(0, table.seq - _MAX_MISSED)))
        raise HTTPException(409, {"text": str(stale), "seq": stale.last, "events": missed}) from None
    except OutdatedError as error:
        raise HTTPException(
            409, {"text": str(error), "said": error.sentence.to_json(), "code": "outdated", "seq": session.seq}
        ) from None
    except RequestError as error:
        raise Problem(422, sentence_of(error)) from None
    except LogUnavailableError as error:
        raise Problem(503, say("{why}; nothing was changed, try again", why=sentence_of(error))) from None
    if isinstance(result, Refusal):
        raise HTTPException(422, {"refusal": with_values(session.game, result.to_json())})
    return Posted(seq=result.seq)


def posting(router: APIRouter, path: str) -> Callable[[Callable[..., Event | Refusal]], None]:
    """A route that writes an event: its function has `session`, `token` and `post` among its parameters."""

    def register(write: Callable[..., Event | Refusal]) -> None:
        @wraps(write)
        def answer(**given: Any) -> Posted:
            return posted(given["session"], given["token"], given["post"], partial(write, **given))

        router.post(path, response_model=Posted)(answer)

    return register


def read_action(table: SeatView, data: ActionData) -> Action:
    """An action parsed in the caller's view; 422 where that fails."""
    with problems(422, ValueError):
        return table.read(data) if isinstance(data, str) else action_from_json(data, table.game.verbs)
