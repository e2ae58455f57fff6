"""The hub's end of the stream: what comes is stored and only then acknowledged; several hubs share the work."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable

import nats
from nats.aio.client import Client, RawCredentials
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from companion_api.hall import names
from companion_api.hall.broker import prepare, prepare_station, prepared_stations
from companion_api.hall.database import DatabaseError
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.store import Row, Store, TableMessage, newest

log = logging.getLogger("companion.hall.store_writer")

BATCH = 500
TRY_AGAIN_S = 1.0
LATE_S = 1.0
TOGETHER_S = 0.02
"""Nobody at a wall sees a fiftieth of a second, and a commit costs the same for one event and for ten."""


class StoreWriter:
    """Runs until it is cancelled, whatever breaks. `heard` is told which tables have changed, by any hub."""

    def __init__(
        self,
        store: Store,
        server: str,
        credentials: str,
        metrics: HubMetrics,
        heard: Callable[[list[Row]], None],
        connected: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        self._store = store
        self._server = server
        self._credentials = credentials
        self._metrics = metrics
        self._heard = heard
        self._connected = connected
        self._shut_out: frozenset[str] = frozenset()
        self.client: Client | None = None

    @property
    def is_connected(self) -> bool:
        return self.client is not None and self.client.is_connected

    async def run(self) -> None:
        while True:
            try:
                await self._connected_for_a_while()
            except (NatsError, OSError, TimeoutError) as error:
                log.info("the broker cannot be reached: %s", error or type(error).__name__)
            except Exception:
                log.exception("the way to the broker broke in a way that nobody thought of; it is tried again")
            self._metrics.connected.set(0)
            await asyncio.sleep(TRY_AGAIN_S)

    async def _connected_for_a_while(self) -> None:
        options = {"user_credentials": RawCredentials(self._credentials)} if self._credentials else {}
        client = await nats.connect(
            self._server, name="hub", allow_reconnect=False, connect_timeout=5, error_cb=_quiet, **options
        )
        put_right: asyncio.Task[None] | None = None
        try:
            stream = client.jetstream(timeout=10, domain=names.DOMAIN)
            await prepare(stream, self._store.id)
            await self._heard_of_shut_out()
            await client.subscribe(names.STORED, cb=self._heard_news)
            await client.subscribe(names.SHUT_OUT, cb=self._heard_of_shut_out)
            messages = await client.subscribe(f"{names.DELIVER}.{self._store.id}", queue="hubs")
            self.client = client
            self._metrics.connected.set(1)
            log.info("connected to the broker")
            put_right = asyncio.create_task(self._put_right(stream))
            while client.is_connected:
                batch = await _batch(messages)
                if batch:
                    await self._keep(client, batch)
        finally:
            self.client = None
            if put_right is not None:
                put_right.cancel()
            await client.close()

    async def _put_right(self, stream: JetStreamContext) -> None:
        """What a broker that has lost its disk, or was started anew, does not know. Events do not wait for it."""
        try:
            there = await prepared_stations(stream)
            for station in await asyncio.to_thread(self._store.stations):
                if station not in there:
                    await prepare_station(stream, station)
            if self._connected is not None:
                await self._connected()
        except (NatsError, OSError, TimeoutError, DatabaseError) as error:
            log.info("not everything at the broker could be put right: %s", error or type(error).__name__)

    async def _keep(self, client: Client, batch: list[Msg]) -> None:
        """Stored, told to all hubs, acknowledged; while the database is away it waits and takes no more."""
        told = [message for message in map(self._read, batch) if message is not None]
        with self._metrics.storing.time():
            fresh = await self._stored(client, told)
        if fresh:
            await client.publish(names.STORED, _news(fresh))
        self._metrics.stored.inc(len(fresh))
        self._metrics.repeated.inc(len(told) - len(fresh))
        for message in batch:
            await message.ack()

    async def _stored(self, client: Client, told: list[TableMessage]) -> list[TableMessage]:
        while True:
            try:
                fresh: list[TableMessage] = await asyncio.to_thread(self._store.keep, told)
            except DatabaseError as error:
                log.warning("%s; nothing is acknowledged until it is back", error)
                self._metrics.database.set(0)
                if not client.is_connected:
                    raise nats.errors.ConnectionClosedError from None
                await asyncio.sleep(TRY_AGAIN_S)
            else:
                self._metrics.database.set(1)
                return fresh

    def _read(self, message: Msg) -> TableMessage | None:
        station, table = names.parts(message.subject)
        if station in self._shut_out:  # it came in through another room's broker, which has not been told
            return None
        try:
            return TableMessage.read(station, table, message.data)
        except ValueError as error:
            log.warning("%s sends what cannot be read: %s", station, error)
            self._metrics.unreadable.inc()
            return None

    async def _heard_news(self, message: Msg) -> None:
        self._heard([Row(**row) for row in json.loads(message.data)])

    async def _heard_of_shut_out(self, _: Msg | None = None) -> None:
        self._shut_out = await asyncio.to_thread(self._store.all_shut_out)

    async def ask(self, work: Callable[[Client], Awaitable[None]]) -> None:
        """Something else that needs the broker; NatsError where it is away."""
        if self.client is None:
            raise nats.errors.ConnectionClosedError
        await work(self.client)


async def _batch(messages: Subscription) -> list[Msg]:
    """What comes within a moment, for one commit; nothing after a while, so that a broken connection is noticed."""
    try:
        found = [await messages.next_msg(timeout=LATE_S)]
    except nats.errors.TimeoutError:
        return []
    await asyncio.sleep(TOGETHER_S)
    while len(found) < BATCH and messages.pending_msgs > 0:
        found.append(await messages.next_msg(timeout=LATE_S))
    return found


def _news(fresh: list[TableMessage]) -> bytes:
    """How the changed tables stand now."""
    return json.dumps([row.to_json() for row in newest(fresh)], separators=(",", ":")).encode()


async def _quiet(error: Exception) -> None:
    log.debug("connection: %s", error)
