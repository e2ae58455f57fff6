"""A table's log as a guest may know it, told event by event.

Each event is told in the state that it was done in, by its own time: what is sealed then stays sealed in this message
for ever, and the message of an event is the same whenever it is sent. What the wall and the umpire need to know of the
table after the event (`standing`) goes with it, so that the hub folds nothing and needs no order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.folded_table import FoldedTable
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log
from companion_api.projections.timeline import events_for
from companion_api.seat_view import SeatView
from rules.sentence import named

VERSION = 1
_ANSWERS = (EventKind.ACTION, EventKind.UNDO, EventKind.REDO, EventKind.LAID, EventKind.CORRECTED, EventKind.OVERRULED)


class GuestLog:
    """RequestError where the log is of other rules than this program's."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._events = log.read(table)
        self.table = FoldedTable(table, self._events[:1])
        self._asked: int | None = None
        self._names: dict[int, str] = {}
        self._fresh = self._events[:1]
        del self._events[:1]

    def after(self, seq: int) -> Iterator[dict[str, Any]]:
        """The messages of all events after one, as far as the log goes now. They must be asked for in order."""
        last = self.table.seq + len(self._events)
        self._events += self._log.read(self.table.table, last)
        while self._fresh or self._events:
            event = self._next()
            self._remember(event)
            if event.seq > seq:
                yield self._message(event)

    def _next(self) -> Event:
        if self._fresh:
            return self._fresh.pop()
        event = self._events.pop(0)
        self.table.take(event)
        return event

    def _remember(self, event: Event) -> None:
        if event.kind is EventKind.VERDICT:
            self._asked = event.seq
        elif event.kind in _ANSWERS:
            self._asked = None
        elif event.kind is EventKind.JOINED and event.by.startswith("seat:") and event.data.get("name"):
            self._names[int(event.by.removeprefix("seat:"))] = event.data["name"]

    def _message(self, event: Event) -> dict[str, Any]:
        known = self.table.known(None)
        told = next(events_for(known, event.seq - 1))
        return {"v": VERSION, "table": event.table, **told, "standing": self._standing(known)}

    def _standing(self, known: SeatView) -> dict[str, Any]:
        """The table after the event: what the wall shows, and what waits for an umpire."""
        game, seen = known.game, known.state
        outcome = game.outcome(seen)
        names = [self._names.get(i, seat.name) for i, seat in enumerate(known.seats)]
        decided = {EventKind.OVERRULED}
        claims = [seq for seq, d in known.disputes.items() if not decided & {r.kind for r in d.rulings}]
        return {
            "game": {"id": game.card.id, "name": game.card.name},
            "seats": names,
            "turn": game.turn(seen).to_json(),
            "scores": list(outcome.scores),
            "over": outcome.over,
            "winners": list(outcome.winners),
            "reason": named(outcome.reason, lambda seat: names[seat]),
            "actions": known.actions,
            "claims": claims,
            "question": self._asked,
        }

    def look(self) -> dict[str, Any]:
        """The drawn table as it lies now, without what a guest may not see."""
        known = self.table.known(None)
        layout = known.game.layout(known.state)
        return {"v": VERSION, "table": known.table, "seq": known.seq, "layout": layout.to_json()}
