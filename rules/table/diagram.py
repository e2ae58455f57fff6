"""A layout as a text drawing: tiles as boxes, pieces on them as short codes, the other zones as lists.

One space is four characters wide and two lines high; pieces are drawn from the bottom to the top.
"""

from __future__ import annotations

from rules.pieces import Kind, Piece, Pose
from rules.table.layout import Layout, Placed, Zone, bounds

_WIDE, _HIGH = 4, 2


class Canvas:
    """Characters on a grid, y upwards."""

    def __init__(self, west: float, south: float, east: float, north: float) -> None:
        self.west, self.north = west, north
        self.width = round((east - west) * _WIDE) + 1
        self.height = round((north - south) * _HIGH) + 1
        self._rows = [[" "] * self.width for _ in range(self.height)]

    def column(self, x: float) -> int:
        return round((x - self.west) * _WIDE)

    def row(self, y: float) -> int:
        return round((self.north - y) * _HIGH)

    def text(self, column: int, row: int, text: str) -> None:
        for offset, character in enumerate(text):
            if 0 <= row < self.height and 0 <= column + offset < self.width:
                self._rows[row][column + offset] = character

    def box(self, west: float, south: float, east: float, north: float) -> None:
        left, right = self.column(west), self.column(east)
        top, bottom = self.row(north), self.row(south)
        self.text(left, top, "┌" + "─" * (right - left - 1) + "┐")
        for row in range(top + 1, bottom):
            self.text(left, row, "│" + " " * (right - left - 1) + "│")
        self.text(left, bottom, "└" + "─" * (right - left - 1) + "┘")

    def __str__(self) -> str:
        return "\n".join("".join(row).rstrip() for row in self._rows)


_ARROWS = {0: "^", 90: "<", 180: "v", 270: ">"}


def short(placed: Placed) -> str:
    """Two or three characters for the visible side of a piece: S4 a tile, (s) a suns coin, (4) a value, ♟S a pawn."""
    piece = placed.shown
    suit = piece.suit.letter if piece.suit else ""
    rank = piece.rank.letter if piece.rank is not None else ""
    if piece.kind is Kind.TILE:
        return suit + rank
    if piece.kind is Kind.COIN:
        return f"({suit.lower() or rank or '?'})"
    if piece.kind is Kind.DIE:
        return f"[{suit}{rank}]"
    if piece.kind is Kind.PAWN:
        return f"♟{suit}"
    if piece.kind is Kind.PYRAMID:
        return _short_pyramid(placed, piece)
    return piece.mark or "??"


def _short_pyramid(placed: Placed, piece: Piece) -> str:
    who = piece.suit.letter if piece.suit else (piece.mark or "?")[0]
    pose = _ARROWS.get(round(placed.angle) % 360, "*") if placed.pose is Pose.FLAT else "▲"
    return f"{pose}{who}{piece.size.value[0] if piece.size else ''}"


def draw(layout: Layout) -> str:
    """The board as a drawing, then one line for each zone and seat beside it."""
    lines = [_board(layout)] if layout.board else []
    for seat, zone in _zones(layout):
        owner = "" if seat is None else f" of seat {seat}"
        names = " ".join(sorted(short(p) for p in layout.zone(zone) if p.seat == seat))
        lines.append(f"{zone.value}{owner}: {names}")
    return "\n".join(lines)


def _zones(layout: Layout) -> list[tuple[int | None, Zone]]:
    seen = {(p.seat, p.zone) for p in layout if p.zone is not Zone.BOARD}
    return sorted(seen, key=lambda item: (item[0] is None, item[0] or 0, item[1].value))


def _board(layout: Layout) -> str:
    west, south, east, north = bounds(layout.board)
    canvas = Canvas(west - 1, south - 0.5, east + 1, north)
    for placed in layout.board:
        if placed.piece.kind in (Kind.TILE, Kind.CARD):
            _draw_flat(canvas, placed)
    _draw_small(canvas, [p for p in layout.board if p.piece.kind not in (Kind.TILE, Kind.CARD)])
    _label(canvas, layout, west)
    return str(canvas)


def _draw_flat(canvas: Canvas, placed: Placed) -> None:
    canvas.box(placed.x - 1, placed.y - 1, placed.x + 1, placed.y + 1)
    lean = "".join(sign for sign, value in _lean_signs(placed.lean) if value)
    name = short(placed) + lean
    canvas.text(canvas.column(placed.x - 1) + 1, canvas.row(placed.y + 1) + 1, name[:7])


def _lean_signs(lean: tuple[int, int]) -> tuple[tuple[str, bool], ...]:
    east, north = lean
    return (("→", east > 0), ("←", east < 0), ("↑", north > 0), ("↓", north < 0))


def _draw_small(canvas: Canvas, pieces: list[Placed]) -> None:
    """Draws each stack as one text, the top first: two coins and a pawn are ♟S(s)2."""
    spots: dict[tuple[int, int], list[Placed]] = {}
    for placed in pieces:
        spots.setdefault((canvas.column(placed.x), canvas.row(placed.y)), []).append(placed)
    for (column, row), stack in spots.items():
        top = stack[-1]
        below = [p for p in stack[:-1] if p.piece.kind is Kind.COIN]
        text = short(top) + (short(below[-1])[1] if top.piece.kind is Kind.PAWN and below else "")
        height = len([p for p in stack if p.piece.kind is Kind.COIN])
        text += str(height) if height > 1 else ""
        canvas.text(column - len(text) // 2, row, text)


def _label(canvas: Canvas, layout: Layout, west: float) -> None:
    """Labels of files below and of ranks at the left, for places named like a1."""
    for place in layout.places:
        file, rank = place.name[:1], place.name[1:]
        if not (file.isalpha() and rank.removeprefix("-").isdecimal()):
            continue
        canvas.text(canvas.column(place.x), canvas.height - 1, file)
        canvas.text(canvas.column(west) - 3, canvas.row(place.y), rank)
