"""The hall's tables in its database: every event of every table once, the state of each table, stations and settings.

Each event carries the table's state and the one with the highest number counts, so it does not matter in which order,
how often, or by which of several hubs events are stored.

The database is PostgreSQL, or one SQLite file for a small club. The next transaction reopens a broken connection;
messages that were not committed were not acknowledged to the broker, which delivers them again.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion_api.hall.credentials import Seeds

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


_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS hall_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS hall_stations (
        station TEXT PRIMARY KEY, name TEXT NOT NULL, since DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS hall_hubs (address TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS hall_shut_out (station TEXT PRIMARY KEY, at DOUBLE PRECISION NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS hall_events (
        station TEXT NOT NULL, table_id TEXT NOT NULL, seq INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL,
        kind TEXT NOT NULL, actor TEXT NOT NULL, told TEXT NOT NULL, PRIMARY KEY (station, table_id, seq))""",
    """CREATE TABLE IF NOT EXISTS hall_tables (
        station TEXT NOT NULL, table_id TEXT NOT NULL, seq INTEGER NOT NULL, began DOUBLE PRECISION NOT NULL,
        at DOUBLE PRECISION NOT NULL, standing TEXT NOT NULL, PRIMARY KEY (station, table_id))""",
    """CREATE INDEX IF NOT EXISTS hall_tables_at ON hall_tables (at)""",
    """CREATE TABLE IF NOT EXISTS hall_answers (
        station TEXT NOT NULL, table_id TEXT NOT NULL, about INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL,
        actor TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (station, table_id, about))""",
    """CREATE TABLE IF NOT EXISTS hall_tournaments (
        id TEXT PRIMARY KEY, version INTEGER NOT NULL, at DOUBLE PRECISION NOT NULL, data TEXT NOT NULL)""",
)


@dataclass(frozen=True, slots=True)
class TableMessage:
    station: str
    table: str
    seq: int
    at: float
    kind: str
    by: str
    event: dict[str, Any]
    standing: dict[str, Any]

    @staticmethod
    def read(station: str, table: str, body: bytes) -> TableMessage:
        """The message in a body; ValueError where it is no message of this table."""
        data = json.loads(body)
        if not isinstance(data, dict) or data.get("table") != table:
            raise ValueError("the message is of another table than its subject")
        try:
            standing = data.pop("standing")
            del data["v"], data["table"]
            seq, at, kind, by = data["seq"], data["at"], data["kind"], data["by"]
        except KeyError as error:
            raise ValueError(f"the message has no {error}") from None
        if not (isinstance(seq, int) and seq >= 1 and isinstance(at, float | int) and isinstance(standing, dict)):
            raise ValueError("the message has no number or no time")
        return TableMessage(station, table, seq, float(at), str(kind), str(by), data, standing)


class Row(NamedTuple):
    """The state of a table after its last stored event."""

    station: str
    table: str
    seq: int
    began: float
    at: float
    standing: dict[str, Any]

    @property
    def key(self) -> tuple[str, str]:
        return self.station, self.table


def newest(messages: Iterable[TableMessage]) -> list[Row]:
    """The state of each table after these messages, `began` at the earliest of their times."""
    rows: dict[tuple[str, str], Row] = {}
    for m in messages:
        known = rows.get((m.station, m.table))
        began = min(m.at, known.began) if known else m.at
        last = m if known is None or m.seq >= known.seq else known
        rows[m.station, m.table] = Row(m.station, m.table, last.seq, began, last.at, last.standing)
    return list(rows.values())


