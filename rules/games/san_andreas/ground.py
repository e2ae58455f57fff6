"""The ground as it is built on: where cities and epicenters may stand, and what stands there (SAND-2.8, SAND-4)."""

from __future__ import annotations

from rules.engine.open_grid import Cell
from rules.games.san_andreas.geometry import beside, cells_of
from rules.games.san_andreas.opening import State


def taken_cells(state: State) -> set[Cell]:
    """Spaces with a coin or a pawn, also one that lies on top as a reminder of its covered tile (SAND-5.11)."""
    pawns = {state.cell(stands) for stands in state.pawns if stands}
    return pawns | {state.cell(city) for city in state.cities}


def founding_cells(state: State) -> list[Cell]:
    """Where any city may stand (SAND-4.1)."""
    ground = state.terrain
    limit = state.options.steep_limit
    bad = taken_cells(state)
    for city in state.cities:
        bad.update(beside(state.cell(city)))
    return [
        cell
        for name, shown in ground.shown.items()
        if ground.leans[name] == (0, 0) or ground.steepness(name) <= limit
        for _, cell in shown
        if cell not in bad
    ]


def epicenter_cells(state: State) -> list[Cell]:
    """Where any pawn may stand (SAND-4.2)."""
    ground = state.terrain
    taken = taken_cells(state)
    return [cell for name in ground.coastal for _, cell in ground.shown[name] if cell not in taken]


def free_space(state: State, tile: str) -> Cell:
    """A visible space of a tile without coin and pawn, or just its first one."""
    taken = taken_cells(state)
    free = [cell for _, cell in state.terrain.visible(tile) if cell not in taken]
    return free[0] if free else cells_of(state.terrain.tiles[tile])[0]
