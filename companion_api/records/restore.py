"""Import of a recorded game: its events are written as if it had been played here."""

from __future__ import annotations

import re

from companion_api.folded_table import RequestError
from companion_api.log.event import EventKind
from companion_api.log.store import Log
from companion_api.session import Session
from rules.engine.card import read_seats
from rules.engine.history import History
from rules.notation.record import read_record
from rules.notation.replay import resume
from rules.sentence import say

_JSON = re.compile(r'\s*\{\s*["}]')


def read_history(text: str) -> History:
    """A game from a saved file (JSON) or from PPN; NotationError says what is wrong."""
    return read_record(text) if _JSON.match(text) else resume(text)


def restore_game(log: Log, table: str, history: History) -> Session:
    """Opens a table with this history; RequestError if the name exists, so that nothing is overwritten."""
    if table in log.tables():
        raise RequestError(say("there is a table “{table}” already; rename the file", table=table))
    card = history.game.card
    started = {
        "game": card.id,
        "rules": card.version,
        "options": dict(history.options),
        "seats": [seat.to_json() for seat in read_seats(card, history.seats)],
        "first": history.game.encode(history.first),
    }
    log.append(table, EventKind.STARTED, "import", started)
    for entry in history.entries:
        if entry.is_laid:
            log.append(table, EventKind.LAID, "import", {"state": history.game.encode(entry.state)})
        else:
            log.append(table, EventKind.ACTION, "import", {"action": entry.action.id})
    return Session(log, table)
