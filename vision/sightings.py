"""Conversion of a frame's result to the observations that the referee judges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.pieces import Face
from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.identify.heads import shows_suit, shows_value
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult
from vision.witness.appearance import PieceAppearance
from vision.witness.witness import FrameEvidence


def table_evidence(result: FrameResult, at: float = 0.0) -> TableEvidence:
    """Observations and picture evidence of one frame."""
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
    """Probability of each (suit, rank)."""
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
