"""A reading weighed with how its look is like what play has shown of the set (`vision.witness.appearance`). A face that
was never shown is compared with shown faces of its suit and of its value; where there are none, its look says nothing
for or against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from rules.pieces import Face, Kind
from rules.table.observed import Beliefs, Identity, Sighting
from vision.witness.appearance import Appearances, Row, likeness

UNLIKE: Final = (Kind.CARD, Kind.PYRAMID)
"""Of which the reader never learnt to tell the pieces of one set by their looks. (Nor of pawns; but these differ by
their colour alone, and likeness tells that.)"""
STEEP, EVEN = 20.0, 0.8
"""A nat for each twentieth of likeness beyond this (measured on fourteen random sets of the test stratum: the odds of
one face against two follow 32 (likeness - 0.81) for tiles and 31 (likeness - 0.77) for coins; two thirds of it, as
light changes more at tables)."""
STEEP_OF_KIN, EVEN_OF_KIN = 8.0, 0.1
"""The same of what shares only the suit or the value (measured: the odds follow 12 (likeness - 0.13) for tiles of one
value and 10 (likeness - 0.06) for those of one suit; two thirds of it)."""
MOST_OF_KIN: Final = 2.3
"""Neither says more, for or against a face (odds: one in ten)."""
OTHER_SIDE, CLEARLY = 0.85, 0.2
"""A coin so like what the other side showed, and by so much less like what this side showed, shows the other side
(measured: no coin was more than 0.81 like any of the other side; coins of one face were rarely less than 0.9)."""
LEAST, MOST = -4.0, 3.0
"""No look says more against a face (odds: one in fifty), nor for one (one in twenty)."""
NEW: Final = 0.002
"""The chance of what the eyes did not think of (odds)."""
FORGOTTEN: Final = 1e-3
"""What is less likely is not named any more (odds)."""


def weighed(looks: Appearances, sighting: Sighting, row: Row) -> Sighting:
    """The sighting, which looks like this, with its doubts weighed by what is known of this set."""
    sighting = _turned(looks, sighting, row)
    faces = looks.rows.get((sighting.kind, sighting.face))
    if not faces or not sighting.identities or sighting.kind in UNLIKE:
        return sighting
    shown = [face for face in faces if _shows_as(face, sighting.best)]
    crossed = {(suit, rank) for suit, _ in shown for _, rank in shown}
    alike = {face: likeness(faces[face], row) for face in shown}
    weights = {
        identity: max(sighting.identities.get(identity, 0.0), NEW) * float(np.exp(_says(identity, alike)))
        for identity in {*sighting.identities, *crossed}
    }
    return replace(sighting, identities=_shares(weights))


def _turned(looks: Appearances, sighting: Sighting, row: Row) -> Sighting:
    """The other side up, where it looks like what that showed, and like nothing of the side that was read."""
    if sighting.kind is not Kind.COIN or sighting.face is None:
        return sighting
    other = Face.BACK if sighting.face is Face.FRONT else Face.FRONT
    here, there = (looks.rows.get((sighting.kind, face), {}) for face in (sighting.face, other))
    own, turned = (max((likeness(rows, row) for rows in side.values()), default=0.0) for side in (here, there))
    if turned < OTHER_SIDE or turned < own + CLEARLY:
        return sighting
    return replace(sighting, face=other, identities={face: 1 / len(there) for face in there})


def _says(identity: Identity, alike: Mapping[Identity, float]) -> float:
    """How much likelier the look is if it is that face, in nats; `alike`: how like it is to each that was shown."""
    if identity in alike:
        return float(np.clip(STEEP * (alike[identity] - EVEN), LEAST, MOST))
    kin = (STEEP_OF_KIN * (like - EVEN_OF_KIN) for like in _kin(identity, alike))
    return sum(float(np.clip(told, -MOST_OF_KIN, MOST_OF_KIN)) for told in kin)


def _kin(identity: Identity, alike: Mapping[Identity, float]) -> Iterator[float]:
    """How like a look is to those of its value, one with another, and to those of its suit."""
    suit, rank = identity
    for kin in (
        [like for (other, same), like in alike.items() if same is rank and other is not suit],
        [like for (same, other), like in alike.items() if same is suit and other is not rank],
    ):
        if kin:
            yield sum(kin) / len(kin)


def _shows_as(face: Identity, other: Identity) -> bool:
    """Whether both tell suit and value, or the same one of them."""
    return all((a is None) == (b is None) for a, b in zip(face, other, strict=True))


def _shares(weights: Mapping[Identity, float]) -> Beliefs:
    total = sum(weights.values())
    return {identity: weight / total for identity, weight in weights.items() if weight / total > FORGOTTEN}
