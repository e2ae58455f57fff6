"""Taking games over to the broker while there is a connection: event by event, in order, the cursor after the
receipt."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any, Protocol

from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from companion_api.folded_table import RequestError
from companion_api.hall import names
from companion_api.hall.cursor import Cursor
from companion_api.hall.guest_log import GuestLog
from companion_api.hall.membership import Membership
from companion_api.log.evidence import Evidence
from companion_api.log.store import Log

log = logging.getLogger("companion.hall.outbox")

KEPT_TELLINGS = 8
BATCH = 64
LOOK_S = 3.0
"""How a table lies is ten times as long as what happened, so it goes no more often; after a pause it goes at once."""


class Counts(Protocol):
    """What is watched of the publisher."""

    def sent(self, at: float) -> None: ...

    def state(self, connected: bool, waiting: int) -> None: ...


class NoCounts:
    def sent(self, at: float) -> None:
        pass

    def state(self, connected: bool, waiting: int) -> None:
        pass


class Outbox:
    """Belongs to one thread. `again` is called with a table that has something to be sent later."""

    def __init__(
        self,
        log: Log,
        member: Membership,
        cursor: Cursor,
        counts: Counts,
        again: Callable[[str], None],
        evidence: Evidence | None = None,
    ) -> None:
        self._log = log
        self._member = member
        self._cursor = cursor
        self._counts = counts
        self._again = again
        self._evidence = evidence
        self._tellings: dict[str, GuestLog] = {}
        self._untellable: set[str] = set()
        self._checked: set[str] = set()
        self._unseen: set[str] = set()
        self._shown: dict[str, float] = {}
        self._due: set[str] = set()
        self._heads: dict[str, int] = {}

    def reconnected(self) -> None:
        """What the broker has must be asked again."""
        self._checked.clear()

    def heard(self, table: str, seq: int) -> None:
        """How far a game goes."""
        self._heads[table] = max(seq, self._heads.get(table, 0))

    def waiting(self, since: float, recent: float) -> list[str]:
        """What another process may have written, and what the broker may have lost."""
        found = []
        for table, (seq, at) in self._log.heads().items():
            self.heard(table, seq)
            behind = seq > self._cursor.of(table)
            if at >= since and (behind or (at >= recent and table not in self._checked)):
                found.append(table)
        return found

    async def bring_up(self, stream: JetStreamContext, table: str) -> None:
        """Take one game over as far as it goes."""
        if table in self._untellable or not names.is_table(table):
            return
        if table not in self._checked:
            await self._check(stream, table)
        if self._cursor.of(table) >= self._heads.get(table, 0) and table not in self._unseen:
            return  # an old game that stands there whole; to tell it anew costs as much as to play it
        guest_log = self._guest_log(table)
        if guest_log is None:
            return
        while messages := _some(guest_log, self._cursor.of(table)):
            self._unseen.add(table)
            for message in messages:
                await self._send(stream, message)
            if len(messages) < BATCH:
                break
        if table in self._unseen:
            await self._show(stream, guest_log)

    async def _show(self, stream: JetStreamContext, guest_log: GuestLog) -> None:
        """How the table looks now; of quick moves only the last is drawn."""
        table, now = guest_log.table.table, time.monotonic()
        wait = self._shown.get(table, 0.0) + LOOK_S - now
        if wait > 0:
            self._show_later(table, wait)
            return
        look = names.look_subject(self._member.station, table)
        await stream.publish(look, _plain(guest_log.look()))
        self._shown[table] = now
        self._unseen.discard(table)

    def _show_later(self, table: str, wait: float) -> None:
        def now() -> None:
            self._due.discard(table)
            self._again(table)

        if table not in self._due:
            self._due.add(table)
            asyncio.get_running_loop().call_later(wait, now)

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

    def _guest_log(self, table: str) -> GuestLog | None:
        told = self._tellings.get(table)
        if told is None or told.table.seq > self._cursor.of(table):  # told, but not acknowledged: told again
            self._tellings.pop(table, None)
            try:
                made = GuestLog(self._log, table)
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


def _some(guest_log: GuestLog, seq: int) -> list[dict[str, Any]]:
    found = []
    for message in guest_log.after(seq):
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
