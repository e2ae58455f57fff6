"""The table's side of the hall: a thread that takes the log over to the broker, event by event.

The log is the only store: what the broker has not acknowledged is read again from the log, however long that takes.
Nothing of the table waits for this thread, and nothing is lost when it is killed.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import nats
from nats.aio.client import Client, RawCredentials
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from companion_api.hall import names
from companion_api.hall.cursor import Cursor
from companion_api.hall.membership import Membership
from companion_api.hall.telling import Telling
from companion_api.log.event import Event
from companion_api.log.evidence import Evidence
from companion_api.log.store import Log, LogError
from companion_api.session import RequestError

log = logging.getLogger("companion.hall.publisher")

TRY_AGAIN_S = 1.0
LOOK_ROUND_S = 30.0
ANSWER_S = 4.0
RECENT_S = 2 * 86_400.0
BEFORE_JOINING_S = 12 * 3600.0
KEPT_TELLINGS = 8
BATCH = 64
LOOK_S = 1.0
Broken = (NatsError, OSError, asyncio.TimeoutError)


class Counts(Protocol):
    """What is watched of the publisher."""

    def sent(self, at: float) -> None: ...

    def state(self, connected: bool, waiting: int) -> None: ...


class NoCounts:
    def sent(self, at: float) -> None:
        pass

    def state(self, connected: bool, waiting: int) -> None:
        pass


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
        self._tellings: dict[str, Telling] = {}
        self._untellable: set[str] = set()
        self._checked: set[str] = set()
        self._dirty: set[str] = set()
        self._unseen: set[str] = set()
        self._shown: dict[str, float] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bell: asyncio.Event | None = None
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        log.listen(self._heard)

    # From other threads -----------------------------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping = True
        self._ring()
        self._thread.join(timeout=10)

    def _heard(self, event: Event) -> None:
        self._again(event.table)

    def _ring(self) -> None:
        if self._loop is not None and self._bell is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._bell.set)

    # The thread -------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        asyncio.run(self._publish())

    async def _publish(self) -> None:
        self._loop, self._bell = asyncio.get_running_loop(), asyncio.Event()
        self._cursor = Cursor(self._data / "hall.db")
        self._since = self._cursor.joined - BEFORE_JOINING_S
        try:
            while not self._stopping:
                try:
                    await self._connected_for_a_while()
                except (*Broken, LogError) as error:
                    log.info("the hall cannot be reached: %s", error or type(error).__name__)
                self._counts.state(False, len(self._dirty))
                await self._pause(TRY_AGAIN_S)
        finally:
            self._cursor.close()

    async def _connected_for_a_while(self) -> None:
        client = await connect(self._member)
        log.info("in the hall as %s", self._member.station)
        try:
            self._checked.clear()
            tasks = [asyncio.create_task(self._send_all(client))]
            if self._rule is not None and self._member.seal:
                tasks.append(asyncio.create_task(self._take_rulings(client)))
            done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            for task in done:
                task.result()
        finally:
            await _closed(client)

    async def _send_all(self, client: Client) -> None:
        """Until something breaks: send what is new, look at the whole log now and then."""
        stream = client.jetstream(timeout=ANSWER_S, domain=names.DOMAIN)
        looked = 0.0
        while not self._stopping:
            if not client.is_connected:
                raise nats.errors.ConnectionClosedError
            if time.monotonic() - looked > LOOK_ROUND_S:
                looked = time.monotonic()
                self._look_round()
            self._counts.state(True, len(self._dirty))
            for table in list(self._dirty):
                self._dirty.discard(table)
                try:
                    await self._bring_up(stream, table)
                except BaseException:
                    self._dirty.add(table)
                    raise
            if not self._dirty:
                await self._pause(LOOK_ROUND_S / 6)

    def _look_round(self) -> None:
        """What another process may have written, and what the broker may have lost."""
        recent = time.time() - RECENT_S
        for table, (seq, at) in self._log.heads().items():
            behind = seq > self._cursor.of(table)
            if at >= self._since and (behind or (at >= recent and table not in self._checked)):
                self._dirty.add(table)

    async def _bring_up(self, stream: JetStreamContext, table: str) -> None:
        """Take one table's log over, in order, as far as it goes."""
        if table in self._untellable or not names.is_table(table):
            return
        if table not in self._checked:
            await self._check(stream, table)
        telling = self._telling(table)
        if telling is None:
            return
        while messages := _some(telling, self._cursor.of(table)):
            self._unseen.add(table)
            for message in messages:
                await self._send(stream, message)
            if len(messages) < BATCH:
                break
        if table in self._unseen:
            await self._show(stream, telling)

    async def _show(self, stream: JetStreamContext, telling: Telling) -> None:
        """How the table looks now; of quick moves only the last is drawn."""
        table, now = telling.session.table, time.monotonic()
        wait = self._shown.get(table, 0.0) + LOOK_S - now
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._again, table)
            return
        look = names.look_subject(self._member.station, table)
        await stream.publish(look, _plain(telling.look()))
        self._shown[table] = now
        self._unseen.discard(table)

    def _again(self, table: str) -> None:
        self._dirty.add(table)
        self._ring()

    async def _check(self, stream: JetStreamContext, table: str) -> None:
        """Believe the broker about what it has: a hub that lost its disk gets the game again."""
        has = await self._has(stream, table)
        if has < self._cursor.of(table):
            self._cursor.move(table, has)
        self._checked.add(table)

    async def _has(self, stream: JetStreamContext, table: str) -> int:
        subject = names.event_subject(self._member.station, table)
        try:
            last = await stream.get_last_msg(names.EVENTS, subject, direct=True)
        except NotFoundError:
            return 0
        return int(json.loads(last.data or b"{}")["seq"])

    def _telling(self, table: str) -> Telling | None:
        told = self._tellings.get(table)
        if told is None or told.session.seq > self._cursor.of(table):  # told, but not acknowledged: told again
            self._tellings.pop(table, None)
            try:
                made = Telling(self._log, table)
            except RequestError as error:
                log.warning("table %s stays at home: %s", table, error)
                self._untellable.add(table)
                return None
            if len(self._tellings) >= KEPT_TELLINGS:
                self._tellings.pop(next(iter(self._tellings)))
            self._tellings[table] = made
        return self._tellings[table]

    async def _send(self, stream: JetStreamContext, message: dict[str, Any]) -> None:
        """One event, acknowledged before the cursor moves. The pictures that it stands on go before it."""
        station, table, seq = self._member.station, str(message["table"]), int(message["seq"])
        await self._send_pictures(stream, message)
        subject, body = names.event_subject(station, table), _plain(message)
        headers = {"Nats-Msg-Id": names.message_id(station, table, seq)}
        sent = await stream.publish(subject, body, stream=names.EVENTS, headers=headers)
        if sent.duplicate and await self._has(stream, table) < seq:
            # Somebody else used this event's id for something of its own: it must come all the same.
            await stream.publish(subject, body, stream=names.EVENTS)
        self._cursor.move(table, seq)
        self._counts.sent(float(message["at"]))

    async def _send_pictures(self, stream: JetStreamContext, message: dict[str, Any]) -> None:
        paths = [self._evidence.find(name) for name in pictures_of(message)] if self._evidence else []
        present = [path for path in paths if path is not None]
        if not present:
            return
        try:
            store = await stream.object_store(names.bucket(self._member.station))
            for path in present:
                await store.put(path.stem, await asyncio.to_thread(path.read_bytes))
        except NotFoundError:
            log.info("the hall keeps no pictures of this table")

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


