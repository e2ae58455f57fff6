"""kill -9 at random moments: nothing that was accepted is lost or doubled, and the same game is there again."""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from companion_api.access import Role, Token
from companion_api.app import make_app
from companion_api.log.databases import PostgresLog, SqliteLog
from companion_api.log.store import LogUnavailableError
from companion_api.session import Session
from companion_api.settings import Settings
from rules.games import game
from tests.companion_api import database
from tests.companion_api.phones import Phone
from tests.companion_api.served import Process
from tests.ports import free_port


@pytest.mark.parametrize("rounds", [20, pytest.param(200, marks=pytest.mark.long)])
def test_a_writer_killed_again_and_again_loses_and_doubles_nothing(tmp_path: Path, rounds: int) -> None:
    command = [sys.executable, "-m", "tests.companion_api.killing", str(tmp_path), str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > rounds // 4


@pytest.mark.full
def test_a_writer_killed_fifty_times_loses_nothing_on_postgres(postgres_url: str) -> None:
    command = [sys.executable, "-m", "tests.companion_api.killing", postgres_url, "50"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50 // 4


@pytest.mark.full
def test_a_postgres_that_falls_again_and_again_loses_nothing() -> None:
    """Whoever posts is told that it is away, tries again with the same key, and is done when it is back."""
    with database.running() as url:
        log = PostgresLog(url)
        session = Session.begin(log, "table1", game("dodgem"), {}, None)
        told: dict[str, int] = {}
        for number in range(6):
            if number % 3 == 1:
                database.fall(url)
            key = f"k{number}"
            with pytest.raises(LogUnavailableError) if number % 3 == 1 else nullcontext():
                told[key] = session.join("host", "x", key=key).seq
            if number % 3 == 1:
                database.rise(url)
                told[key] = session.join("host", "x", key=key).seq
        assert {event.key: event.seq for event in log.read("table1") if event.key} == told
        assert len(told) == 6
        assert session.seq == 7
        log.close()


def test_a_killed_server_is_at_the_same_event_again(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "companion.db")
    table = Session.begin(log, "table1", game("dodgem"), {}, None).table
    log.close()
    server = Process(tmp_path, free_port())
    server.ready()
    with server.host(table) as host:
        assert host.get("board").json()["seq"] == 1
        assert host.post("actions", json={"action": "move(a1,b1)", "expected": 1}).status_code == 200
        after = host.get("board").json()
    server.kill()
    app = make_app(Settings(data=tmp_path))
    again = Phone(app, app.state.tables.keys.sign(Token(table, Role.HOST))).get("board")
    app.state.tables.close()
    again["status"] = after["status"]
    assert again == after
