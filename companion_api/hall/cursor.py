"""How far each table's log has been taken over by the hall. It moves only after the hall has said so; a cursor that is
too low only means that something is sent twice, which does no harm."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS cursor (table_id TEXT PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS joined (at REAL NOT NULL);
"""


class Cursor:
    """Lies beside the log, in `hall.db`; used by one thread."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_SCHEMA)
        self._known = {str(t): int(s) for t, s in self._connection.execute("SELECT table_id, seq FROM cursor")}

    @property
    def joined(self) -> float:
        """When this table came to the hall."""
        found = self._connection.execute("SELECT MIN(at) FROM joined").fetchone()[0]
        if found is None:
            found = time.time()
            self._connection.execute("INSERT INTO joined VALUES (?)", (found,))
        return float(found)

    def of(self, table: str) -> int:
        return self._known.get(table, 0)

    def move(self, table: str, seq: int) -> None:
        if self._known.get(table) != seq:
            self._connection.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (table, seq))
            self._known[table] = seq

    def close(self) -> None:
        self._connection.close()
