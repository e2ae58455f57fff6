"""Conversion of a frame's result to the observations that the referee judges, and fusion of those of several looks:
positions are averaged, distributions combined, and what only one look in many saw loses certainty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.pieces import Face
from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.identify.heads import shows_suit, shows_value
from vision.piece import CERTAIN, FAINT, DetectedPiece
from vision.table_reader import FrameResult
from vision.witness.appearance import PieceAppearance
from vision.witness.witness import FrameEvidence


def table_evidence(result: FrameResult, at: float = 0.0) -> TableEvidence:
    return TableEvidence(observed_table(result, at), picture_evidence(result))


def observed_table(result: FrameResult, at: float = 0.0) -> ObservedTable:
    """Observations of a frame. Pieces without a position (no table plane) are left out."""
    sightings = tuple(_sighting(piece) for piece in result.pieces if piece.position is not None)
    faint = tuple(_sighting(piece) for piece in result.faint if piece.position is not None)
    return ObservedTable(sightings, time=at, faint=faint)


def picture_evidence(result: FrameResult) -> FrameEvidence:
    """The frame's picture, for comparison with an earlier one."""
    return FrameEvidence(result.frame, result.plane, _appearances(result.pieces))


def _appearances(pieces: Iterable[DetectedPiece]) -> list[PieceAppearance]:
    return [(_sighting(p), p.embedding) for p in pieces if p.position is not None and p.embedding is not None]


def _sighting(piece: DetectedPiece) -> Sighting:
    """The observation of a piece that has a position."""
    assert piece.position is not None
    return Sighting(
        kind=piece.kind,
        x=piece.position[0],
        y=piece.position[1],
        face=piece.face,
        angle=piece.table_angle,
        level=piece.level,
        identities=identities_of(piece),
        size=piece.size,
        sizes=piece.sizes,
        pose=piece.pose,
        lying=piece.lying,
        aim=piece.table_aim,
        edges=piece.table_edges,
        mark=piece.mark,
        other_side=other_side_probability(piece),
        other_identities=other_identities_of(piece),
        certainty=piece.certainty,
        center_px=(float(piece.center[0]), float(piece.center[1])),
        outline_px=tuple((float(x), float(y)) for x, y in piece.outline),
    )


def identities_of(piece: DetectedPiece) -> Beliefs:
    return {(suit, rank): p for suit, rank, p in piece.identities()}


def other_side_probability(piece: DetectedPiece) -> float:
    """Probability that the other side is up, from the reader or a learned set; at most 0.5."""
    if piece.face is None or piece.signs is None:
        return 0.0
    total, up = sum(piece.signs.sides.values()), piece.signs.sides.get(piece.face, 0.0)
    return min(0.5, 1.0 - up / total) if total > 0 else 0.0


def other_identities_of(piece: DetectedPiece) -> Beliefs:
    """Identities of the piece if its other side is up."""
    if piece.face is None or piece.signs is None:
        return {}
    other = Face.BACK if piece.face is Face.FRONT else Face.FRONT
    suits = piece.signs.suits if shows_suit(piece.kind, other) else {}
    ranks = piece.signs.ranks if shows_value(piece.kind, other) else {}
    return identities_of(replace(piece, face=other, suits=suits, ranks=ranks, faces={}))


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
