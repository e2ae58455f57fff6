"""The table itself: the snapshot, the stream of events, and everything that may be posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Header, Response
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import Field

from companion_api.access import Role, Token
from companion_api.answers.base import a_file, shaped, written
from companion_api.answers.events import EventTold
from companion_api.answers.table import Board, Past, Points
from companion_api.boards import Parts, change
from companion_api.log.event import Event
from companion_api.news import plain
from companion_api.problem import Problem
from companion_api.projections.board import board_for
from companion_api.projections.timeline import events_for
from companion_api.redaction import redacted
from companion_api.routes.needs import (
    AfterNeed,
    KnownNeed,
    SeqNeed,
    SessionNeed,
    TablesNeed,
    TokenNeed,
    actor,
    seated,
)
from companion_api.routes.post import ActionData, Post, Posted, posted, read_action
from companion_api.seat_view import SeatView
from companion_api.session import Session
from companion_api.small_stream import small
from companion_api.tables import Tables
from rules.engine.action import Action
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["table"])
_KEEPALIVE_S = 15.0


class DoAction(Post):
    """`asked_of`: the `state` of the board that its preview was made for; what is out of date is not done."""

    action: ActionData
    asked_of: Annotated[int, Field(ge=0)] | None = None


class Undo(Post):
    count: Annotated[int, Field(ge=1, le=1000)] = 1


class AnswerTakeback(Post):
    """`seq`: the event that asks for it."""

    seq: Annotated[int, Field(ge=1)]
    agree: bool


class Correct(Post):
    seq: Annotated[int, Field(ge=1)]
    actions: Annotated[list[ActionData], Field(max_length=20)]


@router.get("/board", **shaped(Board))
def board(table: KnownNeed, token: TokenNeed) -> Response:
    """Everything this phone may see now."""
    return written(board_for(table, token))


@router.get("/history", **shaped(list[EventTold]))
def history(table: KnownNeed, after: AfterNeed) -> list[dict[str, Any]]:
    """What has happened, as far as this phone may know it."""
    return list(events_for(table, after))


@router.get("/at/{seq}", **shaped(Past))
def at(table: KnownNeed, seq: SeqNeed) -> dict[str, Any]:
    """The board as it was after an event that still counts, for the scrubber."""
    game, seen = table.game, table.after(seq)
    return {
        "seq": seq,
        "layout": game.layout(seen).to_json(),
        "turn": game.turn(seen).to_json(),
        "scores": list(game.outcome(seen).scores),
    }


@router.get("/scores")
def scores(table: KnownNeed) -> list[Points]:
    """Everybody's points after each event that counts, for the chart."""
    game = table.game
    seqs = (1, *(table.seq_of(index) for index in range(table.actions)))
    states = (table.before(index) for index in range(table.actions + 1))
    return [Points(seq=seq, scores=list(game.outcome(s).scores)) for seq, s in zip(seqs, states, strict=True)]


@router.post("/actions")
def act(session: SessionNeed, token: TokenNeed, post: DoAction) -> Posted:
    """Do something legal by hand. A refusal names the rule and changes nothing."""

    def write() -> Event | Refusal:
        with session.lock:
            table = session.known(actor(token).seat)
            action = _spoken_for(table, token, read_action(table, post.action))
            state = session.state
            done = session.act(token.by, action, expected=post.expected, key=post.key, asked_of=post.asked_of)
        if isinstance(done, Refusal):
            return redacted(session.game, state, token.seat, action, done)
        return done

    return posted(session, token, post, write)


def _spoken_for(table: SeatView, token: Token, action: Action) -> Action:
    """The action with its actor, where everybody acts at once; 403 if that is somebody else."""
    turn = table.game.turn(table.state)
    if action.seat is None and turn.kind is TurnKind.ALL and token.seat is not None:
        action = replace(action, seat=token.seat)
    if turn.kind is not TurnKind.CHANCE and not _speaks_for(token, action.seat, turn.seats):
        raise Problem(403, say("you can only play your own seat"))
    return action


