"""Heights of the pieces: high ones look displaced away from the camera."""

from __future__ import annotations

import math
from collections.abc import Iterable

from rules.pieces import Kind
from rules.pieces.sizes import CARD_REACH, COIN, TILE
from rules.referee.tuning import TUNING, Heights
from rules.table.layout import Placed, Zone

_HALF_EXTENT = {Kind.TILE: TILE / 2, Kind.COIN: COIN / 2, Kind.CARD: CARD_REACH}
_TOLERANCE = 1e-6


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
        """Height of the uppermost surface there."""
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
