"""Parts of a hall in this process: a hub that stores, tables that play and publish."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.membership import Membership
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.publisher import Publisher
from companion_api.hall.ruling import public_seal
from companion_api.hall.store import Store
from companion_api.hall.storing import Changed, Storing
from companion_api.hall.telling import Telling
from companion_api.log.sqlite import SqliteLog
from companion_api.session import Session
from rules.games import game


class StoringHub:
    """The part of a hub that stores, in a thread of its own."""

    def __init__(self, store: Store, url: str) -> None:
        self.heard: list[Changed] = []
        self.metrics = HubMetrics()
        self._storing = Storing(store, url, hub_credentials(store.seeds), self.metrics, self.heard.append)
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._task = self._loop.create_task(self._storing.run())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def ready(self) -> None:
        until(lambda: self._storing.is_connected)

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
    messages = [dict(message) for message in Telling(log, table).after(0)]
    for message in messages:
        del message["standing"], message["v"], message["table"]
    found: list[dict[str, Any]] = plain(messages)
    return found


def plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


def stored(store: Store, table: PlayingTable) -> dict[str, list[dict[str, Any]]]:
    return {name: store.events(table.station, name) for name in table.told()}


def until(ready: Callable[[], object], seconds: float = 30) -> float:
    begun = time.monotonic()
    while not ready():
        assert time.monotonic() - begun < seconds, "it did not come to that"
        time.sleep(0.02)
    return time.monotonic() - begun
