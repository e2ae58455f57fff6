"""The log contract and the SQL shared by SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from companion_api.log.event import Event, EventKind
from rules.sentence import SentenceError, say


class LogError(SentenceError):
    pass


class StaleError(LogError):
    """The expected sequence number is not the last one."""

    def __init__(self, expected: int, last: int) -> None:
        super().__init__(
            say("expected event {expected} to be the last, but it is {last}", expected=expected, last=last)
        )
        self.last = last


class LogUnavailableError(LogError):
    """The database is unreachable, full or locked; nothing was written."""


SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    table_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at DOUBLE PRECISION NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    data TEXT NOT NULL,
    key TEXT,
    PRIMARY KEY (table_id, seq),
    UNIQUE (table_id, key)
)
"""


class Log(ABC):
    """Append-only log; implementations provide transactions."""

    placeholder = "?"
    _listeners: tuple[Callable[[Event], None], ...] = ()

    @abstractmethod
    def _transaction(self) -> AbstractContextManager[Any]:
        """A cursor in a writing transaction; LogUnavailableError without one."""

    @abstractmethod
    def keep_alone(self) -> bool:
        """Whether this process becomes the only server of these tables, as long as it lives."""

    @abstractmethod
    def close(self) -> None: ...

    def append(
        self,
        table: str,
        kind: EventKind,
        by: str,
        data: dict[str, Any],
        *,
        expected: int | None = None,
        key: str | None = None,
    ) -> Event:
        """Appends one event, with `expected` only directly after that number (else StaleError). An existing key returns
        its event and writes nothing; an empty key is none."""
        key = key or None
        with self._transaction() as cursor:
            if key:
                cursor.execute(self._sql("SELECT * FROM events WHERE table_id = ? AND key = ?"), (table, key))
                if (known := cursor.fetchone()) is not None:
                    return _event(known)
            cursor.execute(self._sql("SELECT COALESCE(MAX(seq), 0) FROM events WHERE table_id = ?"), (table,))
            last = int(cursor.fetchone()[0])
            if expected is not None and expected != last:
                raise StaleError(expected, last)
            event = Event(table, last + 1, time.time(), kind, by, data, key)
            text = json.dumps(data, ensure_ascii=False, allow_nan=False)
            values = (table, event.seq, event.at, kind.value, by, text, key)
            cursor.execute(self._sql("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"), values)
        for listener in self._listeners:
            listener(event)
        return event

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Calls `listener` for every event this server has written, in the writing thread; the returned function ends
        it."""
        self._listeners = (*self._listeners, listener)

        def end() -> None:
            self._listeners = tuple(each for each in self._listeners if each != listener)

        return end

    def read(self, table: str, after: int = 0) -> list[Event]:
        with self._transaction() as cursor:
            statement = "SELECT * FROM events WHERE table_id = ? AND seq > ? ORDER BY seq"
            cursor.execute(self._sql(statement), (table, after))
            return [_event(row) for row in cursor.fetchall()]

    def heads(self) -> dict[str, tuple[int, float]]:
        """Number and time of the last event of every table."""
        with self._transaction() as cursor:
            cursor.execute("SELECT table_id, MAX(seq), MAX(at) FROM events GROUP BY table_id")
            return {str(table): (int(seq), float(at)) for table, seq, at in cursor.fetchall()}

    def tables(self) -> list[str]:
        """Every table, the one with the latest event first."""
        heads = self.heads()
        return sorted(heads, key=lambda table: heads[table][1], reverse=True)

    def _sql(self, text: str) -> str:
        return text.replace("?", self.placeholder)


def _event(row: Sequence[Any]) -> Event:
    table, seq, at, kind, by, data, key = row
    return Event(str(table), int(seq), float(at), EventKind(kind), str(by), json.loads(data), key)


_NAME = re.compile(r"[0-9a-f]{64}\Z")
DAYS_KEPT = 30


class Evidence:
    """Evidence pictures, stored under their SHA-256: each once, and its name proves it unchanged."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, jpeg: bytes) -> str:
        """Stores a picture and returns its name."""
        name = hashlib.sha256(jpeg).hexdigest()
        path = self._path(name)
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".part")
            partial.write_bytes(jpeg)
            partial.replace(path)
        return name

    def find(self, name: str) -> Path | None:
        """The file of a stored picture, None for any other name."""
        if not _NAME.match(name):
            return None
        path = self._path(name)
        return path if path.is_file() else None

    def expire(self, keep: frozenset[str]) -> int:
        """Deletes pictures older than DAYS_KEPT, except those of disputes; returns how many."""
        limit = time.time() - DAYS_KEPT * 86_400
        old = [p for p in self._folder.glob("*/*.jpg") if p.stem not in keep and p.stat().st_mtime < limit]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name}.jpg"
