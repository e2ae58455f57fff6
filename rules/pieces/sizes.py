"""Sizes of the pieces in spaces (half a tile side, an inch of the reference set; PP-7, PP-8).

Layouts are measured in spaces, since editions differ in millimetres, hardly in ratios (PP-7.5). Only the thickness of
tiles and coins does: `THICKNESS` is that of the reference set, `USUAL_THICKNESS` that assumed for a set not measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.pieces.piece import Kind, Piece, Size

SPACE_MM: Final = 25.4
"""Length of a space of the reference set in millimetres."""
TILE: Final = 2.0
"""Side (PP-7.1)."""
COIN: Final = 0.75
"""Diameter (PP-7.2)."""
DIE: Final = 0.5
"""Edge (PP-7.3)."""
PAWN: Final = 0.63
"""Diameter of the foot, 16 mm (PP-7.4)."""
CARD: Final = (2.5, 3.5)
"""Width and height (PP-8.3)."""
CARD_REACH: Final = 1.5
"""Half extent of a card in any direction, between half its width and half its height: cards three spaces apart
(DEC-2.7) touch and do not overlap."""

THICKNESS: Final[Mapping[Kind, float]] = MappingProxyType(
    {Kind.TILE: 0.25, Kind.COIN: 0.125, Kind.DIE: DIE, Kind.PAWN: 1.125, Kind.CARD: 0.012}
)
"""Height of a piece of the reference set as it lies or stands (PP-7; a card 0.3 mm)."""
USUAL_THICKNESS: Final[Mapping[Kind, float]] = MappingProxyType({**THICKNESS, Kind.TILE: 0.22, Kind.COIN: 0.16})
"""Mean of the editions: wooden tiles are 3 to 6 mm thick (PP-7.1), their coins as thick as the tiles or half that."""

_LOONEY: Final = {Size.SMALL: (0.5625, 1.0), Size.MEDIUM: (0.78125, 1.375), Size.LARGE: (1.0, 1.75)}
"""Base and height (PP-8.2)."""
_SMALLEST, _LARGEST, _SLANT = 1 / 2, 27 / 32, 1.5388
"""Bases of the lettered pyramids A and F (those between are in equal steps), and the height of a face as a share of the
base (PP-8.1)."""


def pyramid_base(size: Size | None) -> float:
    """Side of the square base; that of the medium size for None."""
    looney = _LOONEY.get(size or Size.MEDIUM)
    if looney is not None:
        return looney[0]
    return _SMALLEST + (_LARGEST - _SMALLEST) * "ABCDEF".index(str(size)) / 5


def pyramid_height(size: Size | None) -> float:
    """Height of an upright pyramid; that of the medium size for None."""
    looney = _LOONEY.get(size or Size.MEDIUM)
    if looney is not None:
        return looney[1]
    base = pyramid_base(size)
    return float(((_SLANT * base) ** 2 - (base / 2) ** 2) ** 0.5)


_SIDES: Final = {Kind.TILE: TILE, Kind.COIN: COIN, Kind.DIE: DIE, Kind.PAWN: PAWN}
_HALF_SIDES: Final[Mapping[Kind, tuple[float, float]]] = MappingProxyType(
    {Kind.CARD: (CARD[0] / 2, CARD[1] / 2), **{kind: (side / 2, side / 2) for kind, side in _SIDES.items()}}
)
_HALF_EXTENTS: Final = {kind: max(sides) for kind, sides in _HALF_SIDES.items()}


def half_sides(piece: Piece) -> tuple[float, float]:
    """Half the width and half the height of the footprint; of lettered pyramids that of `Size.look`."""
    if piece.kind is Kind.PYRAMID:
        half = pyramid_base(piece.size.look if piece.size else None) / 2
        return half, half
    return _HALF_SIDES[piece.kind]


def half_extent(piece: Piece) -> float:
    """Half the longer side of the footprint."""
    return _HALF_EXTENTS.get(piece.kind) or max(half_sides(piece))
