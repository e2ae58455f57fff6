"""The laws of the log, the same for SQLite and PostgreSQL."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion_api.log.databases import PostgresLog, SqliteLog, open_log
from companion_api.log.event import EventKind
from companion_api.log.store import Log, LogUnavailableError, StaleError
from tests.companion_api import database

both = pytest.mark.parametrize("log", ["sqlite", "postgres"], indirect=True)


def write(log: Log, table: str, **given: object) -> int:
    return log.append(table, EventKind.JOINED, "host", {"name": "Ä ✓"}, **given).seq  # type: ignore[arg-type]


@both
def test_events_are_numbered_from_one_and_read_back_as_written(log: Log, table: str) -> None:
    assert [write(log, table) for _ in range(3)] == [1, 2, 3]
    events = log.read(table)
    assert [event.seq for event in events] == [1, 2, 3]
    assert events[0].data == {"name": "Ä ✓"}
    assert events[0].kind is EventKind.JOINED
    assert [event.seq for event in log.read(table, after=2)] == [3]


@both
def test_tables_do_not_mix(log: Log, table: str) -> None:
    write(log, table)
    assert write(log, f"{table}-2") == 1
    assert {table, f"{table}-2"} <= set(log.tables())


@both
def test_the_same_key_writes_once(log: Log, table: str) -> None:
    first = log.append(table, EventKind.ACTION, "seat:0", {"action": "move(a1,b1)"}, key="k")
    again = log.append(table, EventKind.ACTION, "seat:0", {"action": "move(a1,b1)"}, key="k", expected=0)
    assert again == first
    assert len(log.read(table)) == 1


@both
def test_an_empty_key_is_none(log: Log, table: str) -> None:
    """Whoever has no key and says so may write twice."""
    assert [write(log, table, key="") for _ in range(3)] == [1, 2, 3]
    assert [event.key for event in log.read(table)] == [None, None, None]


@both
def test_a_stale_post_changes_nothing(log: Log, table: str) -> None:
    write(log, table)
    with pytest.raises(StaleError) as stale:
        write(log, table, expected=0)
    assert stale.value.last == 1
    assert len(log.read(table)) == 1


@both
def test_many_writers_leave_no_gap_and_no_double(log: Log, table: str) -> None:
    threads = [threading.Thread(target=lambda: [write(log, table) for _ in range(20)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in log.read(table)] == list(range(1, 161))


def test_two_servers_on_one_postgres_share_the_numbers(postgres_url: str, table: str) -> None:
    logs = [PostgresLog(postgres_url) for _ in range(3)]
    threads = [threading.Thread(target=lambda one=one: [write(one, table) for _ in range(15)]) for one in logs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [event.seq for event in logs[0].read(table)] == list(range(1, 46))
    for one in logs:
        one.close()


def test_a_postgres_that_went_away_and_came_back_is_used_again(postgres_url: str, table: str) -> None:
    log = PostgresLog(postgres_url)
    write(log, table)
    log.close()
    assert write(log, table) == 2
    log.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_one_process_serves_the_tables_of_a_log(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path / 'log.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")

    def another() -> bool:
        code = "import sys; from pathlib import Path; from companion_api.log.databases import open_log; "
        code += "sys.exit(not open_log(sys.argv[1], Path()).keep_alone())"
        return subprocess.run([sys.executable, "-c", code, url], timeout=120, check=False).returncode == 0

    log = open_log(url, tmp_path)
    assert log.keep_alone()
    assert log.keep_alone(), "who asks again still has it"
    assert not another()
    write(log, f"one-{kind}")
    log.close()
    assert another(), "it goes with whoever had it"


@pytest.mark.full
def test_a_server_that_was_away_from_postgres_does_not_write_beside_another(table: str) -> None:
    """The lock is taken again after the database restarted, and whoever has it meanwhile keeps it."""
    with database.running() as url:
        first, second = PostgresLog(url), PostgresLog(url)
        assert first.keep_alone()
        assert not second.keep_alone()
        write(first, table)
        database.fall(url)
        with pytest.raises(LogUnavailableError):
            write(first, table)
        database.rise(url)
        assert write(first, table) == 2
        with pytest.raises(LogUnavailableError):
            second.keep_alone()  # its connection is of before the fall
        assert not second.keep_alone(), "the first one has it again"
        database.fall(url)
        database.rise(url)
        third = PostgresLog(url)
        assert third.keep_alone()
        with pytest.raises(LogUnavailableError):
            write(first, table)
        with pytest.raises(LogUnavailableError, match="another companion serves these tables now"):
            write(first, table)
        third.close()
        assert write(first, table) == 3
        first.close()
        second.close()


@both
def test_nothing_that_is_no_json_gets_in(log: Log, table: str) -> None:
    with pytest.raises(ValueError, match="JSON"):
        log.append(table, EventKind.JOINED, "host", {"n": float("nan")})
    assert log.read(table) == []


def test_sqlite_survives_a_reopening(tmp_path: Path, table: str) -> None:
    first = SqliteLog(tmp_path / "log.db")
    write(first, table)
    first.close()
    assert [event.seq for event in SqliteLog(tmp_path / "log.db").read(table)] == [1]


def test_a_locked_database_is_said_in_words_and_loses_nothing(tmp_path: Path, table: str) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log._connection.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(tmp_path / "log.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(LogUnavailableError, match="cannot be written"):
        write(log, table)
    other.execute("ROLLBACK")
    other.close()
    assert write(log, table) == 1


def test_a_full_disk_is_said_in_words_and_loses_nothing(tmp_path: Path, table: str) -> None:
    log = SqliteLog(tmp_path / "log.db")
    write(log, table)
    pages = log._connection.execute("PRAGMA page_count").fetchone()[0]
    log._connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    written = [1]

    def fill() -> None:
        while True:
            log.append(table, EventKind.JOINED, "host", {"name": "x" * 2000})
            written.append(len(written) + 1)

    with pytest.raises(LogUnavailableError, match="full"):
        fill()
    log._connection.execute("PRAGMA max_page_count = 100000")
    assert [event.seq for event in log.read(table)] == written
    assert write(log, table) == len(written) + 1


@pytest.mark.parametrize("url", ["mysql://x", "file.db", "postgresql://nobody@127.0.0.1:1/none"])
def test_a_wrong_address_is_one_clear_line(url: str, tmp_path: Path) -> None:
    with pytest.raises(LogUnavailableError):
        open_log(url, tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(LogUnavailableError, match="cannot be opened"):
        open_log(None, tmp_path / "deep")


def test_a_file_that_is_no_database_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "companion.db").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(LogUnavailableError, match="cannot be opened"):
        open_log(None, tmp_path)


def test_a_log_closes_only_when_nobody_reads(tmp_path: Path) -> None:
    """SQLite ends the whole process when a connection is closed under a query in another thread."""
    kept = SqliteLog(tmp_path / "log.db")
    closing = threading.Thread(target=kept.close)
    with kept._transaction() as cursor:
        closing.start()
        closing.join(0.2)
        assert closing.is_alive()
        cursor.execute("SELECT 1")
    closing.join(5)
    with pytest.raises(LogUnavailableError, match="closed"):
        kept.read("any")
