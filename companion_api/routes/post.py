"""What every post shares: the expected event, the key that makes a repetition harmless, and the ways to be refused."""

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
from companion_api.projections.choices import valued
from companion_api.projections.timeline import events_for
from companion_api.seat_view import SeatView
from companion_api.session import OutdatedError, Session
from rules.engine.action import Action, action_from_json
from rules.engine.refusal import Refusal
from rules.sentence import say, sentence_of

Key = Annotated[str, Field(max_length=80, pattern=r"^[^\s\x00-\x1f\x7f]*$")]
"""Without blanks: keys that the server makes itself (for the ruling on a claim, say) have one, so nobody can take them
before it does. Without control characters, which PostgreSQL does not keep."""
ActionData = str | dict[str, Any]
_MOST_MISSED = 50


class Post(BaseModel):
    """`expected` is the last event the phone has seen; `key` makes a repeated post harmless."""

    expected: Annotated[int, Field(ge=0)] | None = None
    key: Key | None = None


class Posted(BaseModel):
    """It is done, and stands in the log under this number."""

    ok: bool = True
    seq: int


def posted(session: Session, token: Token, post: Post, write: Callable[[], Event | Refusal]) -> Posted:
    """The written event, or 409 with what the phone has missed, or the refusal with its rule. What was done before
    under the same key is answered as it was then, whatever has become of game, seats and rights since."""
    if done := session.done_before(post.key):
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
        raise HTTPException(422, {"refusal": valued(session.game, result.to_json())})
    return Posted(seq=result.seq)


def _missed(table: SeatView, stale: StaleError) -> dict[str, Any]:
    newer = events_for(table, max(0, table.seq - _MOST_MISSED))
    return {"text": str(stale), "seq": stale.last, "events": list(newer)}


def read_action(table: SeatView, data: ActionData) -> Action:
    """What a phone wrote, understood by what its owner sees; or 422 with what is wrong with it."""
    try:
        return table.read(data) if isinstance(data, str) else action_from_json(data, table.game.verbs)
    except ValueError as error:
        raise Problem(422, sentence_of(error)) from None
