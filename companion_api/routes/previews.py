"""Previews of taps, and drawn choices for questions and corrections."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response

from companion_api.answers.base import Problem, shaped, written
from companion_api.answers.events import After, Alternative, Carried, Forbidden, Hint, Preview, ReasonTold, Spots
from companion_api.projections import previews
from companion_api.projections.choices import action_with_text, with_values
from companion_api.routes.needs import ActorNeed, KnownNeed, SeqNeed, read_action
from companion_api.study import hint_for, is_hint_allowed
from rules.engine.contract import AnyGame
from rules.engine.refusal import Refusal
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["previews"])

Text = Annotated[str, Query(max_length=400)]
Within = Query(ge=-500, le=500, allow_inf_nan=False)


def _refusal_json(game: AnyGame, refusal: Refusal | None) -> dict[str, Any] | None:
    return with_values(game, refusal.to_json()) if refusal else None


@router.get("/why", **shaped(Preview | Forbidden))
def why(table: KnownNeed, action: Text) -> Response:
    """Whether an action is legal, with its effects or the rule against it, as far as this phone may know."""
    wanted = read_action(table, action)
    if refusal := table.game.refusal(table.state, wanted):
        return written({"ok": False, "refusal": with_values(table.game, refusal.to_json()), "state": table.state_seq})
    effects = previews.effects_of(table.game, table.state, wanted)
    ghosts = previews.ghosts_of(table.game, table.state, wanted)
    found = {"ok": True, **action_with_text(table.game, wanted), "effects": effects}
    return written({**found, "state": table.state_seq, **ghosts})


@router.get("/hint", **shaped(Hint))
def hint(table: KnownNeed, _: ActorNeed) -> dict[str, Any]:
    """The best action in a solved game played alone, from what the player knows."""
    if not is_hint_allowed(table):
        raise Problem(403, say("hints are for games that are solved exactly and played alone"))
    best = hint_for(table)
    return {"id": best.id if best else None, "state": table.state_seq}


@router.get("/whynot", **shaped(ReasonTold))
def whynot(table: KnownNeed, source: Text, target: Text) -> dict[str, Any]:
    """The rule against moving a piece there."""
    refusal = previews.why_not(table, source, target)
    return {"ok": False, "state": table.state_seq, "refusal": _refusal_json(table.game, refusal)}


@router.get("/spots", **shaped(Spots))
def spots(table: KnownNeed, source: Text) -> list[list[float]]:
    """Legal positions of a piece on a table without a grid, in spaces; some, to shade the ground."""
    return previews.spots_of(table, source)


@router.get("/carried", **shaped(Carried))
def carry(table: KnownNeed, source: Text, x: Annotated[float, Within], y: Annotated[float, Within]) -> dict[str, Any]:
    """Actions for a piece dropped on a free spot (in spaces), or the rule against it."""
    found, refusal = previews.actions_for_drop(table, source, x, y)
    choices = [action_with_text(table.game, action) for action in found]
    return {"choices": choices, "state": table.state_seq, "refusal": _refusal_json(table.game, refusal)}


@router.get("/after", **shaped(After))
def after(table: KnownNeed, action: Annotated[list[str], Query(max_length=20, min_length=1)]) -> dict[str, Any]:
    """The table after some actions, for a drawn choice."""
    made = previews.table_after(table, [read_action(table, text) for text in action])
    if made is None:
        raise Problem(422, say("this cannot be done now"))
    return made


@router.get("/alternatives/{seq}", **shaped(list[Alternative]))
def other(table: KnownNeed, _: ActorNeed, seq: SeqNeed) -> list[dict[str, Any]]:
    """Alternatives to an earlier action, as drawn choices."""
    return previews.alternatives(table, seq)
