"""Which deeds belong to a phase, and what they list together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rules.engine.action import Action
from rules.engine.deed import Deed


@dataclass(frozen=True, slots=True)
class PhaseDeeds:
    """The deeds of one phase. `sampler`: the one that says what happens by luck."""

    usual: tuple[Deed[Any], ...]
    last_resorts: tuple[Deed[Any], ...]
    sampler: Deed[Any] | None
    exhaustive: bool
    verbs: tuple[str, ...]
    for_others: PhaseDeeds | None
    """What of it those may do who are not to act."""


def belonging(deeds: tuple[Deed[Any], ...]) -> PhaseDeeds:
    usual = tuple(deed for deed in deeds if not deed.last_resort)
    by_turn = tuple(deed for deed in usual if deed.phases or not deed.anytime)
    common = tuple(deed for deed in usual if deed.anytime and deed.for_others)
    own_way = (deed for deed in by_turn if type(deed).sample is not Deed.sample)
    return PhaseDeeds(
        usual=usual,
        last_resorts=tuple(deed for deed in deeds if deed.last_resort),
        sampler=next(own_way, by_turn[0] if len(by_turn) == 1 else None),
        exhaustive=all(deed.exhaustive for deed in usual),
        verbs=tuple(deed.verb.name for deed in deeds if deed.phases or not deed.anytime),
        for_others=belonging(common) if common and common != deeds else None,
    )


def of_seat(found: Iterable[Action], seat: int | None) -> Iterable[Action]:
    """Where all choose at once, an action says whose it is."""
    return found if seat is None else (action for action in found if action.seat in (None, seat))


def listed(here: PhaseDeeds, state: Any) -> Iterable[Action]:
    if here.last_resorts:
        return _or_else(here, state)
    if len(here.usual) == 1:
        return here.usual[0].legal(state)
    return chain.from_iterable(deed.legal(state) for deed in here.usual)


def _or_else(here: PhaseDeeds, state: Any) -> Iterator[Action]:
    nothing = True
    for deed in here.usual:
        for action in deed.legal(state):
            nothing = False
            yield action
    if nothing:
        for deed in here.last_resorts:
            yield from deed.legal(state)


def listed_near(here: PhaseDeeds, state: Any, names: Collection[str]) -> Iterator[Action]:
    """Only what points at one of these places or pieces."""
    for deed in _open(here, state):
        yield from deed.near(state, names)


def listed_pointless(here: PhaseDeeds, state: Any) -> Iterator[Action]:
    """Only what points at nothing."""
    for deed in _open(here, state):
        if not deed.points:
            yield from deed.legal(state)


def _open(here: PhaseDeeds, state: Any) -> Iterator[Deed[Any]]:
    """Also the last resorts, where nothing else can be done."""
    yield from here.usual
    if here.last_resorts and not any(True for deed in here.usual for _ in deed.legal(state)):
        yield from here.last_resorts
