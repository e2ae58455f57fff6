"""Where things lie on the table; u are the sixteenths of a tile side in which Decay measures (DECAY-2.23)."""

from __future__ import annotations

from rules.engine import Spot
from rules.games.decay.geometry import Tiles, on_table
from rules.games.decay.opening import NAMES
from rules.table.layout import Zone

U_PER_SPACE = 8


OUT = Spot(zone=Zone.SUPPLY)


def spot_of(tiles: Tiles, tile: int) -> Spot:
    place = tiles[tile]
    if place is None:
        return Spot(NAMES[tile])
    return Spot(NAMES[tile], place[0] / U_PER_SPACE, place[1] / U_PER_SPACE)


def tiles_laid(tiles: Tiles) -> int:
    return sum(1 for _ in on_table(tiles))
