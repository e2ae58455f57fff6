"""What one run has shown: every event counted and compared, how late, at what cost."""

from __future__ import annotations

import asyncio
import json
import statistics
from collections.abc import Iterator
from typing import Any

import nats
from nats.aio.client import RawCredentials

from companion_api.hall import names
from companion_api.hall.credentials import hub_credentials
from companion_api.hall.outbox import GuestLog
from companion_api.hall.store import DatabaseError
from companion_api.log.databases import SqliteLog
from tests.bench.hall.building import BenchHall
from tests.bench.hall.servers import BenchError


def stored(hall: BenchHall) -> int:
    try:
        return hall.store.count()
    except DatabaseError:
        return 0


def _logs(hall: BenchHall) -> Iterator[tuple[str, SqliteLog]]:
    for station in hall.stations:
        path = hall.folder / "tables" / station / "companion.db"
        if path.exists():
            log = SqliteLog(path)
            yield station, log
            log.close()


def logged(hall: BenchHall) -> int:
    return sum(seq for _, log in _logs(hall) for seq, _ in log.heads().values())


def reckoned(hall: BenchHall) -> dict[str, Any]:
    """Every event of every log against the database, word for word; and the order in the stream."""
    logged = wrong = 0
    for station, log in _logs(hall):
        for table in log.tables():
            told = [dict(message) for message in GuestLog(log, table).after(0)]
            logged += len(told)
            for message in told:
                del message["standing"], message["v"], message["table"]
            wrong += json.dumps(told) != json.dumps(hall.store.events(station, table))
    repeated, disordered = asyncio.run(_stream_order(hall))
    return {
        "events_in_logs": logged,
        "events_in_database": hall.store.count(),
        "games_that_differ": wrong,
        "repeated_in_stream": repeated,
        "out_of_order_in_stream": disordered,
    }


async def _stream_order(hall: BenchHall) -> tuple[int, int]:
    """How many messages came more than once, and how many came after a later one for the first time."""
    address = f"nats://127.0.0.1:{hall.broker_port}"
    client = await nats.connect(address, user_credentials=RawCredentials(hub_credentials(hall.store.seeds)))
    stream = client.jetstream(timeout=20, domain=names.DOMAIN)
    total = (await stream.stream_info(names.EVENTS)).state.messages
    messages = await stream.subscribe("hall.event.*.*", ordered_consumer=True)
    last: dict[str, int] = {}
    seen: set[tuple[str, int]] = set()
    repeated = disordered = 0
    for _ in range(total):
        message = await messages.next_msg(timeout=30)
        key = (message.subject, int(json.loads(message.data)["seq"]))
        if key in seen:
            repeated += 1
        elif key[1] != last.get(key[0], 0) + 1:
            disordered += 1
        seen.add(key)
        last[key[0]] = max(key[1], last.get(key[0], 0))
    await client.close()
    return repeated, disordered


def latency(late: list[float]) -> dict[str, float]:
    if len(late) < 20:
        raise BenchError("the wall has seen next to nothing")
    cuts = statistics.quantiles(late, n=100)
    return {name: round(1e3 * value, 1) for name, value in (("p50", cuts[49]), ("p95", cuts[94]), ("p99", cuts[98]))}


def costs(hall: BenchHall) -> dict[str, dict[str, float]]:
    """Processor time and memory of each kind of part, until now."""
    found: dict[str, dict[str, float]] = {}
    for part in hall.parts:
        part.measure()
        entry = found.setdefault(part.name, {"cpu_s": 0.0, "memory_mb": 0.0})
        entry["cpu_s"] += part.usage.cpu_s
        entry["memory_mb"] += part.usage.memory_mb
    return found


def since(before: dict[str, dict[str, float]], now: dict[str, dict[str, float]], events: int) -> dict[str, Any]:
    """What the play itself has cost; how the parts were started is left out, being started again is not."""
    found = {}
    for name, entry in now.items():
        cpu = entry["cpu_s"] - before[name]["cpu_s"]
        each = round(1e3 * cpu / max(1, events), 2)
        found[name] = {"cpu_s": round(cpu, 2), "cpu_ms_per_event": each, "memory_mb": round(entry["memory_mb"], 1)}
    return found
