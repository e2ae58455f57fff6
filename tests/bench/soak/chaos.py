"""What goes wrong at a table, one thing after another."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion_api.access import Role, Token
from companion_api.watching.camera_manager import PHONE
from tests.bench.soak.phones import Line, SoakWorld
from tests.bench.soak.served import Served

LOCKED_S = 7.0  # longer than SQLite waits
FULL_S = 4.0
WRONG_CLOCKS_S = (3600.0, -86_400.0, 0.0)
SMALL_DISK_MB = 192
MORE_MB_A_MINUTE = 1.5  # what a table before a camera keeps as evidence


@dataclass
class Chaos:
    """`source` is the camera that belongs to the table; `small`: the data lies on a disk that can be filled."""

    served: Served
    world: SoakWorld
    source: str
    small: bool
    rng: random.Random = field(default_factory=lambda: random.Random(7))
    done: Counter[str] = field(default_factory=Counter)
    _tried: Counter[str] = field(default_factory=Counter)

    def deeds(self, calm: bool) -> dict[str, Callable[[], None]]:
        """Towards the end nobody is killed any more, so that what grows in one long life is seen."""
        found: dict[str, Callable[[], None]] = {
            "killed": self._kill,
            "database locked": self._locked,
            "disk full": self._full,
            "clock set wrong": self._clock,
            "camera lost": self._camera,
            "illegal act": lambda: self._stage("illegal"),
            "lamp": lambda: self._stage("lamp"),
            "camera bumped": lambda: self._stage("bump"),
        }
        left_out = {"killed"} if calm else set()
        left_out |= set() if self.small else {"disk full"}
        return {name: deed for name, deed in found.items() if name not in left_out}

    def one(self, calm: bool) -> None:
        """Everything comes about as often, in the order above, so that a short soak has the worst."""
        deeds = self.deeds(calm)
        name = min(deeds, key=lambda name: self._tried[name])
        self._tried[name] += 1
        with suppress(OSError):
            deeds[name]()
            self.done[name] += 1

    def end(self) -> None:
        """The clock is right again."""
        self.served.set_clock(0.0)

    def _line(self) -> Line:
        return Line(self.served.port, self.served.data, Token(self.world.table, Role.HOST))

    def _kill(self) -> None:
        self.served.kill()
        self.served.start()

    def _camera(self) -> None:
        self._line().ask("cameras", {"source": PHONE})
        time.sleep(1.0)
        self._line().ask("cameras", {"source": self.source})

    def _stage(self, incident: str) -> None:
        status, answer = self._line().ask("demo/stage", {"incident": incident})
        if status != 200:
            raise OSError(str(answer))  # this table cannot show it: it does not count

    def _locked(self) -> None:
        """Another program holds the database."""
        other = sqlite3.connect(self.served.data / "companion.db", timeout=10, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            self.world.over.wait(LOCKED_S)
        finally:
            other.close()

    def _full(self) -> None:
        ballast = self.served.data / "ballast"
        try:
            with suppress(OSError), ballast.open("wb") as file:
                while True:
                    file.write(b"\0" * 65_536)
            self.world.over.wait(FULL_S)
        finally:
            ballast.unlink(missing_ok=True)

    def _clock(self) -> None:
        wrong = self.rng.choice(WRONG_CLOCKS_S)
        self.world.clock_is_right = False  # from the first jump on delays mean nothing until it is right again
        self.served.set_clock(wrong)
        time.sleep(1.0)
        self.world.clock_is_right = wrong == 0.0


def small_disk(folder: Path, minutes: float) -> bool:
    """Lay a small file system under a folder where the system allows it; what is written in that time fits on it."""
    folder.mkdir(parents=True, exist_ok=True)
    if shutil.which("mount") is None:
        return False
    size_mb = SMALL_DISK_MB + round(minutes * MORE_MB_A_MINUTE)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size_mb}m,mode=700", "tmpfs", str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def give_back(folder: Path) -> None:
    subprocess.run(["umount", str(folder)], capture_output=True, check=False)
