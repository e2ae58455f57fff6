"""The log in PostgreSQL, for a club with many tables (`--database postgresql://...`)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion_api.log.store import SCHEMA, Log, LogUnavailableError
from rules.sentence import said_by, say

if TYPE_CHECKING:
    import psycopg


class PostgresLog(Log):
    placeholder = "%s"

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        self._kept: psycopg.Connection[Any] | None = None
        with self._transaction() as cursor:
            cursor.execute(SCHEMA)

    def _connected(self) -> psycopg.Connection[Any]:
        try:
            import psycopg
        except ImportError:
            raise LogUnavailableError(
                say("PostgreSQL needs the extra: pip install 'piecepack-companion[postgres]'")
            ) from None
        if self._connection is None or self._connection.closed:
            try:
                self._connection = psycopg.connect(self._url, connect_timeout=5)
            except psycopg.Error as error:
                raise LogUnavailableError(say("the database cannot be reached: {why}", why=said_by(error))) from None
        return self._connection

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._lock:
            connection = self._connected()
            import psycopg

            try:
                with connection.transaction(), connection.cursor() as cursor:
                    # Two servers on one database must not give out the same number.
                    cursor.execute("SELECT pg_advisory_xact_lock(71265)")
                    yield cursor
            except psycopg.Error as error:
                connection.close()
                raise LogUnavailableError(say("the database failed: {why}", why=said_by(error))) from None

    def keep_alone(self) -> bool:
        """By a lock of the database, which a connection of its own holds until the process ends."""
        import psycopg

        try:
            self._kept = self._kept or psycopg.connect(self._url, autocommit=True, connect_timeout=5)
            row = self._kept.execute("SELECT pg_try_advisory_lock(71266)").fetchone()
        except psycopg.Error as error:
            raise LogUnavailableError(say("the database cannot be reached: {why}", why=said_by(error))) from None
        return row is not None and bool(row[0])

    def close(self) -> None:
        with self._lock:
            for connection in (self._connection, self._kept):
                if connection is not None:
                    connection.close()
