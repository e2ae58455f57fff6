"""Games of this server and as files: replays, studies, statistics, export, and import of saved records or PPN."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field

from companion_api.access import Token
from companion_api.answers.base import Problem, a_file, problems, shaped
from companion_api.answers.events import Replay, Study
from companion_api.answers.table import Evenings, Welcome
from companion_api.folded_table import RequestError
from companion_api.game_stats import game_stats_of
from companion_api.projections.board import game_head, outcome_json, seats_of
from companion_api.projections.choices import events_for
from companion_api.records.export import FORMATS, MEDIA_TYPES, export
from companion_api.records.restore import read_history
from companion_api.routes.join import moved_to
from companion_api.routes.needs import ActorNeed, HostNeed, SessionNeed, TablesNeed, TokenNeed
from companion_api.seat_view import SeatView
from companion_api.session import Session
from companion_api.study import study_of
from companion_api.tables import Tables
from rules.games import is_solved
from rules.notation.errors import NotationError
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["table"])


@router.get("/replay/{table}", **shaped(Replay))
def replay(tables: TablesNeed, token: TokenNeed, table: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """A game of this server: one's own as far as known, or a finished one; the first board, and one after each event
    with counting actions."""
    view = known_game(tables, token, table)
    game = view.game
    events = {event["seq"]: event for event in events_for(view)}
    counting = (events.get(view.seq_of(index)) for index in range(view.actions))
    return {
        "table": view.table,
        "game": game_head(game),
        "seats": seats_of(view),
        "solved": view.is_over and is_solved(game.card.id),
        "outcome": outcome_json(game, view.state),
        "steps": [_step(view, event, index) for index, event in enumerate((None, *counting))],
    }


@router.get("/study/{table}", **shaped(Study))
def study(tables: TablesNeed, token: TokenNeed, table: Annotated[str, PathParameter(max_length=40)]) -> dict[str, Any]:
    """A finished game compared with the best play; for solved games only."""
    session = _session(tables, token, table)
    if not session.known(None).is_over:
        raise Problem(403, say("this game is still being played"))
    if not is_solved(session.game.card.id):
        raise Problem(404, say("nobody can work out this game exactly"))
    return study_of(session.history)


def known_game(tables: Tables, token: Token, table: str) -> SeatView:
    """One's own game, or a finished one; 403 and 404 otherwise."""
    session = _session(tables, token, table)
    view = session.known(token.seat if table == token.table else None)
    if table != token.table and not view.is_over:
        raise Problem(403, say("this game is still being played"))
    return view


def _session(tables: Tables, token: Token, table: str) -> Session:
    """This table's session; another logged table's is not kept open."""
    if table != token.table and table not in tables.log.heads():
        raise Problem(404, say("there is no table “{table}”", table=table))
    with problems(404, RequestError):
        return tables.session(table) if table == token.table else Session(tables.log, table)


def _step(view: SeatView, event: dict[str, Any] | None, index: int) -> dict[str, Any]:
    state = view.before(index)
    layout = view.game.layout(state).to_json()
    return {"event": event, "layout": layout, "scores": list(view.game.outcome(state).scores)}


@router.get("/evenings", **shaped(Evenings))
def evenings(tables: TablesNeed, _: ActorNeed) -> dict[str, Any]:
    """Statistics by name, and the last finished games."""
    return game_stats_of(tables.log)


export_router = APIRouter(prefix="/api", tags=["export"])


@export_router.get("/export/{form}", **a_file(*MEDIA_TYPES.values()))
def exported(
    tables: TablesNeed,
    token: TokenNeed,
    form: Annotated[str, PathParameter(max_length=10)],
    of: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """A running game is exported as its reader may know it, a finished one completely. `of`: the table of another,
    finished game."""
    table = known_game(tables, token, of or token.table)
    if form not in FORMATS:
        known = ", ".join(FORMATS)
        raise Problem(404, say("there is no format {form}; choose one of {known}", form=repr(form), known=known))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{table.game.card.id}-{table.table}.{form}"
        seats = [{**seat.to_json(), "name": name} for seat, name in zip(table.seats, table.names, strict=True)]
        export(replace(table.record, seats=seats), form, file)
        headers = {"content-disposition": f'attachment; filename="{file.name}"', "cache-control": "no-store"}
        return Response(file.read_bytes(), media_type=MEDIA_TYPES[form], headers=headers)


MAX_TEXT = 4_000_000


class SavedGame(BaseModel):
    text: Annotated[str, Field(max_length=MAX_TEXT)]


@export_router.post("/import", **shaped(Welcome))
def imported(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, saved: SavedGame, response: Response
) -> dict[str, Any]:
    """Open a table that continues the file's game, with the same host."""
    with problems(422, NotationError):
        history = read_history(saved.text)
    session, new = tables.restore_game(old, host.by, history)
    return moved_to(old, session, new, request, tables, host, response)
