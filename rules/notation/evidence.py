"""A table of a record laid on our board: the evidence that the referee is given."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.notation.game_match import is_own
from rules.notation.piece_spec import look_at
from rules.notation.reader import PpnGame
from rules.notation.tabletop import Table, TablePiece
from rules.pieces import RANKS, Kind, Suit
from rules.referee.record_evidence import RecordedPiece, RecordEvidence, Strictness
from rules.table.appearance import Appearance


@dataclass(frozen=True, slots=True)
class BoardOffset:
    """Where the board of a record lies relative to ours, and which suits of men stand for which of ours."""

    dx: float = 0.0
    dy: float = 0.0
    suits: tuple[tuple[Suit, Suit], ...] = ()

    def renamed(self, look: Appearance) -> Appearance:
        suit = dict(self.suits).get(look.piece.suit) if look.piece.suit and look.piece.kind is not Kind.TILE else None
        return look if suit is None else replace(look, piece=replace(look.piece, suit=suit))


def evidence(record: PpnGame, table: Table, shift: BoardOffset, settled: frozenset[str]) -> RecordEvidence:
    """Our own records show exactly what we put down; people lay more on a table."""
    return RecordEvidence(seen_on(table, shift), Strictness.STRICT if is_own(record) else Strictness.LOOSE, settled)


def seen_on(table: Table, shift: BoardOffset = BoardOffset()) -> list[RecordedPiece]:
    """What our sets know of a table."""
    looks = ((table_piece, look_at(table_piece)) for table_piece in table)
    return [_seen(table_piece, look, shift) for table_piece, look in looks if look is not None]


def _seen(table_piece: TablePiece, look: Appearance, shift: BoardOffset) -> RecordedPiece:
    under = (
        RANKS[table_piece.rank - 1]
        if table_piece.kind == "coin" and table_piece.rank and table_piece.rank <= 6
        else None
    )
    return RecordedPiece(
        shift.renamed(look),
        table_piece.x + shift.dx,
        table_piece.y + shift.dy,
        table_piece.id,
        under,
        table_piece.angle,
    )
