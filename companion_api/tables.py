"""The tables of this server: sessions by id, opened from the log when somebody asks for them."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion_api.access import Keys, Role
from companion_api.folded_table import RequestError
from companion_api.hub import Hub
from companion_api.log.event import EventKind
from companion_api.log.evidence import Evidence
from companion_api.log.store import Log
from companion_api.records.restore import bring_back
from companion_api.rematch import rematch_of
from companion_api.session import Session
from rules.engine.history import History
from rules.games import game as find_game

IDLE_S = 3600.0
"""A table that nobody has asked for, looked at or listened to for so long is closed; its log opens it again."""
MOVED_ON_S = 120.0
"""And one whose people have moved on to another, after so long."""


_MOST_MOVES = 1000
"""Tables one after the other that a code is followed through."""


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """What a code opens: the table it was made for, the one that is played now, and as whom one comes in."""

    made_for: Session
    session: Session
    role: Role
    number: int

    @property
    def used_up(self) -> bool:
        """A host's code opens once."""
        return self.role is Role.HOST and self.number < self.made_for.roster.hosts


class Tables:
    """`watched`: the tables that the eyes look at, which are never closed."""

    def __init__(self, log: Log, data: Path, watched: Callable[[], frozenset[str]] = frozenset) -> None:
        self.log = log
        self.data = data
        self.keys = Keys.of(data)
        self.evidence = Evidence(data / "evidence")
        self._open: dict[str, Session] = {}
        self._hubs: dict[str, Hub] = {}
        self._used: dict[str, float] = {}
        self._watched = watched
        self._lock = threading.Lock()
        self._moving = threading.Lock()

    def begin(self, game: str, options: dict[str, Any] | None, seats: Any) -> Session:
        table = secrets.token_hex(4)
        with self._lock:
            self._close_idle()
            session = Session.begin(self.log, table, find_game(game), options, seats)
            self._open[table] = session
        return session

    def next_to(
        self,
        old: Session,
        by: str,
        game: str,
        options: dict[str, Any],
        seats: Any,
        places: tuple[int, ...] = (),
    ) -> tuple[Session, bool]:
        """Another table for those at this one, and whether it was opened now: who asks once more (the answer was lost,
        or long in coming) is sent to the one that was opened the first time. `places`: to which seat each seat goes."""
        with self._moving:
            ahead = self.current(old)
            wish = History.begin(find_game(game), options, seats)
            unfinished = ahead is not old and not ahead.game.turn(ahead.state).is_over
            if unfinished and (ahead.game.card.id, ahead.first.first) == (wish.game.card.id, wish.first):
                return ahead, False
            session = self.begin(game, options, seats)
            old.move_on(by, session.table, places)
            return session, True

    def rematch(self, old: Session, by: str) -> tuple[Session, bool]:
        """The same game once more, with the same people and the same clock; somebody else begins."""
        again = rematch_of(old)
        session, new = self.next_to(old, by, old.game.card.id, again.options, again.seats, again.places)
        if new and old.clock is not None:
            session.set_clock(by, old.clock.minutes, old.clock.increment, key=None)
        return session, new

    def after(self, session: Session, tour: Sequence[str] = ()) -> Session:
        """The same game once more with the same people, or the next game of a tour; everybody goes there."""
        name = session.game.card.id
        if name in tour:
            following = tour[(tour.index(name) + 1) % len(tour)]
            again = self.begin(following, find_game(following).card.easiest, None)
        else:
            again = self.begin(name, dict(session.first.options), [seat.to_json() for seat in session.seats])
        session.move_on("table", again.table)
        return again

    def bring_back(self, old: Session, by: str, history: History) -> tuple[Session, bool]:
        """A table of a game that was played elsewhere, for those at this one, and whether it was opened now: a file
        that is sent again, and in which nobody has played on, is the table of the first time."""
        with self._moving:
            ahead = self.current(old)
            if ahead is not old and _as_far(ahead.history) == _as_far(history):
                return ahead, False
            table = secrets.token_hex(4)
            with self._lock:
                session = self._open[table] = bring_back(self.log, table, history)
            old.move_on(by, session.table)
            return session, True

    def session(self, table: str) -> Session:
        with self._lock:
            self._used[table] = time.monotonic()
            if table not in self._open:
                self._close_idle()
                self._open[table] = Session(self.log, table)
                self._open[table].back_again()
            return self._open[table]

    def _close_idle(self) -> None:
        """Whoever plays a game an evening on a server that runs for a year does not fill its memory, nor who plays one
        after the other."""
        busy = self._watched() | {table for table, hub in self._hubs.items() if hub.listeners}
        now = time.monotonic()
        idle = [
            table
            for table, session in self._open.items()
            if table not in busy
            and now - self._used.setdefault(table, now) > (MOVED_ON_S if session.roster.moved_to else IDLE_S)
        ]
        for table in idle:
            if hub := self._hubs.pop(table, None):
                hub.stop()
            del self._open[table], self._used[table]

    def hub(self, session: Session) -> Hub:
        """Made in the event loop, on the first listener."""
        if session.table not in self._hubs:
            hub = self._hubs[session.table] = Hub(session)
            hub.start()
        return self._hubs[session.table]

    def latest(self) -> Session | None:
        """The table somebody played at last, so that a restarted server goes on where it was."""
        for table in self.log.tables():
            try:
                return self.current(self.session(table))
            except RequestError:
                continue
        return None

    def by_code(self, code: str) -> AccessGrant | None:
        """Whose door a short code opens."""
        for table in self.log.tables()[:200]:
            if opened := self.keys.opens(table, code):
                session = self.session(table)
                return AccessGrant(session, self.current(session), *opened)
        return None

    def tidy(self) -> None:
        """Pictures that are older than a month go, except those that a dispute stands on."""
        kept: set[str] = set()
        for table in self.log.tables():
            claims = (event for event in self.log.read(table) if event.kind is EventKind.CLAIM)
            kept |= {name for claim in claims for name in claim.data.get("pictures", {}).values() if name}
        self.evidence.expire(frozenset(kept))

    def current(self, session: Session) -> Session:
        """Where those at a table play now: the host may have opened another one, and another one there."""
        for _ in range(_MOST_MOVES):
            if session.roster.moved_to is None:
                break
            session = self.session(session.roster.moved_to)
        return session

    def host_code(self, session: Session) -> str:
        """The next code that makes a host; it opens once."""
        return self.keys.code(session.table, Role.HOST, session.roster.hosts)

    def let_go(self) -> None:
        """The server stops: whoever waits for news is sent home."""
        for hub in self._hubs.values():
            hub.stop()

    def close(self) -> None:
        for hub in self._hubs.values():
            hub.stop()
        self.log.close()


def _as_far(history: History) -> tuple[object, ...]:
    return history.game.card.id, history.first, history.actions, history.state
