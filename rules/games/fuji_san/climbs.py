"""Moves of priests on occupied places as bit masks: climbs in a row, sidesteps and crossings (FUJI-3 to FUJI-5,
FUJI-9).

Breadth-first search finds the shortest climb, or proves that there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise

from rules.engine import Action
from rules.games.fuji_san.mountain import GROUND_ROW, INDEX, NAMES, ROW_MASK, SUMMIT, SUMMIT_FILES, SUMMIT_ROW, WIDTH
from rules.games.fuji_san.opening import State

Row = tuple[int, ...]


def rows(state: State) -> tuple[Row, Row]:
    """The free spaces that a climb to each of the 14 places of the far and the near row must pass; 0: no climb ends
    there."""
    values = [0 if value == 1 and state.options.aces_null else value for value in state.values]
    far, near = [0, *values[:12], 0], [0, *values[12:], 0]
    if state.phase == "descent":
        # In the descent (FUJI-9.4) the summit counts as null, its coins lie at the foot, where a null counts 1.
        for summit, ground in zip(SUMMIT, state.foot, strict=True):
            row, base = (far, 0) if summit[1] == "2" else (near, 12)
            file = SUMMIT_FILES["gh".index(summit[0])]
            row[file] = 0
            target = far if ground[1] == "2" else near
            target[0 if ground[0] == "a" else WIDTH - 1] = max(1, values[base + file - 1])
    return tuple(far), tuple(near)


@cache
def movable(phase: str) -> int:
    """Files from which a priest may climb: not the summit in the ascent, not the ground in the descent."""
    return ROW_MASK & ~(SUMMIT_ROW if phase == "ascent" else GROUND_ROW)


_WAYS = tuple((tuple(range(start - 1, -1, -1)), tuple(range(start + 1, WIDTH))) for start in range(WIDTH))
_FARTHEST = 5
"""Largest number of free spaces that a coin requires."""


def climbs(occupied: int, row: Row, mobile: int) -> list[tuple[int, int]]:
    """Climbs within one row as pairs of files (FUJI-4.1)."""
    found = []
    starts = occupied & mobile
    while starts:
        start = (starts & -starts).bit_length() - 1
        starts &= starts - 1
        for way in _WAYS[start]:
            free = 0
            for file in way:
                if occupied >> file & 1:
                    continue
                free += 1
                if row[file] == free:
                    found.append((start, file))
                if free == _FARTHEST:
                    break
    return found


def crosses(state: State) -> bool:
    return state.options.summit_cross if state.phase == "ascent" else state.options.descent_cross


def occupied(state: State) -> int:
    """The places of the priests, bit by number of the place."""
    mask = 0
    for place in state.priests:
        if place >= 0:
            mask |= 1 << place
    return mask


@cache
def action(verb: str, source: int, target: int) -> Action:
    return Action(verb, (NAMES[source], NAMES[target]))


def moves(state: State) -> list[Action]:
    """Every move of a priest, in the ascent and in the descent."""
    mask = occupied(state)
    found = climbing_moves(state, mask) + sidesteps(mask)
    return found + list(crossings(mask)) if crosses(state) else found


def climbing_moves(state: State, mask: int) -> list[Action]:
    mobile = movable(state.phase)
    found = []
    for base, row in zip((0, WIDTH), rows(state), strict=True):
        here = mask >> base & ROW_MASK
        if here & mobile:
            found += [action("climb", base + a, base + b) for a, b in climbs(here, row, mobile)]
    return found


def sidesteps(mask: int) -> list[Action]:
    found = [action("side", place, place + WIDTH) for place in _sidestep_files(mask, mask >> WIDTH)]
    return found + [action("side", place + WIDTH, place) for place in _sidestep_files(mask >> WIDTH, mask)]


def _sidestep_files(here: int, there: int) -> Iterator[int]:
    """Files off the ground with a priest in the first row and none in the second."""
    lone = here & ~there & ROW_MASK & ~GROUND_ROW
    while lone:
        yield (lone & -lone).bit_length() - 1
        lone &= lone - 1


def crossings(mask: int) -> Iterator[Action]:
    for base in (0, WIDTH):
        for a, b in (SUMMIT_FILES, SUMMIT_FILES[::-1]):
            if mask >> (base + a) & 1 and not mask >> (base + b) & 1:
                yield action("cross", base + a, base + b)


_STEPS = ROW_MASK & ~GROUND_ROW


@dataclass(frozen=True, slots=True)
class Task:
    """The constants of a climb or descent."""

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
    """By filling of one row: the fillings after one move, in the bits of the row."""

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
    """By set of files in which the rows differ: the bits changed by each sidestep."""

    def __missing__(self, differing: int) -> tuple[int, ...]:
        files = [1 << file for file in range(WIDTH) if differing & _STEPS & 1 << file]
        self[differing] = flips = tuple(bit | bit << WIDTH for bit in files)
        return flips


_SIDES = _Sidesteps()


def search(task: Task, start: int, first: Iterable[int] = ()) -> SearchedPath:
    """Search from `start`; `first`: the positions after a dice rescue, where the start has no move."""
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


SUMMIT_MASK = SUMMIT_ROW | SUMMIT_ROW << WIDTH
GROUND_MASK = GROUND_ROW | GROUND_ROW << WIDTH


def begin(state: State) -> State:
    """The state after the reveal: climb, or roll the dice (FUJI-3.6)."""
    if moves(state):
        return settle(state)
    return replace(state, phase="roll")


def settle(state: State) -> State:
    """The state with the phase or end that follows from the places of the priests."""
    mask = occupied(state)
    if state.phase == "ascent" and mask == SUMMIT_MASK:
        return replace(state, phase="carry") if state.options.country_road else replace(state, end="summit")
    if state.phase == "descent" and not mask & ~GROUND_MASK:
        return replace(state, end="down")
    if not moves(state):
        return replace(state, end="stuck")
    if state.options.stop_when_lost and not _reachable(task_of(state), mask):
        return replace(state, end="lost")
    return state


def rescued_to(start: int, number: int) -> int:
    """The place this number of spaces inward from the ground."""
    return start + number if start in (INDEX["a2"], INDEX["a1"]) else start - number


def after_move(state: State, source: int, target: int) -> State:
    """The state after a priest has moved."""
    leaves = state.phase == "descent" and state.options.ground == "vacate" and GROUND_MASK >> target & 1
    goal = -1 if leaves else target
    priests = tuple(goal if place == source else place for place in state.priests)
    return settle(State(state.options, state.values, priests, state.phase, state.dice, state.foot, state.moves + 1))


DEFAULT_CARRY = Action("carry", ("a2", "a1", "n2", "n1"))
