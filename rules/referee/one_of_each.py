"""Of each tile there is one: a tile beside that which is surely the two of arms is another one."""

from __future__ import annotations

import math
from dataclasses import replace

from rules.pieces import Kind, Rank, Suit
from rules.referee.tuning import Naming
from rules.table.observed import Beliefs, ObservedTable, Sighting

_Identity = tuple[Suit | None, Rank | None]


def one_of_each(observed: ObservedTable, naming: Naming) -> ObservedTable:
    """The same table, where no tile is what another one surely is. What two doubtful ones are is for whoever weighs
    both together: each counts against a layout once."""
    return replace(observed, sightings=tuple(_apart(seen, observed.sightings, naming) for seen in observed.sightings))


def _apart(seen: Sighting, all_seen: tuple[Sighting, ...], naming: Naming) -> Sighting:
    if len(seen.identities) < 2 or not any(_is_one(seen.kind, identity) for identity in seen.identities):
        return seen
    others = [
        other
        for other in all_seen
        if other is not seen and other.kind is seen.kind and not _is_the_same(seen, other, naming)
    ]
    weights = {
        identity: chance * _left_by(others, identity, naming) if _is_one(seen.kind, identity) else chance
        for identity, chance in seen.identities.items()
    }
    before, total = sum(seen.identities.values()), sum(weights.values())
    told: Beliefs = {identity: weight * before / total for identity, weight in weights.items()}
    return replace(seen, identities=told)


def _left_by(others: list[Sighting], identity: _Identity, naming: Naming) -> float:
    """How likely none of the others is surely this one; readers are surer of themselves than they should be."""
    chances = (other.identities.get(identity, 0.0) * other.certainty for other in others)
    return math.prod(1.0 - min(chance, naming.surest) for chance in chances if chance >= naming.surely)


def _is_one(kind: Kind, identity: _Identity) -> bool:
    suit, rank = identity
    return kind is Kind.TILE and suit is not None and rank is not None


def _is_the_same(one: Sighting, other: Sighting, naming: Naming) -> bool:
    """Two looks at one piece agree because they are that."""
    return math.hypot(one.x - other.x, one.y - other.y) < naming.one_piece
