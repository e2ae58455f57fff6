"""The ice: tiles on the lattice of spaces, names of spaces, neighbours (PENG-2, PENG-9)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.engine import Action
from rules.engine.fields import no_such
from rules.engine.values import with_item

Corner = tuple[int, int]
Tiles = tuple[Corner | None, ...]
"""South-west space of every tile; None for a removed tile."""

SHAPES: dict[str, Tiles] = {
    "square": ((0, 0), (2, 0), (0, 2), (2, 2)),
    "row": ((0, 0), (2, 0), (4, 0), (6, 0)),
    "ell": ((0, 0), (2, 0), (4, 0), (0, 2)),
    "tee": ((0, 0), (2, 0), (4, 0), (2, 2)),
    "ess": ((0, 0), (2, 0), (2, 2), (4, 2)),
    "tiny": ((0, 0), (2, 0), (0, 2)),
    "tiny_row": ((0, 0), (2, 0), (4, 0)),
}
WIDEST = 26
"""Number of files, lettered round the alphabet, so that a board that drifts west of file a keeps short names."""

_CORNERS = re.compile(r"\s*(\d{1,2})\s*[,.:]\s*(\d{1,2})\s*\Z")


def name_of(x: int, y: int) -> str:
    """Name of a space: a1 is the near left space of the first player at the start; west of file a comes z, south of
    rank 1 comes 0."""
    return f"{chr(97 + x % WIDEST)}{y + 1}"


@dataclass(frozen=True, slots=True)
class IceBoard:
    """Everything derived from the places of the tiles. Cell 4 * tile + 2 * dy + dx is a tile's space (dx, dy)."""

    tiles: Tiles
    spots: tuple[Corner | None, ...]
    names: tuple[str, ...]
    cells: dict[str, int]
    near: tuple[int, ...]
    moves: tuple[Action, ...]
    melts: tuple[Action, ...]

    @property
    def reading_order(self) -> tuple[int, ...]:
        """From the north-west, row by row, as coins are laid (PENG-3.2)."""
        laid = [(-spot[1], spot[0], cell) for cell, spot in enumerate(self.spots) if spot]
        return tuple(cell for _, _, cell in sorted(laid))


@lru_cache(maxsize=4096)
def board_of(tiles: Tiles) -> IceBoard:
    spots = tuple(spot for corner in tiles for spot in _spaces(corner))
    names = tuple(name_of(*spot) if spot else "" for spot in spots)
    return IceBoard(
        tiles=tiles,
        spots=spots,
        names=names,
        cells={name: cell for cell, name in enumerate(names) if name},
        near=tuple(_neighbours(spots, spot) for spot in spots),
        moves=tuple(Action("move", (name,)) for name in names),
        melts=tuple(Action("melt", (name,)) for name in names),
    )


def _spaces(corner: Corner | None) -> Iterator[Corner | None]:
    return ((corner[0] + dx, corner[1] + dy) if corner else None for dy in (0, 1) for dx in (0, 1))


def _neighbours(spots: tuple[Corner | None, ...], spot: Corner | None) -> int:
    """A bit for every cell at most one file and one rank away."""
    if spot is None:
        return 0
    x, y = spot
    return sum(
        1 << cell
        for cell, other in enumerate(spots)
        if other and other != spot and abs(other[0] - x) <= 1 and abs(other[1] - y) <= 1
    )


def tiles_of(text: str) -> Tiles:
    """Corners as people write them: "0,0+2,0+1,2". ValueError unless these can be the first tiles: three or four that
    do not overlap and are not too far apart."""
    found: list[Corner] = []
    for part in text.replace(" ", "+").split("+"):
        match = _CORNERS.match(part)
        if part and not match:
            raise no_such("corner of a tile", part, "0,0+2,0+0,2+2,2")
        if match:
            found.append((int(match[1]), int(match[2])))
    if len(found) not in (3, 4):
        raise ValueError(f"the ice has four tiles, or three for Tiny and Tall, not {len(found)}")
    for index, corner in enumerate(found):
        if any(overlap(corner, other) for other in found[:index]):
            raise ValueError(f"the tile at {corner[0]},{corner[1]} lies on another tile")
    if width(tuple(found)) > WIDEST:
        raise ValueError(f"the ice may be {WIDEST} spaces wide at most")
    return tuple(found)


