"""The log in one SQLite file (WAL), the default."""

from __future__ import annotations

import fcntl
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from companion_api.log.store import SCHEMA, Log, LogUnavailableError
from rules.sentence import say, sentence_of


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
            except sqlite3.Error as error:
                raise LogUnavailableError(say("the log cannot be written: {why}", why=sentence_of(error))) from None
            try:
                yield cursor
                cursor.execute("COMMIT")
            except sqlite3.Error as error:
                self._roll_back()
                raise LogUnavailableError(say("the log cannot be written: {why}", why=sentence_of(error))) from None
            except BaseException:
                self._roll_back()
                raise

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

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
