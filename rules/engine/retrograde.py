"""Retrograde analysis of small games of two: every position is valued backwards from the finished ones.

A position is a number, seen from the side to move. Only the moves of the game are given, so positions may be reduced by
any symmetry.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

WON = -1
"""Target of a move that wins at once."""

Values: TypeAlias = dict[int, int]
"""By position: n > 0, the mover wins in n plies; n <= 0, the mover loses in -n; absent: neither side can win."""


def solve(positions: Iterable[int], moves: Callable[[int], Iterable[int]]) -> Values:
    """The value of each position. `moves`: target positions as the other side sees them, or WON. A side without a move
    has lost."""
    index = {position: number for number, position in enumerate(positions)}
    graph = _Graph(len(index))
    won = [number for position, number in index.items() if graph.enter(number, moves(position), index)]
    values = _spread(graph, won)
    return {position: values[number] for position, number in index.items() if number in values}


class _Graph:
    """The moves backwards, as linked lists in flat arrays: small enough for millions of them. `open`: by position, the
    moves not yet known to lose."""

    def __init__(self, size: int) -> None:
        self.open = array("h", bytes(2 * size))
        self._head = array("i", [-1]) * size
        self._source = array("i")
        self._next = array("i")

    def enter(self, source: int, targets: Iterable[int], index: dict[int, int]) -> bool:
        """Adds the moves of a position; returns whether one of them wins at once, when the others do not matter."""
        numbers = []
        for target in targets:
            if target == WON:
                self.open[source] = 1
                return True
            numbers.append(index[target])
        self.open[source] = len(numbers)
        for number in numbers:
            self._source.append(source)
            self._next.append(self._head[number])
            self._head[number] = len(self._source) - 1
        return False

    def into(self, number: int) -> Iterator[int]:
        edge = self._head[number]
        while edge >= 0:
            yield self._source[edge]
            edge = self._next[edge]


def _spread(graph: _Graph, won: list[int]) -> dict[int, int]:
    """The values, two plies at a time: a position before a loss is a win, one before wins only is a loss."""
    lost = [number for number, count in enumerate(graph.open) if count == 0]
    values = dict.fromkeys(lost, 0)
    depth = 0
    while won or lost:
        won = [number for number in dict.fromkeys((*won, *_before(graph, lost))) if number not in values]
        values.update(dict.fromkeys(won, depth + 1))
        lost = _only_wins_left(graph, won, values)
        values.update(dict.fromkeys(lost, -depth - 2))
        won = []
        depth += 2
    return values


def _before(graph: _Graph, numbers: list[int]) -> Iterator[int]:
    for number in numbers:
        yield from graph.into(number)


def _only_wins_left(graph: _Graph, won: list[int], values: dict[int, int]) -> list[int]:
    found = []
    for number in _before(graph, won):
        graph.open[number] -= 1
        if graph.open[number] == 0 and number not in values:
            found.append(number)
    return found
