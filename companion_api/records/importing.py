"""A recorded game becomes a table again: its events are written as if it had been played here."""

from __future__ import annotations

from companion_api.log.event import EventKind
from companion_api.log.store import Log
from companion_api.session import RequestError, Session
from rules.engine.card import read_seats
from rules.engine.history import History


def bring_back(log: Log, table: str, history: History) -> Session:
    """RequestError if there is a table of that name already: nothing that was played is overwritten."""
    if table in log.tables():
        raise RequestError(f"there is a table {table!r} already; rename the file")
    card = history.game.card
    started = {
        "game": card.id,
        "rules": card.version,
        "options": dict(history.options),
        "seats": [seat.to_json() for seat in read_seats(card, history.seats)],
        "first": history.game.encode(history.first),
    }
    log.append(table, EventKind.STARTED, "import", started)
    for action in history.actions:
        log.append(table, EventKind.ACTION, "import", {"action": action.id})
    return Session(log, table)
