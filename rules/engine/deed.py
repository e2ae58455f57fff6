"""A deed: one verb of a game with its phases, legal actions, refusals and effects, in one class. A game is the tuple of
its deeds (rules/engine/contract.py). Effects follow from the states before and after it (`NarratedDeed`), or are told
while the state changes (`TellingDeed`)."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Generic, TypeVar

from rules.engine.action import Action, Verb
from rules.engine.argument_value import Value
from rules.engine.effects import Effect, EffectKind
from rules.engine.refusal import Fact, Facts, Refusal
from rules.engine.values import replace
from rules.sentence import Sentence

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The state after an action and the effects of the action."""

    state: S
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseText:
    """Why a deed of another phase is refused: what is done in this one. Empty `clause`: that of the deed refused."""

    clause: str
    text: str


class Deed(ABC, Generic[S]):
    """Stateless: every method gets the state."""

    verb: ClassVar[Verb]
    phases: ClassVar[tuple[str, ...]] = ()
    """The phases in which it is possible; empty: in all."""
    wrong_phase: ClassVar[PhaseText | None] = None
    """The refusal in other phases; None: that of the phase."""
    is_open_to_all: ClassVar[bool] = False
    """Any seat may do it, also one that is not to act; `check` then examines the actor."""
    is_offered_to_others: ClassVar[bool] = True
    """Whether a deed open to all is also listed for seats that are not to act."""
    is_last_resort: ClassVar[bool] = False
    """It is legal only where no other deed is: a pass without a legal move."""
    exhaustive: ClassVar[bool] = True
    """Whether `legal` lists all legal actions. Where positions are continuous or a deal is random, `check` decides."""

    def legal(self, state: S) -> Iterable[Action]:
        """All legal actions of this verb, lazily. Called only in its phases while the game is not over. The default is
        for verbs without arguments: as `check` says."""
        return () if self.check(state, self.action) else (self.action,)

    def check(self, state: S, action: Action) -> Refusal | None:
        """Why an action is illegal; None if it is legal. Phase, actor and number of arguments have been checked; the
        arguments may still be absurd."""
        return None

    @abstractmethod
    def do(self, state: S, action: Action) -> Step[S]:
        """The step of a legal action."""

    # Optional -----------------------------------------------------------------------------------------------

    def advance(self, state: S, action: Action) -> S:
        """The state of `do`, for fast play-outs; a law compares both."""
        return self.do(state, action).state

    def near(self, state: S, names: Collection[str]) -> Iterable[Action]:
        """The legal actions that name one of these places or pieces. Overridden where listing all is slow."""
        return (action for action in self.legal(state) if any(name in names for name in self.touches(action)))

    def sample(self, state: S, rng: random.Random) -> Action | None:
        """A random action of its phase; None if only a last resort is left. Overridden where listing all legal actions
        is slow; the override samples for the whole phase."""
        found = list(self.legal(state))
        return rng.choice(found) if found else None

    @cached_property
    def action(self) -> Action:
        """The action without arguments."""
        return Action(self.verb.name)

    @property
    def is_complete(self) -> bool:
        """Whether it has `legal` and `check` of its own, which a verb with parameters needs."""
        own = type(self)
        return not self.verb.params or (own.legal is not Deed.legal and own.check is not Deed.check)

    @property
    def has_target(self) -> bool:
        """Whether its actions name places or pieces."""
        return self.verb.has_target or type(self).touches is not Deed.touches

    def describe(self, action: Action) -> str:
        return self.verb.describe(action)

    def offer(self, state: S, action: Action) -> Sentence | None:
        """The sentence of a choice whose meaning depends on the state; None: `describe` has it."""
        return None

    def touches(self, action: Action) -> tuple[str, ...]:
        """The places and pieces that the action names."""
        return self.verb.touches(action)

    def values(self, action: Action) -> tuple[Value, ...]:
        """The arguments of the action as values."""
        return self.verb.values(action)


class NarratedDeed(Deed[S]):
    """A deed whose effects follow from the states before and after it."""

    @abstractmethod
    def advance(self, state: S, action: Action) -> S: ...

    @abstractmethod
    def effects(self, before: S, action: Action, after: S) -> Iterable[Effect]: ...

    def next_effects(self, before: S, action: Action, after: S) -> Iterable[Effect]:
        """The last effects: the next turn or the end; defined once for all deeds of a game."""
        return ()

    def do(self, state: S, action: Action) -> Step[S]:
        after = self.advance(state, action)
        return Step(after, (*self.effects(state, action, after), *self.next_effects(state, action, after)))