async def connect(member: Membership) -> Client:
    """A connection that ends when it breaks: whoever uses it reads the log again and goes on from there."""
    options: dict[str, Any] = {"user_credentials": RawCredentials(member.credentials)} if member.credentials else {}
    return await nats.connect(
        member.server,
        name=member.station,
        allow_reconnect=False,
        connect_timeout=5,
        ping_interval=5,
        max_outstanding_pings=2,
        inbox_prefix=names.inbox(member.station),
        error_cb=_quiet,
        **options,
    )


async def _quiet(error: Exception) -> None:
    log.debug("connection: %s", error)


async def _closed(client: Client) -> None:
    try:
        await asyncio.wait_for(client.close(), 5)
    except Broken:
        log.debug("the connection was gone already")


def _some(telling: Telling, seq: int) -> list[dict[str, Any]]:
    found = []
    for message in telling.after(seq):
        found.append(message)
        if len(found) >= BATCH:
            break
    return found


def pictures_of(message: dict[str, Any]) -> list[str]:
    """The evidence that a question or a dispute stands on; plain moves send none."""
    if message["kind"] == "claim":
        return [name for name in (message.get("pictures") or {}).values() if name]
    if message["kind"] == "verdict" and message.get("evidence"):
        return [str(message["evidence"])]
    return []


def _plain(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
