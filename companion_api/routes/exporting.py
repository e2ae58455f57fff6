"""The game as a file, for whoever may know all of it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, HTTPException, Response
from fastapi import Path as PathParameter

from companion_api.records.exporting import FORMATS, MEDIA_TYPES, export
from companion_api.routes.needs import SessionNeed, TokenNeed

router = APIRouter(prefix="/api", tags=["export"])


@router.get("/export/{form}")
def exported(session: SessionNeed, _: TokenNeed, form: Annotated[str, PathParameter(max_length=10)]) -> Response:
    """A record holds every secret of the game, so a game with secrets is given out when it is over."""
    if form not in FORMATS:
        raise HTTPException(404, f"there is no format {form!r}; choose one of {', '.join(FORMATS)}")
    if session.game.card.hidden and not session.game.turn(session.state).is_over:
        raise HTTPException(403, "this game has secrets; its record is given out when it is over")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{session.game.card.id}-{session.table}.{form}"
        export(session.history, form, file)
        headers = {"content-disposition": f'attachment; filename="{file.name}"', "cache-control": "no-store"}
        return Response(file.read_bytes(), media_type=MEDIA_TYPES[form], headers=headers)
