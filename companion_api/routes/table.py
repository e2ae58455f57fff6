"""The table itself: the snapshot, the stream of events, and everything that may be posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query
from fastapi.responses import StreamingResponse
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from pydantic import Field

from companion_api.access import Token
from companion_api.discretion import discreet
from companion_api.log.event import Event
from companion_api.news import plain
from companion_api.projections.board import board_for
from companion_api.projections.timeline import events_for
from companion_api.routes.needs import ActorNeed, SessionNeed, TablesNeed, TokenNeed
from companion_api.routes.posting import ActionData, Post, posted, read_action
from companion_api.session import Session
from companion_api.tables import Tables
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind

router = APIRouter(prefix="/api", tags=["table"])
_KEEPALIVE_S = 15.0


class Act(Post):
    action: ActionData


class Undo(Post):
    count: Annotated[int, Field(ge=1, le=1000)] = 1


class Correct(Post):
    seq: Annotated[int, Field(ge=1)]
    actions: Annotated[list[ActionData], Field(max_length=20)]


@router.get("/board")
def board(session: SessionNeed, token: TokenNeed) -> dict[str, Any]:
    """Everything this phone may see now."""
    with session.lock:
        return board_for(session, token)


@router.get("/history")
def history(session: SessionNeed, token: TokenNeed, after: Annotated[int, Query(ge=0)] = 0) -> list[dict[str, Any]]:
    with session.lock:
        return list(events_for(session, token, after))


@router.get("/at/{seq}")
def at(session: SessionNeed, token: TokenNeed, seq: int) -> dict[str, Any]:
    """The board as it was after an event that still counts, for the scrubber."""
    with session.lock:
        seen = session.game.view(_state_after(session, seq), token.seat)
        return {
            "seq": seq,
            "layout": session.game.layout(seen).to_json(),
            "turn": session.game.turn(seen).to_json(),
            "scores": list(session.game.outcome(seen).scores),
        }


@router.get("/scores")
def scores(session: SessionNeed, token: TokenNeed) -> list[dict[str, Any]]:
    """Everybody's points after each event that counts, for the chart."""
    game = session.game
    with session.lock:
        history = session.history
        states = [(1, history.first), *((session.event_of_action(i), e.state) for i, e in enumerate(history.entries))]
    seen = ((seq, game.outcome(game.view(state, token.seat)).scores) for seq, state in states)
    return [{"seq": seq, "scores": list(points)} for seq, points in seen]


def _state_after(session: Session, seq: int) -> Any:
    past = session.history
    later = next((i for i in range(len(past.entries)) if session.event_of_action(i) > seq), None)
    return past.state if later is None else past.undo(len(past.entries) - later).state


@router.post("/actions")
def act(session: SessionNeed, token: ActorNeed, post: Act) -> Any:
    """Do something legal by hand. A refusal names the rule and changes nothing."""
    action = read_action(session, post.action)
    turn = session.game.turn(session.state)
    if action.seat is None and turn.kind is TurnKind.ALL and token.seat is not None:
        post.action = f"{token.seat}:{action.id}"
    if turn.kind is not TurnKind.CHANCE and not _speaks_for(token, action.seat, turn.seats):
        raise HTTPException(403, "you can only play your own seat")

    def write() -> Event | Refusal:
        done = session.act(token.by, post.action, expected=post.expected, key=post.key)
        if isinstance(done, Refusal):
            return discreet(session.game, session.state, token.seat, action, done)
        return done

    return posted(session, token, write)


@router.post("/undo")
def undo(session: SessionNeed, token: ActorNeed, post: Undo) -> Any:
    return posted(session, token, lambda: session.undo(token.by, post.count, expected=post.expected, key=post.key))


@router.post("/corrections")
def correct(session: SessionNeed, token: ActorNeed, post: Correct) -> Any:
    """An earlier action was really another one."""

    def write() -> Event:
        return session.correct(token.by, post.seq, post.actions, expected=post.expected, key=post.key)

    return posted(session, token, write)


@router.get("/events", response_class=StreamingResponse)
async def events(
    tables: TablesNeed,
    session: SessionNeed,
    token: TokenNeed,
    after: Annotated[int, Query(ge=0)] = 0,
    last_event_id: Annotated[str | None, Header()] = None,
) -> StreamingResponse:
    """Server-sent events; the id is the log's sequence number, so a stream goes on exactly where it broke."""
    resumed = last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit()
    start = int(last_event_id[:18]) if last_event_id and resumed else after
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_stream(tables, session, token, start), media_type="text/event-stream", headers=headers)


async def _stream(tables: Tables, session: Session, token: Token, sent: int) -> AsyncIterator[bytes]:
    hub = tables.hub(session)
    bell = hub.waiter()
    status = None
    try:
        while True:
            bell.clear()
            sent, news = await hub.news.after(token, sent)
            if news:
                yield news
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
    if token.role.value == "host":
        return True
    return token.seat is not None and (token.seat == seat or (seat is None and token.seat in to_act))
