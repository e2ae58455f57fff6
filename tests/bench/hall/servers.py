"""The hall's parts as processes that are measured, killed and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class BenchError(Exception):
    """What the bench needs and does not find."""


def wait_for(ready: Callable[[], object], what: str, seconds: float = 60.0) -> float:
    """How long it took."""
    begun = time.monotonic()
    while not ready():
        if time.monotonic() - begun > seconds:
            raise BenchError(f"{what} did not come in {seconds:.0f} s")
        time.sleep(0.05)
    return time.monotonic() - begun


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.5)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class Usage:
    """Processor seconds over all lives of a part, and the most memory it had at once."""

    cpu_s: float = 0.0
    memory_mb: float = 0.0


@dataclass
class BenchProcess:
    """A process with all its children."""

    name: str
    command: list[str]
    user: str | None = None
    usage: Usage = field(default_factory=Usage)
    _lived: dict[int, float] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self.user, start_new_session=True
        )

    def signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9 of the process and its children, all at once."""
        self.measure()
        if self._process is not None:
            for pid in _family(self._process.pid):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            self._process.wait()

    def measure(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        memory = 0.0
        for pid in _family(self._process.pid):
            cpu, resident = _stat(pid)
            self._lived[pid] = max(cpu, self._lived.get(pid, 0.0))
            memory += resident
        self.usage = Usage(sum(self._lived.values()), max(memory, self.usage.memory_mb))


def _family(pid: int) -> Iterator[int]:
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _stat(pid: int) -> tuple[float, float]:
    """Processor seconds (with those of ended children) and resident megabytes, shared pages counted once for each."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        shared = int(Path(f"/proc/{pid}/statm").read_text().split()[2])
    except OSError:
        return 0.0, 0.0
    return sum(map(int, fields[11:15])) / _TICKS, (resident - shared) * _PAGE / 1e6


def hub(folder: Path, port: int, database: str, broker: str) -> BenchProcess:
    serve = [sys.executable, "-m", "companion_api", "hall", "--host", "127.0.0.1", "--port", str(port)]
    return BenchProcess("hub", [*serve, "--data", str(folder), "--database", database, "--nats", broker])


def tables(folder: Path, names: list[str], rate: float) -> BenchProcess:
    module = "tests.bench.hall.tables"
    return BenchProcess("tables", [sys.executable, "-m", module, str(folder), ",".join(names), str(rate)])


class PostgresServer:
    """A PostgreSQL of its own in a temporary folder, without a port, by an unprivileged user, with its usual fsync."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        on_path = shutil.which("postgres")
        if not found and on_path is None:
            raise BenchError("PostgreSQL is not installed (Debian: apt install postgresql); or name one by --database")
        program = found[-1] if found else Path(str(on_path))
        self._folder, self._data = folder, folder / "db"
        folder.mkdir(parents=True)
        user = _unprivileged(folder)
        make = [str(program.with_name("initdb")), "-D", str(self._data), "-U", "companion", "-A", "trust"]
        subprocess.run(make, user=user, check=True, stdout=subprocess.DEVNULL, cwd="/")
        command = [str(program), "-D", str(self._data), "-k", str(folder), "-c", "listen_addresses="]
        self.part = BenchProcess("PostgreSQL", command, user)
        self.url = f"postgresql://companion@/postgres?host={folder}"

    def start(self) -> None:
        self.part.start()
        wait_for(lambda: (self._folder / ".s.PGSQL.5432").exists() and self._answers(), "PostgreSQL")

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url, connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True


def _unprivileged(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root; then somebody else must own the folder."""
    if os.geteuid() != 0:
        return None
    name = next(n for n in ("postgres", "nobody") if any(p.pw_name == n for p in pwd.getpwall()))
    os.chown(folder, pwd.getpwnam(name).pw_uid, -1)
    for parent in (folder, *folder.parents[:-1]):
        parent.chmod(parent.stat().st_mode | 0o011)
    return name
