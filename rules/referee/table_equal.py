"""Whether two tables are the same: people's word is not overruled before the table has changed."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rules.referee.tuning import TUNING, Places
from rules.table.observed import ObservedTable, Sighting


def tables_equal(before: ObservedTable, after: ObservedTable, places: Places = TUNING.places) -> bool:
    """Whether every piece lies where it lay and shows what it showed, within detection errors."""
    return len(before.sightings) == len(after.sightings) and all(
        _is_among(sighting, after.sightings, places) for sighting in before.sightings
    )


def _is_among(one: Sighting, others: Iterable[Sighting], places: Places) -> bool:
    return any(math.hypot(one.x - s.x, one.y - s.y) < places.elsewhere and _may_be_same(one, s, places) for s in others)


def _may_be_same(one: Sighting, other: Sighting, places: Places) -> bool:
    if (one.kind, one.face, one.pose) != (other.kind, other.face, other.pose):
        return False
    return max(one.chance_of(*other.best), other.chance_of(*one.best)) > places.misread
