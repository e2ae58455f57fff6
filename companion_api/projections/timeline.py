"""Events as one viewer may read them: told in words, with what is secret left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion_api.access import Token
from companion_api.log.event import Event, EventKind
from companion_api.projections.board import options_for
from companion_api.projections.effects import effect_for
from companion_api.session import Session
from rules.engine.history import History


def events_for(session: Session, viewer: Token, after: int = 0) -> Iterator[dict[str, Any]]:
    """All events after one, in order. Actions are told in the state that they were done in."""
    fresh = session.events[after:] if after < session.seq else []
    wanted = {event.data["seq"] if event.kind is EventKind.CORRECTED else event.seq for event in fresh}
    told = _told_actions(session, viewer, wanted)
    for event in fresh:
        yield event_for(session, event, told)


def event_for(session: Session, event: Event, told: dict[int, list[dict[str, Any]]]) -> dict[str, Any]:
    plain: dict[str, Any] = {"seq": event.seq, "at": event.at, "kind": event.kind.value, "by": event.by}
    if event.kind is EventKind.STARTED:
        return {**plain, **_told_start(session, event)}
    if event.kind is EventKind.ACTION:
        evidence = {name: event.data[name] for name in ("evidence", "margin") if event.data.get(name) is not None}
        return {**plain, **evidence, "actions": told.get(event.seq, [])}
    if event.kind is EventKind.CORRECTED:
        return {
            **plain,
            "corrects": event.data["seq"],
            "dropped": event.data["dropped"],
            "actions": told.get(event.data["seq"], []),
        }
    return {**plain, **event.data}


def _told_start(session: Session, event: Event) -> dict[str, Any]:
    """How it began; a position that was laid, or a prepared deal, is told by the board and not here."""
    told = {name: value for name, value in event.data.items() if name != "first"}
    return {**told, "options": options_for(session)}


def _told_actions(session: Session, viewer: Token, wanted: set[int]) -> dict[int, list[dict[str, Any]]]:
    """For the wanted events: the actions of theirs that count, as far as this viewer may know them."""
    told: dict[int, list[dict[str, Any]]] = {}
    history = session.history
    for index in range(len(history.entries) - 1, -1, -1):
        seq = session.event_of_action(index)
        if seq in wanted:
            told.setdefault(seq, []).insert(0, _told(history, index, viewer))
        elif seq < min(wanted, default=0):
            break
    return told


def _told(history: History, index: int, viewer: Token) -> dict[str, Any]:
    game, entry = history.game, history.entries[index]
    before = history.entries[index - 1].state if index else history.first
    known = game.redact(before, entry.action, viewer.seat)
    actor = game.actor(before, entry.action)
    if known is None:
        return {"id": None, "text": None, "seat": actor, "effects": []}
    effects = [effect_for(effect) for effect in entry.effects] if known == entry.action else []
    return {"id": known.id, "text": game.describe(known), "seat": actor, "effects": effects}
