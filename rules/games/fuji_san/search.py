"""Breadth-first search over sets of occupied places: the shortest climb, or the proof that there is none.

A position is a mask of 28 bits, 14 for each row. What a row can do depends on that row alone, so it is worked out
once for each of its at most 1471 fillings; sidesteps are the bits in which the rows differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from rules.games.fuji_san.climbs import Row, climbs, crosses, movable, occupied, rows
from rules.games.fuji_san.mountain import GROUND_ROW, ROW_MASK, SUMMIT_ROW, WIDTH
from rules.games.fuji_san.opening import State

_STEPS = ROW_MASK & ~GROUND_ROW


@dataclass(frozen=True, slots=True)
class Task:
    """What does not change during a climb or a descent."""

    rows: tuple[Row, Row]
    mobile: int
    cross: bool
    vacate: bool
    goal: int


@dataclass(frozen=True, slots=True)
class SearchedPath:
    """`path` is a list of masks from the start to the goal, or None; `states` how many positions were seen."""

    path: list[int] | None
    states: int


def task_of(state: State) -> Task:
    vacate = state.phase == "descent" and state.options.ground == "vacate"
    goal = SUMMIT_ROW if state.phase == "ascent" else 0 if vacate else GROUND_ROW
    return Task(rows(state), movable(state.phase), crosses(state), vacate, goal | goal << WIDTH)


class _RowMoves(dict[int, tuple[int, ...]]):
    """For a filling of one row the fillings after one move in it, at the row's own bits."""

    def __init__(self, task: Task, row: Row, shift: int) -> None:
        self._task, self._row, self._shift = task, row, shift

    def __missing__(self, filling: int) -> tuple[int, ...]:
        here = filling >> self._shift
        found = [here ^ 1 << a ^ 1 << b for a, b in climbs(here, self._row, self._task.mobile)]
        if self._task.vacate:
            found = [after & ~GROUND_ROW for after in found]
        if self._task.cross and here & SUMMIT_ROW not in (0, SUMMIT_ROW):
            found.append(here ^ SUMMIT_ROW)
        self[filling] = after = tuple(filling << self._shift for filling in found)
        return after


class _Sidesteps(dict[int, tuple[int, ...]]):
    """For the files in which the rows differ what flips by a sidestep."""

    def __missing__(self, differing: int) -> tuple[int, ...]:
        files = [1 << file for file in range(WIDTH) if differing & _STEPS & 1 << file]
        self[differing] = flips = tuple(bit | bit << WIDTH for bit in files)
        return flips


_SIDES = _Sidesteps()


def search(task: Task, start: int, first: Iterable[int] = ()) -> SearchedPath:
    """From `start`; `first`: the positions after a dice rescue, where the start has no move of its own."""
    far, near = (_RowMoves(task, row, base) for row, base in zip(task.rows, (0, WIDTH), strict=True))
    before = {start: start}
    layer = [start]
    if rescued := dict.fromkeys(first, start):
        before |= rescued
        layer = list(rescued)
    goal, sides = task.goal, _SIDES
    while layer and goal not in before:
        following: list[int] = []
        add = following.append
        for position in layer:
            top = position & ROW_MASK
            bottom = position ^ top
            for filling in far[top]:
                if (new := bottom | filling) not in before:
                    before[new] = position
                    add(new)
            for filling in near[bottom]:
                if (new := top | filling) not in before:
                    before[new] = position
                    add(new)
            for flip in sides[(position ^ position >> WIDTH) & _STEPS]:
                if (new := position ^ flip) not in before:
                    before[new] = position
                    add(new)
        layer = following
    return SearchedPath(_path(before, goal) if goal in before else None, len(before))


def _path(before: dict[int, int], goal: int) -> list[int]:
    path = [goal]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return path[::-1]


def steps_of(task: Task, path: list[int]) -> list[tuple[int, int]]:
    """The path as moves from place to place."""
    return [_step(task, a, b) for a, b in pairwise(path)]


def _step(task: Task, before: int, after: int) -> tuple[int, int]:
    source = (before & ~after).bit_length() - 1
    if came := after & ~before:
        return source, came.bit_length() - 1
    base = source // WIDTH * WIDTH
    ways = climbs(before >> base & ROW_MASK, task.rows[source // WIDTH], task.mobile)
    ground = next(b for a, b in ways if a == source - base and GROUND_ROW >> b & 1)
    return source, base + ground


@lru_cache(maxsize=64)
def _reachable(task: Task, start: int) -> bool:
    return search(task, start).path is not None


def is_lost(state: State) -> bool:
    """FUJI-5.2: nothing leads to the goal any more."""
    return not _reachable(task_of(state), occupied(state))
