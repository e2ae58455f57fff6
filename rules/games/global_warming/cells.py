"""Cells of the unbounded grid (GW-2). A cell is called x/y, as in 2/-1; x grows to the east, y to the north."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from rules.engine.fields import no_such

COMPASS = ("N", "E", "S", "W")
_OFFSETS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_NAME = re.compile(r"(0|-?[1-9]\d{0,2})/(0|-?[1-9]\d{0,2})\Z")
_LOOSE = re.compile(r"\(?\s*(-?\d{1,3})\s*[,/: ]\s*(-?\d{1,3})\s*\)?\Z")


def cell(x: int, y: int) -> str:
    return f"{x}/{y}"


@lru_cache(8192)
def point(name: str) -> tuple[int, int]:
    """The coordinates of a text for which `is_cell` holds."""
    x, y = name.split("/")
    return int(x), int(y)


def is_cell(name: str) -> bool:
    return bool(_NAME.match(name))


def read_cell(value: object) -> str:
    """A cell as people write it: "2/1", "(2,1)" or [2, 1]."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(n) is int for n in value):
        value = f"{value[0]}/{value[1]}"
    match = _LOOSE.match(str(value).strip())
    if not match:
        raise no_such("cell", value, "2/1 or [2, 1]")
    return cell(int(match[1]), int(match[2]))


@lru_cache(8192)
def near(name: str) -> tuple[str, str, str, str]:
    """The cells to the north, east, south and west (GW-2.4)."""
    x, y = point(name)
    north, east, south, west = (cell(x + dx, y + dy) for dx, dy in _OFFSETS)
    return north, east, south, west


def shore(land: Collection[str]) -> tuple[str, ...]:
    """The empty cells that share an edge with land, in a fixed order."""
    found = {other for place in land for other in near(place)}
    return tuple(sorted(found.difference(land), key=point))


def distances(land: Collection[str], goal: str) -> dict[str, int]:
    """By land cell: number of steps to the goal, without regard to pawns."""
    found = {goal: 0}
    queue = [goal]
    for place in queue:
        for other in near(place):
            if other in land and other not in found:
                found[other] = found[place] + 1
                queue.append(other)
    return found


_MOVED_OUT = {
    "standard": {},
    "cross": {(2, 3): (2, 5), (3, 2): (5, 2), (2, 1): (2, -1), (1, 2): (-1, 2)},
    "diagonal": {(1, 3): (2, 5), (3, 3): (5, 2), (3, 1): (2, -1), (1, 1): (-1, 2)},
}


@lru_cache(8)
def island(setup: str) -> tuple[str, ...]:
    """The 24 cells of the first island in reading order: row by row from the north, each from the west."""
    square = [(x, y) for y in range(5) for x in range(5) if (x, y) != (2, 2)]
    cells = [_MOVED_OUT[setup].get(spot, spot) for spot in square]
    return tuple(cell(x, y) for x, y in sorted(cells, key=lambda spot: (-spot[1], spot[0])))
