"""What a reader may know of a game as it was played: every state as the seat sees it, every action as far as it was
told. Whatever shows a game to people shows this one; None stands for what everybody may know."""

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
"""The verb of an action of which a reader knows only that it was done."""


def known_entry(history: History, index: int, seat: int | None) -> Entry:
    """One action as a seat knows it. What came of it is left out where not all of it may be known."""
    game, entry = history.game, history.entries[index]
    before = history.entries[index - 1].state if index else history.first
    if entry.is_laid:
        return replace(entry, state=game.view(entry.state, seat))
    told = game.redact(before, entry.action, seat)
    action = told or Action(SEALED, (), game.actor(before, entry.action))
    effects = entry.effects if told == entry.action else _uncovered(game, before, entry)
    return Entry(action, effects, game.view(entry.state, seat))


def _uncovered(game: AnyGame, before: Any, entry: Entry) -> tuple[Effect, ...]:
    """Whoever chooses last in secret keeps the choice, but what is uncovered then is uncovered before everybody."""
    if game.turn(before).kind is not TurnKind.ALL:
        return ()
    return tuple(dropwhile(lambda effect: effect.kind is not EffectKind.REVEAL, entry.effects))


def known_history(history: History, seat: int | None) -> History:
    """The whole game as a seat knows it. It cannot be played again where something is sealed in it."""
    entries = tuple(known_entry(history, index, seat) for index in range(len(history.entries)))
    first = history.game.view(history.first, seat)
    return replace(history, first=first, entries=entries, options=known_options(history))


def known_options(history: History) -> Mapping[str, object]:
    """The options without those that would tell a prepared deal: what the public view leaves out of them."""
    told = getattr(history.first, "options", None)
    seen = getattr(history.game.view(history.first, None), "options", None)
    return {name: value for name, value in history.options.items() if _same(told, seen, name)}


def _same(told: Any, seen: Any, name: str) -> bool:
    return bool(getattr(told, name, None) == getattr(seen, name, None))
