"""Games as files: export, and import of saved records or PPN."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi import Path as PathParameter
from pydantic import BaseModel, Field

from companion_api.answers.base import a_file, shaped
from companion_api.answers.people import Welcome
from companion_api.problem import Problem
from companion_api.records.export import FORMATS, MEDIA_TYPES, export
from companion_api.records.restore import read_history
from companion_api.routes.join import moved_to
from companion_api.routes.needs import HostNeed, SessionNeed, TablesNeed, TokenNeed
from companion_api.routes.replay import known_game
from rules.notation.errors import NotationError
from rules.sentence import say, sentence_of

router = APIRouter(prefix="/api", tags=["export"])


@router.get("/export/{form}", **a_file(*MEDIA_TYPES.values()))
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
        raise Problem(
            404, say("there is no format {form}; choose one of {known}", form=repr(form), known=", ".join(FORMATS))
        )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{table.game.card.id}-{table.table}.{form}"
        seats = [{**seat.to_json(), "name": name} for seat, name in zip(table.seats, table.names, strict=True)]
        export(replace(table.record, seats=seats), form, file)
        headers = {"content-disposition": f'attachment; filename="{file.name}"', "cache-control": "no-store"}
        return Response(file.read_bytes(), media_type=MEDIA_TYPES[form], headers=headers)


MAX_TEXT = 4_000_000


class SavedGame(BaseModel):
    text: Annotated[str, Field(max_length=MAX_TEXT)]


@router.post("/import", **shaped(Welcome))
def imported(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, saved: SavedGame, response: Response
) -> dict[str, Any]:
    """Open a table that continues the file's game, with the same host."""
    try:
        history = read_history(saved.text)
    except NotationError as error:
        raise Problem(422, sentence_of(error)) from None
    session, new = tables.restore_game(old, host.by, history)
    return moved_to(old, session, new, request, tables, host, response)
