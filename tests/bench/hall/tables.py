"""Simulated tables in a process of their own, that may be killed: real logs, real publishers, random games.

    python -m tests.bench.hall.tables FOLDER NAMES RATE

FOLDER/NAME/hall.json says for each table how it belongs to the hall. Each plays one action every 1/RATE seconds, and
now and then ten at once; SIGTERM ends the play, and the publishers go on until the process is killed.
"""

from __future__ import annotations

import heapq
import random
import signal
import sys
import time
from pathlib import Path

from companion_api.hall.membership import stored_membership
from companion_api.hall.publisher import Publisher
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from rules.games import game

GAME = "dodgem"
BURST, BURST_CHANCE = 10, 0.02


class BenchTable:
    def __init__(self, folder: Path) -> None:
        self._name = folder.name
        self._log = SqliteLog(folder / "companion.db")
        self._rng = random.Random(f"{folder.name} {time.time()}")
        known = self._log.tables()
        self._games = len(known)
        self._session = Session(self._log, known[0]) if known else self._next_game()
        member = stored_membership(folder)
        assert member is not None, "the bench lets every table in before it starts"
        self._publisher = Publisher(self._log, folder, member)
        self._publisher.start()

    def _next_game(self) -> Session:
        self._games += 1
        return Session.begin(self._log, f"{self._name}-{self._games}", game(GAME), {}, None)

    def play(self) -> None:
        for _ in range(BURST if self._rng.random() < BURST_CHANCE else 1):
            session = self._session
            if session.game.turn(session.state).is_over:
                session = self._session = self._next_game()
            action = session.game.sample(session.state, self._rng)
            session.act("table", action, expected=None, key=None)


def main(folder: Path, names: list[str], rate: float) -> None:
    playing = True

    def end(*_: object) -> None:
        nonlocal playing
        playing = False

    signal.signal(signal.SIGTERM, end)
    tables = [BenchTable(folder / name) for name in names]
    pause = 1 / rate
    turns = [(time.monotonic() + random.random() * pause, number) for number in range(len(tables))]
    heapq.heapify(turns)
    while playing:
        due, number = heapq.heappop(turns)
        time.sleep(max(0.0, due - time.monotonic()))
        tables[number].play()
        # Whoever is late does not hurry: what the machine cannot do is seen in the count of events.
        heapq.heappush(turns, (max(due + pause, time.monotonic()), number))
    while True:
        signal.pause()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2].split(","), float(sys.argv[3]))
