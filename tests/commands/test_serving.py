"""`companion serve` as a process: the address is told when the door is open, and Ctrl-C is no accident."""

from __future__ import annotations

import http.cookiejar
import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion_api.log.databases import SqliteLog
from companion_api.log.event import EventKind
from tests.commands.running import companion
from tests.ports import free_port
from tests.waiting import PATIENCE_S


@contextmanager
def serving(data: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process and all it said until it was ready."""
    command = [sys.executable, "-m", "companion_api", "serve", "--camera", "phone", "--host", "127.0.0.1"]
    command += ["--port", str(free_port()), "--data", str(data), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    killer = threading.Timer(120, process.kill)
    killer.start()
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C" in line:
            break
    try:
        yield process, "".join(lines)
    finally:
        killer.cancel()
        process.kill()
        process.communicate()


IMPATIENT = "import sys; from companion_api.commands import serve; serve.STOP_TIMEOUT_S = 0.5; "
IMPATIENT += "from companion_api.__main__ import main; sys.exit(main(sys.argv[1:]))"
"""Waits less long for a server that may be stopping."""


def refuses_a_second_server(data: Path, log: SqliteLog) -> None:
    """Which says so and leaves the clock of the tables alone."""
    (table,) = log.tables()
    log.append(table, EventKind.CLOCK, "host", {"minutes": 5, "increment": 0})
    before = log.heads()
    second = [sys.executable, "-c", IMPATIENT, "serve", "--camera", "phone", "--host", "127.0.0.1"]
    second += ["--port", str(free_port()), "--data", str(data)]
    done = subprocess.run(second, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert "another companion already serves" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert log.heads() == before


def test_the_door_to_the_table_of_the_command_line_is_open_for_one_server_alone_and_closes_quietly(
    tmp_path: Path,
) -> None:
    """The camera shows a game with these options, from the deal that only people can tell."""
    deal = "deal(5YK+XL+3LY+XM+XY+XS+9MS+2MK+9MS)"
    asked_for = ("--game", "dectana", "--seats", '["Ann", "Bo"]', "--told", deal)
    with serving(tmp_path, *asked_for) as (process, said):
        phones = re.search(r"Phones:\s+(\S+)/#join=(\w+)", said)
        host = re.search(r"Host:\s+(\S+)/#join=(\w+)", said)
        assert phones
        assert host
        assert phones[1] == host[1], "the host comes by an address that phones reach"
        door = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        body = json.dumps({"code": phones[2]}).encode()
        asked = urllib.request.Request(f"{phones[1]}/api/join", body, {"content-type": "application/json"})
        assert door.open(asked, timeout=60).status == 200
        streams = [door.open(f"{phones[1]}/api/events", timeout=60) for _ in range(3)]
        assert all(stream.readline() for stream in streams)
        log = SqliteLog(tmp_path / "companion.db")
        refuses_a_second_server(tmp_path, log)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert err == ""
        assert process.returncode == 0
    assert log.keep_alone(), "its tables can be served again at once"
    started, told, *_ = log.read(log.tables()[0])
    log.close()
    assert [seat["name"] for seat in started.data["seats"]] == ["Ann", "Bo"]
    assert (told.kind, told.by, told.data) == (EventKind.ACTION, "host", {"action": deal})


def said_by_a_server_without_a_place(data: Path) -> str:
    """What it says while its page tells what is wrong; it ends when it is asked to."""
    port = free_port()
    command = [sys.executable, "-m", "companion_api", "serve", "--camera", "phone", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        limit = time.monotonic() + PATIENCE_S
        while time.monotonic() < limit and process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/board", timeout=5)
            except urllib.error.HTTPError:
                break
            except OSError:
                time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=60)[1]
    finally:
        process.kill()


@pytest.mark.full
@pytest.mark.parametrize("name", [pytest.param("x" * 300, id="too long"), "a file"])
def test_a_data_folder_that_cannot_be_is_told_in_safe_mode(tmp_path: Path, name: str) -> None:
    (tmp_path / "a file").write_text("")
    said = said_by_a_server_without_a_place(tmp_path / name).splitlines()
    assert [line.partition(": ")[2][:9] for line in said] == ["safe mode", "no https:"], said


def test_a_reader_that_has_enough_is_no_accident() -> None:
    command = f"{sys.executable} -m companion_api rules decay | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout
    assert done.stderr == ""


def test_a_certificate_that_cannot_be_read_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CERTIFICATE", str(tmp_path / "none.pem"))
    options = ["--camera", "phone", "--host", "127.0.0.1", "--port", str(free_port()), "--data", str(tmp_path)]
    done = companion("serve", *options)
    assert done.returncode == 1
    assert "none.pem" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
