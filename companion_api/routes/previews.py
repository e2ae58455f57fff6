"""What would be: previews for what is tapped, drawn choices for the referee's questions and for corrections."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query

from companion_api.projections.previews import alternatives, carried, effects_of, table_after, why_not
from companion_api.routes.needs import ActorNeed, SessionNeed, TokenNeed
from companion_api.routes.posting import read_action

router = APIRouter(prefix="/api", tags=["previews"])

Text = Annotated[str, Query(max_length=400)]
Within = Query(ge=-500, le=500, allow_inf_nan=False)


@router.get("/why")
def why(session: SessionNeed, token: TokenNeed, action: Text) -> dict[str, Any]:
    """May this be done, what would it do, and if not, which rule forbids it? As far as the one who asks can know."""
    with session.lock:
        known = session.game.view(session.state, token.seat)
        wanted = read_action(session, action)
        if refusal := session.game.refusal(known, wanted):
            return {"ok": False, "refusal": refusal.to_json()}
        return {"ok": True, "id": wanted.id, "effects": effects_of(session.game, known, wanted)}


@router.get("/whynot")
def whynot(session: SessionNeed, token: TokenNeed, source: Text, target: Text) -> dict[str, Any]:
    """Two taps that mean nothing legal: which rule forbids to carry this there?"""
    with session.lock:
        refusal = why_not(session, token.seat, source, target)
    return {"ok": False, "refusal": refusal.to_json() if refusal else None}


@router.get("/carried")
def carry(
    session: SessionNeed, token: ActorNeed, source: Text, x: Annotated[float, Within], y: Annotated[float, Within]
) -> dict[str, Any]:
    """A piece and a free spot of the table (in spaces): what may be meant, or which rule forbids it."""
    with session.lock:
        found, refusal = carried(session, token.seat, source, x, y)
    choices = [{"id": action.id, "text": session.game.describe(action)} for action in found]
    return {"choices": choices, "refusal": refusal.to_json() if refusal else None}


@router.get("/after")
def after(
    session: SessionNeed, token: TokenNeed, action: Annotated[list[str], Query(max_length=20, min_length=1)]
) -> dict[str, Any]:
    """The table after some actions, for a drawn choice."""
    with session.lock:
        made = table_after(session, token.seat, [read_action(session, text) for text in action])
    if made is None:
        raise HTTPException(422, "this cannot be done now")
    return made


@router.get("/alternatives/{seq}")
def other(session: SessionNeed, token: ActorNeed, seq: int) -> list[dict[str, Any]]:
    """What an earlier action may really have been, as drawn choices for a correction."""
    with session.lock:
        return alternatives(session, token.seat, seq)
