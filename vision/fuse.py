"""Fuses several looks at one still table: positions are averaged, distributions combined, and what only one look in
many saw loses certainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rules.pieces import Face
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.piece import CERTAIN, FAINT

SAME_PIECE_INCHES = 0.35
"""Observations of one kind within this distance are the same piece, in inches."""


def fuse(tables: Sequence[ObservedTable]) -> ObservedTable:
    """The latest observations, corrected by the earlier ones."""
    latest = tables[-1]
    if len(tables) == 1:
        return latest
    groups: list[list[Sighting]] = [[sighting] for sighting in (*latest.sightings, *latest.faint)]
    for table in tables[:-1]:
        _add_to_groups(groups, (*table.sightings, *table.faint))
    fused = [_fused(group, len(tables)) for group in groups]
    return replace(
        latest,
        sightings=tuple(s for s in fused if s.certainty > CERTAIN),
        faint=tuple(s for s in fused if FAINT < s.certainty <= CERTAIN),
    )


def _add_to_groups(groups: list[list[Sighting]], sightings: Sequence[Sighting]) -> None:
    """Add each observation to the nearest group of its kind, or start a new one."""
    for sighting in sightings:
        near = [g for g in groups if g[0].kind is sighting.kind and _distance(g[0], sighting) < SAME_PIECE_INCHES]
        if near:
            min(near, key=lambda group: _distance(group[0], sighting)).append(sighting)
        else:
            groups.append([sighting])


def _distance(a: Sighting, b: Sighting) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def _fused(group: list[Sighting], look_count: int) -> Sighting:
    """One observation from those of one piece. `look_count`: number of looks, for the certainty."""
    group = _with_common_side(group)
    best = max(group, key=lambda sighting: sighting.certainty)
    same_face = [s for s in group if s.face is best.face]
    return replace(
        best,
        x=sum(s.x for s in group) / len(group),
        y=sum(s.y for s in group) / len(group),
        identities=_mean_beliefs([s.identities for s in same_face]),
        other_side=sum(s.other_side for s in same_face) / len(same_face),
        other_identities=_mean_beliefs([s.other_identities for s in same_face]),
        certainty=min(1.0, sum(s.certainty for s in group) / look_count),
    )


def _with_common_side(group: list[Sighting]) -> list[Sighting]:
    """The observations turned to the side that is likelier over all of them, where each gives a probability of its
    other side."""
    if len({s.face for s in group}) == 1 or not all(s.face and s.other_side for s in group):
        return group
    front = sum(1.0 - s.other_side if s.face is Face.FRONT else s.other_side for s in group) / len(group)
    face = Face.FRONT if front >= 0.5 else Face.BACK
    return [s if s.face is face else s.flipped for s in group]


def _mean_beliefs(beliefs: Sequence[Beliefs]) -> Beliefs:
    """Normalised geometric mean. A product would treat frames of one still second as independent."""
    keys = {key for belief in beliefs for key in belief}
    if not keys:
        return {}
    floor = 1e-3
    mean = {key: math.exp(sum(math.log(max(b.get(key, 0.0), floor)) for b in beliefs) / len(beliefs)) for key in keys}
    total = sum(mean.values())
    return {key: value / total for key, value in mean.items() if value / total > floor}
