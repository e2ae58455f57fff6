"""Opens the log of a database URL."""

from __future__ import annotations

from pathlib import Path

from companion_api.log.sqlite import SqliteLog
from companion_api.log.store import Log, LogUnavailableError
from rules.sentence import say

TRIES = 5


def open_patiently(url: str | None, data: Path) -> Log:
    """Retries while another program locks the database (five seconds each), since nobody would restart a server that
    gave up."""
    for tried in range(1, TRIES + 1):
        try:
            log = open_log(url, data)
            log.tables()
        except LogUnavailableError as error:
            if tried == TRIES or "locked" not in str(error):
                raise
        else:
            return log
    raise AssertionError("the last try returns or raises")


def open_log(url: str | None, data: Path) -> Log:
    """SQLite in the data folder, unless a URL says otherwise."""
    if not url:
        return SqliteLog(data / "companion.db")
    if url.startswith("sqlite:///"):
        return SqliteLog(Path(url.removeprefix("sqlite:///")))
    if url.startswith(("postgresql://", "postgres://")):
        from companion_api.log.postgres import PostgresLog

        return PostgresLog(url)
    raise LogUnavailableError(say("--database must be sqlite:///FILE or postgresql://USER@HOST/NAME"))
