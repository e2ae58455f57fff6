"""The log in PostgreSQL, for clubs with many tables (`--database postgresql://...`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion_api.log.store import SCHEMA, Log, LogUnavailableError
from rules.sentence import say, sentence_of

if TYPE_CHECKING:
    import psycopg


RELEASE_TIMEOUT_S = 3.0
"""Seconds for the database to notice that our previous connection is gone."""


class PostgresLog(Log):
    """The advisory lock of the only server belongs to the writing connection and is acquired again with it; nothing is
    written without it, so neither a restarted database nor a broken connection lets two servers use the same tables."""

    placeholder = "%s"

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        self._is_only_server = False
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
                still_alone = not self._is_only_server or self._acquire_lock(self._connection, RELEASE_TIMEOUT_S)
            except psycopg.Error as error:
                self._disconnect()
                raise LogUnavailableError(
                    say("the database cannot be reached: {why}", why=sentence_of(error))
                ) from None
            if not still_alone:
                self._disconnect()
                raise LogUnavailableError(say("another companion serves these tables now; stop one of the two"))
        return self._connection

    def _acquire_lock(self, connection: psycopg.Connection[Any], within_s: float = 0.0) -> bool:
        """Whether the lock was acquired, for the lifetime of this connection."""
        until = time.monotonic() + within_s
        while True:
            with connection.transaction():
                row = connection.execute("SELECT pg_try_advisory_lock(71266)").fetchone()
            if row is not None and row[0]:
                return True
            if time.monotonic() > until:
                return False
            time.sleep(0.1)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._lock:
            connection = self._connected()
            import psycopg

            try:
                with connection.transaction(), connection.cursor() as cursor:
                    # two servers on one database must not assign the same number
                    cursor.execute("SELECT pg_advisory_xact_lock(71265)")
                    yield cursor
            except psycopg.Error as error:
                connection.close()
                raise LogUnavailableError(say("the database failed: {why}", why=sentence_of(error))) from None

    def keep_alone(self) -> bool:
        """By an advisory lock, released with the connection."""
        import psycopg

        with self._lock:
            connection = self._connected()
            try:
                self._is_only_server = self._is_only_server or self._acquire_lock(connection)
            except psycopg.Error as error:
                self._disconnect()
                raise LogUnavailableError(
                    say("the database cannot be reached: {why}", why=sentence_of(error))
                ) from None
            return self._is_only_server

    def close(self) -> None:
        with self._lock:
            self._is_only_server = False
            self._disconnect()
