"""Statistics over the evenings."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from companion_api.answers.base import shaped
from companion_api.answers.people import Evenings
from companion_api.game_stats import game_stats_of
from companion_api.routes.needs import ActorNeed, TablesNeed

router = APIRouter(prefix="/api", tags=["table"])


@router.get("/evenings", **shaped(Evenings))
def evenings(tables: TablesNeed, _: ActorNeed) -> dict[str, Any]:
    """Who has played and won how often on this server, and the last finished games, also of people who gave no name."""
    return game_stats_of(tables.log)