class Narration(Generic[S]):
    """Collects the changes and effects of a deed with several steps; a game may derive its own from it."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.effects: list[Effect] = []

    def set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)

    def tell(self, kind: EffectKind, *ordered: Any, **fields: Any) -> None:
        """Add an effect; `ordered` and `fields` are those of `Effect`."""
        self.effects.append(Effect(kind, *ordered, **fields))

    def tell_choice(self, clause: str, choice: str) -> None:
        """The seat to act has chosen."""
        self._tell_of_actor(EffectKind.CHOOSE, clause, {"choice": choice})

    def tell_phase(self, clause: str, phase: str, **facts: Fact) -> None:
        """The seat to act goes on in this phase."""
        self._tell_of_actor(EffectKind.PHASE, clause, {"phase": phase, **facts})

    def _tell_of_actor(self, kind: EffectKind, clause: str, facts: Facts) -> None:
        state: Any = self.state
        self.tell(kind, seat=state.to_act, clause=clause, facts=facts)


N = TypeVar("N", bound=Narration[Any])


class TellingDeed(Deed[S], Generic[S, N]):
    """A deed with several steps, which changes the state and tells its effects as it goes."""

    narration: ClassVar[type[Narration[Any]]] = Narration

    @abstractmethod
    def play(self, narration: N, action: Action) -> None:
        """Do a legal action: change the state of the narration and tell the effects."""

    def do(self, state: S, action: Action) -> Step[S]:
        told: Any = self.narration(state)
        self.play(told, action)
        return Step(told.state, tuple(told.effects))


# The deeds of a phase -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhaseDeeds:
    """The deeds of one phase. `sampler`: the deed that samples random actions for all of them."""

    usual: tuple[Deed[Any], ...]
    fallbacks: tuple[Deed[Any], ...]
    sampler: Deed[Any] | None
    exhaustive: bool
    verbs: tuple[str, ...]
    is_offered_to_others: PhaseDeeds | None
    """The deeds for seats that are not to act; None: the game has none."""


def phase_deeds(deeds: tuple[Deed[Any], ...]) -> PhaseDeeds:
    usual = tuple(deed for deed in deeds if not deed.is_last_resort)
    by_turn = tuple(deed for deed in usual if deed.phases or not deed.is_open_to_all)
    common = tuple(deed for deed in usual if deed.is_open_to_all and deed.is_offered_to_others)
    samplers = (deed for deed in by_turn if type(deed).sample is not Deed.sample)
    return PhaseDeeds(
        usual=usual,
        fallbacks=tuple(deed for deed in deeds if deed.is_last_resort),
        sampler=next(samplers, by_turn[0] if len(by_turn) == 1 else None),
        exhaustive=all(deed.exhaustive for deed in usual),
        verbs=tuple(deed.verb.name for deed in deeds if deed.phases or not deed.is_open_to_all),
        is_offered_to_others=phase_deeds(common) if common and common != deeds else None,
    )


def of_seat(actions: Iterable[Action], seat: int | None) -> Iterable[Action]:
    """The actions without those of other seats; None: all."""
    return actions if seat is None else (action for action in actions if action.seat in (None, seat))


def listed(here: PhaseDeeds, state: Any) -> Iterable[Action]:
    if here.fallbacks:
        return _listed_with_fallbacks(here, state)
    if len(here.usual) == 1:
        return here.usual[0].legal(state)
    return chain.from_iterable(deed.legal(state) for deed in here.usual)


def _listed_with_fallbacks(here: PhaseDeeds, state: Any) -> Iterator[Action]:
    is_empty = True
    for deed in here.usual:
        for action in deed.legal(state):
            is_empty = False
            yield action
    if is_empty:
        for deed in here.fallbacks:
            yield from deed.legal(state)


def listed_near(here: PhaseDeeds, state: Any, names: Collection[str]) -> Iterator[Action]:
    """The legal actions that name one of these places or pieces."""
    for deed in _possible(here, state):
        yield from deed.near(state, names)


def listed_without_targets(here: PhaseDeeds, state: Any) -> Iterator[Action]:
    """The legal actions that name no place or piece."""
    for deed in _possible(here, state):
        if not deed.has_target:
            yield from deed.legal(state)


def _possible(here: PhaseDeeds, state: Any) -> Iterator[Deed[Any]]:
    """The usual deeds, and the last resorts where none of them has a legal action."""
    yield from here.usual
    if here.fallbacks and not any(True for deed in here.usual for _ in deed.legal(state)):
        yield from here.fallbacks
