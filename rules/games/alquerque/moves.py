"""Where coins can go (ALQU-2, ALQU-4): the lines of every point, prepared once."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.games.alquerque.opening import BIT, NAMES, SIZE, State

_STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
_DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
Jump = tuple[int, int, Action]
"""The bit of the coin jumped over, that of the point behind it, and the action."""


def _name(file: int, rank: int) -> str | None:
    return NAMES[rank * SIZE + file] if 0 <= file < SIZE and 0 <= rank < SIZE else None


def _lines(name: str) -> Iterator[tuple[int, str, str | None]]:
    """The next point on every line, and the one behind it; first how many ranks up the line leads."""
    file, rank = ord(name[0]) - 97, int(name[1]) - 1
    for right, up in _STRAIGHT + (_DIAGONAL if (file + rank) % 2 == 0 else ()):
        if near := _name(file + right, rank + up):
            yield up, near, _name(file + 2 * right, rank + 2 * up)


STEPS = {name: {near: up for up, near, _ in _lines(name)} for name in NAMES}
"""The points one step away, each with the ranks that it lies higher."""
JUMPS = {name: {far: near for _, near, far in _lines(name) if far} for name in NAMES}
"""The points two steps away on a line, each with the point between."""
_MOVES = {name: tuple((BIT[to], up, Action("move", (name, to))) for to, up in STEPS[name].items()) for name in NAMES}
_CAPTURES: dict[str, tuple[Jump, ...]] = {
    name: tuple((BIT[over], BIT[to], Action("capture", (name, to))) for to, over in JUMPS[name].items())
    for name in NAMES
}


def moves(state: State) -> Iterator[Action]:
    """All steps to empty points (ALQU-4.1), whether or not a capture is open."""
    own, taken = state.army(state.to_act), state.army(0) | state.army(1)
    back = 0 if state.options.backward else (-1 if state.to_act == 0 else 1)
    for name, bit in BIT.items():
        if own & bit:
            yield from (action for to, up, action in _MOVES[name] if not to & taken and (not back or up != back))


def captures(state: State) -> Iterator[Action]:
    """All jumps (ALQU-4.2); while one coin goes on capturing, only its own."""
    own, other = state.army(state.to_act), state.army(1 - state.to_act)
    for name in (state.capturing,) if state.capturing else NAMES:
        if own & BIT[name]:
            yield from (action for over, to, action in _CAPTURES[name] if over & other and not to & (own | other))


def can_capture(state: State) -> bool:
    return any(True for _ in captures(state))
