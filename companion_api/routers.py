"""Routers that belong to every app of a kind."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.routing import BaseRoute

from companion_api.answers.base import NotDone

_NOWHERE: Final = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": []}


def included(*routers: APIRouter) -> list[BaseRoute]:
    """The routes of these routers, for every app of the process: included in each app anew, they make FastAPI work out
    anew what it has to know of them, which takes a fifth of a second. It does so when a path is first matched, and is
    made to do it here: else the first post of every server would wait for it."""
    together = APIRouter(responses={"4XX": {"model": NotDone, "description": "why not"}})
    for router in routers:
        together.include_router(router)
    for route in together.routes:
        route.matches(dict(_NOWHERE))
    return together.routes
