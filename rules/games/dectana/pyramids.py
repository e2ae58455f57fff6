"""Pyramids that an action names, and those that come, change and go."""

from __future__ import annotations

from rules.engine.open_grid import Cell
from rules.engine.values import replace
from rules.games.dectana.opening import Pyramid, State


def actor_of(state: State, ref: str) -> Pyramid | None:
    """The own pyramid that an action names; of alike ones the first."""
    return next((p for p in state.pyramids if p.seat == state.to_act and p.ref == ref), None)


def add_pyramid(state: State, size: int, cell: Cell, orient: str, seat: int) -> tuple[State, Pyramid]:
    number = state.free_number(seat, size)
    assert number is not None, "only called when the stash has one"
    fresh = Pyramid(seat, size, number, *cell, orient)
    return replace(state, pyramids=tuple(sorted((*state.pyramids, fresh)))), fresh


def change_pyramid(state: State, before: Pyramid, after: Pyramid | None) -> State:
    others = tuple(p for p in state.pyramids if p != before)
    return replace(state, pyramids=tuple(sorted((*others, after))) if after else others)
