"""The hub: its store, its connection to the broker and the wall; it has no state of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from companion_api.access import Brake, ScreenRequests
from companion_api.hall import names
from companion_api.hall.broker import Broker, prepare_station, revoke, stored_picture
from companion_api.hall.credentials import hub_credentials, table_credentials
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.people import HallPerson, People
from companion_api.hall.ruling import Ruling, public_seal
from companion_api.hall.store import DatabaseError, Store
from companion_api.hall.store_writer import StoreWriter
from companion_api.hall.wall import Wall
from rules.sentence import SentenceError, say

log = logging.getLogger("companion.hall")

UPKEEP_S = 2.0
REGISTER_S = 10.0
LOST_S = 600.0
"""Seconds after which a hub that has not registered itself again is no longer listed."""


class AwayError(SentenceError):
    """The broker cannot be reached; nothing was done."""


class Hall:
    """`public`: the broker's address in invitations. `credentials`: for a broker with rules of its own. `address`: of
    this hub's page; walls of another hub that ends go there."""

    def __init__(
        self, store: Store, server: str, public: str, broker: Broker | None = None, credentials: str | None = None
    ) -> None:
        self.store = store
        self.public = public
        self.people = People(store)
        self.brake = Brake(tries=20, seconds=60)
        self.screen_requests = ScreenRequests[HallPerson]()
        self.metrics = HubMetrics()
        self.wall = Wall(store, self.metrics)
        creds = hub_credentials(store.seeds) if credentials is None else credentials
        self.store_writer = StoreWriter(store, server, creds, self.metrics, self.wall.take, self._send_revocations)
        self._broker = broker
        self._server = server
        self._own_rules = credentials is None
        self.address = ""

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        loops = self.store_writer.run, self.wall.run, self._run_upkeep, self._register
        tasks = [asyncio.create_task(loop()) for loop in loops]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self._broker is not None:
                await asyncio.to_thread(self._broker.stop)
            self.store.close()

    async def _run_upkeep(self) -> None:
        while True:
            await asyncio.sleep(UPKEEP_S)
            self.wall.update_metrics()
            if self._broker is not None:
                self._broker.restart_if_ended()

    async def _register(self) -> None:
        while self.address:
            with suppress(DatabaseError):
                await asyncio.to_thread(self.store.register_hub, self.address)
            await asyncio.sleep(REGISTER_S)

    async def admit(self, name: str) -> dict[str, str]:
        """Admit a table server: its membership. The same name gets the same station, unless that was shut out."""
        stations = await asyncio.to_thread(self.store.stations)
        shut_out = await asyncio.to_thread(self.store.all_shut_out)
        same = (s for s, known in stations.items() if known.casefold() == name.casefold() and s not in shut_out)
        own = names.station_of(name)
        free = (s for s in (own, *(f"{own}-{n}" for n in range(2, 1000))) if s not in stations)
        station = next(same, None) or next(free)
        async with self._broker_client() as client:
            await prepare_station(client.jetstream(timeout=10, domain=names.DOMAIN), station)
        await asyncio.to_thread(self.store.admit, station, name)
        await asyncio.to_thread(self.wall.load)
        log.info("table %s comes in as %s", name, station)
        seeds = self.store.seeds
        credentials = table_credentials(seeds, station)
        return {"station": station, "name": name, "credentials": credentials, "seal": public_seal(seeds.seal)}

    async def shut_out(self, station: str) -> bool:
        """Invalidate a station's credentials; whether the broker has ended its connection."""
        await asyncio.to_thread(self.store.shut_out, station)
        log.info("table %s is shut out", station)
        try:
            async with self._broker_client() as client:
                await client.publish(names.SHUT_OUT, station.encode())
                await client.flush()
        except AwayError:
            return False
        return await self._send_revocations()

    async def _send_revocations(self) -> bool:
        """Whether the broker knows the stations that were shut out."""
        shut_out = await asyncio.to_thread(self.store.all_shut_out)
        return not shut_out or (self._own_rules and await revoke(self._server, self.store.seeds, shut_out))

    async def send(self, ruling: Ruling) -> None:
        """Send a ruling to its table; the broker keeps it until the table has acknowledged it."""
        message = ruling.to_message(self.store.seeds.seal)
        subject = names.subject("ruling", ruling.station, ruling.table)
        async with self._broker_client() as client:
            stream = client.jetstream(timeout=5, domain=names.DOMAIN)
            await stream.publish(subject, message, headers={"Nats-Msg-Id": ruling.id})
        self.metrics.rulings.inc()
        about = (ruling.station, ruling.table, ruling.about)
        await asyncio.to_thread(self.store.answer, *about, ruling.by, ruling.text)

    async def look(self, station: str, table: str) -> bytes | None:
        """The last layout message of a table, None if there is none."""
        async with self._broker_client() as client:
            stream = client.jetstream(timeout=5, domain=names.DOMAIN)
            try:
                return (await stream.get_last_msg(names.LOOKS, names.subject("look", station, table), direct=True)).data
            except NotFoundError:
                return None

    async def picture(self, station: str, name: str) -> bytes | None:
        """An evidence picture, None if the station's object store has it no more."""
        async with self._broker_client() as client:
            return await stored_picture(client.jetstream(timeout=5, domain=names.DOMAIN), station, name)

    @asynccontextmanager
    async def _broker_client(self) -> AsyncIterator[Client]:
        """The connection to the broker; AwayError where there is none or what is done with it fails."""
        try:
            if self.store_writer.client is None:
                raise nats.errors.ConnectionClosedError
            yield self.store_writer.client
        except (NatsError, TimeoutError, OSError) as error:
            log.info("the broker did not answer: %s", error or type(error).__name__)
            raise AwayError(say("the broker does not answer just now; nothing was changed, try again")) from None
