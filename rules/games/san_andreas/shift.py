"""How one tile shifts, lifts or dips (SAND-5.3 to 5.9, 5.13). Knows tiles and plates, no cities."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.open_grid import Cell, name_of
from rules.games.san_andreas.geometry import SIDES, TILES, Above, Terrain, cells_of, is_land
from rules.pieces import Rank

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class DieShift:
    """What a die says (SAND-5.3)."""

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
    """The tiles after a shift; `over` and `under` are the plates newly overlapped, `pinned` those among them that
    lie otherwise than the die wants, because of what lies between (SAND-5.8)."""

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
        blocked = _lies_above(kept, plate, tile) if lifts else _lies_above(kept, tile, plate)
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


def _lies_above(pairs: set[Pair], upper: str, lower: str) -> bool:
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
