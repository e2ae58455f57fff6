"""One run: a broker, a database, hubs, tables and a wall; the load, the accidents, and the reckoning at the end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import statistics
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import RawCredentials

from companion_api.hall import names
from companion_api.hall.bench import servers
from companion_api.hall.bench.proxy import Link
from companion_api.hall.bench.servers import BenchError, Part, Postgres, wait_for
from companion_api.hall.broker import Broker, Ports, configuration, prepare_station
from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.database import DatabaseError, open_database
from companion_api.hall.membership import Membership
from companion_api.hall.people import People, Person, Role
from companion_api.hall.ruling import public_seal
from companion_api.hall.store import Store
from companion_api.hall.telling import Telling
from companion_api.log.sqlite import SqliteLog

EACH_PROCESS = 25
ACCIDENTS = ("hub", "broker", "database", "tables", "cut link", "slow link")
SLOW_S = 0.15
DRAIN_S = 300.0


@dataclass
class Plan:
    """`away` is for how long no hub runs, in the middle."""

    tables: int = 100
    minutes: float = 5.0
    rate: float = 1.0
    chaos: int = 0
    hubs: int = 1
    away: float = 0.0
    seed: int = 1


class WallWatch:
    """A wall that notes how late each row comes, by the table's clock, which is ours."""

    def __init__(self, ports: list[int], token: str) -> None:
        self._ports, self._token = ports, token
        self.late: list[float] = []
        self._seen: dict[tuple[str, str], int] = {}
        self._ended = threading.Event()
        self.steady = True
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """When the hubs are gone."""
        self._ended.set()
        self._thread.join(20)

    def _watch(self) -> None:
        turn, version = 0, 0
        while not self._ended.is_set():
            address = f"http://127.0.0.1:{self._ports[turn % len(self._ports)]}/api/stream?after={version}"
            request = urllib.request.Request(address, headers={"authorization": f"Bearer {self._token}"})
            try:
                with urllib.request.urlopen(request, timeout=20) as stream:
                    for line in stream:
                        if line.startswith(b"data:"):
                            self._note(json.loads(line[5:]), time.time())
            except (OSError, ValueError):
                turn += 1
                self._ended.wait(0.3)

    def _note(self, news: dict[str, Any], now: float) -> None:
        for row in news["tables"]:
            key = (row["station"], row["table"])
            if row["seq"] > self._seen.get(key, 0):  # a hub that was started anew tells everything again
                self._seen[key] = row["seq"]
                if self.steady:
                    self.late.append(now - row["at"])


@dataclass
class Hall:
    """All parts of one run."""

    folder: Path
    plan: Plan
    database: Postgres
    broker: Part
    broker_port: int
    hubs: list[Part]
    ports: list[int]
    link: Link
    tables: list[Part]
    stations: list[str]
    store: Store
    accidents: dict[str, int] = field(default_factory=dict)
    walls: list[WallWatch] = field(default_factory=list)

    @property
    def parts(self) -> list[Part]:
        return [*self.hubs, self.broker, self.database.part, *self.tables]

    def is_ready(self, port: int) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def built(plan: Plan) -> Iterator[Hall]:
    folder = Path(tempfile.mkdtemp(prefix="companion-hall-"))
    postgres = Postgres(folder / "pg")
    running: list[Part] = [postgres.part]
    opened: list[Store | Link] = []
    walls: list[WallWatch] = []
    try:
        postgres.start()
        store = Store(open_database(postgres.url, folder))
        opened.append(store)
        broker_port = servers.free_port()
        broker = _broker(store, folder, broker_port)
        running.append(broker)
        ports = [servers.free_port() for _ in range(plan.hubs)]
        address = f"nats://127.0.0.1:{broker_port}"
        hubs = [servers.hub(folder / f"hub{n}", port, postgres.url, address) for n, port in enumerate(ports)]
        running += hubs
        for hub in hubs:
            hub.start()
        link = Link(broker_port)
        opened.append(link)
        stations = [f"t{number}" for number in range(plan.tables)]
        groups = [stations[at : at + EACH_PROCESS] for at in range(0, len(stations), EACH_PROCESS)]
        tables = [servers.tables(folder / "tables", group, plan.rate) for group in groups]
        running += tables
        hall = Hall(
            folder, plan, postgres, broker, broker_port, hubs, ports, link, tables, stations, store, walls=walls
        )
        for port in ports:
            wait_for(partial(hall.is_ready, port), "the hub")
        asyncio.run(_admit_all(hall))
        yield hall
    finally:
        for each in opened:
            each.close()
        for part in running:
            part.kill()
        for wall in walls:
            wall.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _broker(store: Store, folder: Path, port: int) -> Part:
    path = folder / "nats.conf"
    path.write_text(configuration(store.seeds, folder / "js", Ports(port, None, None, "127.0.0.1")))
    part = Part("nats-server", Broker(path).command)
    part.start()
    wait_for(lambda: servers.is_listening(port), "nats-server")
    return part


