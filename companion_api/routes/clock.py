"""The clock: the host sets it, whoever plays stops it and lets it go on."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from companion_api.routes.needs import SessionNeed, TokenNeed, actor, host
from companion_api.routes.post import Post, Posted, posted

router = APIRouter(prefix="/api/clock", tags=["table"])


class SetClock(Post):
    """`minutes` for everybody, and so many seconds more for every turn; no minutes: no clock."""

    minutes: Annotated[int, Field(ge=0, le=600)]
    increment: Annotated[int, Field(ge=0, le=600)] = 0


class RunClock(Post):
    run: bool


@router.post("")
def set_clock(session: SessionNeed, token: TokenNeed, post: SetClock) -> Posted:
    """Everybody has so much time from now on."""
    host(token)
    return posted(session, token, post, lambda: session.set_clock(token.by, post.minutes, post.increment, key=post.key))


@router.post("/run")
def run_clock(session: SessionNeed, token: TokenNeed, post: RunClock) -> Posted:
    """Stop it, or let it go on."""
    return posted(session, token, post, lambda: session.run_clock(actor(token).by, post.run, key=post.key))
