"""The hub as one thing: the store, the way to the broker, the wall. It keeps nothing of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from companion_api.access import Brake
from companion_api.hall import names
from companion_api.hall.broker import Broker, prepare_station, whole_picture
from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.database import DatabaseError
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.people import HallPerson, People
from companion_api.hall.revocation import told
from companion_api.hall.ruling import Ruling, public_seal
from companion_api.hall.store import Store
from companion_api.hall.store_writer import StoreWriter
from companion_api.hall.wall import Wall
from companion_api.screen_requests import Knocks
from rules.sentence import ToldError, say

log = logging.getLogger("companion.hall")
TEND_S = 2.0
FOUND_S = 10.0
LOST_S = 600.0
"""A hub that was not heard of for so long is gone; whether a younger one answers is for the page to find out."""


class AwayError(ToldError):
    """The broker is away; what was asked for was not done."""


class Hall:
    """`public` is what invitations call the broker; `credentials` are for a broker with rules of its own. `address`:
    where people reach this hub's page; walls of another hub that ends go there."""

    def __init__(
        self, store: Store, server: str, public: str, broker: Broker | None = None, credentials: str | None = None
    ) -> None:
        self.store = store
        self.public = public
        self.people = People(store)
        self.brake = Brake(tries=20, seconds=60)
        self.knocks = Knocks[HallPerson]()
        self.metrics = HubMetrics()
        self.wall = Wall(store, self.metrics)
        given = hub_credentials(store.seeds) if credentials is None else credentials
        self.storing = StoreWriter(store, server, given, self.metrics, self.wall.take, self._tell_shut_out)
        self._broker = broker
        self._server = server
        self._own_rules = credentials is None
        self.address = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(work()) for work in (self.storing.run, self.wall.run, self._tend, self._be_found)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._broker is not None:
                await asyncio.to_thread(self._broker.stop)
            self.store.close()

    async def _tend(self) -> None:
        while True:
            await asyncio.sleep(TEND_S)
            self.wall.count()
            if self._broker is not None:
                self._broker.tend()

    async def _be_found(self) -> None:
        while self.address:
            with suppress(DatabaseError):
                await asyncio.to_thread(self.store.hub_is_at, self.address)
            await asyncio.sleep(FOUND_S)

    # For people -------------------------------------------------------------------------------------------------

    async def admit(self, name: str) -> dict[str, str]:
        """A table comes in: its name, its station, what it may write with. The same name is the same station."""
        stations = await asyncio.to_thread(self.store.stations)
        shut_out = await asyncio.to_thread(self.store.all_shut_out)
        same = (s for s, known in stations.items() if known.casefold() == name.casefold() and s not in shut_out)
        station = next(same, None)
        station = station or _free(names.station_of(name), stations)

        async def prepared(client: Client) -> None:
            await prepare_station(client.jetstream(timeout=10, domain=names.DOMAIN), station)

        await self._with_broker(prepared)
        await asyncio.to_thread(self.store.admit, station, name)
        await asyncio.to_thread(self.wall.load)
        log.info("table %s comes in as %s", name, station)
        seeds = self.store.seeds
        credentials = table_credentials(seeds, station)
        return {"station": station, "name": name, "credentials": credentials, "seal": public_seal(seeds.seal)}

    async def shut_out(self, station: str) -> bool:
        """This table's credentials are worth nothing from now on; whether the broker has ended its connection."""
        await asyncio.to_thread(self.store.shut_out, station)

        async def said(client: Client) -> None:
            await client.publish(names.SHUT_OUT, station.encode())
            await client.flush()

        log.info("table %s is shut out", station)
        try:
            await self._with_broker(said)
        except AwayError:
            return False
        return await self._tell_shut_out()

    async def _tell_shut_out(self) -> bool:
        shut_out = await asyncio.to_thread(self.store.all_shut_out)
        return not shut_out or (self._own_rules and await told(self._server, self.store.seeds, shut_out))

    async def send(self, ruling: Ruling) -> None:
        """On its way to the table, kept by the broker until the table has taken it."""
        message = ruling.sealed(self.store.seeds.seal)

        async def sent(client: Client) -> None:
            subject = names.ruling_subject(ruling.station, ruling.table)
            await client.jetstream(timeout=5, domain=names.DOMAIN).publish(
                subject, message, headers={"Nats-Msg-Id": ruling.id}
            )

        await self._with_broker(sent)
        self.metrics.rulings.inc()
        about = (ruling.station, ruling.table, ruling.about)
        await asyncio.to_thread(self.store.answer, *about, ruling.by, ruling.text)

    async def look(self, station: str, table: str) -> bytes | None:
        """The drawn table as it was sent last."""
        found: list[bytes | None] = []

        async def asked(client: Client) -> None:
            stream = client.jetstream(timeout=5, domain=names.DOMAIN)
            try:
                last = await stream.get_last_msg(names.LOOKS, names.look_subject(station, table), direct=True)
            except NotFoundError:
                return
            found.append(last.data)

        await self._with_broker(asked)
        return found[0] if found else None

    async def picture(self, station: str, name: str) -> bytes | None:
        """An evidence picture, if the table's share of the store still has it."""
        found: list[bytes | None] = []

        async def asked(client: Client) -> None:
            found.append(await whole_picture(client.jetstream(timeout=5, domain=names.DOMAIN), station, name))

        await self._with_broker(asked)
        return found[0]

    async def _with_broker(self, work: Callable[[Client], Any]) -> None:
        try:
            await self.storing.ask(work)
        except (NatsError, TimeoutError, OSError) as error:
            log.info("the broker did not answer: %s", error or type(error).__name__)
            raise AwayError(say("the broker does not answer just now; nothing was changed, try again")) from None


def _free(station: str, taken: dict[str, str]) -> str:
    if station not in taken:
        return station
    return next(f"{station}-{n}" for n in range(2, 1000) if f"{station}-{n}" not in taken)
