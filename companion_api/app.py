"""The FastAPI app of the table server: routes, page and guard."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from companion_api import memory_trim
from companion_api.access import ScreenRequests, Token
from companion_api.answers.base import Problem, handle_problem, included, problem_response
from companion_api.guard import BodyTooLargeError, Guard, handle_too_large
from companion_api.log.databases import open_patiently
from companion_api.log.store import LogUnavailableError
from companion_api.page_files import CompressedAnswers, PageFiles, mount_words
from companion_api.routes import cameras, disputes, join, previews, replay, setup, table
from companion_api.session import Session
from companion_api.setting_up.lesson import LessonManager
from companion_api.setting_up.tuner import Tuner
from companion_api.setting_up.wizard import Wizard
from companion_api.settings import Settings
from companion_api.simulated.incidents import Requests
from companion_api.tables import Tables
from companion_api.watching.camera_manager import CameraManager
from rules.sentence import Sentence, say, sentence_of
from vision.camera.contract import Camera

log = logging.getLogger("companion.app")
_DAY_S = 86_400.0
WEB = Path(str(files("companion_api"))) / "web"
ROUTES = included(
    *(module.router for module in (join, table, previews, disputes, cameras, setup)),
    *(setup.lesson_router, cameras.demo_router, replay.export_router, replay.router),
)


def make_app(
    settings: Settings, simulated: Callable[[Session], Camera] | None = None, requests: Requests | None = None
) -> FastAPI:
    """The app with its log open; LogUnavailableError otherwise. `requests`: incidents for simulated tables."""
    tables = Tables(
        open_patiently(settings.database, settings.data), settings.data, lambda: app.state.camera_manager.watched
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tuner.resume()
        chores = [asyncio.create_task(_tidy(tables)), asyncio.create_task(_trim_memory())]
        yield
        for chore in chores:
            chore.cancel()
        app.state.camera_manager.stop()
        tuner.close()
        tables.close()

    app = FastAPI(title="Piecepack Companion", version="0.1", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.tables = tables
    app.state.host_came = lambda _: None
    app.state.screen_requests = ScreenRequests[Token]()
    camera_manager = app.state.camera_manager = CameraManager(tables.evidence, settings.data, simulated, requests)
    camera_manager.open_next = tables.after
    tuner = app.state.tuner = Tuner(lambda: camera_manager.keeper, camera_manager.profile_changed)
    app.state.wizard = Wizard(lambda: camera_manager.keeper, tuner)
    app.state.lesson_manager = LessonManager(lambda: camera_manager.keeper, tuner=tuner)
    app.router.routes.extend(ROUTES)
    app.add_exception_handler(Problem, handle_problem)
    app.add_exception_handler(BodyTooLargeError, handle_too_large)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(LogUnavailableError, _log_unavailable)
    _mount_page(app)
    app.add_middleware(CompressedAnswers, paths=frozenset({"/api/join", "/api/board"}))
    app.add_middleware(Guard, names=settings.names)
    return app


async def _trim_memory() -> None:
    while True:
        await asyncio.sleep(memory_trim.INTERVAL_S)
        await run_in_threadpool(memory_trim.trim)


async def _tidy(tables: Tables) -> None:
    """Deletes expired pictures once a day."""
    while True:
        try:
            await run_in_threadpool(tables.tidy)
        except (LogUnavailableError, OSError) as error:
            log.warning("old pictures could not be tidied away: %s", error)
        await asyncio.sleep(_DAY_S)


def _mount_page(app: FastAPI) -> None:
    # The routes for other programs, drawn from `openapi.json` by a page of our own.
    app.add_route("/docs", lambda _: FileResponse(WEB / "docs.html"), include_in_schema=False)
    mount_words(app)
    app.mount("/", PageFiles(WEB), name="page")


async def _invalid_request(_: Request, error: Exception) -> Response:
    """422 without the input, since half a character or an infinite number is no JSON; field names are escaped."""
    assert isinstance(error, RequestValidationError)
    details = [{name: one[name] for name in ("type", "loc", "msg")} for one in error.errors()]
    return Response(json.dumps({"detail": details}), 422, media_type="application/json")


async def _log_unavailable(_: Request, error: Exception) -> JSONResponse:
    return problem_response(503, say("{why}; nothing was changed", why=sentence_of(error)))


def safe_app(reason: Sentence) -> FastAPI:
    """Serves the page where the log cannot be opened, with the reason."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/api/{_path:path}")
    @app.post("/api/{_path:path}")
    def unavailable(_path: str) -> JSONResponse:
        return problem_response(503, reason, safe_mode=True)

    _mount_page(app)
    app.add_middleware(Guard)
    return app
