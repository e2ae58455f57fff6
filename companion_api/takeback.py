"""Steps that are taken back: whose they were, who is asked first, and how they are put back. Folded from the log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion_api.log.event import Event, EventKind
from rules.engine.action import Action

ASKED, REFUSED = "takeback_asked", "takeback_refused"


@dataclass(frozen=True, slots=True)
class CountedAction:
    """One action that counts, with the event that brought it."""

    seq: int
    action: Action
    state: Any = None
    """The position, where the table was taken as it lay."""


@dataclass(frozen=True, slots=True)
class Takeback:
    """`by` would take back the last `count` actions, which `seats` have done. `seq`: the event that asks for it."""

    seq: int
    by: str
    count: int
    seats: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": self.count, "seats": list(self.seats)}


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back last, until the game goes on."""

    seq: int
    by: str
    seats: tuple[int, ...]
    actions: tuple[CountedAction, ...]

    def to_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "by": self.by, "count": len(self.actions), "seats": list(self.seats)}


def asked_for(asked: Takeback | None, event: Event, changes: bool) -> Takeback | None:
    """What is being asked for after an event; `changes`: the position is another one now."""
    if event.kind is EventKind.NOTE and event.data.get("code") == ASKED:
        facts = event.data["facts"]
        return Takeback(event.seq, event.by, int(facts["count"]), tuple(facts["seats"]))
    answered = event.kind is EventKind.NOTE and event.data.get("code") == REFUSED
    return None if answered or changes else asked
