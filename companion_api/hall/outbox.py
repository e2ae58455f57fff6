"""Sends games to the broker while it is connected: event by event, in order; a table's cursor, how far its log has been
acknowledged, moves after each receipt. A cursor that is too low only sends something twice, which does no harm."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from companion_api.folded_table import FoldedTable, RequestError
from companion_api.hall import names
from companion_api.hall.membership import Membership
from companion_api.hall.metrics import TableMetrics
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Evidence, Log
from companion_api.projections.choices import events_for
from companion_api.seat_view import SeatView
from rules.sentence import with_seat_names

log = logging.getLogger("companion.hall.outbox")

KEPT_GUEST_LOGS = 8
BATCH = 64
LOOK_S = 3.0
"""Least seconds between two layouts of a table: a layout is ten times as long as an event. After a pause one is sent at
once."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS cursor (table_id TEXT PRIMARY KEY, seq INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS joined (at REAL NOT NULL);
"""


class Cursor:
    """The last acknowledged event of each table, in `hall.db` beside the log; used by one thread."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, timeout=10, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.executescript(_SCHEMA)
        self._seqs = {str(t): int(s) for t, s in self._connection.execute("SELECT table_id, seq FROM cursor")}

    @property
    def joined(self) -> float:
        """Time at which this table server joined the hall, written down when it is first asked for."""
        found = self._connection.execute("SELECT MIN(at) FROM joined").fetchone()[0]
        if found is None:
            found = time.time()
            self._connection.execute("INSERT INTO joined VALUES (?)", (found,))
        return float(found)

    def of(self, table: str) -> int:
        return self._seqs.get(table, 0)

    def move(self, table: str, seq: int) -> None:
        if self._seqs.get(table) != seq:
            self._connection.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (table, seq))
            self._seqs[table] = seq

    def close(self) -> None:
        self._connection.close()


@dataclass(eq=False)
class Outbox:
    """Sends the tables of one log; used by one thread. `mark_dirty` is called with a table to be sent again later."""

    _log: Log
    _member: Membership
    _cursor: Cursor
    _metrics: TableMetrics
    _mark_dirty: Callable[[str], None]
    _evidence: Evidence | None = None
    _guest_logs: dict[str, GuestLog] = field(default_factory=dict, init=False)
    _unreadable: set[str] = field(default_factory=set, init=False)
    _verified: set[str] = field(default_factory=set, init=False)
    _stale_looks: set[str] = field(default_factory=set, init=False)
    _look_times: dict[str, float] = field(default_factory=dict, init=False)
    _looks_scheduled: set[str] = field(default_factory=set, init=False)
    _heads: dict[str, int] = field(default_factory=dict, init=False)

    def forget_verified(self) -> None:
        """After a reconnection: ask the broker again what it has of each table."""
        self._verified.clear()

    def note_event(self, table: str, seq: int) -> None:
        self._heads[table] = max(seq, self._heads.get(table, 0))

    def pending_tables(self, since: float, recent: float) -> list[str]:
        """Tables with events after their cursor (another process may have written them), and those since `recent` of
        which it was not verified that the broker still has them; nothing older than `since`."""
        found = []
        for table, (seq, at) in self._log.heads().items():
            self.note_event(table, seq)
            behind = seq > self._cursor.of(table)
            if at >= since and (behind or (at >= recent and table not in self._verified)):
                found.append(table)
        return found

    async def send_table(self, stream: JetStreamContext, table: str) -> None:
        """Send all events of one table's log after its cursor, then its layout."""
        if table in self._unreadable or not names.is_table(table):
            return
        if table not in self._verified:
            has = await self._last_at_broker(stream, table)
            if has < self._cursor.of(table):  # a hub that lost its disk gets the game again
                self._cursor.move(table, has)
            self._verified.add(table)
        if self._cursor.of(table) >= self._heads.get(table, 0) and table not in self._stale_looks:
            return  # completely sent; reading it again costs as much as playing it
        guest_log = self._guest_log(table)
        if guest_log is None:
            return
        while messages := list(islice(guest_log.after(self._cursor.of(table)), BATCH)):
            self._stale_looks.add(table)
            for message in messages:
                await self._send(stream, message)
            if len(messages) < BATCH:
                break
        if table in self._stale_looks:
            await self._send_look(stream, guest_log)

    async def _send_look(self, stream: JetStreamContext, guest_log: GuestLog) -> None:
        """Send the table's layout; after quick moves only the last one, LOOK_S after the one before."""
        table, now = guest_log.table.table, time.monotonic()
        wait = self._look_times.get(table, 0.0) + LOOK_S - now
        if wait > 0:
            if table not in self._looks_scheduled:
                self._looks_scheduled.add(table)
                asyncio.get_running_loop().call_later(wait, self._look_again, table)
            return
        look = names.subject("look", self._member.station, table)
        await stream.publish(look, _encoded(guest_log.look()))
        self._look_times[table] = now
        self._stale_looks.discard(table)

    def _look_again(self, table: str) -> None:
        self._looks_scheduled.discard(table)
        self._mark_dirty(table)

    async def _last_at_broker(self, stream: JetStreamContext, table: str) -> int:
        """Number of the table's last event that the broker has, 0 if none."""
        subject = names.subject("event", self._member.station, table)
        try:
            last = await stream.get_last_msg(names.EVENTS, subject, direct=True)
        except NotFoundError:
            return 0
        return int(json.loads(last.data or b"{}")["seq"])

    def _guest_log(self, table: str) -> GuestLog | None:
        """The reader of a table's log, from a cache; None where the log is of other rules than this program's."""
        known = self._guest_logs.get(table)
        if known is None or known.table.seq > self._cursor.of(table):  # read but not acknowledged: read again
            self._guest_logs.pop(table, None)
            try:
                made = GuestLog(self._log, table)
            except RequestError as error:
                log.warning("table %s stays at home: %s", table, error)
                self._unreadable.add(table)
                return None
            if len(self._guest_logs) >= KEPT_GUEST_LOGS:
                self._guest_logs.pop(next(iter(self._guest_logs)))
            self._guest_logs[table] = made
        return self._guest_logs[table]

    async def _send(self, stream: JetStreamContext, message: dict[str, Any]) -> None:
        """Send one event after its evidence pictures; the cursor moves when it is acknowledged."""
        station, table, seq = self._member.station, str(message["table"]), int(message["seq"])
        await self._send_pictures(stream, message)
        subject, body = names.subject("event", station, table), _encoded(message)
        headers = {"Nats-Msg-Id": names.message_id(station, table, seq)}
        sent = await stream.publish(subject, body, stream=names.EVENTS, headers=headers)
        if sent.duplicate and await self._last_at_broker(stream, table) < seq:
            # Another sender used this event's message id; it is sent without an id.
            await stream.publish(subject, body, stream=names.EVENTS)
        self._cursor.move(table, seq)
        self._metrics.sent(float(message["at"]))

    async def _send_pictures(self, stream: JetStreamContext, message: dict[str, Any]) -> None:
        paths = [self._evidence.find(name) for name in picture_names(message)] if self._evidence else []
        present = [path for path in paths if path is not None]
        if not present:
            return
        try:
            store = await stream.object_store(names.bucket(self._member.station))
            for path in present:
                await store.put(path.stem, await asyncio.to_thread(path.read_bytes))
        except NotFoundError:
            log.info("the hall keeps no pictures of this table")


