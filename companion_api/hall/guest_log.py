"""A table's log as a guest may know it, as one message per event.

Each message describes the event in the state in which it was made: what was sealed then stays sealed, and the message
is the same whenever it is sent. It carries the state of the table after the event (`standing`) for the wall and the
umpire, so that the hub replays nothing and depends on no order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.folded_table import FoldedTable
from companion_api.log.event import Event, EventKind
from companion_api.log.store import Log
from companion_api.projections.timeline import events_for
from companion_api.seat_view import SeatView
from rules.sentence import with_seat_names

VERSION = 1
_ANSWERING = (
    EventKind.ACTION,
    EventKind.UNDO,
    EventKind.REDO,
    EventKind.LAID,
    EventKind.CORRECTED,
    EventKind.OVERRULED,
)


class GuestLog:
    """Reads a table's log; RequestError where it is of other rules than this program's."""

    def __init__(self, log: Log, table: str) -> None:
        self._log = log
        self._events = log.read(table)
        self.table = FoldedTable(table, self._events[:1])
        self._question: int | None = None
        self._seat_names: dict[int, str] = {}
        self._first = self._events[:1]
        del self._events[:1]

    def after(self, seq: int) -> Iterator[dict[str, Any]]:
        """Messages of all events after `seq` that the log has now; calls must go forward."""
        last = self.table.seq + len(self._events)
        self._events += self._log.read(self.table.table, last)
        while self._first or self._events:
            event = self._next_event()
            self._track(event)
            if event.seq > seq:
                yield self._message(event)

    def _next_event(self) -> Event:
        if self._first:
            return self._first.pop()
        event = self._events.pop(0)
        self.table.take(event)
        return event

    def _track(self, event: Event) -> None:
        if event.kind is EventKind.VERDICT:
            self._question = event.seq
        elif event.kind in _ANSWERING:
            self._question = None
        elif event.kind is EventKind.JOINED and event.by.startswith("seat:") and event.data.get("name"):
            self._seat_names[int(event.by.removeprefix("seat:"))] = event.data["name"]

    def _message(self, event: Event) -> dict[str, Any]:
        known = self.table.known(None)
        told = next(events_for(known, event.seq - 1))
        return {"v": VERSION, "table": event.table, **told, "standing": self._standing(known)}

    def _standing(self, known: SeatView) -> dict[str, Any]:
        """The table's state after the event for the wall, with its open claims and question."""
        game, seen = known.game, known.state
        outcome = game.outcome(seen)
        names = [self._seat_names.get(i, seat.name) for i, seat in enumerate(known.seats)]
        final = {EventKind.OVERRULED}
        claims = [seq for seq, d in known.disputes.items() if not final & {r.kind for r in d.rulings}]
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
