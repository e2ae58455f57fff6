"""A game as things that happen on a table, with incidents in between where they are asked for.

What only phones can know (sealed choices, a whole deal read at the set-up) is told as a phone would tell it. When the
referee has not understood an act, the simulated players do what people do: they enter it by hand and go on.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion_api.simulated.incidents import (
    DISTURBANCES,
    LATELY,
    QUICK,
    TAKE_BACK,
    ActKind,
    Meaning,
    Requests,
    staged_at,
)
from companion_api.simulated.players import Choose, by_luck
from companion_api.simulated.rolled_dice import RolledDice
from models.render.simulated import Act
from rules.engine.action import Action
from rules.engine.contract import AnyGame
from rules.engine.effects import EffectKind
from rules.engine.turn import TurnKind
from rules.table.change import change_between
from rules.table.layout import Layout

Cited = Callable[[AnyGame, Any, Layout], frozenset[str]]
ENOUGH = 400
LINGER = 8.0  # seconds for which an illegal act lies on the table, so that people can dispute it


@dataclass(frozen=True, slots=True)
class PeopleAtTable:
    """Those who sit at the table, with their phones: they enter an action, see whether what was done in one reach was
    understood (asked with the state after it), after an incident take back whatever was accepted since a state, and
    hear what an act means just before it is seen."""

    tell: Callable[[Action], None]
    understood: Callable[[Any, tuple[Action, ...]], bool]
    take_back_to: Callable[[Any], None]
    hear: Callable[[Meaning], None] = lambda _: None


class Script:
    """A game as things that happen on a table, with whatever incidents are asked for in between."""

    def __init__(
        self,
        game: AnyGame,
        first: Any,
        seed: int,
        people: PeopleAtTable,
        pause: float | None = None,
        requests: Requests | None = None,
        linger: float = LINGER,
        cited: Cited = lambda *_: frozenset(),
        choose: Choose = by_luck,
    ) -> None:
        """`cited`: which clauses may rightly be cited for an illegal act; nobody asks but who measures the referee.
        `choose`: how the players play."""
        self._game, self._state, self._people, self._choose = game, first, people, choose
        self._pause, self._linger, self._cited = pause, linger, cited
        self._requests = requests or Requests()
        self._lately = deque[Any](maxlen=LATELY)
        self._open: list[str] = []  # asked for, but the table did not allow it yet
        self._rng, self._dice = random.Random(seed), RolledDice(random.Random(seed))
        self._whims = random.Random(seed + 1)  # apart, so that an incident changes nothing of the game around it

    def acts(self, most: int = ENOUGH) -> Iterator[Act]:
        """The referee is asked after each act, when the table has been still for a while; `most` counts the legal turns
        that a camera can see."""
        yield Act(self._table(self._state), Meaning(ActKind.NOTHING), kind="wait", pause=2.0)
        shown = 0
        while shown < most and not self._game.turn(self._state).is_over:
            self._hear()
            self._lately.append(self._state)
            action = self._choose(self._game, self._state, self._rng)
            after = self._game.advance(self._state, action)
            if _only_told(self._game, self._state, after) and not self._turns_up(after):
                yield from self._told(action)
                continue
            yield from self._quickly(action) if QUICK in self._open else self._played(action)
            yield from self._incident()
            shown += 1
        last = 5.0 if self._pause is None else self._pause
        yield Act(self._table(self._state), Meaning(ActKind.NOTHING), kind="wait", pause=last)

    def _table(self, state: Any) -> Layout:
        return self._dice.laid(self._game.layout(state))

    def _seat(self) -> int:
        return self._game.turn(self._state).seat or 0

    def _done(self, action: Action) -> Any:
        """The state after an action, its dice thrown."""
        return self._done_after(self._state, action)

    def _done_after(self, state: Any, action: Action) -> Any:
        step = self._game.apply(state, action)
        self._dice.throw_all(step.effects)
        return step.state

    def _told(self, action: Action) -> Iterator[Act]:
        before, self._state = self._state, self._done(action)
        self._people.tell(action)
        if self._game.layout(before) != self._game.layout(self._state):
            yield Act(self._table(self._state), Meaning(ActKind.LEGAL, (action.id,)), pause=self._pause)

    def _turns_up(self, after: Any) -> bool:
        """Whether somebody does what tiles, coins or dice show the outcome of, before anybody does anything else."""
        somebody = self._game.turn(self._state).kind is TurnKind.SEAT
        return somebody and self._game.turn(after).kind is TurnKind.CHANCE and self._game.exhaustive(after)

    def _played(self, action: Action) -> Iterator[Act]:
        """Whoever turns a tile over turns up what it shows: one reach of the hand."""
        seat, before, actions = self._seat(), self._state, [action]
        after = self._done(action)
        while _only_told(self._game, before, after) and self._turns_up(after):
            actions.append(self._game.sample(after, self._rng))
            after = self._done_after(after, actions[-1])
        self._state = after
        yield from self._shown(tuple(actions), seat)

    def _shown(self, actions: tuple[Action, ...], seat: int) -> Iterator[Act]:
        meant = Meaning(ActKind.LEGAL, tuple(action.id for action in actions))
        yield Act(self._table(self._state), meant, seat, pause=self._pause)
        if not self._people.understood(self._state, actions):
            for action in actions:
                self._people.tell(action)

    def _quickly(self, action: Action) -> Iterator[Act]:
        """Two turns in one reach of the hand, if the second can be seen too."""
        seat, middle = self._seat(), self._done(action)
        through = self._table(middle)
        following = None
        if self._game.turn(middle).kind is TurnKind.SEAT:
            following = self._choose(self._game, middle, self._rng)
        self._state = middle
        if following is None or _only_told(self._game, middle, self._game.advance(middle, following)):
            yield from self._shown((action,), seat)
            return
        self._open.remove(QUICK)
        self._state = self._done(following)
        meant = Meaning(ActKind.LEGAL, (action.id, following.id), QUICK)
        self._people.hear(meant)
        yield Act(self._table(self._state), meant, seat, pause=self._pause, through=(through,))
        if not self._people.understood(self._state, (action, following)):
            if not self._people.understood(middle, (action,)):
                self._people.tell(action)
            self._people.tell(following)

    def _hear(self) -> None:
        while (wish := self._requests.take()) is not None:
            self._open.append(wish)

    def _incident(self) -> Iterator[Act]:
        """The oldest wish that this table allows."""
        for wish in self._open:
            if acts := self._staged(wish):
                self._open.remove(wish)
                for act in acts:
                    if isinstance(act.meaning, Meaning):
                        self._people.hear(act.meaning)
                    yield act
                self._people.take_back_to(self._state)
                return

    def _staged(self, wish: str) -> list[Act]:
        """Empty where it cannot be done now. Whatever happens, the game ends where it was."""
        if wish in DISTURBANCES:
            return [Act(self._table(self._state), Meaning(ActKind.NOTHING, (), wish), kind=wish, pause=self._pause)]
        if wish == QUICK or self._game.turn(self._state).kind is not TurnKind.SEAT:
            return []
        return self._regretted() if wish == TAKE_BACK else self._broken(wish)

    def _regretted(self) -> list[Act]:
        """A turn, and then everything as before. What fell (a die) or came to light cannot be taken back."""
        action = self._game.sample(self._state, self._whims)
        step = self._game.apply(self._state, action)
        rolled = any(effect.kind is EffectKind.ROLL for effect in step.effects)
        unclear = self._game.turn(step.state).kind is TurnKind.CHANCE
        if rolled or unclear or _only_told(self._game, self._state, step.state):
            return []
        done, back = (
            Meaning(ActKind.LEGAL, (action.id,), TAKE_BACK),
            Meaning(ActKind.TAKEN_BACK, (action.id,), TAKE_BACK),
        )
        return [
            Act(self._table(step.state), done, self._seat(), pause=self._pause),
            Act(self._table(self._state), back, self._seat(), pause=self._pause),
        ]

    def _broken(self, wish: str) -> list[Act]:
        staged = staged_at(self._game, self._state, wish, self._whims, self._lately)
        if staged is None:
            return []
        clauses = self._cited(self._game, self._state, staged.layout)
        meant = Meaning(ActKind.ILLEGAL, (), staged.kind, clauses)
        right = Meaning(ActKind.PUT_RIGHT, (), staged.kind)
        wrong = self._dice.laid(staged.layout)
        return [
            Act(wrong, meant, self._seat(), pause=self._linger),
            Act(self._table(self._state), right, self._seat(), pause=self._pause),
        ]


def _only_told(game: AnyGame, state: Any, after: Any) -> bool:
    """Whether no camera could see it: a sealed choice, a shuffle, something that leaves the table as it was."""
    turn = game.turn(state)
    if turn.kind is TurnKind.ALL or (turn.kind is TurnKind.CHANCE and not game.exhaustive(state)):
        return True
    return change_between(game.layout(state), game.layout(after)).is_empty
