"""Histories without the secrets of other seats: states as a seat sees them, actions as far as it may know them. All
histories shown to people are redacted; seat None: the public view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import dropwhile
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.history import Entry, History
from rules.engine.turn import TurnKind

SEALED = "sealed"
"""Verb of an action of which the reader may know only that it was done."""


def known_entry(history: History, index: int, seat: int | None) -> Entry:
    """One entry as a seat knows it. The effects are omitted where the seat may not know the whole action."""
    game, entry = history.game, history.entries[index]
    before = history.entries[index - 1].state if index else history.first
    if entry.is_laid:
        return replace(entry, state=game.view(entry.state, seat))
    known = game.redact(before, entry.action, seat)
    action = known or Action(SEALED, (), game.actor(before, entry.action))
    effects = entry.effects if known == entry.action else _revealed(game, before, entry)
    return Entry(action, effects, game.view(entry.state, seat))


def _revealed(game: AnyGame, before: Any, entry: Entry) -> tuple[Effect, ...]:
    """The effects from the first REVEAL on: the last secret choice stays secret, but what it reveals is public."""
    if game.turn(before).kind is not TurnKind.ALL:
        return ()
    return tuple(dropwhile(lambda effect: effect.kind is not EffectKind.REVEAL, entry.effects))


def known_history(history: History, seat: int | None) -> History:
    """The whole history as a seat knows it. It cannot be replayed where an action is sealed."""
    entries = tuple(known_entry(history, index, seat) for index in range(len(history.entries)))
    first = history.game.view(history.first, seat)
    return replace(history, first=first, entries=entries, options=known_options(history))


def known_options(history: History) -> Mapping[str, object]:
    """The options without those that the public view hides: a prepared deal."""
    options = getattr(history.first, "options", None)
    public = getattr(history.game.view(history.first, None), "options", None)
    return {
        name: value
        for name, value in history.options.items()
        if getattr(options, name, None) == getattr(public, name, None)
    }
