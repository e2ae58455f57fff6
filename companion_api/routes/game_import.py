"""A game from a file: a record that was saved here, or one in the notation of the piecepack community."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from companion_api.answers.base import shaped
from companion_api.answers.people import Welcome
from companion_api.problem import Problem
from companion_api.records.restore import read_history
from companion_api.routes.join import moved_to
from companion_api.routes.needs import HostNeed, SessionNeed, TablesNeed
from rules.notation.errors import NotationError
from rules.sentence import sentence_of

router = APIRouter(prefix="/api", tags=["export"])
MAX_TEXT = 4_000_000


class SavedGame(BaseModel):
    text: Annotated[str, Field(max_length=MAX_TEXT)]


@router.post("/import", **shaped(Welcome))
def imported(
    request: Request, tables: TablesNeed, host: HostNeed, old: SessionNeed, saved: SavedGame, response: Response
) -> dict[str, Any]:
    """Open a table that goes on where the file ends; whoever may is the host of the one before."""
    try:
        history = read_history(saved.text)
    except NotationError as error:
        raise Problem(422, sentence_of(error)) from None
    session, new = tables.bring_back(old, host.by, history)
    return moved_to(old, session, new, request, tables, host, response)
