"""A moment with other sightings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.table.evidence import TableEvidence
from rules.table.observed import Sighting


def resighted(seen: TableEvidence, sightings: Iterable[Sighting]) -> TableEvidence:
    """The same picture and time; what the detector made of it is replaced by `sightings`."""
    return replace(seen, table=replace(seen.table, sightings=tuple(sightings)))
