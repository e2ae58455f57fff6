"""Where priests can go: climbs along a row, sidesteps and crossings, on occupied places as bit masks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from rules.engine import Action
from rules.games.fuji_san.mountain import GROUND_ROW, NAMES, ROW_MASK, SUMMIT, SUMMIT_FILES, SUMMIT_ROW, WIDTH
from rules.games.fuji_san.opening import State

Row = tuple[int, ...]


def rows(state: State) -> tuple[Row, Row]:
    """What the 14 places of the far and the near row ask of a priest that lands there; 0: nobody can."""
    values = [0 if value == 1 and state.options.aces_null else value for value in state.values]
    far, near = [0, *values[:12], 0], [0, *values[12:], 0]
    if state.phase == "descent":
        _carry(far, near, values, state.foot)
    return tuple(far), tuple(near)


def _carry(far: list[int], near: list[int], values: list[int], foot: tuple[str, ...]) -> None:
    """FUJI-9.4: the summit counts as null, its coins lie at the foot, a null there counts 1."""
    for summit, ground in zip(SUMMIT, foot, strict=True):
        row, base = (far, 0) if summit[1] == "2" else (near, 12)
        file = SUMMIT_FILES["gh".index(summit[0])]
        row[file] = 0
        target = far if ground[1] == "2" else near
        target[0 if ground[0] == "a" else WIDTH - 1] = max(1, values[base + file - 1])


@cache
def movable(phase: str) -> int:
    """The files from which a priest may climb: in the ascent the summit holds it, in the descent the ground."""
    return ROW_MASK & ~(SUMMIT_ROW if phase == "ascent" else GROUND_ROW)


_WAYS = tuple((tuple(range(start - 1, -1, -1)), tuple(range(start + 1, WIDTH))) for start in range(WIDTH))
_FARTHEST = 5
"""No coin asks for more free spaces."""


def climbs(occupied: int, row: Row, mobile: int) -> list[tuple[int, int]]:
    """FUJI-4.1, within one row: from which file to which."""
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


def free_spaces(occupied: int, start: int, end: int) -> int:
    """How many unoccupied spaces a climb passes, the last one included."""
    way = range(start + 1, end + 1) if end > start else range(end, start)
    return sum(not occupied >> file & 1 for file in way)


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
    found = [action("side", place, place + WIDTH) for place in _apart(mask, mask >> WIDTH)]
    return found + [action("side", place + WIDTH, place) for place in _apart(mask >> WIDTH, mask)]


def _apart(here: int, there: int) -> Iterator[int]:
    """The steps with a priest here and none there."""
    lone = here & ~there & ROW_MASK & ~GROUND_ROW
    while lone:
        yield (lone & -lone).bit_length() - 1
        lone &= lone - 1


def crossings(mask: int) -> Iterator[Action]:
    for base in (0, WIDTH):
        for a, b in (SUMMIT_FILES, SUMMIT_FILES[::-1]):
            if mask >> (base + a) & 1 and not mask >> (base + b) & 1:
                yield action("cross", base + a, base + b)
