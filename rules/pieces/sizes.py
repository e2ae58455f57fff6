"""How big the pieces are, in millimetres (PP-7, PP-8). Ratios are safer than millimetres (PP-7.5): a layout
is measured in spaces (half a tile side), an edition says how long a space is."""

from __future__ import annotations

from dataclasses import dataclass

from rules.pieces.piece import Size

MM_PER_INCH = 25.4


@dataclass(frozen=True, slots=True)
class Edition:
    name: str
    tile_side: float = 50.8
    tile_thickness: float = 6.4
    coin_diameter: float = 19.05
    coin_thickness: float = 3.2
    die_edge: float = 12.7
    pawn_diameter: float = 16.0
    pawn_height: float = 28.6
    card_width: float = 63.5
    card_height: float = 88.9

    @property
    def space(self) -> float:
        """Half a tile side: the unit of every layout."""
        return self.tile_side / 2

    def problems(self) -> list[str]:
        """What is unusual about these sizes, in words."""
        found = []
        if self.coin_diameter > self.space:
            found.append("the coins are wider than half a tile (PP-7.2)")
        if not 38 <= self.tile_side <= 77:
            found.append("the tile side is outside 1.5 to 3 inches (PP-7.1)")
        return found


REFERENCE = Edition("reference")
EDITIONS: dict[str, Edition] = {
    edition.name: edition
    for edition in (
        REFERENCE,
        Edition("card", tile_thickness=2.0, coin_thickness=2.0),
        Edition("wood", tile_thickness=4.5, coin_thickness=4.5),
        Edition("small", tile_side=38.1, tile_thickness=3.0, coin_diameter=14.3, die_edge=9.5, pawn_diameter=12.0),
        Edition("large", tile_side=76.2, coin_diameter=28.6, die_edge=16.0, pawn_diameter=20.0, pawn_height=40.0),
    )
}

_PIECEPACK_BASE_IN = dict(zip("ABCDEF", (0.500, 0.569, 0.638, 0.706, 0.775, 0.844), strict=True))
_LOONEY_BASE_HEIGHT_IN = {"small": (0.5625, 1.0), "medium": (0.78125, 1.375), "large": (1.0, 1.75)}
_SLANT_PER_BASE = 1.5388


def pyramid_base(size: Size) -> float:
    """Side of the square base in mm."""
    if size.value in _LOONEY_BASE_HEIGHT_IN:
        return _LOONEY_BASE_HEIGHT_IN[size.value][0] * MM_PER_INCH
    return _PIECEPACK_BASE_IN[size.value] * MM_PER_INCH


def pyramid_height(size: Size) -> float:
    """From the base to the tip when it stands, in mm."""
    if size.value in _LOONEY_BASE_HEIGHT_IN:
        return _LOONEY_BASE_HEIGHT_IN[size.value][1] * MM_PER_INCH
    base = pyramid_base(size)
    slant = _SLANT_PER_BASE * base
    return float((slant**2 - (base / 2) ** 2) ** 0.5)
