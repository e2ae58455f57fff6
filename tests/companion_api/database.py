"""A real PostgreSQL for the tests: started in a temporary folder, without a port, by an unprivileged user."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.needed import missing
from tests.waiting import until

HOW = "PostgreSQL is not installed (Debian: apt-get install postgresql); its half of the log tests is left out"


def binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@contextmanager
def running() -> Iterator[str]:
    """The URL of an empty database; skipped where there is no PostgreSQL, which in CI is a failure."""
    programs = binaries()
    if programs is None:
        missing(HOW)
    folder = Path(tempfile.mkdtemp(prefix="companion-pg-"))
    user = _user(folder)
    try:
        _run(user, programs / "initdb", "-D", folder / "db", "-U", "companion", "-A", "trust", "-N")
        _start(user, programs, folder)
        yield f"postgresql://companion@/postgres?host={folder}"
    finally:
        if (folder / "db" / "postmaster.pid").exists():
            _run(user, programs / "pg_ctl", "-D", folder / "db", "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)


def fall(url: str) -> None:
    """It ends at once, without tidying up."""
    folder = _folder(url)
    postmaster = int((folder / "db" / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGKILL)
    until(lambda: not _lives(postmaster))


def rise(url: str) -> None:
    """It is started again and recovers; the processes of its last life may take a moment to notice its end."""
    programs, folder = binaries(), _folder(url)
    assert programs is not None
    for _ in range(20):
        try:
            _start(_user(folder), programs, folder)
        except AssertionError:
            time.sleep(0.5)
        else:
            return
    raise AssertionError("PostgreSQL did not start again")


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def _folder(url: str) -> Path:
    return Path(url.rpartition("host=")[2])


def _start(user: str | None, programs: Path, folder: Path) -> None:
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=30"
    _run(user, programs / "pg_ctl", "-D", folder / "db", "-w", "-o", options, "-l", folder / "log", "start")


def _user(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root; then somebody else must own the folder."""
    if os.geteuid() != 0:
        return None
    name = next(n for n in ("postgres", "nobody") if any(p.pw_name == n for p in pwd.getpwall()))
    os.chown(folder, pwd.getpwnam(name).pw_uid, -1)
    return name


def _run(user: str | None, *command: object) -> None:
    group = pwd.getpwnam(user).pw_gid if user else None
    done = subprocess.run(
        [str(part) for part in command],
        user=user,
        group=group,
        cwd="/",
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
