"""The table: its snapshot, the stream of events, and everything that may be posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import Field

from companion_api.access import Role, Token
from companion_api.answers.base import Problem, a_file, shaped, written
from companion_api.answers.events import EventTold, FittedTable, WhyJudged
from companion_api.answers.table import Board, Past, Points
from companion_api.log.event import Event
from companion_api.news import Parts, change, gzip_stream, plain
from companion_api.projections.board import board_for
from companion_api.projections.choices import effect_json, events_for
from companion_api.redaction import redacted
from companion_api.routes import needs
from companion_api.seat_view import SeatView
from companion_api.session import Session
from companion_api.tables import Tables
from rules.engine.action import Action
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.referee.position_fit import UnclearTableError
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["table"])
_KEEPALIVE_S = 15.0


class DoAction(needs.Post):
    """`asked_of`: the `state` of the board that its preview was computed from; an outdated action is refused."""

    action: needs.ActionData
    asked_of: Annotated[int, Field(ge=0)] | None = None


class Undo(needs.Post):
    count: Annotated[int, Field(ge=1, le=1000)] = 1


class AnswerTakeback(needs.Post):
    """`seq`: the event that requests the take-back."""

    seq: Annotated[int, Field(ge=1)]
    agree: bool


class Correct(needs.Post):
    seq: Annotated[int, Field(ge=1)]
    actions: Annotated[list[needs.ActionData], Field(max_length=20)]


@router.get("/board", **shaped(Board))
def board(table: needs.KnownNeed, token: needs.TokenNeed) -> Response:
    """The board for this phone."""
    return written(board_for(table, token))


@router.get("/history", **shaped(list[EventTold]))
def history(table: needs.KnownNeed, after: needs.AfterNeed) -> list[dict[str, Any]]:
    """Events, as far as this phone may know them."""
    return list(events_for(table, after))


@router.get("/at/{seq}", **shaped(Past))
def at(table: needs.KnownNeed, seq: needs.SeqNeed) -> dict[str, Any]:
    """The board after an event that still counts."""
    game, seen = table.game, table.after(seq)
    layout, turn = game.layout(seen).to_json(), game.turn(seen).to_json()
    return {"seq": seq, "layout": layout, "turn": turn, "scores": list(game.outcome(seen).scores)}


@router.get("/scores")
def scores(table: needs.KnownNeed) -> list[Points]:
    """Points by seat after each counting event."""
    game = table.game
    seqs = (1, *(table.seq_of(index) for index in range(table.actions)))
    states = (table.before(index) for index in range(table.actions + 1))
    return [Points(seq=seq, scores=list(game.outcome(s).scores)) for seq, s in zip(seqs, states, strict=True)]


@needs.posting(router, "/actions")
def act(session: needs.SessionNeed, token: needs.TokenNeed, post: DoAction) -> Event | Refusal:
    """Perform an action. A refusal names the rule and changes nothing."""
    with session.lock:
        table = session.known(needs.actor(token).seat)
        action = _with_own_seat(table, token, needs.read_action(table, post.action))
        state = session.state
        done = session.act(token.by, action, expected=post.expected, key=post.key, asked_of=post.asked_of)
    return redacted(session.game, state, token.seat, action, done) if isinstance(done, Refusal) else done


def _with_own_seat(table: SeatView, token: Token, action: Action) -> Action:
    """The action with its seat filled in where all seats act at once; 403 for somebody else's seat."""
    turn = table.game.turn(table.state)
    if action.seat is None and turn.kind is TurnKind.ALL and token.seat is not None:
        action = replace(action, seat=token.seat)
    own_seats = turn.seats if action.seat is None else (action.seat,)
    is_own = token.seat is not None and token.seat in own_seats
    if turn.kind is not TurnKind.CHANCE and token.role is not Role.HOST and not is_own:
        raise Problem(403, say("you can only play your own seat"))
    return action


@needs.posting(router, "/luck")
def draw(session: needs.SessionNeed, token: needs.TokenNeed, post: needs.Post) -> Event:
    """Let the server roll, draw or shuffle, from a seed that can be verified afterwards."""
    return session.draw(needs.actor(token).by, expected=post.expected, key=post.key)


@needs.posting(router, "/undo")
def undo(session: needs.SessionNeed, token: needs.TokenNeed, post: Undo) -> Event:
    """Take back the last actions; other owners are asked first, except by the host."""
    by = needs.actor(token).by
    with session.lock:
        owners = session.actors_of_last(post.count)
        others = [seat for seat in owners if seat != token.seat and session.roster.holders(seat)]
        if token.role is Role.HOST or not others:
            return session.undo(by, post.count, expected=post.expected, key=post.key)
        if len(others) > 1:
            raise Problem(403, say("only the host can take back the steps of several people at once"))
        return session.request_takeback(by, post.count, others, expected=post.expected, key=post.key)


@needs.posting(router, "/takeback")
def answer_takeback(session: needs.SessionNeed, token: needs.TokenNeed, post: AnswerTakeback) -> Event:
    """Agree to a take-back or decline it, for its owner and the host; its requester may withdraw it."""
    with session.lock:
        request = session.takeback
        if request is None or request.seq != post.seq:
            raise Problem(409, say("nobody is asking for that any more"))
        may_answer = token.role is Role.HOST or (token.seat is not None and token.seat in request.seats)
        if not may_answer and (post.agree or token.by != request.by):
            raise Problem(403, say("only the person whose step it was, or the host, can agree to that"))
        return session.resolve_takeback(token.by, post.agree, key=post.key)


