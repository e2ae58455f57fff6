"""The hub's web server: the wall's page, its routes, and the same guard as at a table server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse

from companion_api.answers.base import Problem, handle_problem, included
from companion_api.guard import BodyTooLargeError, Guard, handle_too_large
from companion_api.hall import routes, tournament_routes
from companion_api.hall.hall import AwayError, Hall
from companion_api.hall.store import DatabaseError
from companion_api.page_files import PageFiles, mount_words

WEB = Path(str(files("companion_api"))) / "hall" / "web"
TABLE_WEB = Path(str(files("companion_api"))) / "web"
ROUTES = included(routes.router, routes.watching, tournament_routes.router)
SHARED = ("app.css", "icon.svg")


def make_hub(hall: Hall) -> FastAPI:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with hall.running():
            yield

    app = FastAPI(title="Piecepack Companion Hall", version="0.1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.hall = hall
    app.router.routes.extend(ROUTES)
    app.add_exception_handler(Problem, handle_problem)
    app.add_exception_handler(AwayError, routes.away)
    app.add_exception_handler(DatabaseError, routes.away)
    app.add_exception_handler(BodyTooLargeError, handle_too_large)
    app.add_api_route("/look/{name}", _shared_file, include_in_schema=False)
    mount_words(app)
    for shared in ("js", "vendor"):  # the wall uses modules of the table's page
        app.mount(f"/{shared}", PageFiles(TABLE_WEB / shared), name=shared)
    app.mount("/", PageFiles(WEB), name="page")
    # The page asks another hub whether it is alive before it goes there.
    app.add_middleware(Guard, names=(), reaches="http: https:")
    return app


def _shared_file(name: str) -> FileResponse:
    """A file that the wall shares with the table's page."""
    if name not in SHARED:
        raise HTTPException(404)
    return FileResponse(TABLE_WEB / name, headers={"cache-control": "no-cache"})
