"""Dice are told apart by their suits, and a throw from dice that only lie there by their having moved.

There is one die of each suit. Two dice read as one suit are one misread: the suits are given out at least cost.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from rules.pieces import SUITS, Kind, Rank, Suit
from rules.referee.register import Registration
from rules.referee.tuning import Places
from rules.table.observed import Beliefs, ObservedTable, Sighting

_LEAST = 1e-4


Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LyingDice:
    """Where on the board's own frame the dice lay, and what they showed, when the referee last knew what was going on:
    the whole table may be pushed, that is no throw."""

    dice: tuple[tuple[Spot, Sighting], ...] = ()

    @staticmethod
    def of(observed: ObservedTable, lies: Registration) -> LyingDice:
        return LyingDice(tuple((lies.to_board(die.x, die.y), die) for die in _dice(observed)))

    def thrown(self, observed: ObservedTable, lies: Registration, places: Places) -> bool:
        """Whether a die lies elsewhere or shows something else."""
        return any(not self._lay_there(die, lies, places) for die in _dice(observed))

    def blanked(self, observed: ObservedTable, lies: Registration, places: Places) -> ObservedTable:
        """The same table, where what unmoved dice show says nothing new."""
        seen = (
            replace(s, identities=_suit_alone(s)) if s.kind is Kind.DIE and self._lay_there(s, lies, places) else s
            for s in observed.sightings
        )
        return replace(observed, sightings=tuple(seen))

    def _lay_there(self, die: Sighting, lies: Registration, places: Places) -> bool:
        spot = lies.to_board(die.x, die.y)
        return any(
            math.dist(spot, before) < places.at_rest
            and max(die.chance_of(*old.best), old.chance_of(*die.best)) > places.misread
            for before, old in self.dice
        )


def _dice(observed: ObservedTable) -> tuple[Sighting, ...]:
    return tuple(s for s in observed.sightings if s.kind is Kind.DIE)


def _suit_alone(die: Sighting) -> Beliefs:
    suits: dict[tuple[Suit | None, Rank | None], float] = {}
    for (suit, _), p in die.identities.items():
        suits[suit, None] = suits.get((suit, None), 0.0) + p
    return suits


def with_exact_dice(observed: ObservedTable, suits: Collection[Suit] = SUITS) -> ObservedTable:
    """The same table, each die with a suit of its own, of those that are in play. More dice than that are of several
    sets: left as they are."""
    dice = [(i, s) for i, s in enumerate(observed.sightings) if s.kind is Kind.DIE]
    named = [s.best[0] for _, s in dice]
    if len(dice) > len(suits) or None in named or (len(set(named)) == len(named) and set(named) <= set(suits)):
        return observed
    seen = list(observed.sightings)
    for (index, sighting), chances in zip(dice, _given_out([s for _, s in dice], suits), strict=True):
        seen[index] = replace(sighting, identities=_of_suits(sighting.identities, chances))
    return replace(observed, sightings=tuple(seen))


def _given_out(dice: Sequence[Sighting], suits: Collection[Suit]) -> list[dict[Suit, float]]:
    """How likely each die is of each suit, when each is of another."""
    found: list[dict[Suit, float]] = [dict.fromkeys(suits, 0.0) for _ in dice]
    for given in permutations(suits, len(dice)):
        chance = math.prod(max(die.chance_of(suit, None), _LEAST) for die, suit in zip(dice, given, strict=True))
        for chances, suit in zip(found, given, strict=True):
            chances[suit] += chance
    return found


def _of_suits(identities: Beliefs, chances: Mapping[Suit, float]) -> Beliefs:
    """What the die shows, given how likely it is of each suit."""
    total = sum(chances.values())
    return {
        one: p * chance / total
        for suit, chance in chances.items()
        if chance > _LEAST * total
        for one, p in _of_suit(identities, suit).items()
    }


def _of_suit(identities: Beliefs, suit: Suit) -> Beliefs:
    """What the die shows, given that it is of this suit."""
    ranks = {rank: 0.0 for _, rank in identities}
    for (_, rank), p in identities.items():
        ranks[rank] += p
    same = {rank: p for (own, rank), p in identities.items() if own is suit}
    shown = same or ranks
    total = sum(shown.values())
    return {(suit, rank): p / total for rank, p in shown.items()}
