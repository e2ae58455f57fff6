"""Marking out in the picture whose things lie where."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, model_validator

from companion_api.answers.base import shaped
from companion_api.answers.setting_up import HandArea
from companion_api.routes.needs import HostNeed, SessionNeed, TokenNeed, no_such_seat
from companion_api.routes.setup_needs import in_words
from companion_api.setting_up.hands import Area
from rules.sentence import InputError, say
from rules.table.layout import Zone

router = APIRouter(prefix="/api/hands", tags=["setup"])

Share = Annotated[float, Field(ge=-0.5, le=1.5)]
"""A hand that a bump carried along may reach beyond the picture."""


class Marked(BaseModel):
    """Four corners in shares of the picture's width and height; a supply has no seat, the others have one."""

    zone: Literal["hand", "spent", "supply"]
    seat: Annotated[int, Field(ge=0, le=9)] | None = None
    corners: Annotated[list[tuple[Share, Share]], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _owned(self) -> Marked:
        if (self.zone == "supply") is (self.seat is not None):
            raise InputError(say("a hand or a spent heap belongs to a seat, a supply to none"))
        return self


class MarkHands(BaseModel):
    areas: Annotated[list[Marked], Field(max_length=24)]


@router.get("", **shaped(list[HandArea]))
def areas(request: Request, _: TokenNeed) -> list[dict[str, Any]]:
    """What has been marked out."""
    return [area.to_json() for area in request.app.state.camera_manager.hands.areas]


@router.post("", **shaped(list[HandArea]))
def mark(request: Request, session: SessionNeed, _: HostNeed, wanted: MarkHands) -> list[dict[str, Any]]:
    """Mark these areas and no others."""
    if any(area.seat is not None and area.seat >= len(session.seats) for area in wanted.areas):
        raise no_such_seat(session)
    marked = [Area(Zone(area.zone), area.seat, tuple(area.corners)) for area in wanted.areas]
    with in_words():
        request.app.state.camera_manager.hands.keep(marked)
    return [area.to_json() for area in marked]
