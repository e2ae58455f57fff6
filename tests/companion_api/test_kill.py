"""kill -9 at random moments: nothing that was accepted is lost or doubled, and the same game is there again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion_api.log.sqlite import SqliteLog
from companion_api.session import Session
from rules.games import game
from tests.companion_api.served import Process, free_port

ROUNDS = 200


def test_a_writer_killed_two_hundred_times_loses_and_doubles_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.companion_api.killing", str(tmp_path), str(ROUNDS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > ROUNDS // 4


def test_a_killed_server_is_at_the_same_event_again(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "companion.db")
    table = Session.begin(log, "table1", game("dodgem"), {}, None).table
    log.close()
    port = free_port()
    expected = 1
    for action in ("move(a1,b1)", "move(f6,e6)"):
        server = Process(tmp_path, port)
        took = server.ready()
        with server.host(table) as host:
            before = host.get("board").json()
            assert before["seq"] == expected
            assert host.post("actions", json={"action": action, "expected": expected}).status_code == 200
            expected += 1
            after = host.get("board").json()
        server.kill()
        assert took < 30
    server = Process(tmp_path, port)
    server.ready()
    with server.host(table) as host:
        again = host.get("board").json()
    server.kill()
    again["status"] = after["status"]
    assert again == after
