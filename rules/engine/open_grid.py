"""Names of cells on a board without edges: x3y-1 is three columns east and one row south of x0y0."""

from __future__ import annotations

import re
from functools import lru_cache

from rules.engine.fields import no_such

Cell = tuple[int, int]


@lru_cache(maxsize=4096)
def name_of(cell: Cell) -> str:
    return f"x{cell[0]}y{cell[1]}"


_CELL = re.compile(r"x(-?\d{1,3})y(-?\d{1,3})\Z")


@lru_cache(maxsize=4096)
def _cell_of(name: str) -> Cell | None:
    match = _CELL.match(name)
    cell = (int(match[1]), int(match[2])) if match else None
    return cell if cell and name_of(cell) == name else None


def cell_of(name: str) -> Cell | None:
    """The inverse of `name_of`; None for anything else."""
    return _cell_of(name) if len(name) < 12 else None


_PAIR = re.compile(r"\s*\(?\s*(-?\d{1,3})\s*,\s*(-?\d{1,3})\s*\)?\s*")


def read_cell(value: object, example: str) -> Cell:
    """A cell of a described position: [3, 14], "x3y14" or "(3,14)"; ValueError gives the example."""
    text = f"{value[0]},{value[1]}" if isinstance(value, (list, tuple)) and len(value) == 2 else str(value)
    match = _PAIR.fullmatch(text)
    cell = (int(match[1]), int(match[2])) if match else cell_of(text)
    if cell is None:
        raise no_such("space", text, example)
    return cell