def overlap(one: Corner, other: Corner) -> bool:
    return abs(one[0] - other[0]) < 2 and abs(one[1] - other[1]) < 2


def in_contact(one: Corner, other: Corner) -> bool:
    """Whether two tiles share a full edge, two spaces long."""
    across, up = abs(one[0] - other[0]), abs(one[1] - other[1])
    return (across, up) in ((2, 0), (0, 2))


def has_contact(tiles: Tiles, tile: int) -> bool:
    corner = tiles[tile]
    return corner is not None and any(other and in_contact(corner, other) for other in tiles)


def groups(tiles: Tiles) -> int:
    """Number of groups of tiles connected by full edges."""
    todo = {corner for corner in tiles if corner}
    count = 0
    while todo:
        count += 1
        edge = [todo.pop()]
        while edge:
            corner = edge.pop()
            joined = {other for other in todo if in_contact(corner, other)}
            todo -= joined
            edge += joined
    return count


def width(tiles: Tiles) -> int:
    files = [corner[0] for corner in tiles if corner]
    return max(files) - min(files) + 2


@lru_cache(maxsize=1024)
def drift_targets(tiles: Tiles, tile: int) -> tuple[Corner, ...]:
    """Places to which a tile may drift, its own first: next to another tile, without a tile losing contact."""
    own = tiles[tile]
    if own is None:
        return ()
    around = {
        (other[0] + dx, other[1] + dy)
        for index, other in enumerate(tiles)
        if other and index != tile
        for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2))
    }
    return (own, *sorted(corner for corner in around - {own} if drift_fault(tiles, tile, corner) is None))


def drift_fault(tiles: Tiles, tile: int, corner: Corner) -> str | None:
    """Fault of a tile at a new place: overlap, alone, apart or wide."""
    after = with_item(tiles, tile, corner)
    if corner == tiles[tile]:
        return None
    if any(other and index != tile and overlap(corner, other) for index, other in enumerate(tiles)):
        return "overlap"
    if not has_contact(after, tile):
        return "alone"
    if groups(after) > groups(tiles) or _loses_contact(tiles, after):
        return "apart"
    return "wide" if width(after) > WIDEST else None


def _loses_contact(before: Tiles, after: Tiles) -> bool:
    """Whether the drift costs a tile its last contact along a full edge; tiles that never had one are exempt
    (PENG-9.10)."""
    return any(has_contact(before, tile) and not has_contact(after, tile) for tile in range(len(before)))


def turned_local(local: int, quarters: int) -> int:
    """Place of a space of a tile after clockwise turns: (dx, dy) to (dy, 1 - dx) for each."""
    dx, dy = local % 2, local // 2
    for _ in range(quarters % 4):
        dx, dy = dy, 1 - dx
    return 2 * dy + dx


def default_second_level(tiles: Tiles) -> tuple[int, ...]:
    """Spaces with a second coin: all of three tiles; of four, the diagonal that points to the middle of the ice; where
    none does, north-west to south-east (PENG-3.3, PENG-9.5, PENG-9.6)."""
    order = board_of(tiles).reading_order
    if len(tiles) == 3:
        return order
    corners = [corner for corner in tiles if corner]
    sum_x, sum_y = sum(x for x, _ in corners), sum(y for _, y in corners)
    chosen = set()
    for tile, (x, y) in enumerate(corners):
        rising = (sum_x - 4 * x) * (sum_y - 4 * y) > 0
        chosen |= {4 * tile, 4 * tile + 3} if rising else {4 * tile + 1, 4 * tile + 2}
    return tuple(cell for cell in order if cell in chosen)
