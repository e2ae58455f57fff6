"""Several looks at the same still table are worth more than one: positions are averaged, doubts multiplied out, and
what only one look in many saw counts for less."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from rules.pieces import Face
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.piece import CERTAIN, FAINT

NEAR = 0.35


def fuse(tables: Sequence[ObservedTable]) -> ObservedTable:
    """The newest look, corrected by the older ones."""
    newest = tables[-1]
    if len(tables) == 1:
        return newest
    groups: list[list[Sighting]] = [[sighting] for sighting in (*newest.sightings, *newest.faint)]
    for table in tables[:-1]:
        _join(groups, (*table.sightings, *table.faint))
    fused = [_merged(group, len(tables)) for group in groups]
    return replace(
        newest,
        sightings=tuple(s for s in fused if s.certainty > CERTAIN),
        faint=tuple(s for s in fused if FAINT < s.certainty <= CERTAIN),
    )


def _join(groups: list[list[Sighting]], sightings: Sequence[Sighting]) -> None:
    for sighting in sightings:
        near = [g for g in groups if g[0].kind is sighting.kind and _distance(g[0], sighting) < NEAR]
        if near:
            min(near, key=lambda group: _distance(group[0], sighting)).append(sighting)
        else:
            groups.append([sighting])


def _distance(a: Sighting, b: Sighting) -> float:
    return math.hypot(a.x - b.x, a.y - b.y)


def _merged(group: list[Sighting], looks: int) -> Sighting:
    group = _one_side_up(group)
    best = max(group, key=lambda sighting: sighting.certainty)
    alike = [s for s in group if s.face is best.face]
    return replace(
        best,
        x=sum(s.x for s in group) / len(group),
        y=sum(s.y for s in group) / len(group),
        identities=_agreed([s.identities for s in alike]),
        other_side=sum(s.other_side for s in alike) / len(alike),
        other_identities=_agreed([s.other_identities for s in alike]),
        certainty=min(1.0, sum(s.certainty for s in group) / looks),
    )


def _one_side_up(group: list[Sighting]) -> list[Sighting]:
    """All of them with the side up that they think likeliest together, where each tells how likely that is."""
    if len({s.face for s in group}) == 1 or not all(s.face and s.other_side for s in group):
        return group
    front = sum(1.0 - s.other_side if s.face is Face.FRONT else s.other_side for s in group) / len(group)
    up = Face.FRONT if front >= 0.5 else Face.BACK
    return [s if s.face is up else s.turned for s in group]


def _agreed(beliefs: Sequence[Beliefs]) -> Beliefs:
    """Frames of one still second are not independent witnesses: the geometric mean, not the product."""
    keys = {key for belief in beliefs for key in belief}
    if not keys:
        return {}
    floor = 1e-3
    mean = {key: math.exp(sum(math.log(max(b.get(key, 0.0), floor)) for b in beliefs) / len(beliefs)) for key in keys}
    total = sum(mean.values())
    return {key: value / total for key, value in mean.items() if value / total > floor}
