"""One to one: which of several things each of several others is, so that all of it together costs least.

The Hungarian method: rows are added one by one, each along the cheapest chain of changes to those before.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


def assigned(costs: Sequence[Sequence[float]], alone: Sequence[float]) -> list[int | None]:
    """The column of each row, or None where it is cheaper that the row has none. `costs`: what each row costs in each
    column (infinite where that cannot be); `alone`: what it costs without any (infinite where it must have one)."""
    columns = len(costs[0]) if costs else 0
    pairs = _Pairs(costs, alone, [0.0] * len(costs), [0.0] * columns, [None] * len(costs), [None] * columns)
    for row in range(len(costs)):
        pairs.add(row)
    return pairs.column_of


@dataclass(slots=True)
class _Chain:
    """Columns that change hands, reached from a new row in the order of what it costs to get there."""

    rows: dict[int, float] = field(default_factory=dict)
    """What it costs to reach each row that would have to go elsewhere."""
    passed: dict[int, float] = field(default_factory=dict)
    """The same of the columns that these rows have."""
    came_from: dict[int, int] = field(default_factory=dict)
    """By column the row that would take it."""
    cost: float = math.inf
    end: int | None = None
    """The free column at its end..."""
    left: int = -1
    """... or, where there is none, the row that ends without any."""


@dataclass(slots=True)
class _Pairs:
    """The rows so far, and prices by which no pair is cheaper than it is paid for."""

    costs: Sequence[Sequence[float]]
    alone: Sequence[float]
    row_price: list[float]
    column_price: list[float]
    column_of: list[int | None]
    row_of: list[int | None]

    def add(self, row: int) -> None:
        chain = self._chain(row)
        for each, reached in chain.rows.items():
            self.row_price[each] += chain.cost - reached
        for each, reached in chain.passed.items():
            self.column_price[each] -= chain.cost - reached
        column = chain.end
        if column is None:
            column, self.column_of[chain.left] = self.column_of[chain.left], None
        while column is not None:
            taker = chain.came_from[column]
            self.row_of[column] = taker
            column, self.column_of[taker] = self.column_of[taker], column

    def _chain(self, start: int) -> _Chain:
        chain, least = _Chain(), [math.inf] * len(self.row_of)
        row, reached = start, 0.0
        while True:
            chain.rows[row] = reached
            without = reached + self.alone[row] - self.row_price[row]
            if without < chain.cost:
                chain.cost, chain.left = without, row
            self._look(row, reached, least, chain)
            nearest = min((c for c in range(len(least)) if c not in chain.passed), key=least.__getitem__, default=None)
            if nearest is None or chain.cost < least[nearest]:
                return chain
            owner = self.row_of[nearest]
            if owner is None:
                chain.cost, chain.end = least[nearest], nearest
                return chain
            row, reached = owner, least[nearest]
            chain.passed[nearest] = reached

    def _look(self, row: int, reached: float, least: list[float], chain: _Chain) -> None:
        """Which columns are reached more cheaply by way of this row."""
        paid = self.row_price[row]
        for column, (cost, price) in enumerate(zip(self.costs[row], self.column_price, strict=True)):
            gap = reached + cost - paid - price
            if gap < least[column] and column not in chain.passed:
                least[column], chain.came_from[column] = gap, row
