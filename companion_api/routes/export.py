"""The game as a file."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi import Path as PathParameter

from companion_api.answers.base import a_file
from companion_api.problem import Problem
from companion_api.records.export import FORMATS, MEDIA_TYPES, export
from companion_api.routes.needs import TablesNeed, TokenNeed
from companion_api.routes.replay import known_game
from rules.sentence import say

router = APIRouter(prefix="/api", tags=["export"])


@router.get("/export/{form}", **a_file(*MEDIA_TYPES.values()))
def exported(
    tables: TablesNeed,
    token: TokenNeed,
    form: Annotated[str, PathParameter(max_length=10)],
    of: Annotated[str | None, Query(max_length=40)] = None,
) -> Response:
    """While the game is played a record holds what its reader may know; the whole one comes when it is over. `of`: the
    table of a game that is over, where it is not one's own."""
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
