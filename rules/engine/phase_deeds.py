"""The deeds of a phase and the actions that they list together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from rules.engine.action import Action
from rules.engine.deed import Deed


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
