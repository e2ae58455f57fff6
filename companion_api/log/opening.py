"""Which log a URL means."""

from __future__ import annotations

from pathlib import Path

from companion_api.log.sqlite import SqliteLog
from companion_api.log.store import Log, LogUnavailableError


def open_log(url: str | None, data: Path) -> Log:
    """SQLite in the data folder, unless a URL says otherwise."""
    if not url:
        return SqliteLog(data / "companion.db")
    if url.startswith("sqlite:///"):
        return SqliteLog(Path(url.removeprefix("sqlite:///")))
    if url.startswith(("postgresql://", "postgres://")):
        from companion_api.log.postgres import PostgresLog

        return PostgresLog(url)
    raise LogUnavailableError("--database is sqlite:///FILE or postgresql://USER@HOST/NAME")
