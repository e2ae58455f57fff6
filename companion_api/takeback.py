"""Take-backs: whose actions they were, who has to agree, and how they are restored. Folded from the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion_api.log.event import Event, EventKind
from rules.engine.action import Action

ASKED, REFUSED = "takeback_asked", "takeback_refused"


@dataclass(frozen=True, slots=True)
class CountedAction:
    """An action that counts, with the event that brought it."""

    seq: int
    action: Action
    state: Any = None
    """The position, where people confirmed the observed table."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """`by` asks to take back the last `count` actions, done by `seats`; `seq`: the event of the request."""

    seq: int
    by: str
    count: int
    seats: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": self.count, "seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The actions last taken back, until the game goes on."""

    seq: int
    by: str
    seats: tuple[int, ...]
    actions: tuple[CountedAction, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": len(self.actions), "seats": list(self.seats)}


def open_request(request: Takeback | None, event: Event, changes: bool) -> Takeback | None:
    """The open request after an event; `changes`: whether the event changed the position."""
    if event.kind is EventKind.NOTE and event.data.get("code") == ASKED:
        facts = event.data["facts"]
        return Takeback(event.seq, event.by, int(facts["count"]), tuple(facts["seats"]))
    declined = event.kind is EventKind.NOTE and event.data.get("code") == REFUSED
    return None if declined or changes else request
