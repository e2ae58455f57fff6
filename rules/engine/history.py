"""History of a game: the opening and the actions. Play is a fold over the actions, undo folds fewer. Histories shown to
people are redacted: states as a seat sees them, actions as far as it may know them; seat None is the public view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import dropwhile
from typing import Any

from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect, EffectKind
from rules.engine.refusal import Refusal
from rules.engine.turn import TurnKind
from rules.sentence import InputError, say

LAID = Action("laid")
"""Entry of a position accepted from the table by people; no action of any game."""


class IllegalActionError(InputError):
    """An illegal action was to be recorded."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(say("{why} ({clause})", why=refusal.sentence, clause=refusal.clause))
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Entry:
    action: Action
    effects: tuple[Effect, ...]
    state: Any

    @property
    def is_laid(self) -> bool:
        return self.action == LAID


@dataclass(frozen=True, slots=True)
class History:
    """Immutable; `play` and `undo` give a new one."""

    game: AnyGame
    first: Any
    entries: tuple[Entry, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    seats: object = None

    @staticmethod
    def begin(game: AnyGame, options: Mapping[str, object] | None = None, seats: object = None) -> History:
        return History(game, game.start(options, seats), (), dict(options or {}), seats)

    @property
    def state(self) -> Any:
        return self.entries[-1].state if self.entries else self.first

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(entry.action for entry in self.entries)

    def play(self, action: Action) -> History:
        if refusal := self.game.refusal(self.state, action):
            raise IllegalActionError(refusal)
        return self.played(action)

    def played(self, action: Action) -> History:
        """`play` without the check, for an action known to be legal."""
        step = self.game.apply(self.state, action)
        return replace(self, entries=(*self.entries, Entry(action, step.effects, step.state)))

    def lay(self, state: Any, effects: tuple[Effect, ...] = ()) -> History:
        """Continues from a position accepted from the table, without a check by the rules."""
        return replace(self, entries=(*self.entries, Entry(LAID, effects, state)))

    def undo(self, count: int = 1) -> History:
        """The history without the last `count` actions; an error if there are fewer."""
        if not 0 <= count <= len(self.entries):
            raise InputError(
                say(
                    "only one action can be undone, not {wanted}",
                    "only {count} actions can be undone, not {wanted}",
                    count=len(self.entries),
                    wanted=count,
                )
            )
        return replace(self, entries=self.entries[: len(self.entries) - count])


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