@router.post("/luck")
def draw(session: SessionNeed, token: TokenNeed, post: Post) -> Posted:
    """Dice are rolled, coins drawn or tiles shuffled by the server, from a seed that can be checked afterwards."""
    return posted(session, token, post, lambda: session.draw(actor(token).by, expected=post.expected, key=post.key))


@router.post("/undo")
def undo(session: SessionNeed, token: TokenNeed, post: Undo) -> Posted:
    """Take back the last actions; whoever did them is asked first, where somebody else sits there. The host may."""

    def write() -> Event:
        by = actor(token).by
        with session.lock:
            others = [seat for seat in session.whose(post.count) if seat != token.seat and session.roster.holders(seat)]
            if token.role is Role.HOST or not others:
                return session.undo(by, post.count, expected=post.expected, key=post.key)
            if len(others) > 1:
                raise Problem(403, say("only the host can take back the steps of several people at once"))
            return session.ask_back(by, post.count, others, expected=post.expected, key=post.key)

    return posted(session, token, post, write)


@router.post("/takeback")
def answer_takeback(session: SessionNeed, token: TokenNeed, post: AnswerTakeback) -> Posted:
    """Agree that one's own steps are taken back, or not; the host may for them, and whoever asked may think better."""

    def write() -> Event:
        with session.lock:
            asked = session.takeback
            if asked is None or asked.seq != post.seq:
                raise Problem(409, say("nobody is asking for that any more"))
            theirs = token.role is Role.HOST or (token.seat is not None and token.seat in asked.seats)
            if not theirs and (post.agree or token.by != asked.by):
                raise Problem(403, say("only the person whose step it was, or the host, can agree to that"))
            return session.answer_back(token.by, post.agree, key=post.key)

    return posted(session, token, post, write)


@router.post("/redo")
def redo(session: SessionNeed, token: TokenNeed, post: Post) -> Posted:
    """Put back what was taken back last: whose steps they were, who took them back, or the host."""

    def write() -> Event:
        with session.lock:
            back = session.taken_back
            mine = back is not None and (token.seat in back.seats or token.by == back.by)
            if actor(token).role is not Role.HOST and back is not None and not mine:
                raise Problem(403, say("only the person whose step it was, or the host, can put it back"))
            return session.redo(token.by, key=post.key)

    return posted(session, token, post, write)


@router.post("/corrections")
def correct(session: SessionNeed, token: TokenNeed, post: Correct) -> Posted:
    """An earlier action was really another one."""

    def write() -> Event:
        table = session.known(actor(token).seat)
        actions = [read_action(table, action) for action in post.actions]
        return session.correct(token.by, post.seq, actions, expected=post.expected, key=post.key)

    return posted(session, token, post, write)


@router.get("/events", **a_file("text/event-stream", by=StreamingResponse))
async def events(
    tables: TablesNeed,
    session: SessionNeed,
    token: TokenNeed,
    after: AfterNeed,
    last_event_id: Annotated[str | None, Header()] = None,
    accept_encoding: Annotated[str, Header()] = "",
) -> StreamingResponse:
    """Server-sent events; the id is the log's sequence number, so a stream goes on exactly where it broke. After them
    comes what has changed on the board (`board`), from its `version` to the next; the first time only its version."""
    resumed = last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal()
    start = int(last_event_id[:18]) if last_event_id and resumed else after
    if start > session.moment.seq:
        start = 0  # of a log that is no longer there: everything anew
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    plain_stream = _stream(tables, session, token, start)
    stream: AsyncIterator[bytes] = plain_stream
    if "gzip" in accept_encoding:
        stream = small(plain_stream)
        headers |= {"content-encoding": "gzip", "vary": "accept-encoding"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


async def _stream(tables: Tables, session: Session, token: Token, sent: int) -> AsyncGenerator[bytes, None]:
    hub = tables.hub(session)
    bell = hub.waiter()
    status, version = None, 0
    shown: Parts = {}
    try:
        while not hub.closed and seated(session, token) == token:
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


def _speaks_for(token: Token, seat: int | None, to_act: tuple[int, ...]) -> bool:
    if token.role is Role.HOST:
        return True
    return token.seat is not None and (token.seat == seat or (seat is None and token.seat in to_act))