async def _admit_all(hall: Hall) -> None:
    """What the hub does for every table that comes to its door, without the door."""
    seeds = hall.store.seeds
    client = await nats.connect(
        f"nats://127.0.0.1:{hall.broker_port}", user_credentials=RawCredentials(hub_credentials(seeds))
    )
    for station in hall.stations:
        await prepare_station(client.jetstream(timeout=20, domain=names.DOMAIN), station)
        hall.store.admit(station, station)
        credentials = table_credentials(seeds, station)
        server = f"nats://127.0.0.1:{hall.link.port}"
        member = Membership(server, station, station, credentials, public_seal(seeds.seal))
        member.keep(hall.folder / "tables" / station)
    await client.close()


# The run --------------------------------------------------------------------------------------------------------


def measured(plan: Plan, say: Callable[[str], None]) -> dict[str, Any]:
    with built(plan) as hall:
        say(f"{plan.tables} tables, {plan.hubs} hub(s); playing for {plan.minutes:g} minutes")
        token = People(hall.store).sign(Person(Role.GUEST))
        wall = WallWatch(hall.ports, token)
        hall.walls.append(wall)
        for part in hall.tables:
            part.start()
        wait_for(lambda: _stored(hall) >= plan.tables, "the tables", 120)
        before, costs = _logged(hall), _costs(hall)
        begun = time.monotonic()
        away = _play(hall, wall, say)
        played = time.monotonic() - begun
        for part in hall.tables:
            part.signal(signal.SIGTERM)
        hall.link.mend()
        time.sleep(0.5)
        drained = wait_for(lambda: _stored(hall) >= _logged(hall), "the last event", DRAIN_S)
        for part in hall.parts:
            part.measure()
        found = _reckoned(hall)
        events = found["events_in_logs"] - before
        return {
            **found,
            "seconds": round(played, 1),
            "events_per_s": round(events / played, 1),
            "wall_ms": _latency(wall.late),
            "drained_s": round(drained, 2),
            **away,
            "accidents": hall.accidents,
            "cost": _since(costs, _costs(hall), events),
            "load": [round(load, 1) for load in os.getloadavg()],
        }


def _play(hall: Hall, wall: WallWatch, say: Callable[[str], None]) -> dict[str, float]:
    plan, rng = hall.plan, random.Random(hall.plan.seed)
    length = plan.minutes * 60
    begun = time.monotonic()
    moments = sorted(rng.uniform(0.1, 0.9) * length for _ in range(plan.chaos))
    kinds = [kind for _ in range(0, plan.chaos, len(ACCIDENTS)) for kind in rng.sample(ACCIDENTS, len(ACCIDENTS))]
    away: dict[str, float] = {}
    for moment, kind in zip(moments, kinds, strict=False):
        _measure_until(hall, begun + moment)
        hall.accidents[kind] = hall.accidents.get(kind, 0) + 1
        say(f"{time.monotonic() - begun:6.1f} s: {kind}")
        _accident(hall, kind, rng)
    if plan.away:
        _measure_until(hall, begun + 0.3 * length)
        away = _without_hub(hall, wall, say)
    _measure_until(hall, begun + length)
    return away


