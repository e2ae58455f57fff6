"""A deed: one line of a game's vocabulary, whole. What it is called, when it belongs, where it may be done, why it may
not, and what it does stand side by side in one class; a game is the tuple of its deeds (rules/engine/contract.py)."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from rules.engine.action import Action, Verb
from rules.engine.argument_value import Value
from rules.engine.effects import Effect
from rules.engine.refusal import Refusal
from rules.sentence import Sentence

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What doing something leads to, and what it does."""

    state: S
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Now:
    """What is being done in a phase, said to whoever tries something else in it. No clause: that of what was tried."""

    clause: str
    text: str


class Deed(ABC, Generic[S]):
    """Stateless: the state comes with every question."""

    verb: ClassVar[Verb]
    phases: ClassVar[tuple[str, ...]] = ()
    """The phases of a turn in which it belongs; none: in every one."""
    elsewhere: ClassVar[Now | None] = None
    """What is said of it in other phases, where it has its own reason; else the phase says what is done now."""
    anytime: ClassVar[bool] = False
    """Anybody may do it, also who is not to act; then `check` looks at the actor itself."""
    for_others: ClassVar[bool] = True
    """Whether what anybody may do at any time is also offered to who is not to act."""
    last_resort: ClassVar[bool] = False
    """It is listed only where nothing else can be done: a pass of who cannot move."""
    exhaustive: ClassVar[bool] = True
    """Whether `legal` lists everything. Where positions are continuous or a deal is random, `check` alone decides."""

    def legal(self, state: S) -> Iterable[Action]:
        """Lazily, every way to do it now. Asked only in its phases, and while the game goes on. Without arguments there
        is one."""
        return (self.action,)

    def check(self, state: S, action: Action) -> Refusal | None:
        """Why this may not be done. The phase, the actor and the number of arguments have been looked at; the
        arguments may still be absurd. What has none may be done, unless it says more."""
        return None

    @abstractmethod
    def do(self, state: S, action: Action) -> Step[S]:
        """Do it, and tell what it does. Only called when it is legal."""

    # What most deeds need not say ---------------------------------------------------------------------------

    def advance(self, state: S, action: Action) -> S:
        """`do` without the story, where play-outs must be fast; a law compares."""
        return self.do(state, action).state

    def near(self, state: S, names: Collection[str]) -> Iterable[Action]:
        """The legal ways that point at one of these places or pieces. Said again where listing all is long."""
        return (action for action in self.legal(state) if any(name in names for name in self.touches(action)))

    def sample(self, state: S, rng: random.Random) -> Action | None:
        """One action of its phase by luck; None if only a last resort is left. A deed that says this itself, because it
        knows a quicker way than making all that is legal, speaks for its whole phase."""
        found = list(self.legal(state))
        return rng.choice(found) if found else None

    @cached_property
    def action(self) -> Action:
        """The action of a deed without arguments."""
        return Action(self.verb.name)

    @property
    def is_whole(self) -> bool:
        """Whether it says which of its arguments are legal, if it has any."""
        own = type(self)
        return not self.verb.params or (own.legal is not Deed.legal and own.check is not Deed.check)

    @property
    def points(self) -> bool:
        """Whether it points at places or pieces at all."""
        return self.verb.points or type(self).touches is not Deed.touches

    def describe(self, action: Action) -> str:
        return self.verb.describe(action)

    def offer(self, state: S, action: Action) -> Sentence | None:
        """The words of a choice where it is offered, if what it means hangs on the state."""
        return None

    def touches(self, action: Action) -> tuple[str, ...]:
        """The places and pieces that it points at."""
        return self.verb.touches(action)

    def values(self, action: Action) -> tuple[Value, ...]:
        """Its arguments as values."""
        return self.verb.values(action)


class ToldDeed(Deed[S]):
    """A deed whose story follows from the states before and after it."""

    @abstractmethod
    def advance(self, state: S, action: Action) -> S: ...

    @abstractmethod
    def tell(self, before: S, action: Action, after: S) -> Iterable[Effect]:
        """What happened."""

    def do(self, state: S, action: Action) -> Step[S]:
        after = self.advance(state, action)
        return Step(after, tuple(self.tell(state, action, after)))
