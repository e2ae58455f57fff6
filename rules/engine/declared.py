"""A game told as deeds. Vocabulary, phase guard, `legal`, `check`, `apply` and `advance` follow from what the deeds
say; the game itself says how it begins, whose turn it is, what lies on the table and how it stands."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, ClassVar, TypeVar

from rules.engine.action import Action
from rules.engine.contract import Game, Step
from rules.engine.deed import Deed, Now
from rules.engine.refusal import Code, Refusal

S = TypeVar("S")
O = TypeVar("O")


@dataclass(frozen=True, slots=True)
class Belonging:
    """The deeds of one phase. `sampler`: the one that says what happens by luck."""

    usual: tuple[Deed[Any], ...]
    last_resorts: tuple[Deed[Any], ...]
    sampler: Deed[Any] | None
    exhaustive: bool
    verbs: tuple[str, ...]
    for_others: Belonging | None
    """What of it those may do who are not to act."""


class DeclaredGame(Game[S, O]):
    deeds: ClassVar[tuple[Deed[Any], ...]]
    phases: ClassVar[Mapping[str, Now]] = {}
    """Every phase that a deed names, in the words of the turn's `phase`."""

    _deed: ClassVar[dict[str, Deed[Any]]]
    _belonging: ClassVar[dict[str, Belonging]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.card = replace(cls.card, verbs=tuple(deed.verb for deed in cls.deeds))
        cls._deed = {deed.verb.name: deed for deed in cls.deeds}
        cls._belonging = {}
        if len(cls._deed) < len(cls.deeds):
            raise TypeError(f"{cls.__name__} declares the same verb twice")
        unknown = {phase for deed in cls.deeds for phase in deed.phases} - set(cls.phases)
        if unknown:
            raise TypeError(f"{cls.__name__} says nothing of the phase {min(unknown)!r} in `phases`")

    def choices(self, state: S, seat: int | None = None) -> Iterable[Action]:
        here = self._open_to(state, seat)
        return _of_seat(_listed(here, state), seat) if here else ()

    def near(self, state: S, names: Collection[str], seat: int | None = None) -> Iterable[Action]:
        here = self._open_to(state, seat)
        return _of_seat(_near(here, state, names), seat) if here else ()

    def sample(self, state: S, rng: random.Random) -> Action:
        here = self._in_phase(self.turn(state).phase)
        if here.sampler is None:
            return rng.choice(list(self.legal(state)))
        return here.sampler.sample(state, rng) or next(a for deed in here.last_resorts for a in deed.legal(state))

    def check(self, state: S, action: Action) -> Refusal | None:
        deed = self._deed[action.verb]
        return self._out_of_phase(state, deed) or deed.check(state, action)

    def apply(self, state: S, action: Action) -> Step[S]:
        return self._deed[action.verb].do(state, action)

    def advance(self, state: S, action: Action) -> S:
        after: S = self._deed[action.verb].advance(state, action)
        return after

    def now(self, state: S) -> Mapping[str, str]:
        """What the words of a phase may name beside {verb}, which is what was tried."""
        return {}

    def exhaustive(self, state: S) -> bool:
        return self._in_phase(self.turn(state).phase).exhaustive

    def is_common(self, action: Action) -> bool:
        deed = self._deed.get(action.verb)
        return deed is not None and deed.anytime

    def describe(self, action: Action) -> str:
        deed = self._deed.get(action.verb)
        return deed.describe(action) if deed else action.id

    def touches(self, action: Action) -> tuple[str, ...]:
        deed = self._deed.get(action.verb)
        return deed.touches(action) if deed else ()

    def _open_to(self, state: S, seat: int | None) -> Belonging | None:
        """What belongs into the phase for that seat: only what anybody may do if others are to act."""
        turn = self.turn(state)
        if turn.is_over:
            return None
        here = self._in_phase(turn.phase)
        return here if seat is None or not turn.seats or seat in turn.seats else here.for_others

    def _out_of_phase(self, state: S, deed: Deed[Any]) -> Refusal | None:
        if not deed.phases:
            return None
        phase = self.turn(state).phase
        if phase in deed.phases:
            return None
        now = deed.elsewhere or self.phases[phase]
        belonging = list(self._in_phase(phase).verbs)
        text = now.text.format(verb=deed.verb.name, **self.now(state))
        return Refusal(Code.WRONG_PHASE, now.clause or deed.verb.clause, text, {"phase": phase, "now": belonging})

    def _in_phase(self, phase: str) -> Belonging:
        try:
            return self._belonging[phase]
        except KeyError:
            self._belonging[phase] = _belonging(tuple(d for d in self.deeds if not d.phases or phase in d.phases))
            return self._belonging[phase]


def _belonging(deeds: tuple[Deed[Any], ...]) -> Belonging:
    usual = tuple(deed for deed in deeds if not deed.last_resort)
    by_turn = tuple(deed for deed in usual if deed.phases or not deed.anytime)
    common = tuple(deed for deed in usual if deed.anytime)
    own_way = (deed for deed in by_turn if type(deed).sample is not Deed.sample)
    return Belonging(
        usual=usual,
        last_resorts=tuple(deed for deed in deeds if deed.last_resort),
        sampler=next(own_way, by_turn[0] if len(by_turn) == 1 else None),
        exhaustive=all(deed.exhaustive for deed in usual),
        verbs=tuple(deed.verb.name for deed in deeds if deed.phases or not deed.anytime),
        for_others=_belonging(common) if common and common != deeds else None,
    )


def _of_seat(found: Iterable[Action], seat: int | None) -> Iterable[Action]:
    """Where all choose at once, an action says whose it is."""
    return found if seat is None else (action for action in found if action.seat in (None, seat))


def _listed(here: Belonging, state: Any) -> Iterable[Action]:
    if here.last_resorts:
        return _or_else(here, state)
    if len(here.usual) == 1:
        return here.usual[0].legal(state)
    return chain.from_iterable(deed.legal(state) for deed in here.usual)


def _or_else(here: Belonging, state: Any) -> Iterator[Action]:
    nothing = True
    for deed in here.usual:
        for action in deed.legal(state):
            nothing = False
            yield action
    if nothing:
        for deed in here.last_resorts:
            yield from deed.legal(state)


def _near(here: Belonging, state: Any, names: Collection[str]) -> Iterator[Action]:
    for deed in here.usual:
        yield from deed.near(state, names)
    if here.last_resorts and not any(True for deed in here.usual for _ in deed.legal(state)):
        for deed in here.last_resorts:
            yield from deed.near(state, names)
