"""What can be taken off and where coins can jump (KONA-4): the lines of every space, prepared once."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.games.konane.opening import BIT, FILES, FIRST_PLACES, NAMES, RANKS, SPACES, State

_DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))
Jump = tuple[int, int, Action]
"""The bit of the coin jumped over, that of the space behind it, and the action."""


def _line(name: str, right: int, up: int) -> tuple[str, ...]:
    """The spaces from here to the edge of the board."""
    file, rank = ord(name[0]) - 97, int(name[1]) - 1
    found = []
    while 0 <= (file := file + right) < FILES and 0 <= (rank := rank + up) < RANKS:
        found.append(NAMES[rank * FILES + file])
    return tuple(found)


LINES = {name: tuple(line for right, up in _DIRECTIONS if (line := _line(name, right, up))) for name in NAMES}
"""From every space the spaces ahead, right, behind and left, as far as the board goes."""
BESIDE = {name: tuple(line[0] for line in LINES[name]) for name in NAMES}
JUMPS = {
    name: {line[step]: line[: step + 1] for line in LINES[name] for step in range(1, len(line), 2)} for name in NAMES
}
"""Where a coin could end a jump, each with the spaces on the way: those jumped over and those landed on in turn."""
_STEPS: dict[str, tuple[tuple[Jump, ...], ...]] = {
    name: tuple(
        tuple(
            (BIT[line[step - 1]], BIT[line[step]], Action("jump", (name, line[step])))
            for step in range(1, len(line), 2)
        )
        for line in LINES[name]
    )
    for name in NAMES
}


def removals(state: State) -> Iterator[Action]:
    """The coins that may be taken off in a first turn (KONA-4.1, KONA-4.2)."""
    own = state.army(state.to_act)
    if gap := gap_of(state):
        places: tuple[str, ...] = BESIDE[gap]
    else:
        places = FIRST_PLACES if is_bound(state) else NAMES
    yield from (Action("remove", (place,)) for place in places if BIT[place] & own)


def gap_of(state: State) -> str:
    """In the second turn the space that the first coin has left."""
    empty = SPACES[1 - state.to_act] & ~state.board
    return NAMES[empty.bit_length() - 1] if empty else ""


def is_bound(state: State) -> bool:
    """Whether the first coin comes from the middle or a corner; these are spaces of Suns."""
    return state.options.first == "middle_or_corner" and state.to_act == 0


def jumps(state: State) -> Iterator[Action]:
    """All jumps of one coin in one direction, of every length (KONA-4.3, KONA-4.4)."""
    own, board = state.army(state.to_act), state.board
    for name, bit in BIT.items():
        if own & bit:
            for line in _STEPS[name]:
                for over, behind, action in line:
                    if not over & board or behind & board:
                        break
                    yield action


def can_jump(state: State) -> bool:
    return any(True for _ in jumps(state))
