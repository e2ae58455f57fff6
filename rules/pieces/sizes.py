"""How big the pieces are: the one table, in spaces (half a tile side, an inch of the reference set; PP-7, PP-8).

Every layout is measured in spaces, and editions differ in millimetres, hardly in ratios (PP-7.5). What does differ is
how thick tiles and coins are: `THICKNESS` is the reference set's, `USUAL_THICKNESS` what a set that nobody measured is
taken to have.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rules.pieces.piece import Kind, Piece, Size

SPACE_MM: Final = 25.4
"""A space of the reference set in millimetres."""
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
"""Half a card whichever way it lies, between half its width and half its height: cards that are laid three spaces apart
(DEC-2.7) touch and do not lie on one another."""

THICKNESS: Final[Mapping[Kind, float]] = MappingProxyType(
    {Kind.TILE: 0.25, Kind.COIN: 0.125, Kind.DIE: DIE, Kind.PAWN: 1.125, Kind.CARD: 0.012}
)
"""How high what lies or stands is with the reference set (PP-7; a card 0.3 mm)."""
USUAL_THICKNESS: Final[Mapping[Kind, float]] = MappingProxyType({**THICKNESS, Kind.TILE: 0.22, Kind.COIN: 0.16})
"""Between the editions: tiles of wood are 3 to 6 mm thick (PP-7.1), their coins as thick as the tiles or half of it."""

_LOONEY: Final = {Size.SMALL: (0.5625, 1.0), Size.MEDIUM: (0.78125, 1.375), Size.LARGE: (1.0, 1.75)}
"""Base and height (PP-8.2)."""
_SMALLEST, _LARGEST, _SLANT = 1 / 2, 27 / 32, 1.5388
"""Bases of the lettered pyramids A and F, in equal steps, and the height of a face as a share of the base (PP-8.1)."""


def pyramid_base(size: Size | None) -> float:
    """Side of the square base; of the middle size where nobody knows which."""
    looney = _LOONEY.get(size or Size.MEDIUM)
    if looney is not None:
        return looney[0]
    return _SMALLEST + (_LARGEST - _SMALLEST) * "ABCDEF".index(str(size)) / 5


def pyramid_height(size: Size | None) -> float:
    """From the base to the tip when it stands."""
    looney = _LOONEY.get(size or Size.MEDIUM)
    if looney is not None:
        return looney[1]
    base = pyramid_base(size)
    return float(((_SLANT * base) ** 2 - (base / 2) ** 2) ** 0.5)


_HALF_SIDES: Final[Mapping[Kind, tuple[float, float]]] = MappingProxyType(
    {
        Kind.CARD: (CARD[0] / 2, CARD[1] / 2),
        **{kind: (side / 2, side / 2) for kind, side in ((Kind.TILE, TILE), (Kind.COIN, COIN), (Kind.DIE, DIE))},
        Kind.PAWN: (PAWN / 2, PAWN / 2),
    }
)
_HALF_EXTENT: Final = MappingProxyType({kind: max(sides) for kind, sides in _HALF_SIDES.items()})


def half_sides(piece: Piece) -> tuple[float, float]:
    """Half the width and half the height of its footprint; lettered pyramids as the size that a camera tells."""
    if piece.kind is Kind.PYRAMID:
        half = pyramid_base(piece.size.look if piece.size else None) / 2
        return half, half
    return _HALF_SIDES[piece.kind]


def half_extent(piece: Piece) -> float:
    """Half the width it needs, whichever way it lies."""
    if piece.kind is Kind.PYRAMID:
        return max(half_sides(piece))
    return _HALF_EXTENT[piece.kind]
