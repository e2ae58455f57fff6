"""Map of San Andreas: cells, land, overlapping tiles, lean, sea (SAND-2, SAND-3.2); shifts, lifts and dips of a tile
(SAND-5.3 to 5.9, 5.13)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache

from rules.engine.open_grid import Cell, name_of
from rules.pieces import Rank

Lean = tuple[int, int]
Above = tuple[tuple[str, str], ...]

CORNERS: tuple[Cell, ...] = ((0, 0), (1, 0), (0, 1), (1, 1))  # south-west, south-east, north-west, north-east
SIDES: dict[str, Cell] = {"west": (-1, 0), "south": (0, -1), "north": (0, 1), "east": (1, 0)}

_ROWS = ((1, 15), (1, 13), (1, 11), (2, 9), (3, 7), (4, 5), (5, 3), (7, 1))
_START: dict[str, Cell] = {
    f"r{row}c{column}": (west + 2 * column - 2, south)
    for row, (west, south) in enumerate(_ROWS, 1)
    for column in range(1, 3 if row == len(_ROWS) else 4)
}
TILES: tuple[str, ...] = tuple(_START)
START: tuple[Cell | None, ...] = tuple(_START.values())

TOP, WATER_EAST = 16, 6
_EAST = {y: 10 if y <= 4 else 9 if y <= 6 else 8 if y <= 8 else 7 if y <= 10 else 6 for y in range(1, TOP + 1)}


def east_end(y: int) -> int:
    """The easternmost map cell of a row."""
    if y > TOP:
        return 0
    return _EAST.get(y, WATER_EAST)


@lru_cache(maxsize=4096)
def is_land(cell: Cell) -> bool:
    """Whether the cell is beyond the borders (SAND-2.3). West of column 1 there is only open sea."""
    x, y = cell
    return x >= 1 and x > east_end(y)


@lru_cache(maxsize=4096)
def cells_of(corner: Cell) -> tuple[Cell, ...]:
    """The four cells under a tile with that south-west cell, in the order of CORNERS."""
    x, y = corner
    return (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)


@lru_cache(maxsize=4096)
def beside(cell: Cell) -> tuple[Cell, ...]:
    x, y = cell
    return (x - 1, y), (x, y - 1), (x, y + 1), (x + 1, y)


@dataclass(frozen=True, slots=True)
class Terrain:
    """Terrain derived from the places of the tiles. `stacks` names the plates on a cell from the bottom up, land cells
    (an immovable plate named like the cell) included."""

    tiles: dict[str, Cell]
    stacks: dict[Cell, tuple[str, ...]]
    leans: dict[str, Lean]
    sea: frozenset[Cell]
    coastal: tuple[str, ...]
    shown: dict[str, tuple[tuple[int, Cell], ...]]  # the visible corners of every tile and their cells

    def top(self, cell: Cell) -> str | None:
        """The tile whose space is visible there (SAND-2.8)."""
        stack = self.stacks.get(cell)
        return stack[-1] if stack and stack[-1] in self.tiles else None

    def is_ocean(self, cell: Cell) -> bool:
        return cell[0] <= 0 or cell in self.sea

    def supports(self, tile: str) -> tuple[int, ...]:
        return tuple(self.stacks[cell].index(tile) for cell in cells_of(self.tiles[tile]))

    def steepness(self, tile: str) -> int:
        return max(abs(part) for part in self.leans[tile])

    def corner_at(self, cell: Cell) -> tuple[str, int] | None:
        """The tile whose space is visible there, and the corner of the tile."""
        tile = self.top(cell)
        return None if tile is None else (tile, cells_of(self.tiles[tile]).index(cell))

    def distance(self, cell: Cell) -> tuple[int, str] | None:
        """Number of spaces to the nearest coast in a straight line, and the direction; None if there is none
        (SAND-5.22)."""
        ways = ((self._walk(cell, step), side) for side, step in SIDES.items())
        return min(((d, side) for d, side in ways if d is not None), key=lambda way: way[0], default=None)

    def _walk(self, cell: Cell, step: Cell) -> int | None:
        passed = 0
        while True:
            cell = cell[0] + step[0], cell[1] + step[1]
            if self.is_ocean(cell):
                return passed
            if is_land(cell) and cell not in self.stacks:
                return None
            passed += 1


@lru_cache(maxsize=512)
def terrain(tiles: tuple[Cell | None, ...], above: Above, any_gap: bool) -> Terrain:
    places = {name: corner for name, corner in zip(TILES, tiles, strict=True) if corner}
    over = frozenset(above)
    found: dict[Cell, list[str]] = defaultdict(list)
    for name, corner in places.items():
        for cell in cells_of(corner):
            found[cell].append(name)
    for cell, plates in found.items():
        if is_land(cell):
            plates.append(name_of(cell))
    stacks = {c: _pile(plates, over) if len(plates) > 1 else (plates[0],) for c, plates in found.items()}
    leans = {name: _lean_of(name, [stacks[cell] for cell in cells_of(corner)]) for name, corner in places.items()}
    sea = _sea(stacks, any_gap)
    shore = {near for cell in sea for near in beside(cell)}
    wet = [name for name, corner in places.items() if not shore.isdisjoint(cells_of(corner))]
    tops = {cell: stack[-1] for cell, stack in stacks.items()}
    shown = {
        name: tuple(spot for spot in enumerate(cells_of(corner)) if tops[spot[1]] == name)
        for name, corner in places.items()
    }
    return Terrain(places, stacks, leans, sea, tuple(wet), shown)


def _pile(plates: list[str], above: frozenset[tuple[str, str]]) -> tuple[str, ...]:
    """Plates of a cell from the bottom up: the height of a plate is the number of plates below it, since on one cell
    any two are related."""
    return tuple(sorted(plates, key=lambda upper: sum((upper, lower) in above for lower in plates)))


def _lean_of(name: str, piles: list[tuple[str, ...]]) -> Lean:
    """Lean of a tile from the plates on its four cells (SAND-2.6)."""
    sw, se, nw, ne = (pile.index(name) for pile in piles)
    if sw == se == nw == ne:
        return 0, 0
    return max(ne, se) - max(nw, sw), max(nw, ne) - max(sw, se)


@cache
def _map_cells(south: int, north: int) -> frozenset[Cell]:
    return frozenset((x, y) for y in range(south, north) for x in range(east_end(y) + 1))


def _sea(stacks: dict[Cell, tuple[str, ...]], any_gap: bool) -> frozenset[Cell]:
    """Open cells that are ocean, up to one space beyond the farthest tile; x = 0 represents the rest."""
    south = min((y - 1 for _, y in stacks), default=0)
    north = max((y + 1 for _, y in stacks), default=TOP)
    rows = range(min(south, 0), max(north, TOP) + 1)
    gaps = _map_cells(rows.start, rows.stop) - stacks.keys()
    if any_gap:
        return frozenset(gaps)
    reached = {cell for cell in gaps if cell[0] == 0 or cell[1] == rows[0]}
    found: set[Cell] = set()
    while reached:
        found |= reached
        reached = {near for cell in reached for near in beside(cell)} & gaps - found
    return frozenset(found)


def islands(places: dict[str, Cell]) -> list[tuple[str, ...]]:
    """Groups of tiles in contact that have no contact with land (SAND-5.15)."""
    left = dict(places)
    found = []
    while left:
        group = _group(left)
        if not any(_reaches_land(places[name]) for name in group):
            found.append(tuple(sorted(group)))
    return found


def _group(left: dict[str, Cell]) -> list[str]:
    """Remove one connected group from `left`."""
    todo = [next(iter(left))]
    corners = {todo[0]: left.pop(todo[0])}
    while todo:
        x, y = corners[todo.pop()]
        near = [name for name, (ox, oy) in left.items() if _in_contact(abs(x - ox), abs(y - oy))]
        corners |= {name: left.pop(name) for name in near}
        todo += near
    return list(corners)


def _in_contact(across: int, up: int) -> bool:
    """Whether two tiles are side by side or overlap; tiles that only meet at a corner are not in contact."""
    return across <= 2 and up <= 2 and across + up < 4


def _reaches_land(corner: Cell) -> bool:
    return any(is_land(cell) or any(is_land(near) for near in beside(cell)) for cell in cells_of(corner))


Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DieShift:
    """The shift that a die causes (SAND-5.3)."""

    direction: str
    lifts: bool


SHIFTS: dict[Rank, DieShift] = {
    Rank.ACE: DieShift("east", True),
    Rank.TWO: DieShift("north", False),
    Rank.THREE: DieShift("north", True),
    Rank.FOUR: DieShift("south", False),
    Rank.FIVE: DieShift("south", True),
}


@dataclass(frozen=True, slots=True)
class Shifted:
    """The tiles after a shift; `over` and `under` are the plates newly overlapped, `pinned` those among them whose
    order is the reverse of the die, because of plates between (SAND-5.8)."""

    tiles: tuple[Cell | None, ...]
    above: Above
    source: Cell
    target: Cell
    over: tuple[str, ...]
    under: tuple[str, ...]
    pinned: tuple[str, ...]


def shift(ground: Terrain, above: Above, tile: str, how: DieShift, *, lifts_at_border: bool) -> Shifted:
    """`lifts_at_border`: a dip lifts where it meets land (option border_dip)."""
    source = ground.tiles[tile]
    step = SIDES[how.direction]
    target = source[0] + step[0], source[1] + step[1]
    before, after = _overlapped(ground, tile, source), _overlapped(ground, tile, target)
    kept = {pair for pair in above if tile not in pair or after & before & set(pair)}
    over: set[str] = set()
    under: set[str] = set()
    pinned: set[str] = set()
    for plate in after - before:
        lifts = how.lifts or (lifts_at_border and plate not in ground.tiles)
        blocked = _is_above(kept, plate, tile) if lifts else _is_above(kept, tile, plate)
        (over if lifts is not blocked else under).add(plate)
        pinned |= {plate} if blocked else set()
    pairs = kept | {(tile, plate) for plate in over} | {(plate, tile) for plate in under}
    places = ground.tiles | {tile: target}
    return Shifted(
        tuple(places.get(name) for name in TILES),
        tuple(sorted(pairs)),
        source,
        target,
        tuple(sorted(over)),
        tuple(sorted(under)),
        tuple(sorted(pinned)),
    )


def _overlapped(ground: Terrain, tile: str, corner: Cell) -> set[str]:
    """Every other tile and every land cell that the tile covers from there."""
    found = {name for cell in cells_of(corner) for name in ground.stacks.get(cell, ())}
    return (found | {name_of(cell) for cell in cells_of(corner) if is_land(cell)}) - {tile}


def _is_above(pairs: set[Pair], upper: str, lower: str) -> bool:
    """Whether one plate lies above the other through a chain."""
    seen = {upper}
    todo = [upper]
    while todo:
        plate = todo.pop()
        if plate == lower:
            return True
        beneath = {below for over, below in pairs if over == plate} - seen
        seen |= beneath
        todo += beneath
    return False


def without(tiles: tuple[Cell | None, ...], above: Above, gone: set[str]) -> tuple[tuple[Cell | None, ...], Above]:
    """The map after some tiles were removed."""
    left = tuple(None if name in gone else corner for name, corner in zip(TILES, tiles, strict=True))
    return left, tuple(pair for pair in above if not gone & set(pair))
