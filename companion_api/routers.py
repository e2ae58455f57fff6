"""Routers that belong to every app of a kind."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.routing import BaseRoute

from companion_api.answers.base import NotDone


def included(*routers: APIRouter) -> list[BaseRoute]:
    """The routes of these routers, for every app of the process: included in each app anew, they make FastAPI work out
    anew what it has to know of them, which takes a fifth of a second."""
    together = APIRouter(responses={"4XX": {"model": NotDone, "description": "why not"}})
    for router in routers:
        together.include_router(router)
    return together.routes
