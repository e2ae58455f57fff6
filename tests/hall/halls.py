"""Parts of a hall in this process: a hub that stores, tables that play and publish."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from companion_api.access import Role as TableRole
from companion_api.access import Token as TableToken
from companion_api.app import make_app
from companion_api.hall.app import make_hub
from companion_api.hall.at_table import attach
from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.hall import Hall
from companion_api.hall.membership import Membership
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.outbox import GuestLog
from companion_api.hall.people import HallPerson, HallRole
from companion_api.hall.publisher import Publisher
from companion_api.hall.ruling import public_seal
from companion_api.hall.store import Row, Store, open_database
from companion_api.hall.store_writer import StoreWriter
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from companion_api.settings import Settings
from rules.games import game
from tests.waiting import until


class StoringHub:
    """The part of a hub that stores, in a thread of its own."""

    def __init__(self, store: Store, url: str) -> None:
        self.heard: list[list[Row]] = []
        self.metrics = HubMetrics()
        self._store_writer = StoreWriter(store, url, hub_credentials(store.seeds), self.metrics, self.heard.append)
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._task = self._loop.create_task(self._store_writer.run())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def ready(self) -> None:
        until(lambda: self._store_writer.is_connected)

    def stop(self) -> None:
        assert self._task is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)


class PlayingTable:
    """A table with a real log that plays random games, and its publisher."""

    def __init__(self, store: Store, folder: Path, url: str, station: str, name: str = "dodgem") -> None:
        self.folder, self.station, self.game = folder, station, game(name)
        self.rng = random.Random(station)
        self.log = SqliteLog(folder / "companion.db")
        self.member = Membership(
            url, station, station, table_credentials(store.seeds, station), public_seal(store.seeds.seal)
        )
        self.tables: list[Session] = []
        self.publisher: Publisher | None = None
        self.begin()

    def begin(self) -> Session:
        number = len(self.tables)
        session = Session.begin(self.log, f"{self.station}-{number}", self.game, {}, None)
        self.tables.append(session)
        return session

    def play(self, actions: int) -> None:
        for _ in range(actions):
            session = self.tables[-1]
            if session.game.turn(session.state).is_over:
                session = self.begin()
            action = session.game.sample(session.state, self.rng)
            session.act("table", action.id, expected=None, key=None)

    def publish(self, **more: Any) -> Publisher:
        self.publisher = Publisher(self.log, self.folder, self.member, **more)
        self.publisher.start()
        return self.publisher

    def stop(self) -> None:
        if self.publisher is not None:
            self.publisher.stop()
            self.publisher = None

    def told(self) -> dict[str, list[dict[str, Any]]]:
        """What the hall must have of every game here, from the log alone."""
        return {session.table: told_of(self.log, session.table) for session in self.tables}


def told_of(log: SqliteLog, table: str) -> list[dict[str, Any]]:
    messages = [dict(message) for message in GuestLog(log, table).after(0)]
    for message in messages:
        del message["standing"], message["v"], message["table"]
    found: list[dict[str, Any]] = plain(messages)
    return found


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def stored(store: Store, table: PlayingTable) -> dict[str, list[dict[str, Any]]]:
    return {name: store.events(table.station, name) for name in table.told()}


def all_stored(store: Store, table: PlayingTable) -> bool:
    """Whether the hall has all that the table tells."""
    return stored(store, table) == table.told()


class Hub:
    """A whole hub in this process, and people who have come in."""

    def __init__(self, url: str, database: str, folder: Path) -> None:
        self.store = Store(open_database(database, folder))
        self.hall = Hall(self.store, url, url.split("//")[1])
        self.app = make_hub(self.hall)
        self._open = TestClient(self.app)

    def __enter__(self) -> Hub:
        self._open.__enter__()
        until(lambda: self.hall.store_writer.is_connected)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.__exit__(*error)

    def person(self, role: HallRole, name: str = "Uma") -> TestClient:
        return self._client({"authorization": f"Bearer {self.hall.people.sign(HallPerson(role, name))}"})

    def stranger(self) -> TestClient:
        return self._client({})

    def _client(self, headers: dict[str, str]) -> TestClient:
        client = TestClient(self.app, headers=headers)
        client.portal = self._open.portal  # one event loop for all, as in a real server
        return client

    def admit(self, name: str) -> Membership:
        """As `companion serve --hall nats://CODE@HUB` does over the web."""
        answer = self._open.post("/api/stations", json={"code": self.hall.people.code(HallRole.TABLE), "name": name})
        assert answer.status_code == 200, answer.text
        given = answer.json()
        server = f"nats://{self.hall.public}"
        return Membership(server, given["station"], given["name"], given["credentials"], given["seal"])


class ServedTable:
    """A whole table server in this process that belongs to a hall."""

    def __init__(self, data: Path, hub: Hub, name: str, game_id: str = "dodgem") -> None:
        hub.admit(name).keep(data)
        self.app = make_app(Settings(data=data))
        self.tables = self.app.state.tables
        self.session: Session = self.tables.begin(game_id, {}, None)
        self.in_hall = attach(self.app, data)
        self.in_hall.resume()
        self._open = TestClient(self.app)

    def __enter__(self) -> ServedTable:
        self._open.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.in_hall.stop()
        self._open.__exit__(*error)

    def phone(self, role: TableRole = TableRole.HOST, seat: int | None = None) -> TestClient:
        token = self.tables.keys.sign(TableToken(self.session.table, role, seat))
        return TestClient(self.app, headers={"authorization": f"Bearer {token}"})