def picture_names(message: dict[str, Any]) -> list[str]:
    """Evidence pictures of a question or a claim; other events send none."""
    if message["kind"] == "claim":
        return [name for name in (message.get("pictures") or {}).values() if name]
    if message["kind"] == "verdict" and message.get("evidence"):
        return [str(message["evidence"])]
    return []


def _encoded(message: dict[str, Any]) -> bytes:
    return json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


VERSION = 1
_ANSWERING = (
    EventKind.ACTION, EventKind.UNDO, EventKind.REDO, EventKind.LAID, EventKind.CORRECTED, EventKind.OVERRULED,
)  # fmt: skip


class GuestLog:
    """A table's log as a guest may know it, as one message per event; RequestError where it is of other rules than this
    program's.

    Each message describes the event in the state in which it was made: what was sealed then stays sealed, and the
    message is the same whenever it is sent. It carries the state of the table after the event (`standing`) for the wall
    and the umpire, so that the hub replays nothing and depends on no order."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._events = log.read(table)
        self.table = FoldedTable(table, self._events[:1])
        self._question: int | None = None
        self._seat_names: dict[int, str] = {}

    def after(self, seq: int) -> Iterator[dict[str, Any]]:
        """Messages of all events after `seq` that the log has now; calls must go forward."""
        last = self._events[-1].seq if self._events else self.table.seq
        self._events += self._log.read(self.table.table, last)
        while self._events:
            event = self._events.pop(0)
            if event.seq > self.table.seq:  # the table began with the first one
                self.table.take(event)
            self._track(event)
            if event.seq > seq:
                known = self.table.known(None)
                told = next(events_for(known, event.seq - 1))
                yield {"v": VERSION, "table": event.table, **told, "standing": self._standing(known)}

    def _track(self, event: Event) -> None:
        if event.kind is EventKind.VERDICT:
            self._question = event.seq
        elif event.kind in _ANSWERING:
            self._question = None
        elif event.kind is EventKind.JOINED and event.by.startswith("seat:") and event.data.get("name"):
            self._seat_names[int(event.by.removeprefix("seat:"))] = event.data["name"]

    def _standing(self, known: SeatView) -> dict[str, Any]:
        """The table's state after the event for the wall, with its open claims and question."""
        game, seen = known.game, known.state
        outcome = game.outcome(seen)
        names = [self._seat_names.get(i, seat.name) for i, seat in enumerate(known.seats)]
        disputes = known.disputes.items()
        claims = [seq for seq, d in disputes if EventKind.OVERRULED not in {r.kind for r in d.rulings}]
        return {
            "game": {"id": game.card.id, "name": game.card.name},
            "seats": names,
            "turn": game.turn(seen).to_json(),
            "scores": list(outcome.scores),
            "over": outcome.over,
            "winners": list(outcome.winners),
            "reason": with_seat_names(outcome.reason, lambda seat: names[seat]),
            "actions": known.actions,
            "claims": claims,
            "question": self._question,
        }

    def look(self) -> dict[str, Any]:
        """The table's layout now, without what a guest may not see."""
        known = self.table.known(None)
        layout = known.game.layout(known.state)
        return {"v": VERSION, "table": known.table, "seq": known.seq, "layout": layout.to_json()}
