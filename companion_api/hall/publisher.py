"""The table server's thread that sends its log to the broker, event by event, and receives the umpire's rulings.

The log is the only store: what the broker has not acknowledged is read again from the log, however long that takes.
Nothing of the table waits for this thread, and nothing is lost when it is killed.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion_api.hall import names
from companion_api.hall.membership import ANSWER_S, BROKEN, Membership, close_connection, connect
from companion_api.hall.metrics import TableMetrics
from companion_api.hall.outbox import Cursor, Outbox
from companion_api.log.event import Event
from companion_api.log.store import Evidence, Log, LogError

log = logging.getLogger("companion.hall.publisher")

TRY_AGAIN_S = 1.0
RESCAN_S = 30.0
"""Seconds between two reads of all heads of the log."""
RECENT_S = 2 * 86_400.0
"""Games younger than this are verified at the broker after each connection."""
BEFORE_JOINING_S = 12 * 3600.0
"""Games that ended earlier than this before the table joined are not sent."""


class Publisher:
    """`rulings` applies an umpire's message and returns whether to acknowledge it (False: deliver it again)."""

    def __init__(
        self,
        log: Log,
        data: Path,
        member: Membership,
        evidence: Evidence | None = None,
        rulings: Callable[[bytes], bool] | None = None,
        metrics: TableMetrics | None = None,
    ) -> None:
        self.connected = False
        self._log = log
        self._data = data
        self._member = member
        self._evidence = evidence
        self._apply_ruling = rulings
        self._metrics = metrics or TableMetrics()
        self._dirty: set[str] = set()
        self._last_played = ""
        self._new_events: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake: asyncio.Event | None = None
        self._stopping = False
        self._thread = threading.Thread(target=lambda: asyncio.run(self._publish()), name="hall", daemon=True)
        self._unsubscribe = log.listen(self._on_event)

    # From other threads

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._unsubscribe()
        self._wake_up()
        self._thread.join(timeout=10)

    def _on_event(self, event: Event) -> None:
        self._last_played = event.table
        self._new_events[event.table] = event.seq
        self._mark_dirty(event.table)

    def _wake_up(self) -> None:
        if self._loop is not None and self._wake is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake.set)

    # The thread

    async def _publish(self) -> None:
        self._loop, self._wake = asyncio.get_running_loop(), asyncio.Event()
        cursor = Cursor(self._data / "hall.db")
        self._oldest = cursor.joined - BEFORE_JOINING_S
        outbox = Outbox(self._log, self._member, cursor, self._metrics, self._mark_dirty, self._evidence)
        try:
            while not self._stopping:
                try:
                    await self._run_connection(outbox)
                except (*BROKEN, LogError) as error:
                    log.info("the hall cannot be reached: %s", error or type(error).__name__)
                except Exception:
                    log.exception("the way to the hall broke in a way that nobody thought of; it is tried again")
                self._report(connected=False)
                await self._pause(TRY_AGAIN_S)
        finally:
            cursor.close()

    def _report(self, *, connected: bool) -> None:
        self.connected = connected
        self._metrics.state(connected, len(self._dirty))

    async def _run_connection(self, outbox: Outbox) -> None:
        client = await connect(self._member)
        log.info("in the hall as %s", self._member.station)
        try:
            outbox.forget_verified()
            tasks = [asyncio.create_task(self._send_all(client, outbox))]
            if self._apply_ruling is not None and self._member.seal:
                tasks.append(asyncio.create_task(self._take_rulings(client)))
            done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                task.result()
        finally:
            await close_connection(client)

    async def _send_all(self, client: Client, outbox: Outbox) -> None:
        """Send new events until the connection breaks; every RESCAN_S compare the cursors with the whole log."""
        stream = client.jetstream(timeout=ANSWER_S, domain=names.DOMAIN)
        looked = 0.0
        while not self._stopping:
            if not client.is_connected:
                raise nats.errors.ConnectionClosedError
            if time.monotonic() - looked > RESCAN_S:
                looked = time.monotonic()
                self._dirty.update(outbox.pending_tables(self._oldest, time.time() - RECENT_S))
            self._report(connected=True)
            while self._new_events:
                table, seq = self._new_events.popitem()
                outbox.note_event(table, seq)
                self._dirty.add(table)
            # The game that is being played goes first.
            for table in sorted(self._dirty, key=lambda table: table != self._last_played):
                self._dirty.discard(table)
                try:
                    await outbox.send_table(stream, table)
                except BaseException:
                    self._dirty.add(table)
                    raise
            if not self._dirty:
                await self._pause(RESCAN_S / 6)

    def _mark_dirty(self, table: str) -> None:
        self._dirty.add(table)
        self._wake_up()

    async def _take_rulings(self, client: Client) -> None:
        stream = client.jetstream(timeout=ANSWER_S, domain=names.DOMAIN)
        waiting = await stream.pull_subscribe_bind(self._member.station, stream=names.RULINGS)
        assert self._apply_ruling is not None
        while not self._stopping:
            try:
                messages = await waiting.fetch(1, timeout=20)
            except NatsError as error:
                if isinstance(error, nats.errors.TimeoutError) and client.is_connected:
                    continue
                raise
            for message in messages:
                if await asyncio.to_thread(self._apply_ruling, message.data):
                    await message.ack()
                else:
                    await message.nak(delay=5)

    async def _pause(self, seconds: float) -> None:
        assert self._wake is not None
        try:
            await asyncio.wait_for(self._wake.wait(), 0.05 if self._stopping else seconds)
        except TimeoutError:
            return
        self._wake.clear()
