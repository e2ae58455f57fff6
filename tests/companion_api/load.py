"""How fast an event reaches many phones, from the tap that posts it, and what many lookers-on cost.

Run by hand; the figures stand in companion_api/README.md.

    python -m tests.companion_api.load [PHONES] [EVENTS]

The server runs as a process of its own with a table that is played by posts; the phones are raw streams here.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import httpx

from companion_api.access import Keys, Role, Token
from companion_api.log.databases import SqliteLog
from companion_api.session import Session
from rules.engine.playout import walk
from rules.games import game
from tests.companion_api.served import Process
from tests.ports import free_port

GAME = "decay"


class Crowd:
    """Phones that note when each event reaches them."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token
        self.seen: dict[int, list[float]] = {}

    async def phone(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        head = f"GET /api/events HTTP/1.1\r\nHost: localhost\r\nCookie: companion={self.token}\r\n\r\n"
        writer.write(head.encode())
        while line := await reader.readline():
            if line.startswith(b"id:"):
                self.seen.setdefault(int(line[3:]), []).append(time.perf_counter())

    def all_heard(self, seq: int, phones: int) -> bool:
        return len(self.seen.get(seq, [])) == phones


def memory_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


async def measure(server: Process, table: str, phones: int, events: int) -> dict[str, object]:
    keys = Keys.of(server.data)
    crowd = Crowd(server.port, keys.sign(Token(table, Role.SPECTATOR)))
    tasks = [asyncio.create_task(crowd.phone()) for _ in range(phones)]
    await until(partial(crowd.all_heard, 1, phones))
    before = memory_kb(server.pid)
    headers = {"authorization": f"Bearer {keys.sign(Token(table, Role.HOST))}"}
    late: list[float] = []
    actions = [action.id for _, action in walk(game(GAME), 2)]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.port}/api/", headers=headers) as host:
        for number in range(events):
            posted = time.perf_counter()
            answer = await host.post("actions", json={"action": actions[number]})
            seq = answer.json()["seq"]
            await until(partial(crowd.all_heard, seq, phones))
            late += [(at - posted) * 1e3 for at in crowd.seen[seq]]
            await asyncio.sleep(random.uniform(0.05, 0.15))
    after = memory_kb(server.pid)
    for task in tasks:
        task.cancel()
    return {
        "phones": phones,
        "events": events,
        "p50_ms": round(statistics.median(late), 1),
        "p95_ms": round(statistics.quantiles(late, n=20)[-1], 1),
        "max_ms": round(max(late), 1),
        "memory_mb_before_after": [before // 1024, after // 1024],
    }


async def until(ready: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError("the phones did not get it")
        await asyncio.sleep(0.002)


def main() -> None:
    phones, events = (int(text) for text in [*sys.argv[1:], "50", "100"][:2]) if len(sys.argv) > 1 else (50, 100)
    folder = Path(tempfile.mkdtemp())
    log = SqliteLog(folder / "companion.db")
    table = Session.begin(log, "load", game(GAME), {}, None).table
    log.close()
    server = Process(folder, free_port())
    server.ready()
    try:
        print(json.dumps(asyncio.run(measure(server, table, phones, events))))
    finally:
        server.kill()


if __name__ == "__main__":
    main()
