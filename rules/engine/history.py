"""A game as it was played: the opening and the actions. Play is a fold over the actions, undo folds one fewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.engine.action import Action, parse_action
from rules.engine.contract import AnyGame
from rules.engine.effects import Effect
from rules.engine.refusal import Refusal
from rules.sentence import SaidError, say

FORMAT = "piecepack-companion/history"
LAID = Action("laid")
"""No action of any game: people took the table as it lay, and the game went on from there."""


class IllegalActionError(SaidError):
    """An action that the rules refuse was to be recorded."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(say("{why} ({clause})", why=refusal.said, clause=refusal.clause))
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
        """`play` for an action that has been found legal in this very state."""
        step = self.game.apply(self.state, action)
        return replace(self, entries=(*self.entries, Entry(action, step.effects, step.state)))

    def lay(self, state: Any, effects: tuple[Effect, ...] = ()) -> History:
        """The table is taken as it lies, whatever the rules say about how it came to be."""
        return replace(self, entries=(*self.entries, Entry(LAID, effects, state)))

    def undo(self, count: int = 1) -> History:
        """Take back the last actions; more than there are is an error."""
        if not 0 <= count <= len(self.entries):
            raise SaidError(
                say(
                    "only one action can be undone, not {wanted}",
                    "only {count} actions can be undone, not {wanted}",
                    count=len(self.entries),
                    wanted=count,
                )
            )
        return replace(self, entries=self.entries[: len(self.entries) - count])

    def to_json(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "version": 1,
            "game": self.game.card.id,
            "rules": self.game.card.version,
            "options": dict(self.options),
            "seats": self.seats,
            "first": self.game.encode(self.first),
            "actions": [self._written(entry) for entry in self.entries],
        }

    def _written(self, entry: Entry) -> str | dict[str, object]:
        return {LAID.verb: self.game.encode(entry.state)} if entry.is_laid else entry.action.id

    @staticmethod
    def from_json(game: AnyGame, data: Mapping[str, Any]) -> History:
        if data.get("format") != FORMAT or data.get("game") != game.card.id:
            raise SaidError(say("this is not a history of {name}", name=game.card.name))
        if data.get("rules") != game.card.version:
            raise SaidError(
                say(
                    "this game was played under version {version} of the rules of {game}; this program has "
                    "version {known} and cannot replay it",
                    version=data.get("rules"),
                    game=game.card.name,
                    known=game.card.version,
                )
            )
        history = History(game, game.decode(data["first"]), (), dict(data["options"]), data["seats"])
        for told in data["actions"]:
            laid = isinstance(told, dict)
            history = history.lay(game.decode(told[LAID.verb])) if laid else history.play(parse_action(str(told)))
        return history
