"""The wall: the states of all tables of the evening, kept in every hub and sent to its viewers; pictures of tables."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

import cv2
from fastapi.sse import format_sse_event

from companion_api.hall.metrics import HubMetrics
from companion_api.hall.store import DatabaseError, Row, Store
from companion_api.news import plain
from companion_api.records.board_picture import draw
from rules.table.layout import Layout, Placed

EVENING_S = 14 * 3600.0
QUIET_S = 900.0
RELOAD_S = 20.0
KEPT_PICTURES = 200


class Wall:
    """The rows of this evening, from messages of any hub or from the database; the newer one counts."""

    def __init__(self, store: Store, metrics: HubMetrics) -> None:
        self._store = store
        self._metrics = metrics
        self._rows: dict[tuple[str, str], Row] = {}
        self._changed: dict[tuple[str, str], int] = {}
        self._names: dict[str, str] = {}
        self._viewers: set[asyncio.Event] = set()
        self._lock = threading.Lock()
        self._last_news = (-1, -1, b"")
        self.version = 0

    async def run(self) -> None:
        """Read the database every RELOAD_S: a message of another hub may have been lost."""
        while True:
            try:
                await asyncio.to_thread(self.load)
            except DatabaseError:
                self._metrics.database.set(0)
            self._wake()
            await asyncio.sleep(RELOAD_S)

    def load(self) -> None:
        self._load_names()
        for row in self._store.tables(time.time() - EVENING_S):
            self._put(row)
        with self._lock:
            for key in [key for key, row in self._rows.items() if row.at < time.time() - EVENING_S]:
                del self._rows[key], self._changed[key]

    def _load_names(self) -> None:
        """Read the stations' names; rows of a renamed station count as changed."""
        names = self._store.stations()
        with self._lock:
            renamed = {station for station in names if names[station] != self._names.get(station)}
            self._names = names
            for key in [key for key in self._changed if key[0] in renamed]:
                self.version += 1
                self._changed[key] = self.version

    def take(self, rows: list[Row]) -> None:
        now = time.time()
        if any(row.station not in self._names for row in rows):
            with suppress(DatabaseError):  # the next read of the database brings it
                self._load_names()
        for row in rows:
            if self._put(row):
                self._metrics.late.observe(max(0.0, now - row.at))
        self._wake()

    def _put(self, row: Row) -> bool:
        key = row.key
        with self._lock:
            known = self._rows.get(key)
            if known is not None and known.seq >= row.seq:
                return False
            began = min(row.began, known.began) if known else row.began
            self.version += 1
            self._rows[key] = row._replace(began=began)
            self._changed[key] = self.version
            return True

    @contextmanager
    def bell(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever there may be news for one viewer."""
        bell = asyncio.Event()
        self._viewers.add(bell)
        self._metrics.walls.set(len(self._viewers))
        try:
            yield bell
        finally:
            self._viewers.discard(bell)
            self._metrics.walls.set(len(self._viewers))

    def _wake(self) -> None:
        for bell in self._viewers:
            bell.set()

    def rows(self, after: int = 0) -> tuple[int, list[dict[str, Any]]]:
        """The version, and all rows that changed after another one as JSON, the latest last."""
        with self._lock:
            found = [self._rows[key] for key, version in self._changed.items() if version > after]
            version = self.version
        return version, [self.row_json(row) for row in sorted(found, key=lambda row: row.at)]

    def news(self, after: int) -> tuple[int, bytes]:
        """The version, and the changes after another one as a server-sent event; made once for all viewers."""
        known, version, _ = self._last_news
        if (known, version) != (after, self.version):
            version, rows = self.rows(after)
            data = plain({"version": version, "now": time.time(), "tables": rows})
            self._last_news = after, version, format_sse_event(data_str=data, event="tables") if rows else b""
        return self._last_news[1:]

    def row_json(self, row: Row) -> dict[str, Any]:
        return {**row._asdict(), "name": self.name(row.station)}

    def name(self, station: str) -> str:
        return self._names.get(station, station)

    def all(self) -> list[Row]:
        with self._lock:
            return list(self._rows.values())

    def update_metrics(self) -> None:
        recent = time.time() - QUIET_S
        rows = self.all()
        self._metrics.tables.set(len({row.station for row in rows if row.at > recent}))
        self._metrics.waiting.set(sum(len(open_cases(row)) for row in rows))


def open_cases(row: Row) -> list[int]:
    """Numbers of the claims and the question of a table that nobody has answered."""
    claims, question = row.standing.get("claims") or [], row.standing.get("question")
    return [*claims, *([question] if question is not None else [])]


@lru_cache(KEPT_PICTURES)
def board_png(look: bytes, longest: int) -> tuple[str, bytes]:
    """Entity tag and PNG of a table's last look; ValueError where the message holds no layout."""
    layout = json.loads(look)["layout"]
    pieces = tuple(Placed.from_json(piece) for piece in layout["pieces"])
    borders = tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in layout["borders"])
    good, png = cv2.imencode(".png", draw(Layout(pieces, (), borders), longest=longest))
    if not good:
        raise ValueError("the table cannot be drawn")
    return hashlib.sha256(look).hexdigest()[:16] + f"-{longest}", png.tobytes()
