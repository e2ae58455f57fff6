"""Incidents at a simulated table, so that people can try a dispute."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from companion_api.answers.base import shaped
from companion_api.answers.people import Incidents, StagedIncident
from companion_api.folded_table import RequestError
from companion_api.problem import Problem
from companion_api.routes.needs import HostNeed, TokenNeed
from companion_api.watching.camera_manager import CameraManager
from rules.sentence import sentence_of

router = APIRouter(prefix="/api/demo", tags=["demo"])


class StageIncident(BaseModel):
    incident: Annotated[str, Field(max_length=40)] = "illegal"


@router.get("", **shaped(Incidents))
def incidents(request: Request, _: TokenNeed) -> dict[str, Any]:
    """Incidents that can be staged; none at a real table."""
    camera_manager: CameraManager = request.app.state.camera_manager
    return {"incidents": list(camera_manager.incidents)}


@router.post("/stage", **shaped(StagedIncident))
def stage(request: Request, _: HostNeed, wanted: StageIncident) -> dict[str, Any]:
    """Stage an incident next."""
    camera_manager: CameraManager = request.app.state.camera_manager
    try:
        camera_manager.stage(wanted.incident)
    except RequestError as error:
        raise Problem(409, sentence_of(error)) from None
    return {"staged": wanted.incident}