class Store:
    def __init__(self, database: Database) -> None:
        self._database, self._sql = database, database.sql
        with database.transaction() as cursor:
            for statement in _SCHEMA:
                cursor.execute(statement)
        self.seeds = Seeds(**json.loads(self._setting_once("seeds", json.dumps(asdict(Seeds.new())))))
        self.id = self._setting_once("id", secrets.token_hex(4))

    def close(self) -> None:
        self._database.close()

    def _setting_once(self, name: str, value: str) -> str:
        """The stored setting, or `value` stored now: two hubs agree on the first one's."""
        self._run("INSERT INTO hall_settings VALUES (?, ?) ON CONFLICT DO NOTHING", (name, value))
        return self.setting(name, value)

    def setting(self, name: str, default: str) -> str:
        found = self._all("SELECT value FROM hall_settings WHERE name = ?", (name,))
        return str(found[0][0]) if found else default

    def put_setting(self, name: str, value: str) -> None:
        statement = "INSERT INTO hall_settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        self._run(statement, (name, value))

    def register_hub(self, address: str) -> None:
        statement = "INSERT INTO hall_hubs VALUES (?, ?) ON CONFLICT (address) DO UPDATE SET at = excluded.at"
        self._run(statement, (address, time.time()))

    def hubs(self, seconds: float) -> list[str]:
        """Addresses of hubs that registered within so many seconds, the latest first."""
        found = self._all("SELECT address FROM hall_hubs WHERE at > ? ORDER BY at DESC", (time.time() - seconds,))
        return [str(address) for (address,) in found]

    def stations(self) -> dict[str, str]:
        """Names of the physical tables by station."""
        return {str(station): str(name) for station, name in self._all("SELECT station, name FROM hall_stations")}

    def admit(self, station: str, name: str) -> None:
        statement = """INSERT INTO hall_stations VALUES (?, ?, ?)
            ON CONFLICT (station) DO UPDATE SET name = excluded.name"""
        self._run(statement, (station, name, time.time()))

    def shut_out(self, station: str) -> None:
        """Exclude a station for good: its events stay, no more are stored. It may join again as another station."""
        self._run("INSERT INTO hall_shut_out VALUES (?, ?) ON CONFLICT DO NOTHING", (station, time.time()))

    def all_shut_out(self) -> frozenset[str]:
        return frozenset(str(station) for (station,) in self._all("SELECT station FROM hall_shut_out"))

    def keep(self, messages: Iterable[TableMessage]) -> list[TableMessage]:
        """Store new messages in one transaction and return them; two statements for any number of messages."""
        # Sorted, so that two hubs never deadlock.
        by_key = {(m.station, m.table, m.seq): m for m in sorted(messages, key=lambda m: (m.station, m.table, m.seq))}
        if not by_key:
            return []
        events = [(*key, m.at, m.kind, m.by, _json(m.event)) for key, m in by_key.items()]
        tables = [(*row.key, row.seq, row.began, row.at, _json(row.standing)) for row in newest(by_key.values())]
        with self._database.transaction() as cursor:
            fresh = self._insert(cursor, _INSERT_EVENTS, events).fetchall()
            self._insert(cursor, _INSERT_TABLES, tables)
        return [by_key[station, table, seq] for station, table, seq in fresh]

    def _insert(self, cursor: Any, statement: str, rows: list[tuple[Any, ...]]) -> Any:
        """Insert rows by one statement; `VALUES ?` stands for all of them."""
        row = f"({', '.join('?' * len(rows[0]))})"
        text = statement.replace("VALUES ?", f"VALUES {', '.join([row] * len(rows))}")
        return cursor.execute(self._sql(text), [value for each in rows for value in each])

    def events(self, station: str, table: str, after: int = 0) -> list[dict[str, Any]]:
        statement = """SELECT told FROM hall_events
            WHERE station = ? AND table_id = ? AND seq > ? ORDER BY seq LIMIT 10000"""
        return [json.loads(row[0]) for row in self._all(statement, (station, table, after))]

    def event(self, station: str, table: str, seq: int) -> dict[str, Any] | None:
        statement = "SELECT told FROM hall_events WHERE station = ? AND table_id = ? AND seq = ?"
        found = self._all(statement, (station, table, seq))
        return json.loads(found[0][0]) if found else None

    def count(self) -> int:
        return int(self._all("SELECT COUNT(*) FROM hall_events", ())[0][0])

    def tables(self, since: float = 0.0, only: Iterable[tuple[str, str]] | None = None) -> list[Row]:
        """States of the tables with an event since that time, or of `only` these (station, table)."""
        if only is None:
            found = self._all(f"{_SELECT_TABLE} WHERE at >= ? ORDER BY station, at", (since,))
        else:
            one = f"{_SELECT_TABLE} WHERE station = ? AND table_id = ?"
            found = [row for key in only for row in self._all(one, key)]
        return [Row(str(s), str(t), int(n), float(b), float(a), json.loads(text)) for s, t, n, b, a, text in found]

    def answer(self, station: str, table: str, about: int, by: str, text: str) -> None:
        statement = """INSERT INTO hall_answers VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (station, table_id, about) DO UPDATE
            SET at = excluded.at, actor = excluded.actor, text = excluded.text"""
        self._run(statement, (station, table, about, time.time(), by, text))

    def answers(self) -> dict[tuple[str, str, int], dict[str, Any]]:
        found = self._all("SELECT station, table_id, about, at, actor, text FROM hall_answers", ())
        return {(str(s), str(t), int(n)): {"at": at, "by": by, "text": text} for s, t, n, at, by, text in found}

    def tournaments(self) -> list[tuple[str, int, dict[str, Any]]]:
        """Id, version and data of each, the newest first."""
        found = self._all("SELECT id, version, data FROM hall_tournaments ORDER BY at DESC", ())
        return [(str(name), int(version), json.loads(data)) for name, version, data in found]

    def put_tournament(self, name: str, version: int, data: dict[str, Any]) -> bool:
        """Write a tournament if it still has the version in which it was read (0: it is new); whether it was
        written."""
        with self._database.transaction() as cursor:
            if version == 0:
                statement = "INSERT INTO hall_tournaments VALUES (?, 1, ?, ?) ON CONFLICT DO NOTHING"
                cursor.execute(self._sql(statement), (name, time.time(), _json(data)))
            else:
                statement = "UPDATE hall_tournaments SET version = version + 1, data = ? WHERE id = ? AND version = ?"
                cursor.execute(self._sql(statement), (_json(data), name, version))
            return bool(cursor.rowcount)

    def _run(self, statement: str, values: tuple[Any, ...]) -> None:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(statement), values)

    def _all(self, statement: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._database.transaction() as cursor:
            cursor.execute(self._sql(statement), values)
            return list(cursor.fetchall())


_INSERT_EVENTS = "INSERT INTO hall_events VALUES ? ON CONFLICT DO NOTHING RETURNING station, table_id, seq"
_INSERT_TABLES = """INSERT INTO hall_tables VALUES ? ON CONFLICT (station, table_id) DO UPDATE SET
    began = CASE WHEN excluded.began < hall_tables.began THEN excluded.began ELSE hall_tables.began END,
    seq = CASE WHEN excluded.seq >= hall_tables.seq THEN excluded.seq ELSE hall_tables.seq END,
    at = CASE WHEN excluded.seq >= hall_tables.seq THEN excluded.at ELSE hall_tables.at END,
    standing = CASE WHEN excluded.seq >= hall_tables.seq THEN excluded.standing ELSE hall_tables.standing END"""
_SELECT_TABLE = "SELECT station, table_id, seq, began, at, standing FROM hall_tables"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
