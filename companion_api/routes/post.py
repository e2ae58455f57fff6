"""What posts share: expected event, idempotency key and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import HTTPException
from pydantic import BaseModel, Field

from companion_api.access import Token
from companion_api.folded_table import RequestError
from companion_api.log.event import Event
from companion_api.log.store import LogUnavailableError, StaleError
from companion_api.problem import Problem
from companion_api.projections.choices import with_values
from companion_api.projections.timeline import events_for
from companion_api.seat_view import SeatView
from companion_api.session import OutdatedError, Session
from rules.engine.action import Action, action_from_json
from rules.engine.refusal import Refusal
from rules.sentence import say, sentence_of

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
        raise HTTPException(409, _missed(session.known(token.seat), stale)) from None
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


def _missed(table: SeatView, stale: StaleError) -> dict[str, Any]:
    newer = events_for(table, max(0, table.seq - _MAX_MISSED))
    return {"text": str(stale), "seq": stale.last, "events": list(newer)}


def read_action(table: SeatView, data: ActionData) -> Action:
    """An action parsed in the caller's view; 422 where that fails."""
    try:
        return table.read(data) if isinstance(data, str) else action_from_json(data, table.game.verbs)
    except ValueError as error:
        raise Problem(422, sentence_of(error)) from None
