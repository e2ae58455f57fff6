"""Any PPN table as a text drawing, also with pieces that no game here has: boards, dominoes, draughts men."""

from __future__ import annotations

from rules.notation.tabletop import Table, TablePiece
from rules.table.diagram import Canvas

_SUITS = " SMCA"
_RANKS = "na23456789"
_MAX_SIDE = 80.0


def draw_table(table: Table) -> str:
    """Tiles and boards as boxes, the rest as short codes; the topmost piece of each place."""
    if not table:
        return "(empty)"
    west, south, east, north = _edges(table)
    if max(east - west, north - south) > _MAX_SIDE:
        return "\n".join(f"{code(table_piece)} at ({table_piece.x:g},{table_piece.y:g})" for table_piece in table)
    canvas = Canvas(west - 0.5, south - 0.5, east + 0.5, north + 0.5)
    for table_piece in table:
        _draw(canvas, table_piece)
    return str(canvas)


def _edges(table: Table) -> tuple[float, float, float, float]:
    boxes = [(table_piece.x, table_piece.y, *_half(table_piece)) for table_piece in table]
    return (
        min(x - w for x, _, w, _ in boxes),
        min(y - h for _, y, _, h in boxes),
        max(x + w for x, _, w, _ in boxes),
        max(y + h for _, y, _, h in boxes),
    )


def _half(table_piece: TablePiece) -> tuple[float, float]:
    """Half the width and the height."""
    if table_piece.kind == "board":
        return (table_piece.rank or 8) / 2, (table_piece.rank or 8) / 2
    if table_piece.kind != "tile":
        return 0.4, 0.4
    if table_piece.set.startswith("dominoes"):
        return (1.0, 0.5) if round(table_piece.angle) % 180 == 90 else (0.5, 1.0)
    return (0.5, 0.5) if table_piece.set == "subpack" else (1.0, 1.0)


def _draw(canvas: Canvas, table_piece: TablePiece) -> None:
    wide, high = _half(table_piece)
    if table_piece.kind in ("tile", "board"):
        canvas.box(table_piece.x - wide, table_piece.y - high, table_piece.x + wide, table_piece.y + high)
        canvas.text(canvas.column(table_piece.x - wide) + 1, canvas.row(table_piece.y + high) + 1, code(table_piece))
        return
    text = code(table_piece)
    canvas.text(canvas.column(table_piece.x) - len(text) // 2, canvas.row(table_piece.y), text)


def code(table_piece: TablePiece) -> str:
    """Up to three characters: S4 a tile, (s) a coin's suit, (4) its value, [S4] a die, ♟S a pawn."""
    suit = _SUITS[table_piece.suit] if table_piece.suit and table_piece.suit < len(_SUITS) else ""
    rank = _RANKS[table_piece.rank - 1] if table_piece.rank and table_piece.rank <= len(_RANKS) else ""
    if table_piece.set.startswith("dominoes"):
        return "" if table_piece.side == "back" else f"{(table_piece.rank or 1) - 1}{(table_piece.suit or 1) - 1}"
    if table_piece.set != "piecepack" and table_piece.kind == "bit":
        return " RKGBYW"[table_piece.suit or 0] if (table_piece.suit or 9) < 7 else "?"
    return _piecepack_code(table_piece, suit, rank)


def _piecepack_code(table_piece: TablePiece, suit: str, rank: str) -> str:
    if table_piece.kind == "tile":
        return suit + rank if table_piece.side == "face" else ""
    if table_piece.kind == "coin":
        return f"({(suit.lower() if table_piece.side == 'back' else rank) or '?'})"
    if table_piece.kind == "die":
        return f"[{suit}{rank}]"
    if table_piece.kind == "pawn":
        return f"♟{suit}"
    if table_piece.kind == "pyramid":
        return f"▲{suit}{rank}"
    return "" if table_piece.kind == "board" else table_piece.kind[:2]
