"""Real nats-servers for the tests, in temporary folders on free ports."""

from __future__ import annotations

import os
import shutil
import socket
import time
from pathlib import Path

from companion_api.hall.broker import INSTALL_HINT, Broker, Ports, configuration
from companion_api.hall.credentials import Seeds
from tests.needed import missing
from tests.ports import free_port
from tests.waiting import PATIENCE_S


def needed() -> None:
    """Skips where there is no nats-server, which in CI is a failure."""
    if not (shutil.which("nats-server") or shutil.which("nats-server", path="/usr/sbin")):
        missing(INSTALL_HINT)


class RealBroker:
    """May be killed and started again, on the same port with what it has stored."""

    def __init__(self, folder: Path, seeds: Seeds, leaf: bool = False) -> None:
        needed()
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.leaf_port = free_port() if leaf else None
        path = folder / "nats.conf"
        path.write_text(configuration(seeds, folder / "js", Ports(self.port, self.leaf_port, None, "127.0.0.1")))
        self.broker = Broker(path)
        self.start()

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.broker.start()
        answers(self.port)

    def kill(self) -> None:
        assert self.broker.pid is not None
        os.kill(self.broker.pid, 9)
        assert self.broker._process is not None
        self.broker._process.wait()

    def stop(self) -> None:
        self.broker.stop()


def answers(port: int, seconds: float = PATIENCE_S) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                if connection.recv(4):
                    return
        except OSError:
            time.sleep(0.02)
    raise AssertionError("nats-server did not come up")
