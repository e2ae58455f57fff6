"""What is seen as a piece that the game does not have. Eyes that have never seen this set take a pyramid that lies for
a die and a pawn for a pyramid; whoever knows what is played with takes both for what it must be."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from rules.pieces import Kind
from rules.referee.tuning import Naming
from rules.table.layout import Layout
from rules.table.observed import Identity, ObservedTable, Sighting

SMALL = (Kind.DIE, Kind.PAWN, Kind.PYRAMID)
"""What is as small and as high, and is taken for one another."""


def rightly_named(observed: ObservedTable, layout: Layout, naming: Naming) -> ObservedTable:
    """The same table, where the game has only one kind of what is small and high: each of the others is that, less
    certainly, unless one is seen there anyway. How it lies and how large it is nobody has seen then."""
    played = {placed.piece.kind for placed in layout}
    only = [kind for kind in SMALL if kind in played]
    if len(only) != 1 or not any(s.kind in SMALL and s.kind is not only[0] for s in observed.sightings):
        return observed
    return replace(
        observed,
        sightings=tuple(_named(observed.sightings, only[0], naming)),
        faint=tuple(_named(observed.faint, only[0], naming)),
    )


def _named(sightings: Iterable[Sighting], kind: Kind, naming: Naming) -> Iterable[Sighting]:
    seen = list(sightings)
    right = [one for one in seen if one.kind is kind]
    for one in seen:
        if one.kind is kind or one.kind not in SMALL:
            yield one
        elif all(math.hypot(one.x - other.x, one.y - other.y) > naming.apart for other in right):
            yield Sighting(
                kind,
                one.x,
                one.y,
                identities=_suits(one),
                certainty=naming.misnamed * one.certainty,
                zone=one.zone,
                seat=one.seat,
                center_px=one.center_px,
                outline_px=one.outline_px,
            )


def _suits(seen: Sighting) -> dict[Identity, float]:
    """Its colours, as far as they were seen."""
    return {(suit, None): seen.chance_of(suit, None) for suit, _ in seen.identities}
