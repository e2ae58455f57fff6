"""Logs on both databases, a server in this process, phones that talk to it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute, Mount, Route

from companion_api.log.databases import PostgresLog, SqliteLog
from companion_api.log.store import Log
from models.render.layout_scene import render_layout
from tests.companion_api import database
from tests.companion_api.phones import Server
from tests.tiers import full


@pytest.fixture(scope="session", autouse=True)
def drawn_once() -> Iterator[None]:
    """A table that plays by itself and lies as before is not drawn again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("companion_api.simulated.self_play.render_layout", lru_cache(maxsize=16)(render_layout))
        yield


@pytest.fixture(scope="session", autouse=True)
def described_once() -> Iterator[None]:
    """Most apps have the same routes (`answers.base.included`); to describe them takes most of a second."""
    known: dict[tuple[int, ...], tuple[list[BaseRoute], dict[str, Any]]] = {}

    def described(*, routes: Sequence[BaseRoute], **about: Any) -> dict[str, Any]:
        of_api = [route for route in routes if type(route) not in (Route, Mount)]
        key = tuple(map(id, of_api))
        if key not in known:
            known[key] = of_api, get_openapi(routes=routes, **about)
        return known[key][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fastapi.applications.get_openapi", described)
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with database.running() as url:
        yield url


@pytest.fixture(params=["sqlite", full("postgres")])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    opened: Log
    if request.param == "sqlite":
        opened = SqliteLog(tmp_path / "log.db")
    else:
        opened = PostgresLog(request.getfixturevalue("postgres_url"))
    yield opened
    opened.close()


@pytest.fixture
def table() -> str:
    """A table that no other test has used: PostgreSQL is shared."""
    return uuid.uuid4().hex[:8]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as running:
        yield running
