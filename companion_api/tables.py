"""The tables of this server: sessions by id, opened from the log when somebody asks for them."""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Any

from companion_api.access import Keys
from companion_api.hub import Hub
from companion_api.log.evidence import Evidence
from companion_api.log.store import Log
from companion_api.records.importing import bring_back
from companion_api.session import RequestError, Session
from rules.engine.history import History
from rules.games import game as find_game


class Tables:
    def __init__(self, log: Log, data: Path) -> None:
        self.log = log
        self.data = data
        self.keys = Keys.of(data)
        self.evidence = Evidence(data / "evidence")
        self._open: dict[str, Session] = {}
        self._hubs: dict[str, Hub] = {}
        self._lock = threading.Lock()

    def begin(self, game: str, options: dict[str, Any] | None, seats: Any) -> Session:
        table = secrets.token_hex(4)
        with self._lock:
            session = Session.begin(self.log, table, find_game(game), options, seats)
            self._open[table] = session
        return session

    def bring_back(self, history: History) -> Session:
        """A table of a game that was played elsewhere."""
        table = secrets.token_hex(4)
        with self._lock:
            session = self._open[table] = bring_back(self.log, table, history)
        return session

    def session(self, table: str) -> Session:
        with self._lock:
            if table not in self._open:
                self._open[table] = Session(self.log, table)
            return self._open[table]

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
                return self.session(table)
            except RequestError:
                continue
        return None

    def by_code(self, code: str) -> Session | None:
        """Whose door a short code opens."""
        for table in self.log.tables()[:200]:
            if self.keys.opens(table, code):
                return self.session(table)
        return None

    def close(self) -> None:
        for hub in self._hubs.values():
            hub.stop()
        self.log.close()
