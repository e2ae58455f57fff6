"""A real server: in a thread of this process, or as a process of its own that may be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from companion_api.access import Keys, Role, Token
from tests.waiting import PATIENCE_S


@contextmanager
def listening() -> Iterator[socket.socket]:
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        opened.listen(128)
        yield opened


@contextmanager
def in_thread(app: Any, at: socket.socket | None = None) -> Iterator[str]:
    """The address of a running server; with `at` it serves there, and others may after it."""
    own = at.dup() if at else socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [own]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://localhost:{own.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        own.close()


class Process:
    """`companion serve` on a data folder."""

    def __init__(self, data: Path, port: int, *more: str) -> None:
        self.data, self.port = data, port
        command = [sys.executable, "-m", "companion_api", "serve", "--host", "127.0.0.1", "--camera", "phone"]
        self._process = subprocess.Popen(
            [*command, "--port", str(port), "--data", str(data), *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def ready(self, seconds: float = PATIENCE_S) -> float:
        """Waits until it answers; how long that took."""
        begun = time.monotonic()
        while time.monotonic() - begun < seconds:
            try:
                httpx.get(f"http://127.0.0.1:{self.port}/api/games", timeout=20)
            except httpx.HTTPError:
                time.sleep(0.05)
            else:
                return time.monotonic() - begun
        raise AssertionError("the server did not come up")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def host(self, table: str) -> httpx.Client:
        token = Keys.of(self.data).sign(Token(table, Role.HOST))
        headers = {"authorization": f"Bearer {token}"}
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}/api/", headers=headers, timeout=60)
