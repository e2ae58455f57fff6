"""What every post shares: the expected event, the key that makes a repetition harmless, and the ways to be refused."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import HTTPException
from pydantic import BaseModel, Field

from companion_api.access import Token
from companion_api.log.store import LogUnavailableError, StaleError
from companion_api.projections.timeline import events_for
from companion_api.session import RequestError, Session
from rules.engine.action import Action
from rules.engine.refusal import Refusal

Key = Annotated[str, Field(max_length=80)]
ActionData = str | dict[str, Any]


class Post(BaseModel):
    """`expected` is the last event the phone has seen; `key` makes a repeated post harmless."""

    expected: Annotated[int, Field(ge=0)] | None = None
    key: Key | None = None


def posted(session: Session, token: Token, write: Any) -> Any:
    """The written event, or 409 with what the phone has missed, or the refusal with its rule."""
    try:
        result = write()
    except StaleError as stale:
        with session.lock:
            newer = list(events_for(session, token, 0))
        raise HTTPException(409, {"text": str(stale), "seq": stale.last, "events": newer[-50:]}) from None
    except RequestError as error:
        raise HTTPException(422, str(error)) from None
    except LogUnavailableError as error:
        raise HTTPException(503, f"{error}; nothing was changed, try again") from None
    if isinstance(result, Refusal):
        raise HTTPException(422, {"refusal": result.to_json()})
    return {"ok": True, "seq": result.seq}


def read_action(session: Session, data: ActionData) -> Action:
    """What a phone wrote, or 422 with what is wrong with it."""
    try:
        return session.read(data)
    except ValueError as error:
        raise HTTPException(422, str(error)) from None
