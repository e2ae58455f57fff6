"""Events as one viewer may read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.log.event import EventKind
from companion_api.projections.choices import action_with_text, with_values
from companion_api.seat_view import SeatView, VisibleAction, VisibleEvent
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect
from rules.table.layout import Zone

_WITH_SENTENCES = (EventKind.VERDICT, EventKind.RULING)
_WITH_ACTIONS = (EventKind.ACTION, EventKind.CORRECTED, EventKind.LAID)


def events_for(table: SeatView, after: int = 0, last: int | None = None) -> Iterator[dict[str, Any]]:
    """Events after one, up to a last one, in order; actions are described in the state they were done in."""
    return (event_for(table, known) for known in table.events(after, last))


def event_for(table: SeatView, known: VisibleEvent) -> dict[str, Any]:
    event = known.event
    plain = {"seq": event.seq, "at": event.at, "kind": event.kind.value, "by": event.by, **event.data}
    if event.kind in _WITH_ACTIONS:
        plain["actions"] = [_action_for(table, visible) for visible in known.actions]
    return with_values(table.game, plain) if event.kind in _WITH_SENTENCES else plain


def _action_for(table: SeatView, visible: VisibleAction) -> dict[str, Any]:
    effects = [effect_json(table.game, effect) for effect in visible.entry.effects]
    if visible.action is None:
        return {"id": None, "text": None, "seat": visible.seat, "effects": effects}
    plain = {**action_with_text(table.game, visible.action), "seat": visible.seat, "effects": effects}
    return {**plain, "secret": True} if visible.secret else plain


def effect_json(game: AnyGame, effect: Effect) -> dict[str, Any]:
    """An effect with its piece and places as values and its sentence, so that any language can word it."""
    plain: dict[str, Any] = effect.to_json()
    for end in ("from", "to"):
        if (spot := plain.get(end)) and spot["zone"] == Zone.BOARD and spot["place"]:
            spot["value"] = game.place_value(spot["place"]).to_json()
    if values := game.fact_values(effect.facts):
        plain["values"] = values
    piece = effect.piece
    if piece is not None:
        plain["thing"] = {
            "kind": piece.kind.value,
            "suit": piece.suit.value if piece.suit else None,
            "value": piece.rank.word if piece.rank is not None else None,
            "size": piece.size.value if piece.size else None,
            "mark": piece.mark,
        }
    if effect.sentence is not None:
        plain["said"] = with_values(game, effect.sentence.to_json())
    return plain
