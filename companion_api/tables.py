"""The tables of this server: sessions by id, opened from the log on request."""

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
from companion_api.log.event import EventKind
from companion_api.log.store import Evidence, Log
from companion_api.news import Hub
from companion_api.records.restore import restore_game
from companion_api.session import Session
from rules.engine.card import read_seats
from rules.engine.history import History
from rules.engine.turn import TurnKind
from rules.games import game as find_game

IDLE_S = 3600.0
"""A table without requests, listeners or watcher for so long is closed; its log opens it again."""
MOVED_ON_S = 120.0
"""The same for a table whose people have moved to another one."""
_MAX_MOVES = 1000
"""Tables in a row that a code is followed through."""


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """What a code opens: the table it was made for, the one played now, the role, and the number of a host code."""

    made_for: Session
    session: Session
    role: Role
    number: int


class Tables:
    """`watched`: the tables the camera looks at, which are never closed."""

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
        self._move_lock = threading.Lock()

    def begin(self, game: str, options: dict[str, Any] | None, seats: Any) -> Session:
        table = secrets.token_hex(4)
        with self._lock:
            self._close_idle()
            self._open[table] = Session.begin(self.log, table, find_game(game), options, seats)
            return self._open[table]

    def open_next(
        self, old: Session, by: str, game: str, options: dict[str, Any], seats: Any, places: tuple[int, ...] = ()
    ) -> tuple[Session, bool]:
        """Another table for those at this one, and whether it was opened now: a repeated request (its answer was lost
        or late) gets the first one's table. `places`: the new seat of each seat."""
        with self._move_lock:
            latest = self.current(old)
            wanted = History.begin(find_game(game), options, seats)
            unfinished = latest is not old and not latest.game.turn(latest.state).is_over
            if unfinished and (latest.game.card.id, latest.first.first) == (wanted.game.card.id, wanted.first):
                return latest, False
            session = self.begin(game, options, seats)
            old.move_to_table(by, session.table, places)
            return session, True

    def rematch(self, old: Session, by: str) -> tuple[Session, bool]:
        """The same game again with the same people and clock; another seat begins."""
        session, new = self.open_next(old, by, old.game.card.id, *rematch_of(old))
        if new and old.clock is not None:
            session.set_clock(by, old.clock.minutes, old.clock.increment, key=None)
        return session, new

    def after(self, session: Session, tour: Sequence[str] = ()) -> Session:
        """The same game again with the same people, or the next game of a tour; everybody is moved there."""
        name = session.game.card.id
        if name in tour:
            following = tour[(tour.index(name) + 1) % len(tour)]
            again = self.begin(following, find_game(following).card.easiest, None)
        else:
            again = self.begin(name, dict(session.first.options), [seat.to_json() for seat in session.seats])
        session.move_to_table("table", again.table)
        return again

    def restore_game(self, old: Session, by: str, history: History) -> tuple[Session, bool]:
        """A table with an imported game, for those at this one, and whether it was opened now: a file sent again, on
        which nobody has played, gives the first one's table."""
        with self._move_lock:
            latest = self.current(old)
            if latest is not old and _progress(latest.history) == _progress(history):
                return latest, False
            table = secrets.token_hex(4)
            with self._lock:
                session = self._open[table] = restore_game(self.log, table, history)
            old.move_to_table(by, session.table)
            return session, True

    def session(self, table: str) -> Session:
        with self._lock:
            self._used[table] = time.monotonic()
            if table not in self._open:
                self._close_idle()
                self._open[table] = Session(self.log, table)
                self._open[table].pause_clock_after_restart()
            return self._open[table]

    def _close_idle(self) -> None:
        """Bounds the memory of a server that runs for a year."""
        busy = self._watched() | {table for table, hub in self._hubs.items() if hub.listeners}
        now = time.monotonic()
        for table in self._open.keys() - busy:
            kept_s = MOVED_ON_S if self._open[table].roster.moved_to else IDLE_S
            if now - self._used.setdefault(table, now) > kept_s:
                if hub := self._hubs.pop(table, None):
                    hub.stop()
                del self._open[table], self._used[table]

    def hub(self, session: Session) -> Hub:
        """The hub of a table, created in the event loop for the first listener."""
        if session.table not in self._hubs:
            hub = self._hubs[session.table] = Hub(session)
            hub.start()
        return self._hubs[session.table]

    def latest(self) -> Session | None:
        """The last table in use, so that a restarted server continues there."""
        for table in self.log.tables():
            try:
                return self.current(self.session(table))
            except RequestError:
                continue
        return None

    def grant_by_code(self, code: str) -> AccessGrant | None:
        """The table and role a code opens; None for an unknown code."""
        for table in self.log.tables()[:200]:
            if role_and_number := self.keys.opens(table, code):
                session = self.session(table)
                return AccessGrant(session, self.current(session), *role_and_number)
        return None

    def tidy(self) -> None:
        """Deletes expired evidence pictures, except those of disputes."""
        kept: set[str] = set()
        for table in self.log.tables():
            claims = (event for event in self.log.read(table) if event.kind is EventKind.CLAIM)
            kept |= {name for claim in claims for name in claim.data.get("pictures", {}).values() if name}
        self.evidence.expire(frozenset(kept))

    def current(self, session: Session) -> Session:
        """The table where those at `session` play now, following every move."""
        for _ in range(_MAX_MOVES):
            if session.roster.moved_to is None:
                break
            session = self.session(session.roster.moved_to)
        return session

    def host_code(self, session: Session) -> str:
        return self.keys.code(session.table, Role.HOST, session.roster.hosts)

    def stop_hubs(self) -> None:
        for hub in self._hubs.values():
            hub.stop()

    def close(self) -> None:
        self.stop_hubs()
        self.log.close()


def _progress(history: History) -> tuple[object, ...]:
    return history.game.card.id, history.first, history.actions, history.state


_OPTION = "start_player"
"""Name of the option by which games choose the first player."""


def rematch_of(session: Session) -> tuple[dict[str, Any], list[dict[str, Any]], tuple[int, ...]]:
    """Options, seats, and the new seat of each seat (empty where nobody moves): the first player is set by the game's
    option, rolled again, or people change seats."""
    options, count = dict(session.first.options), len(session.seats)
    seats = [seat.to_json() for seat in session.seats]
    chosen = next((option for option in session.game.card.options if option.name == _OPTION), None)
    first_seat = _first_seat(session)
    if chosen is None and first_seat is not None and count > 1:
        places = tuple((seat - 1) % count for seat in range(count))
        for seat, place in enumerate(places):
            seats[place]["name"] = _given_name(session, seat)
        return options, seats, places
    if chosen is not None and first_seat is not None and options.get(_OPTION, chosen.default) != "roll":
        after = (first_seat + 1) % count
        options[_OPTION] = next((choice for choice in chosen.choices if str(choice) == str(after)), after)
    return options, seats, ()


def _first_seat(session: Session) -> int | None:
    """The first seat that had a turn of its own."""
    state = session.history.first
    for entry in session.history.entries:
        turn = session.game.turn(state)
        if turn.kind is TurnKind.SEAT:
            return turn.seats[0]
        state = entry.state
    return None


def _given_name(session: Session, seat: int) -> str:
    """The name people gave; empty for the game's own name of the seat."""
    plain = read_seats(session.game.card, len(session.seats))[seat].name
    name = session.roster.name_of(seat) or session.seats[seat].name
    return "" if name == plain else name
