"""Where coins can go (BRKT-4): every step forward prepared once."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.games.breakthrough.opening import BIT, NAMES, SIZE, State

Steps = tuple[tuple[int, Action], ...]
"""The bits of the spaces that a coin can go to, each with its action."""


def moves(state: State) -> Iterator[Action]:
    own, other = state.army(state.to_act), state.army(1 - state.to_act)
    for bit, ahead, aside in _PATHS[state.to_act]:
        if own & bit:
            yield from (action for target, action in ahead if not target & (own | other))
            yield from (action for target, action in aside if not target & own)


def _paths(direction: int) -> Iterator[tuple[int, Steps, Steps]]:
    """For every space: the step straight ahead, the steps diagonally ahead."""
    for number, name in enumerate(NAMES):
        file, rank = number % SIZE, number // SIZE + direction
        if 0 <= rank < SIZE:
            steps = {across: _step(name, file + across, rank) for across in (0, -1, 1) if 0 <= file + across < SIZE}
            yield BIT[name], (steps[0],), tuple(steps[across] for across in (-1, 1) if across in steps)


def _step(name: str, file: int, rank: int) -> tuple[int, Action]:
    target = NAMES[rank * SIZE + file]
    return BIT[target], Action("move", (name, target))


_PATHS = (tuple(_paths(1)), tuple(_paths(-1)))
