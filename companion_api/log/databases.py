"""The log in one SQLite file (WAL), the default, or in PostgreSQL for clubs with many tables; opened by URL."""

from __future__ import annotations

import fcntl
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from companion_api.log.store import SCHEMA, Log, LogUnavailableError
from rules.sentence import say, sentence_of

if TYPE_CHECKING:
    import psycopg


class SqliteLog(Log):
    def __init__(self, path: Path) -> None:
        self._lock_path = path.with_name(path.name + ".served")
        self._lock_file: IO[str] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            # an accepted event must survive a power cut; events are few enough
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(SCHEMA)
        except (sqlite3.Error, OSError) as error:
            raise LogUnavailableError(
                say("the log {file} cannot be opened: {why}", file=str(path), why=sentence_of(error))
            ) from None
        self._lock = threading.Lock()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Cursor]:
        with self._lock:
            try:
                cursor = self._connection.cursor()
                cursor.execute("BEGIN IMMEDIATE")
                try:
                    yield cursor
                    cursor.execute("COMMIT")
                finally:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
            except sqlite3.Error as error:
                raise LogUnavailableError(say("the log cannot be written: {why}", why=sentence_of(error))) from None

    def keep_alone(self) -> bool:
        """By a lock on a separate file, released with the process. Where locking fails (full or read-only disk,
        unsupported file system) tables stay usable."""
        try:
            self._lock_file = self._lock_file or self._lock_path.open("a")
            fcntl.lockf(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return self._lock_file is None
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Call when nobody reads any more: SQLite does not survive closing under a running query."""
        with self._lock:
            self._connection.close()
            if self._lock_file is not None:
                self._lock_file.close()


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
                raise self._unreachable(error) from None
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

    def _unreachable(self, error: Exception) -> LogUnavailableError:
        self._disconnect()
        return LogUnavailableError(say("the database cannot be reached: {why}", why=sentence_of(error)))

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
                raise self._unreachable(error) from None
            return self._is_only_server

    def close(self) -> None:
        with self._lock:
            self._is_only_server = False
            self._disconnect()


TRIES = 5


def open_patiently(url: str | None, data: Path) -> Log:
    """Retries while another program locks the database (five seconds each), since nobody would restart a server that
    gave up."""
    tries = TRIES
    while True:
        try:
            log = open_log(url, data)
            log.tables()
            return log
        except LogUnavailableError as error:
            tries -= 1
            if not tries or "locked" not in str(error):
                raise


def open_log(url: str | None, data: Path) -> Log:
    """SQLite in the data folder, unless a URL says otherwise."""
    if not url:
        return SqliteLog(data / "companion.db")
    if url.startswith("sqlite:///"):
        return SqliteLog(Path(url.removeprefix("sqlite:///")))
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresLog(url)
    raise LogUnavailableError(say("--database must be sqlite:///FILE or postgresql://USER@HOST/NAME"))
