"""Grid of 5 by 5 cells and the paths over it (ICE-2). A cell is a number: rank * 5 + file; a1 is 0."""

from __future__ import annotations

import re

from rules.engine.fields import no_such

SIZE = 5
CELLS = range(SIZE * SIZE)
NAMES = tuple(f"{'abcde'[cell % SIZE]}{cell // SIZE + 1}" for cell in CELLS)
CELL_OF = {name: cell for cell, name in enumerate(NAMES)}
CORNERS = tuple(CELL_OF[name] for name in ("a1", "e1", "a5", "e5"))
COMPASS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
_EIGHT = tuple((dx, dy) for dy in (1, 0, -1) for dx in (-1, 0, 1) if dx or dy)
MOST_PARTS, LONGEST = 2, 3
NOWHERE = -1


def neighbour(cell: int, dx: int, dy: int) -> int | None:
    """The cell that many files to the east and ranks to the north, if it is on the grid (ICE-2.1)."""
    x, y = cell % SIZE + dx, cell // SIZE + dy
    return y * SIZE + x if 0 <= x < SIZE and 0 <= y < SIZE else None


def _cells_at(cell: int, length: int) -> tuple[int, ...]:
    found = (neighbour(cell, dx * length, dy * length) for dx, dy in _EIGHT)
    return tuple(target for target in found if target is not None)


STEPS = tuple(_cells_at(cell, 1) for cell in CELLS)
JUMPS = tuple(_cells_at(cell, 2) for cell in CELLS)


def _paths(cell: int) -> tuple[tuple[int, int], ...]:
    """Step, jump, step and step, step and jump, jump and step (ICE-4.4); -1 where there is no second part."""
    single = [(first, NOWHERE) for first in STEPS[cell] + JUMPS[cell]]
    after_step = [(first, second) for first in STEPS[cell] for second in STEPS[first] + JUMPS[first]]
    after_jump = [(first, second) for first in JUMPS[cell] for second in STEPS[first]]
    return tuple(single + after_step + after_jump)


PATHS = tuple(_paths(cell) for cell in CELLS)
SLIDES = tuple(
    tuple((way, target) for way, (dx, dy) in COMPASS.items() if (target := neighbour(cell, dx, dy)) is not None)
    for cell in CELLS
)


def length(source: int, target: int) -> int | None:
    """Length of a part of a move, straight in one of eight directions; None if it is not straight."""
    dx, dy = abs(target % SIZE - source % SIZE), abs(target // SIZE - source // SIZE)
    return max(dx, dy) if dx == dy or not dx or not dy else None


def path_text(path: tuple[int, int]) -> str:
    first, second = path
    return NAMES[first] if second == NOWHERE else f"{NAMES[first]}>{NAMES[second]}"


_PAIR = re.compile(r"\(?\s*([0-4])\s*[,/ ]\s*([0-4])\s*\)?\Z")


def read_cell(value: object) -> int:
    """A cell as people write it: "c2", [2, 1] or "(2,1)": file and rank from 0."""
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(type(n) is int for n in value):
        value = f"{value[0]},{value[1]}"
    text = str(value).strip().lower()
    if text in CELL_OF:
        return CELL_OF[text]
    match = _PAIR.match(text)
    if not match:
        raise no_such("cell", text, "a1 to e5, or [0, 0] to [4, 4]")
    return int(match[2]) * SIZE + int(match[1])
