"""The visible features of a placed piece, and which pieces are visible on the table."""

from __future__ import annotations

from dataclasses import dataclass

from rules.pieces import Face, Kind, Piece, Pose
from rules.table.layout import Placed, Zone


@dataclass(frozen=True, slots=True)
class Appearance:
    """Visible features of a piece. None: not visible or not known. Dice and pyramids have no face."""

    piece: Piece
    face: Face | None = None
    pose: Pose | None = None

    def may_be(self, other: Appearance) -> bool:
        """Whether both can be the same piece lying the same way; an unknown feature matches any value."""
        one, two = self.piece, other.piece
        pairs = (self.face, other.face), (self.pose, other.pose), (one.suit, two.suit), (one.rank, two.rank)
        return one.kind is two.kind and all(
            a is None or b is None or a == b for a, b in (*pairs, (one.size, two.size), (one.mark, two.mark))
        )


def appearance_of(placed: Placed) -> Appearance:
    has_pose = placed.piece.kind is Kind.PYRAMID
    return Appearance(placed.shown, placed.face, (placed.pose or Pose.UPRIGHT) if has_pose else None)


def on_table(placed: Placed) -> bool:
    """Whether the piece is visible to all: on the board, in a hand, or a die. Spent and supplied pieces are not."""
    if placed.zone is Zone.SUPPLY:
        return placed.piece.kind is Kind.DIE
    return placed.zone in (Zone.BOARD, Zone.HAND)
