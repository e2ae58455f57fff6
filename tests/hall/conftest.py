"""A hall for the tests: a real broker, a database of either kind, tables with real logs."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_api.hall.store import Database, Store, open_database
from tests.companion_api import database
from tests.hall.brokers import RealBroker
from tests.tiers import full


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with database.running() as url:
        yield url


@pytest.fixture(params=["sqlite", full("postgres")])
def hall_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database of its own for each test."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'hub.db'}"
        return
    import psycopg

    server = request.getfixturevalue("postgres_url")
    name = f"hall_{uuid.uuid4().hex[:8]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield server.replace("/postgres?", f"/{name}?")


@pytest.fixture
def hall_database(hall_url: str) -> Iterator[Database]:
    opened = open_database(hall_url, Path("/nonexistent"))
    yield opened
    opened.close()


@pytest.fixture
def store(hall_database: Database) -> Store:
    return Store(hall_database)


@pytest.fixture
def broker(tmp_path: Path, store: Store) -> Iterator[RealBroker]:
    running = RealBroker(tmp_path / "broker", store.seeds)
    yield running
    running.stop()