@needs.posting(router, "/redo")
def redo(session: needs.SessionNeed, token: needs.TokenNeed, post: needs.Post) -> Event:
    """Restore what was taken back last, for its owners, its requester and the host."""
    with session.lock:
        back = session.taken_back
        is_owner = back is not None and (token.seat in back.seats or token.by == back.by)
        if needs.actor(token).role is not Role.HOST and back is not None and not is_owner:
            raise Problem(403, say("only the person whose step it was, or the host, can put it back"))
        return session.redo(token.by, key=post.key)


@needs.posting(router, "/corrections")
def correct(session: needs.SessionNeed, token: needs.TokenNeed, post: Correct) -> Event:
    """Replace an earlier action."""
    table = session.known(needs.actor(token).seat)
    actions = [needs.read_action(table, action) for action in post.actions]
    return session.correct(token.by, post.seq, actions, expected=post.expected, key=post.key)


@router.get("/events", **a_file("text/event-stream", by=StreamingResponse))
async def events(
    tables: needs.TablesNeed,
    session: needs.SessionNeed,
    token: needs.TokenNeed,
    after: needs.AfterNeed,
    last_event_id: Annotated[str | None, Header()] = None,
    accept_encoding: Annotated[str, Header()] = "",
) -> StreamingResponse:
    """Server-sent events; the id is the log's sequence number, so a stream resumes where it broke. They are followed by
    the changes of the board (`board`) from version to version; at first only its version."""
    resumed = last_event_id if last_event_id and last_event_id.isascii() and last_event_id.isdecimal() else None
    start = int(resumed[:18]) if resumed else after
    if start > session.moment.seq:
        start = 0  # the client's log is gone: send everything
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    plain_stream = _stream(tables, session, token, start)
    stream: AsyncIterator[bytes] = plain_stream
    if "gzip" in accept_encoding:
        stream = gzip_stream(plain_stream)
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _stream(tables: Tables, session: Session, token: Token, sent: int) -> AsyncGenerator[bytes, None]:
    hub = tables.hub(session)
    bell = hub.waiter()
    status, version = None, 0
    shown: Parts = {}
    try:
        while not hub.closed and needs.current_token(session, token) == token:
            bell.clear()
            sent, news = await hub.news.after(token, sent)
            if news:
                yield news
            if sent < session.moment.seq:
                continue
            if version != session.moment.version:
                start, before = version, shown
                version, shown = await hub.boards.now(token)
                yield change(start, before, version, shown) if start else change(version, shown, version, shown)
            if session.status is not status:
                status = session.status
                yield format_sse_event(data_str=plain({"status": status.value}), event="status")
            try:
                await asyncio.wait_for(bell.wait(), _KEEPALIVE_S)
            except TimeoutError:
                yield KEEPALIVE_COMMENT
    finally:
        hub.leave(bell)


class SetClock(needs.Post):
    """`minutes` per seat and `increment` seconds per turn; no minutes: no clock."""

    minutes: Annotated[int, Field(ge=0, le=600)]
    increment: Annotated[int, Field(ge=0, le=600)] = 0


class RunClock(needs.Post):
    run: bool


@router.post("/clock")
def set_clock(session: needs.SessionNeed, token: needs.TokenNeed, post: SetClock) -> needs.Posted:
    """Set the clock."""
    needs.host(token)
    clock = post.minutes, post.increment
    return needs.posted(session, token, post, lambda: session.set_clock(token.by, *clock, key=post.key))


@needs.posting(router, "/clock/run")
def run_clock(session: needs.SessionNeed, token: needs.TokenNeed, post: RunClock) -> Event:
    """Stop or start the clock."""
    return session.run_clock(needs.actor(token).by, post.run, key=post.key)


@router.get("/reasons/{seq}", **shaped(WhyJudged))
def reasons(session: needs.SessionNeed, _: needs.HostNeed, seq: needs.SeqNeed) -> dict[str, Any]:
    """The referee's explanation of an event, for the host: comparisons, costs and decisions. Of the last few looks
    only, without secrets."""
    found = session.reasons.get(seq)
    if found is None:
        raise Problem(404, say("what was compared at that look is not known any more"))
    return found.to_json()


class Lay(needs.Post):
    """`asked_of`: the `state` the position was shown for; `seat`: the seat to move, where there is a choice."""

    asked_of: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, le=20)] | None = None


@router.get("/lying", **shaped(FittedTable))
def lying(session: needs.SessionNeed, token: needs.ActorNeed) -> dict[str, Any]:
    """The position nearest to the observed table, as far as this phone may know it, with possible seats to move and
    remaining differences (`rest`); 422 where no position is near."""
    try:
        offer = session.offer()
    except UnclearTableError as error:
        raise HTTPException(422, {"code": "unclear", "text": str(error), "said": error.sentence.to_json()}) from None
    game, position = session.game, offer.position
    return {
        "state": offer.state_seq,
        "layout": game.layout(game.view(position.state, token.seat)).to_json(),
        "effects": [effect_json(game, effect) for effect in position.effects],
        "turn": game.turn(position.state).to_json(),
        "seats": sorted(position.others),
        "rest": [wrong.to_json() for wrong in position.remaining],
    }


@needs.posting(router, "/lying")
def take(session: needs.SessionNeed, token: needs.TokenNeed, post: Lay) -> Event:
    """Confirm the position."""
    by = needs.actor(token).by
    return session.confirm_position(by, post.seat, post.asked_of, expected=post.expected, key=post.key)
