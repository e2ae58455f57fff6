"""What a piece shows of itself as it lies, and which pieces show themselves at all."""

from __future__ import annotations

from dataclasses import dataclass

from rules.pieces import Face, Kind, Piece, Pose
from rules.table.layout import Placed, Zone


@dataclass(frozen=True, slots=True)
class Appearance:
    """What a piece shows. None: not shown, or nobody can tell. A die's and a pyramid's sides have no face."""

    piece: Piece
    face: Face | None = None
    pose: Pose | None = None

    def may_be(self, other: Appearance) -> bool:
        """Whether both can be the same piece lying the same way; what one of them does not know agrees."""
        one, two = self.piece, other.piece
        return (
            one.kind is two.kind
            and _same(self.face, other.face)
            and _same(self.pose, other.pose)
            and all(
                _same(a, b)
                for a, b in zip(
                    (one.suit, one.rank, one.size, one.mark), (two.suit, two.rank, two.size, two.mark), strict=True
                )
            )
        )


def _same(one: object, other: object) -> bool:
    return one is None or other is None or one == other


def look_of(placed: Placed) -> Appearance:
    flat = placed.piece.kind is Kind.PYRAMID
    return Appearance(placed.shown, placed.face, (placed.pose or Pose.UPRIGHT) if flat else None)


def on_table(placed: Placed) -> bool:
    """Whether everybody sees it lie there: on the board, in a hand, a die; what is spent or back in the box is gone."""
    if placed.zone is Zone.SUPPLY:
        return placed.piece.kind is Kind.DIE
    return placed.zone in (Zone.BOARD, Zone.HAND)
