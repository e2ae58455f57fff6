"""The hall's database: PostgreSQL, or one SQLite file for a small club. The next transaction reopens a broken
connection; messages that were not committed were not acknowledged to the broker, which delivers them again."""

from __future__ import annotations

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import psycopg


class DatabaseError(Exception):
    """The database cannot be reached or reports an error; nothing was written."""


class Database(ABC):
    @abstractmethod
    def transaction(self) -> AbstractContextManager[Any]:
        """A cursor inside a transaction; DatabaseError if there is none or it cannot be committed."""

    @abstractmethod
    def close(self) -> None: ...

    def sql(self, text: str) -> str:
        """SQL in this database's parameter style, from `?`."""
        return text


def open_database(url: str | None, data: Path) -> Database:
    if not url:
        return Sqlite(data / "hall-hub.db")
    if url.startswith("sqlite:///"):
        return Sqlite(Path(url.removeprefix("sqlite:///")))
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(url)
    raise DatabaseError("--database must be sqlite:///FILE or postgresql://USER@HOST/NAME")


class Sqlite(Database):
    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
        except (sqlite3.Error, OSError) as error:
            raise DatabaseError(f"the database {path} cannot be opened: {error}") from None
        self._lock = threading.Lock()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Cursor]:
        with self._lock:
            try:
                cursor = self._connection.cursor()
                cursor.execute("BEGIN IMMEDIATE")
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.Error as error:
                raise DatabaseError(f"the database cannot be written: {error}") from None
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


class PostgresDatabase(Database):
    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: psycopg.Connection[Any] | None = None
        with self.transaction():
            pass

    def _connected(self) -> psycopg.Connection[Any]:
        try:
            import psycopg
        except ImportError:
            raise DatabaseError("PostgreSQL needs the extra: pip install 'piecepack-companion[hall]'") from None
        if self._connection is None or self._connection.closed:
            try:
                self._connection = psycopg.connect(self._url, connect_timeout=5)
            except psycopg.Error as error:
                raise DatabaseError(f"the database cannot be reached: {error}") from None
        return self._connection

    @contextmanager
    def transaction(self) -> Iterator[Any]:
        with self._lock:
            connection = self._connected()
            import psycopg

            try:
                with connection.transaction(), connection.cursor() as cursor:
                    yield cursor
            except psycopg.Error as error:
                connection.close()
                raise DatabaseError(f"the database failed: {error}") from None

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def sql(self, text: str) -> str:
        return text.replace("?", "%s")
