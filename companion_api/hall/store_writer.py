"""The hub's consumer of events: messages are stored, then acknowledged; several hubs share the work."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from companion_api.hall import names
from companion_api.hall.broker import hub_connection, prepare, prepare_station, prepared_stations
from companion_api.hall.metrics import HubMetrics
from companion_api.hall.store import DatabaseError, Row, Store, TableMessage, newest

log = logging.getLogger("companion.hall.store_writer")

BATCH = 500
TRY_AGAIN_S = 1.0
IDLE_S = 1.0
COLLECT_S = 0.02
"""Seconds for which messages are collected into one commit: unnoticed at a wall, and ten events cost as much as one."""


@dataclass(eq=False)
class StoreWriter:
    """Runs until it is cancelled and reconnects after any error. `on_rows` gets the rows that any hub stored,
    `on_connected` is called after each connection."""

    _store: Store
    _server: str
    _credentials: str
    _metrics: HubMetrics
    _on_rows: Callable[[list[Row]], None]
    _on_connected: Callable[[], Awaitable[object]] | None = None
    _shut_out: frozenset[str] = field(default=frozenset(), init=False)
    client: Client | None = field(default=None, init=False)

    @property
    def is_connected(self) -> bool:
        return self.client is not None and self.client.is_connected

    async def run(self) -> None:
        while True:
            try:
                await self._run_connection()
            except (NatsError, OSError, TimeoutError) as error:
                log.info("the broker cannot be reached: %s", error or type(error).__name__)
            except Exception:
                log.exception("the way to the broker broke in a way that nobody thought of; it is tried again")
            self._metrics.connected.set(0)
            await asyncio.sleep(TRY_AGAIN_S)

    async def _run_connection(self) -> None:
        client = await hub_connection(self._server, self._credentials)
        restoring: asyncio.Task[None] | None = None
        try:
            stream = client.jetstream(timeout=10, domain=names.DOMAIN)
            await prepare(stream, self._store.id)
            await self._load_shut_out()
            await client.subscribe(names.STORED, cb=self._receive_rows)
            await client.subscribe(names.SHUT_OUT, cb=self._load_shut_out)
            subscription = await client.subscribe(f"{names.DELIVER}.{self._store.id}", queue="hubs")
            self.client = client
            self._metrics.connected.set(1)
            log.info("connected to the broker")
            restoring = asyncio.create_task(self._restore_stations(stream))
            while client.is_connected:
                batch = await _batch(subscription)
                if batch:
                    await self._process(client, batch)
        finally:
            self.client = None
            if restoring is not None:
                restoring.cancel()
            await client.close()

    async def _restore_stations(self, stream: JetStreamContext) -> None:
        """Restore what a broker that lost its disk or was restarted lacks; events do not wait for it."""
        try:
            prepared = await prepared_stations(stream)
            for station in await asyncio.to_thread(self._store.stations):
                if station not in prepared:
                    await prepare_station(stream, station)
            if self._on_connected is not None:
                await self._on_connected()
        except (NatsError, OSError, TimeoutError, DatabaseError) as error:
            log.info("not everything at the broker could be put right: %s", error or type(error).__name__)

    async def _process(self, client: Client, batch: list[Msg]) -> None:
        """Store a batch, publish the rows to all hubs, acknowledge; wait while the database cannot be reached."""
        read = [message for message in map(self._read, batch) if message is not None]
        with self._metrics.storing.time():
            fresh = await self._store_all(client, read)
        if fresh:
            rows = [row._asdict() for row in newest(fresh)]
            await client.publish(names.STORED, json.dumps(rows, separators=(",", ":")).encode())
        self._metrics.stored.inc(len(fresh))
        self._metrics.repeated.inc(len(read) - len(fresh))
        for message in batch:
            await message.ack()

    async def _store_all(self, client: Client, read: list[TableMessage]) -> list[TableMessage]:
        while True:
            try:
                fresh: list[TableMessage] = await asyncio.to_thread(self._store.keep, read)
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
        if station in self._shut_out:  # through another room's broker, which does not know of the revocation
            return None
        try:
            return TableMessage.read(station, table, message.data)
        except ValueError as error:
            log.warning("%s sends what cannot be read: %s", station, error)
            self._metrics.unreadable.inc()
            return None

    async def _receive_rows(self, message: Msg) -> None:
        self._on_rows([Row(**row) for row in json.loads(message.data)])

    async def _load_shut_out(self, _: Msg | None = None) -> None:
        self._shut_out = await asyncio.to_thread(self._store.all_shut_out)


async def _batch(subscription: Subscription) -> list[Msg]:
    """Messages for one commit; empty after IDLE_S without one, so that a broken connection is noticed."""
    try:
        found = [await subscription.next_msg(timeout=IDLE_S)]
    except nats.errors.TimeoutError:
        return []
    await asyncio.sleep(COLLECT_S)
    while len(found) < BATCH and subscription.pending_msgs > 0:
        found.append(await subscription.next_msg(timeout=IDLE_S))
    return found
