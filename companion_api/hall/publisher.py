"""The table's side of the hall: a thread that takes the log over to the broker, event by event.

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
from companion_api.hall.connection import ANSWER_S, BROKEN, closed, connect
from companion_api.hall.cursor import Cursor
from companion_api.hall.membership import Membership
from companion_api.hall.outbox import Counts, NoCounts, Outbox
from companion_api.log.event import Event
from companion_api.log.evidence import Evidence
from companion_api.log.store import Log, LogError

log = logging.getLogger("companion.hall.publisher")

TRY_AGAIN_S = 1.0
LOOK_ROUND_S = 30.0
RECENT_S = 2 * 86_400.0
BEFORE_JOINING_S = 12 * 3600.0


class Publisher:
    """`rulings` carries out what comes from the umpire: it gets the message and says whether it may be forgotten."""

    def __init__(
        self,
        log: Log,
        data: Path,
        member: Membership,
        evidence: Evidence | None = None,
        rulings: Callable[[bytes], bool] | None = None,
        counts: Counts | None = None,
    ) -> None:
        self._log = log
        self._data = data
        self._member = member
        self._evidence = evidence
        self._rule = rulings
        self._counts = counts or NoCounts()
        self._dirty: set[str] = set()
        self._played = ""
        self._news: dict[str, int] = {}
        self.connected = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: asyncio.Event | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._unheard = log.listen(self._heard)

    # From other threads -----------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._unheard()
        self._ring()
        self._thread.join(timeout=10)

    def _heard(self, event: Event) -> None:
        self._played = event.table
        self._news[event.table] = event.seq
        self._again(event.table)

    def _ring(self) -> None:
        if self._loop is not None and self._bell is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._bell.set)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.run(self._publish())

    async def _publish(self) -> None:
        self._loop, self._bell = asyncio.get_running_loop(), asyncio.Event()
        cursor = Cursor(self._data / "hall.db")
        self._since = cursor.joined - BEFORE_JOINING_S
        outbox = Outbox(self._log, self._member, cursor, self._counts, self._again, self._evidence)
        try:
            while not self._stopping:
                try:
                    await self._connected_for_a_while(outbox)
                except (*BROKEN, LogError) as error:
                    log.info("the hall cannot be reached: %s", error or type(error).__name__)
                except Exception:
                    log.exception("the way to the hall broke in a way that nobody thought of; it is tried again")
                self._is(connected=False)
                await self._pause(TRY_AGAIN_S)
        finally:
            cursor.close()

    def _is(self, *, connected: bool) -> None:
        self.connected = connected
        self._counts.state(connected, len(self._dirty))

    async def _connected_for_a_while(self, outbox: Outbox) -> None:
        client = await connect(self._member)
        log.info("in the hall as %s", self._member.station)
        try:
            outbox.reconnected()
            tasks = [asyncio.create_task(self._send_all(client, outbox))]
            if self._rule is not None and self._member.seal:
                tasks.append(asyncio.create_task(self._take_rulings(client)))
            done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                task.result()
        finally:
            await closed(client)

    async def _send_all(self, client: Client, outbox: Outbox) -> None:
        """Until something breaks: send what is new, look at the whole log now and then."""
        stream = client.jetstream(timeout=ANSWER_S, domain=names.DOMAIN)
        looked = 0.0
        while not self._stopping:
            if not client.is_connected:
                raise nats.errors.ConnectionClosedError
            if time.monotonic() - looked > LOOK_ROUND_S:
                looked = time.monotonic()
                self._dirty.update(outbox.waiting(self._since, time.time() - RECENT_S))
            self._is(connected=True)
            while self._news:
                table, seq = self._news.popitem()
                outbox.heard(table, seq)
                self._dirty.add(table)
            # What is played now is waited for; older games are only looked after.
            for table in sorted(self._dirty, key=lambda table: table != self._played):
                self._dirty.discard(table)
                try:
                    await outbox.bring_up(stream, table)
                except BaseException:
                    self._dirty.add(table)
                    raise
            if not self._dirty:
                await self._pause(LOOK_ROUND_S / 6)

    def _again(self, table: str) -> None:
        self._dirty.add(table)
        self._ring()

    async def _take_rulings(self, client: Client) -> None:
        stream = client.jetstream(timeout=ANSWER_S, domain=names.DOMAIN)
        waiting = await stream.pull_subscribe_bind(self._member.station, stream=names.RULINGS)
        assert self._rule is not None
        while not self._stopping:
            try:
                messages = await waiting.fetch(1, timeout=20)
            except NatsError as error:
                if isinstance(error, nats.errors.TimeoutError) and client.is_connected:
                    continue
                raise
            for message in messages:
                if await asyncio.to_thread(self._rule, message.data):
                    await message.ack()
                else:
                    await message.nak(delay=5)

    async def _pause(self, seconds: float) -> None:
        assert self._bell is not None
        try:
            await asyncio.wait_for(self._bell.wait(), 0.05 if self._stopping else seconds)
        except TimeoutError:
            return
        self._bell.clear()
