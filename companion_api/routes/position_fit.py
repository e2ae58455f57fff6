"""The table taken as it lies: shown first, confirmed by people, written into the log; no wrong word ends an evening."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException
from pydantic import Field

from companion_api.answers.base import shaped
from companion_api.answers.previews import FittedTable
from companion_api.log.event import Event
from companion_api.projections.effects import effect_for
from companion_api.routes.needs import ActorNeed, SessionNeed, TokenNeed, actor
from companion_api.routes.post import Post, Posted, posted
from rules.referee.position_fit import UnclearTableError

router = APIRouter(prefix="/api", tags=["table"])


class Lay(Post):
    """`asked_of`: the `state` that the position was shown for; `seat`: who moves next, where that may be said."""

    asked_of: Annotated[int, Field(ge=0)]
    seat: Annotated[int, Field(ge=0, le=20)] | None = None


@router.get("/lying", **shaped(FittedTable))
def lying(session: SessionNeed, token: ActorNeed) -> dict[str, Any]:
    """The position that comes nearest to what the camera sees, as this phone may know it, who may be to move in it, and
    what still lies otherwise (`rest`, to be put right by hand); 422 where no position comes near."""
    try:
        offer = session.offer()
    except UnclearTableError as error:
        raise HTTPException(422, {"code": "unclear", "text": str(error), "said": error.sentence.to_json()}) from None
    game, position = session.game, offer.position
    return {
        "state": offer.state_seq,
        "layout": game.layout(game.view(position.state, token.seat)).to_json(),
        "effects": [effect_for(game, effect) for effect in position.effects],
        "turn": game.turn(position.state).to_json(),
        "seats": sorted(position.others),
        "rest": [wrong.to_json() for wrong in position.remaining],
    }


@router.post("/lying")
def take(session: SessionNeed, token: TokenNeed, post: Lay) -> Posted:
    """It is confirmed: the game goes on from there."""

    def write() -> Event:
        return session.lay(actor(token).by, post.seat, post.asked_of, expected=post.expected, key=post.key)

    return posted(session, token, post, write)
