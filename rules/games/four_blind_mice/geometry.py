"""The cheese factory: 8 x 8 spaces, what a mouse sees in each direction, and where things may be placed (MICE-2)."""

from __future__ import annotations

from rules.sentence import say

SIZE = 8
CELLS = SIZE * SIZE
DIRECTIONS = "NESW"
WORDS = {"N": say("north"), "E": say("east"), "S": say("south"), "W": say("west")}
_STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}

NAMES: tuple[str, ...] = tuple(f"{chr(97 + file)}{rank + 1}" for rank in range(SIZE) for file in range(SIZE))
CELL_OF: dict[str, int] = {name: cell for cell, name in enumerate(NAMES)}


def _ray(cell: int, direction: str) -> tuple[int, ...]:
    dx, dy = _STEPS[direction]
    x, y = cell % SIZE + dx, cell // SIZE + dy
    found = []
    while 0 <= x < SIZE and 0 <= y < SIZE:
        found.append(y * SIZE + x)
        x, y = x + dx, y + dy
    return tuple(found)


RAYS: dict[str, tuple[tuple[int, ...], ...]] = {
    direction: tuple(_ray(cell, direction) for cell in range(CELLS)) for direction in DIRECTIONS
}
INNER: tuple[int, ...] = tuple(
    cell for cell in range(CELLS) if 0 < cell % SIZE < SIZE - 1 and 0 < cell // SIZE < SIZE - 1
)
NEXT_TO: tuple[tuple[int, ...], ...] = tuple(
    tuple(RAYS[direction][cell][0] for direction in DIRECTIONS if RAYS[direction][cell]) for cell in range(CELLS)
)


def quarter_turn(last: str, direction: str) -> bool:
    return (DIRECTIONS.index(last) - DIRECTIONS.index(direction)) % 2 == 1


def position_of(cell: int) -> tuple[int, int]:
    """Where a space lies on the table."""
    return cell % SIZE + 1, cell // SIZE + 1
