"""What the eyes saw, as the referee reads it."""

from __future__ import annotations

from collections.abc import Iterable

from rules.table.evidence import TableEvidence
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult
from vision.witness.appearance import PieceAppearance
from vision.witness.witness import FrameEvidence


def table_evidence(look: FrameResult, at: float = 0.0) -> TableEvidence:
    """One look as the referee judges it."""
    return TableEvidence(observed_table(look, at), picture_evidence(look))


def observed_table(look: FrameResult, at: float = 0.0) -> ObservedTable:
    """Pieces without a place on the table (no plane found) are left out."""
    seen = tuple(_sighting(piece) for piece in look.pieces if piece.position is not None)
    faint = tuple(_sighting(piece) for piece in look.faint if piece.position is not None)
    return ObservedTable(seen, time=at, faint=faint)


def picture_evidence(look: FrameResult) -> FrameEvidence:
    """The picture of a look, to be asked what changed since another."""
    return FrameEvidence(look.frame, look.plane, _looked(look.pieces))


def _looked(pieces: Iterable[DetectedPiece]) -> list[PieceAppearance]:
    return [(_sighting(p), p.embedding) for p in pieces if p.position is not None and p.embedding is not None]


def _sighting(piece: DetectedPiece) -> Sighting:
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
        certainty=piece.certainty,
        center_px=(float(piece.center[0]), float(piece.center[1])),
        outline_px=tuple((float(x), float(y)) for x, y in piece.outline),
    )


def identities_of(piece: DetectedPiece) -> Beliefs:
    return {(suit, rank): p for suit, rank, p in piece.identities()}
