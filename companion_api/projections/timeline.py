"""Events as one viewer may read them, told in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.log.event import EventKind
from companion_api.projections.choices import told as told_action
from companion_api.projections.choices import valued
from companion_api.projections.effects import effect_for
from companion_api.seat_view import KnownEvent, SeatView, ToldAction

_JUDGED = (EventKind.VERDICT, EventKind.RULING)
_WITH_ACTIONS = (EventKind.ACTION, EventKind.CORRECTED, EventKind.LAID)


def events_for(table: SeatView, after: int = 0, last: int | None = None) -> Iterator[dict[str, Any]]:
    """All events after one (up to a last one), in order. Actions are told in the state that they were done in."""
    return (event_for(table, known) for known in table.events(after, last))


def event_for(table: SeatView, known: KnownEvent) -> dict[str, Any]:
    event = known.event
    plain = {"seq": event.seq, "at": event.at, "kind": event.kind.value, "by": event.by, **event.data}
    if event.kind in _WITH_ACTIONS:
        plain["actions"] = [_action_for(table, told) for told in known.told]
    return valued(table.game, plain) if event.kind in _JUDGED else plain


def _action_for(table: SeatView, told: ToldAction) -> dict[str, Any]:
    effects = [effect_for(table.game, effect) for effect in told.entry.effects]
    if told.action is None:
        return {"id": None, "text": None, "seat": told.seat, "effects": effects}
    plain = {"id": told.action.id, "text": table.game.describe(told.action), **told_action(table.game, told.action)}
    plain |= {"seat": told.seat, "effects": effects}
    return {**plain, "secret": True} if told.secret else plain
