"""Tells a throw from dice that only lie there, and a die from a second detection of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.pieces import Kind, Rank, Suit
from rules.referee.register import Registration
from rules.referee.tuning import Places
from rules.table.observed import Beliefs, ObservedTable, Sighting

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DiceState:
    """The dice at the last explained look, in the board's frame: pushing the whole table is no throw."""

    dice: tuple[tuple[Spot, Sighting], ...] = ()

    @staticmethod
    def of(observed: ObservedTable, pose: Registration) -> DiceState:
        return DiceState(tuple((pose.to_board(s.x, s.y), s) for s in observed.sightings if s.kind is Kind.DIE))

    def with_unmoved(self, now: DiceState, places: Places, is_untouched: Callable[[Sighting], bool]) -> DiceState:
        """With the dice that lie where nothing has changed: they lay there before, missed or misread."""
        elsewhere = now._not_at_rest(self, places)
        unmoved = [(spot, die) for spot, die in elsewhere if is_untouched(die)]
        return DiceState((*self.dice, *unmoved)) if unmoved else self

    def thrown(self, now: DiceState, places: Places) -> list[Sighting]:
        """The dice that lie elsewhere or show something else. Not several that all show what they showed: they were
        pushed, hardly any throw falls so."""
        elsewhere = [die for _, die in now._not_at_rest(self, places)]
        same = Counter(die.best for _, die in now.dice) == Counter(die.best for _, die in self.dice)
        return [] if same and len(elsewhere) >= places.pushed else elsewhere

    def moved(self, now: DiceState, places: Places) -> bool:
        """Whether a die lies where none lay. One at an old place was hardly thrown, whatever it is read as."""
        return any(all(math.dist(at, spot) >= places.at_rest for spot, _ in self.dice) for at, _ in now.dice)

    def without_old_faces(self, observed: ObservedTable, pose: Registration, places: Places) -> ObservedTable:
        """The table without the faces of dice that were not thrown."""
        thrown = self.thrown(DiceState.of(observed, pose), places)
        sightings = (
            replace(s, identities=_suits_only(s)) if s.kind is Kind.DIE and s not in thrown else s
            for s in observed.sightings
        )
        return replace(observed, sightings=tuple(sightings))

    def _not_at_rest(self, before: DiceState, places: Places) -> list[tuple[Spot, Sighting]]:
        return [
            (spot, die)
            for spot, die in self.dice
            if not any(
                math.dist(spot, at) < places.at_rest
                and (
                    die.best == old.best
                    or max(die.chance_of(*old.best), old.chance_of(*die.best)) > places.other_chance
                )
                for at, old in before.dice
            )
        ]


def _suits_only(die: Sighting) -> Beliefs:
    suits: dict[tuple[Suit | None, Rank | None], float] = {}
    for (suit, _), p in die.identities.items():
        suits[suit, None] = suits.get((suit, None), 0.0) + p
    return suits
