"""The server of a soak: a process of its own that may be killed, with a clock that may be set wrong.

    python -m tests.bench.soak.served CLOCK_FILE ARGUMENT...

runs `companion ARGUMENT...`; the clock goes wrong by as many seconds as stand in the file.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from companion_api.log.databases import SqliteLog
from companion_api.log.store import LogUnavailableError
from tests.ports import free_port

START_S = 240.0
"""A server that has not begun a table after so long does not begin one."""
_TICKS = float(os.sysconf("SC_CLK_TCK")) if hasattr(os, "sysconf") else 100.0


class SoakError(Exception):
    """The server did not begin; the text says why."""


@dataclass
class Sample:
    """What the server's process held at a moment; `life` counts how often it had been started by then."""

    at: float
    life: int
    memory_mb: float
    handles: int
    cpu_s: float


@dataclass
class Served:
    """One server on a data folder, started again whenever it was killed."""

    data: Path
    arguments: list[str]
    port: int = field(default_factory=free_port)
    life: int = 0
    samples: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.clock = self.data / "clock"
        self.out = self.data / "server.txt"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.life += 1
        command = [sys.executable, "-m", "tests.bench.soak.served", str(self.clock), "serve", "--host", "127.0.0.1"]
        with self.out.open("ab") as out:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), "--data", str(self.data), *self.arguments], stdout=out, stderr=out
            )

    def first_table(self) -> str:
        """The table that the server opens; it stands in the log before the server answers."""
        until = time.monotonic() + START_S
        while time.monotonic() < until and not self.has_fallen:
            try:
                log = SqliteLog(self.data / "companion.db")
            except LogUnavailableError:
                time.sleep(0.3)
                continue
            tables = log.tables()
            log.close()
            if tables:
                return tables[0]
            time.sleep(0.3)
        words = self.out.read_text(errors="replace") if self.out.exists() else ""
        raise SoakError(f"the server did not begin a table: {' '.join(words.split())[-300:] or 'it said nothing'}")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def has_fallen(self) -> bool:
        """Whether it ended by itself, which it must never do."""
        return self._process is not None and self._process.poll() is not None

    def set_clock(self, wrong_by_s: float) -> None:
        self.clock.write_text(str(wrong_by_s), encoding="ascii")

    def measure(self, at: float) -> None:
        """Where the system tells (Linux)."""
        if self._process is None or self._process.poll() is not None:
            return
        proc = Path(f"/proc/{self._process.pid}")
        try:
            pages = int((proc / "statm").read_text().split()[1])
            handles = len(list((proc / "fd").iterdir()))
            spent = (proc / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return
        cpu = (int(spent[11]) + int(spent[12])) / _TICKS
        memory = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
        self.samples.append(Sample(at, self.life, memory, handles, cpu))


def _set_wrong(file: Path) -> None:
    """The clock of this process goes wrong whenever the file says so."""
    right = time.time

    def wrong() -> float:
        try:
            return right() + float(file.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return right()

    time.time = wrong


if __name__ == "__main__":
    _set_wrong(Path(sys.argv[1]))
    from companion_api.__main__ import run

    sys.argv = ["companion", *sys.argv[2:]]
    run()
