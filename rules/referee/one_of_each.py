"""Of each tile there is one: a tile beside that which is surely the two of arms is another one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from rules.pieces import Kind
from rules.referee.tuning import Naming
from rules.table.observed import Identity, ObservedTable, Sighting


def one_of_each(observed: ObservedTable, naming: Naming) -> ObservedTable:
    """The same table, where no tile is what another one surely is. What two doubtful ones are is for whoever weighs
    both together: each counts against a layout once."""
    sure = [seen for seen in observed.sightings if _is_tile(seen) and _chance(seen, seen.best) >= naming.surely]
    return replace(observed, sightings=tuple(_apart(seen, sure, naming) for seen in observed.sightings))


def _apart(seen: Sighting, sure: list[Sighting], naming: Naming) -> Sighting:
    if not _is_tile(seen) or len(seen.identities) < 2:
        return seen
    others = [other for other in sure if not _is_the_same(seen, other, naming)]
    return seen.weighed(partial(_left_by, others, naming))


def _left_by(others: Iterable[Sighting], naming: Naming, identity: Identity) -> float:
    """How likely none of the others is this one; readers are surer of themselves than they should be."""
    return math.prod(1.0 - min(_chance(other, identity), naming.surest) for other in others if other.best == identity)


def _is_tile(seen: Sighting) -> bool:
    """Whether it is a tile that shows all that it is."""
    return seen.kind is Kind.TILE and None not in seen.best


def _chance(seen: Sighting, identity: Identity) -> float:
    return seen.identities.get(identity, 0.0) * seen.certainty


def _is_the_same(one: Sighting, other: Sighting, naming: Naming) -> bool:
    """Two looks at one tile agree because they are that."""
    return math.hypot(one.x - other.x, one.y - other.y) < naming.one_piece
