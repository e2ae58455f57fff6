"""Any table of PPN as text, also with things that none of our games knows: boards, dominoes, draughts men."""

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
        return "\n".join(f"{code(lying)} at ({lying.x:g},{lying.y:g})" for lying in table)
    canvas = Canvas(west - 0.5, south - 0.5, east + 0.5, north + 0.5)
    for lying in table:
        _draw(canvas, lying)
    return str(canvas)


def _edges(table: Table) -> tuple[float, float, float, float]:
    boxes = [(lying.x, lying.y, *_half(lying)) for lying in table]
    return (
        min(x - w for x, _, w, _ in boxes),
        min(y - h for _, y, _, h in boxes),
        max(x + w for x, _, w, _ in boxes),
        max(y + h for _, y, _, h in boxes),
    )


def _half(lying: TablePiece) -> tuple[float, float]:
    """Half the width and the height."""
    if lying.kind == "board":
        return (lying.rank or 8) / 2, (lying.rank or 8) / 2
    if lying.kind != "tile":
        return 0.4, 0.4
    if lying.set.startswith("dominoes"):
        return (1.0, 0.5) if round(lying.angle) % 180 == 90 else (0.5, 1.0)
    return (0.5, 0.5) if lying.set == "subpack" else (1.0, 1.0)


def _draw(canvas: Canvas, lying: TablePiece) -> None:
    wide, high = _half(lying)
    if lying.kind in ("tile", "board"):
        canvas.box(lying.x - wide, lying.y - high, lying.x + wide, lying.y + high)
        canvas.text(canvas.column(lying.x - wide) + 1, canvas.row(lying.y + high) + 1, code(lying))
        return
    text = code(lying)
    canvas.text(canvas.column(lying.x) - len(text) // 2, canvas.row(lying.y), text)


def code(lying: TablePiece) -> str:
    """Up to three characters: S4 a tile, (s) a coin's suit, (4) its value, [S4] a die, ♟S a pawn."""
    suit = _SUITS[lying.suit] if lying.suit and lying.suit < len(_SUITS) else ""
    rank = _RANKS[lying.rank - 1] if lying.rank and lying.rank <= len(_RANKS) else ""
    if lying.set.startswith("dominoes"):
        return "" if lying.side == "back" else f"{(lying.rank or 1) - 1}{(lying.suit or 1) - 1}"
    if lying.set != "piecepack" and lying.kind == "bit":
        return " RKGBYW"[lying.suit or 0] if (lying.suit or 9) < 7 else "?"
    return _piecepack_code(lying, suit, rank)


def _piecepack_code(lying: TablePiece, suit: str, rank: str) -> str:
    if lying.kind == "tile":
        return suit + rank if lying.side == "face" else ""
    if lying.kind == "coin":
        return f"({(suit.lower() if lying.side == 'back' else rank) or '?'})"
    if lying.kind == "die":
        return f"[{suit}{rank}]"
    if lying.kind == "pawn":
        return f"♟{suit}"
    if lying.kind == "pyramid":
        return f"▲{suit}{rank}"
    return "" if lying.kind == "board" else lying.kind[:2]
