"""Setting up: what lies otherwise than it should, as far as the camera sees it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from companion_api.answers.base import shaped
from companion_api.answers.setting_up import SetUp
from companion_api.projections.setup_help import setup_help
from companion_api.routes.needs import KnownNeed

router = APIRouter(prefix="/api", tags=["setup"])


@router.get("/setup", **shaped(SetUp))
def setup(request: Request, table: KnownNeed) -> dict[str, Any]:
    """The table as it should lie, and what the camera sees lie otherwise, piece by piece."""
    return setup_help(table, request.app.state.camera_manager.latest(table.table))
