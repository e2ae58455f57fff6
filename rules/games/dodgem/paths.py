"""Where coins can go (DODG-4): every step and every way off the board prepared once, per way to read "forward"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rules.engine import Action
from rules.games.dodgem.opening import State, names

_DIRECTIONS = {
    # forward and sideways steps as (file, rank), per player
    "literal": (((0, 1), (-1, 0), (1, 0)), ((0, -1), (-1, 0), (1, 0))),
    "facing": (((1, 0), (0, -1), (0, 1)), ((-1, 0), (0, -1), (0, 1))),
    "vout": (((1, 0), (0, -1), (0, 1)), ((0, 1), (-1, 0), (1, 0))),
}


@dataclass(frozen=True, slots=True)
class Paths:
    """Everything one player can ever do, per space (bit), forward first. `exits` marks the spaces of the last line."""

    steps: tuple[tuple[tuple[int, Action], ...], ...]
    exits: tuple[Action | None, ...]
    changes: Mapping[tuple[str, ...], tuple[int, bool]]
    """For the arguments of a step: the spaces that change, and whether it is forward and can never be taken back."""


def paths(state: State) -> Paths:
    """What the side to move can do."""
    return _paths(state.options.direction, state.options.size, state.to_act)


def steps(state: State) -> Iterator[Action]:
    """The steps to empty spaces."""
    taken, own = state.coins[0] | state.coins[1], state.coins[state.to_act]
    for bit, from_here in enumerate(paths(state).steps):
        if own >> bit & 1:
            yield from (action for target, action in from_here if not taken >> target & 1)


def exits(state: State) -> Iterator[Action]:
    own = state.coins[state.to_act]
    return (action for bit, action in enumerate(paths(state).exits) if action and own >> bit & 1)


def moves(state: State) -> list[Action]:
    """Steps and exits, coin by coin: the hot path of a random game."""
    own_paths = paths(state)
    taken = state.coins[0] | state.coins[1]
    own = state.coins[state.to_act]
    found = []
    while own:
        bit = (own & -own).bit_length() - 1
        own &= own - 1
        found += [action for target, action in own_paths.steps[bit] if not taken >> target & 1]
        leave = own_paths.exits[bit]
        if leave:
            found.append(leave)
    return found


@cache
def _paths(direction: str, size: int, player: int) -> Paths:
    spots = names(size)
    found = tuple(tuple(_steps_from(direction, size, player, bit)) for bit in range(len(spots)))
    changes = {
        action.args: (1 << bit | 1 << target, ahead)
        for bit, from_here in enumerate(found)
        for target, action, ahead in from_here
    }
    steps = tuple(tuple((target, action) for target, action, _ in from_here) for from_here in found)
    return Paths(steps, tuple(_exit_from(direction, size, player, bit) for bit in range(len(spots))), changes)


def _steps_from(direction: str, size: int, player: int, bit: int) -> Iterator[tuple[int, Action, bool]]:
    for index, (across, up) in enumerate(_DIRECTIONS[direction][player]):
        file, rank = bit % size + across, bit // size + up
        if 0 <= file < size and 0 <= rank < size:
            target = rank * size + file
            yield target, Action("move", (names(size)[bit], names(size)[target])), index == 0


def _exit_from(direction: str, size: int, player: int, bit: int) -> Action | None:
    across, up = _DIRECTIONS[direction][player][0]
    inside = 0 <= bit % size + across < size and 0 <= bit // size + up < size
    return None if inside else Action("exit", (names(size)[bit],))
