"""Games to be seen once more: every board from the first to the last, with what was done."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from fastapi import Path as PathParameter

from companion_api.access import Token
from companion_api.answers.base import shaped
from companion_api.answers.replay import Replay, Study
from companion_api.folded_table import RequestError
from companion_api.problem import Problem
from companion_api.projections.board import head_of, seats_of
from companion_api.projections.choices import valued
from companion_api.projections.timeline import events_for
from companion_api.routes.needs import TablesNeed, TokenNeed
from companion_api.seat_view import SeatView
from companion_api.session import Session
from companion_api.study import study_of
from companion_api.tables import Tables
from rules.games import is_solved
from rules.sentence import say, sentence_of

router = APIRouter(prefix="/api", tags=["table"])


@router.get("/replay/{table}", **shaped(Replay))
def replay(tables: TablesNeed, token: TokenNeed, table: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """A game of this server: one's own as far as one knows it, and any that is over."""
    return _told(known_game(tables, token, table))


@router.get("/study/{table}", **shaped(Study))
def study(tables: TablesNeed, token: TokenNeed, table: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """A finished game beside the best that could have been done; only games that are solved exactly."""
    session = _session(tables, token, table)
    if not session.known(None).is_over:
        raise Problem(403, say("this game is still being played"))
    if not is_solved(session.game.card.id):
        raise Problem(404, say("nobody can work out this game exactly"))
    return study_of(session.history)


def known_game(tables: Tables, token: Token, table: str) -> SeatView:
    """One's own game, or one that is over; 403 and 404 for others."""
    session = _session(tables, token, table)
    known = session.known(token.seat if table == token.table else None)
    if table != token.table and not known.is_over:
        raise Problem(403, say("this game is still being played"))
    return known


def _session(tables: Tables, token: Token, table: str) -> Session:
    try:
        return tables.session(table) if table == token.table else _closed(tables, table)
    except RequestError as error:
        raise Problem(404, sentence_of(error)) from None


def _closed(tables: Tables, table: str) -> Session:
    """A game of the log, which nobody needs to sit at again."""
    if table not in tables.log.heads():
        raise RequestError(say("there is no table “{table}”", table=table))
    return Session(tables.log, table)


def _told(known: SeatView) -> dict[str, Any]:
    """The first board, and one after each event whose actions count."""
    game = known.game
    happened = {event["seq"]: event for event in events_for(known)}
    counted = (happened.get(known.seq_of(index)) for index in range(known.actions))
    steps = [_step(known, event, index) for index, event in enumerate((None, *counted))]
    outcome = game.outcome(known.state)
    return {
        "table": known.table,
        "game": head_of(game),
        "seats": seats_of(known),
        "solved": known.is_over and is_solved(game.card.id),
        "outcome": {
            **outcome.to_json(),
            "said": valued(game, outcome.sentence.to_json()) if outcome.sentence else None,
        },
        "steps": steps,
    }


def _step(known: SeatView, event: dict[str, Any] | None, index: int) -> dict[str, Any]:
    state = known.before(index)
    told = known.game.layout(state).to_json()
    return {"event": event, "layout": told, "scores": list(known.game.outcome(state).scores)}
