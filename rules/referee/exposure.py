"""Which pieces of a layout are visible, how much of each, and how high they lie: high ones look displaced away from the
camera."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from rules.pieces import Kind
from rules.pieces.sizes import CARD_REACH, COIN, TILE
from rules.referee.tuning import TUNING, Heights, Tuning
from rules.table.layout import Layout, Placed, Zone

_HALF_EXTENT = {Kind.TILE: TILE / 2, Kind.COIN: COIN / 2, Kind.CARD: CARD_REACH}
_TOLERANCE = 1e-6


def exposed(layout: Layout, tuning: Tuning = TUNING) -> list[tuple[Placed, float]]:
    """The visible pieces of the board, each with its visible share (1: all of it)."""
    sheets: list[Placed] = []
    small_pieces: dict[tuple[int, int], list[Placed]] = defaultdict(list)
    found: list[tuple[Placed, float]] = []
    for placed in reversed(layout.pieces):
        if placed.zone is not Zone.BOARD:
            continue
        is_sheet, column, row = placed.piece.kind in (Kind.TILE, Kind.CARD), round(placed.x), round(placed.y)
        cells = ((column + i, row + j) for i in (-1, 0, 1) for j in (-1, 0, 1))
        near = [above for cell in cells for above in small_pieces.get(cell, ())]
        share = (_open_share_of_sheet if is_sheet else _open_share)(placed, sheets, near, tuning)
        if share > 0.0:
            found.append((placed, share))
        if is_sheet:
            sheets.append(placed)
        else:
            small_pieces[column, row].append(placed)
    return found


def _open_share(placed: Placed, sheets: list[Placed], near: list[Placed], tuning: Tuning) -> float:
    """Of a small piece, given the sheets and the small pieces near it that lie higher."""
    if any(abs(t.x - placed.x) < 1.0 and abs(t.y - placed.y) < 1.0 for t in sheets):
        return 0.0
    for above in near:
        if math.hypot(above.x - placed.x, above.y - placed.y) < tuning.places.elsewhere:
            return 0.0 if above.piece.kind is placed.piece.kind else tuning.heights.partly / 2
    return 1.0


def _open_share_of_sheet(placed: Placed, sheets: list[Placed], near: list[Placed], tuning: Tuning) -> float:
    """The same of a tile or card."""
    hidden_share = 0.0
    x, y = placed.x, placed.y
    for above in sheets:  # a box test first: hardly any sheet of a board overlaps, and every layout tried asks for all
        if -2.0 < above.x - x < 2.0 and -2.0 < above.y - y < 2.0:
            hidden_share += (2 - abs(above.x - x)) * (2 - abs(above.y - y)) / 4
    if hidden_share > tuning.heights.hidden:
        return 0.0
    if hidden_share > tuning.heights.covered:
        return tuning.heights.partly
    covers_print = any(math.hypot(above.x - x, above.y - y) < tuning.heights.on_top for above in near)
    return tuning.heights.printed if covers_print else 1.0


class HeightMap:
    """The surface of tiles, coins and cards; 0 is the top of a tile on the table."""

    def __init__(self, pieces: Iterable[Placed], heights: Heights = TUNING.heights) -> None:
        self._ground = -heights.tile
        thickness = {Kind.TILE: heights.tile, Kind.COIN: heights.coin, Kind.CARD: heights.card}
        self._surfaces: list[tuple[Placed, float]] = []
        for placed in pieces:
            if placed.zone is Zone.BOARD and placed.piece.kind in thickness:
                tops = (top for below, top in self._surfaces if _lies_on(placed, below))
                support = max(tops, default=self._ground)
                self._surfaces.append((placed, support + thickness[placed.piece.kind]))
        self.heights = sorted({round(top, 3) for _, top in self._surfaces}, reverse=True)

    def at(self, x: float, y: float) -> float:
        tops = (top for placed, top in self._surfaces if _covers(placed, x, y))
        return max(tops, default=self._ground)


def _covers(placed: Placed, x: float, y: float) -> bool:
    half = _HALF_EXTENT[placed.piece.kind]
    if placed.piece.kind is Kind.COIN:
        return math.hypot(placed.x - x, placed.y - y) <= half
    return abs(placed.x - x) <= half and abs(placed.y - y) <= half


def _lies_on(upper: Placed, lower: Placed) -> bool:
    reach = _HALF_EXTENT[lower.piece.kind] + (
        _HALF_EXTENT[upper.piece.kind] if upper.piece.kind is not Kind.COIN else 0.0
    )
    return max(abs(upper.x - lower.x), abs(upper.y - lower.y)) < reach - _TOLERANCE
