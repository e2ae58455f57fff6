"""The board as text: every tile a box of its own, touching boxes side by side; below, where exactly the tiles lie."""

from __future__ import annotations

from dataclasses import replace

from rules.games.decay.layout import layout_of
from rules.games.decay.opening import NAMES, State
from rules.pieces import Kind
from rules.table.diagram import Canvas, draw, short
from rules.table.layout import Layout, Zone, bounds

_WIDE, _HIGH = 8, 4  # characters and lines of a tile


def drawing_of(state: State) -> str:
    layout = layout_of(state)
    aside = tuple(placed for placed in layout if placed.zone is not Zone.BOARD)
    rest = draw(replace(layout, pieces=aside, places=()))
    places = [f"{name}@({spot[0]},{spot[1]})" for name, spot in zip(NAMES, state.tiles, strict=True) if spot]
    rows = [" ".join(places[start : start + 8]) for start in range(0, len(places), 8)]
    return "\n".join(part for part in (_board(layout), *rows, rest) if part)


def _board(layout: Layout) -> str:
    tiles = [placed for placed in layout.board if placed.piece.kind is Kind.TILE]
    if not tiles:
        return ""
    canvas = Canvas(*bounds(tiles))
    for placed in tiles:
        left, top = canvas.column(placed.x - 1), canvas.row(placed.y + 1)
        on_it = "".join(short(other) for other in layout.at(placed.place)[1:])
        _box(canvas, left, top, short(placed), on_it)
    return str(canvas).rstrip()


def _box(canvas: Canvas, left: int, top: int, name: str, on_it: str) -> None:
    """One line and one column less than the tile is wide, so that neighbours never share a border."""
    inner = _WIDE - 2
    canvas.text(left, top, "┌" + "─" * inner + "┐")
    canvas.text(left, top + 1, "│" + name.ljust(inner) + "│")
    canvas.text(left, top + 2, "│" + on_it.ljust(inner)[:inner] + "│")
    canvas.text(left, top + _HIGH - 1, "└" + "─" * inner + "┘")