def _measure_until(hall: Hall, moment: float) -> None:
    while time.monotonic() < moment:
        time.sleep(min(1.0, max(0.0, moment - time.monotonic())))
        for part in hall.parts:
            part.measure()


def _accident(hall: Hall, kind: str, rng: random.Random) -> None:
    """Something breaks and is put right after a moment."""
    pause = rng.uniform(0.3, 3.0)
    if kind in ("cut link", "slow link"):
        if kind == "cut link":
            hall.link.cut()
        else:
            hall.link.delay_s = SLOW_S
        time.sleep(pause)
        hall.link.mend()
        return
    parts = {"hub": hall.hubs, "broker": [hall.broker], "database": [hall.database.part], "tables": hall.tables}
    part = rng.choice(parts[kind])
    part.kill()
    time.sleep(pause)
    if kind == "database":
        hall.database.start()
    else:
        part.start()


def _without_hub(hall: Hall, wall: WallWatch, say: Callable[[str], None]) -> dict[str, float]:
    """Nobody stores for a while; how long it takes until all of it is there."""
    wall.steady = False
    for hub in hall.hubs:
        hub.kill()
    say(f"no hub for {hall.plan.away:g} s")
    _measure_until(hall, time.monotonic() + hall.plan.away)
    behind = _logged(hall) - _stored(hall)
    for hub in hall.hubs:
        hub.start()
    goal = _logged(hall)
    up = wait_for(lambda: any(hall.is_ready(port) for port in hall.ports), "the hub", 120)
    took = up + wait_for(lambda: _stored(hall) >= goal, "what was missed", DRAIN_S)
    wall.steady = True
    return {
        "away_s": hall.plan.away,
        "behind_events": behind,
        "caught_up_s": round(took, 2),
        "of_it_starting_s": round(up, 2),
    }


# The reckoning --------------------------------------------------------------------------------------------------


def _stored(hall: Hall) -> int:
    try:
        return hall.store.count()
    except DatabaseError:
        return 0


def _logs(hall: Hall) -> Iterator[tuple[str, SqliteLog]]:
    for station in hall.stations:
        path = hall.folder / "tables" / station / "companion.db"
        if path.exists():
            log = SqliteLog(path)
            yield station, log
            log.close()


def _logged(hall: Hall) -> int:
    return sum(seq for _, log in _logs(hall) for seq, _ in log.heads().values())


def _reckoned(hall: Hall) -> dict[str, Any]:
    """Every event of every log against the database, word for word; and the order in the stream."""
    logged = wrong = 0
    for station, log in _logs(hall):
        for table in log.tables():
            told = [dict(message) for message in Telling(log, table).after(0)]
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


async def _stream_order(hall: Hall) -> tuple[int, int]:
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


def _latency(late: list[float]) -> dict[str, float]:
    if len(late) < 20:
        raise BenchError("the wall has seen next to nothing")
    cuts = statistics.quantiles(late, n=100)
    return {name: round(1e3 * value, 1) for name, value in (("p50", cuts[49]), ("p95", cuts[94]), ("p99", cuts[98]))}


def _costs(hall: Hall) -> dict[str, dict[str, float]]:
    """Processor time and memory of each kind of part, until now."""
    found: dict[str, dict[str, float]] = {}
    for part in hall.parts:
        part.measure()
        entry = found.setdefault(part.name, {"cpu_s": 0.0, "memory_mb": 0.0})
        entry["cpu_s"] += part.usage.cpu_s
        entry["memory_mb"] += part.usage.memory_mb
    return found


def _since(before: dict[str, dict[str, float]], now: dict[str, dict[str, float]], events: int) -> dict[str, Any]:
    """What the play itself has cost; how the parts were started is left out, being started again is not."""
    found = {}
    for name, entry in now.items():
        cpu = entry["cpu_s"] - before[name]["cpu_s"]
        each = round(1e3 * cpu / max(1, events), 2)
        found[name] = {"cpu_s": round(cpu, 2), "cpu_ms_per_event": each, "memory_mb": round(entry["memory_mb"], 1)}
    return found
