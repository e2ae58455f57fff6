"""Short ways to play a few submoves and to look at the table that comes of it."""

from __future__ import annotations

from rules.notation.reader import read_game
from rules.notation.tabletop import Table, TablePiece


def table_after(movetext: str, head: str = "") -> Table:
    """The last table of one game."""
    return list(read_game(f"---\n{head}...\n{movetext}").play())[-1].table


def told(table: Table) -> list[str]:
    """Kind, side, suit, rank and place of every piece, from the bottom up."""
    return [tell(lying) for lying in table]


def tell(lying: TablePiece) -> str:
    return f"{lying.kind} {lying.side} {lying.suit}/{lying.rank} ({lying.x:g},{lying.y:g})"


def suits(table: Table) -> list[int | None]:
    return [lying.suit for lying in table]


def places(table: Table) -> list[tuple[float, float]]:
    return [(round(lying.x, 6), round(lying.y, 6)) for lying in table]
