"""All parts of one run, built and taken down."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import nats
from nats.aio.client import RawCredentials

from companion_api.hall import names
from companion_api.hall.broker import Broker, Ports, configuration, prepare_station
from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.membership import Membership
from companion_api.hall.ruling import public_seal
from companion_api.hall.store import Store, open_database
from tests.bench.hall import servers
from tests.bench.hall.proxy import Link
from tests.bench.hall.servers import BenchProcess, PostgresServer, wait_for
from tests.bench.hall.wall_watch import WallWatch
from tests.ports import free_port

EACH_PROCESS = 25


@dataclass
class BenchPlan:
    """`away` is for how long no hub runs, in the middle."""

    tables: int = 100
    minutes: float = 5.0
    rate: float = 1.0
    chaos: int = 0
    hubs: int = 1
    away: float = 0.0
    seed: int = 1


@dataclass
class BenchHall:
    """All parts of one run."""

    folder: Path
    plan: BenchPlan
    database: PostgresServer
    broker: BenchProcess
    broker_port: int
    hubs: list[BenchProcess]
    ports: list[int]
    link: Link
    tables: list[BenchProcess]
    stations: list[str]
    store: Store
    accidents: dict[str, int] = field(default_factory=dict)
    walls: list[WallWatch] = field(default_factory=list)

    @property
    def parts(self) -> list[BenchProcess]:
        return [*self.hubs, self.broker, self.database.part, *self.tables]

    def is_ready(self, port: int) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/ready", timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


@contextmanager
def built(plan: BenchPlan) -> Iterator[BenchHall]:
    folder = Path(tempfile.mkdtemp(prefix="companion-hall-"))
    postgres = PostgresServer(folder / "pg")
    running: list[BenchProcess] = [postgres.part]
    verified_ruling: list[Store | Link] = []
    walls: list[WallWatch] = []
    try:
        postgres.start()
        store = Store(open_database(postgres.url, folder))
        verified_ruling.append(store)
        broker_port = free_port()
        broker = _broker(store, folder, broker_port)
        running.append(broker)
        ports = [free_port() for _ in range(plan.hubs)]
        address = f"nats://127.0.0.1:{broker_port}"
        hubs = [servers.hub(folder / f"hub{n}", port, postgres.url, address) for n, port in enumerate(ports)]
        running += hubs
        for hub in hubs:
            hub.start()
        link = Link(broker_port)
        verified_ruling.append(link)
        stations = [f"t{number}" for number in range(plan.tables)]
        groups = [stations[at : at + EACH_PROCESS] for at in range(0, len(stations), EACH_PROCESS)]
        tables = [servers.tables(folder / "tables", group, plan.rate) for group in groups]
        running += tables
        hall = BenchHall(
            folder, plan, postgres, broker, broker_port, hubs, ports, link, tables, stations, store, walls=walls
        )
        for port in ports:
            wait_for(partial(hall.is_ready, port), "the hub")
        asyncio.run(_admit_all(hall))
        yield hall
    finally:
        for each in verified_ruling:
            each.close()
        for part in running:
            part.kill()
        for wall in walls:
            wall.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _broker(store: Store, folder: Path, port: int) -> BenchProcess:
    path = folder / "nats.conf"
    path.write_text(configuration(store.seeds, folder / "js", Ports(port, None, None, "127.0.0.1")))
    part = BenchProcess("nats-server", Broker(path).command)
    part.start()
    wait_for(lambda: servers.is_listening(port), "nats-server")
    return part


async def _admit_all(hall: BenchHall) -> None:
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
