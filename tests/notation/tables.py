"""Short ways to play a few submoves and to look at the table that comes of it."""

from __future__ import annotations

from rules.notation.address import place_text
from rules.notation.reader import read_game
from rules.notation.spec import ONE_BASED_SETS, PieceSpec, spec_text
from rules.notation.tabletop import Table, TablePiece


def table_after(movetext: str, head: str = "") -> Table:
    """The last table of one game."""
    return list(read_game(f"---\n{head}...\n{movetext}").play())[-1].table


def piece_texts(table: Table) -> list[str]:
    """Kind, side, suit, rank and place of every piece, from the bottom up."""
    return [piece_text(table_piece) for table_piece in table]


def piece_text(table_piece: TablePiece) -> str:
    name = f"{table_piece.kind} {table_piece.side} {table_piece.suit}/{table_piece.rank}"
    return f"{name} ({table_piece.x:g},{table_piece.y:g})"


def suits(table: Table) -> list[int | None]:
    return [table_piece.suit for table_piece in table]


def places(table: Table) -> list[tuple[float, float]]:
    return [(round(table_piece.x, 6), round(table_piece.y, 6)) for table_piece in table]


def table_text(table: Table) -> str:
    """A table as the drops that lay it, one piece after the other from the bottom up."""
    return " ".join(
        f"{spec_text(exact_spec(table_piece))}@{place_text(table_piece.x, table_piece.y)}" for table_piece in table
    )


def exact_spec(table_piece: TablePiece) -> PieceSpec:
    """Says everything about a piece, so that reading it back gives the same."""
    suit = None if table_piece.suit is None else table_piece.suit
    rank = None if table_piece.rank is None else table_piece.rank - (0 if table_piece.set in ONE_BASED_SETS else 1)
    own_set = None if table_piece.set == "piecepack" else table_piece.set
    return PieceSpec(table_piece.kind, table_piece.side, suit, rank, table_piece.angle or None, own_set)
