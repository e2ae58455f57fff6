"""What the wall shows: how all tables stand, kept by every hub from what is stored, and told to whoever looks."""

from __future__ import annotations

import asyncio
import threading
import time
from contextlib import suppress
from typing import Any

from fastapi.sse import format_sse_event

from companion_api.hall.database import DatabaseError
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.store import Row, Store
from companion_api.news import plain

EVENING_S = 14 * 3600.0
QUIET_S = 900.0
RELOAD_S = 20.0


class Wall:
    """The rows of this evening. A row comes from the news of any hub, or from the database; the newer one counts."""

    def __init__(self, store: Store, metrics: HubMetrics) -> None:
        self._store = store
        self._metrics = metrics
        self._rows: dict[tuple[str, str], Row] = {}
        self._changed: dict[tuple[str, str], int] = {}
        self._names: dict[str, str] = {}
        self._waiting: set[asyncio.Event] = set()
        self._lock = threading.Lock()
        self._told = (-1, -1, b"")
        self.version = 0

    # Coming in --------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Read the database now and then: another hub may have stored what this one was not told."""
        while True:
            try:
                await asyncio.to_thread(self.load)
            except DatabaseError:
                self._metrics.database.set(0)
            self._wake()
            await asyncio.sleep(RELOAD_S)

    def load(self) -> None:
        self._learn_names()
        for row in self._store.tables(time.time() - EVENING_S):
            self._put(row)
        self._forget()

    def _learn_names(self) -> None:
        """A station that got its name, or another one, is shown anew."""
        names = self._store.stations()
        with self._lock:
            renamed = {station for station in names if names[station] != self._names.get(station)}
            self._names = names
            for key in [key for key in self._changed if key[0] in renamed]:
                self.version += 1
                self._changed[key] = self.version

    def take(self, rows: list[Row]) -> None:
        """News of any hub."""
        now = time.time()
        if any(row.station not in self._names for row in rows):
            with suppress(DatabaseError):  # the next reading of the database brings it
                self._learn_names()
        for row in rows:
            if self._put(row):
                self._metrics.late.observe(max(0.0, now - row.at))
        self._wake()

    def _put(self, row: Row) -> bool:
        key = (row.station, row.table)
        with self._lock:
            known = self._rows.get(key)
            if known is not None and known.seq >= row.seq:
                return False
            began = min(row.began, known.began) if known else row.began
            self.version += 1
            self._rows[key] = Row(row.station, row.table, row.seq, began, row.at, row.standing)
            self._changed[key] = self.version
            return True

    def _forget(self) -> None:
        limit = time.time() - EVENING_S
        with self._lock:
            for key in [key for key, row in self._rows.items() if row.at < limit]:
                del self._rows[key], self._changed[key]

    # Going out --------------------------------------------------------------------------------------------------

    def bell(self) -> asyncio.Event:
        bell = asyncio.Event()
        self._waiting.add(bell)
        self._metrics.walls.set(len(self._waiting))
        return bell

    def leave(self, bell: asyncio.Event) -> None:
        self._waiting.discard(bell)
        self._metrics.walls.set(len(self._waiting))

    def _wake(self) -> None:
        for bell in self._waiting:
            bell.set()

    def rows(self, after: int = 0) -> tuple[int, list[dict[str, Any]]]:
        """The version and all rows that changed since another one, the latest last."""
        with self._lock:
            found = [self._rows[key] for key, version in self._changed.items() if version > after]
            version = self.version
        return version, [self.shown(row) for row in sorted(found, key=lambda row: row.at)]

    def news(self, after: int) -> tuple[int, bytes]:
        """What has changed since a version, as all who look get it: it is made once for all of them."""
        known, version, _ = self._told
        if (known, version) != (after, self.version):
            version, rows = self.rows(after)
            data = plain({"version": version, "now": time.time(), "tables": rows})
            self._told = after, version, format_sse_event(data_str=data, event="tables") if rows else b""
        return self._told[1:]

    def shown(self, row: Row) -> dict[str, Any]:
        """A row as people get it."""
        return {**row.to_json(), "name": self.name(row.station)}

    def name(self, station: str) -> str:
        return self._names.get(station, station)

    def standing(self, station: str, table: str) -> Row | None:
        return self._rows.get((station, table))

    def all(self) -> list[Row]:
        with self._lock:
            return list(self._rows.values())

    def count(self) -> None:
        """For those who watch the machinery."""
        recent = time.time() - QUIET_S
        rows = self.all()
        self._metrics.tables.set(len({row.station for row in rows if row.at > recent}))
        self._metrics.waiting.set(sum(len(open_at(row)) for row in rows))


def open_at(row: Row) -> list[int]:
    """The claims and the question of a table that nobody has answered."""
    claims, question = row.standing.get("claims") or [], row.standing.get("question")
    return [*claims, *([question] if question is not None else [])]
