"""Assignment of rows to columns, one to one, with the least total cost, where rows may stay unassigned.

The Hungarian method: rows are added one by one, each along the shortest augmenting path.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field


def assigned(costs: Sequence[Sequence[float]], alone: Sequence[float]) -> list[int | None]:
    """The column of each row, or None where it is cheaper that the row has none. `costs`: by row and column, infinite
    where a pair is impossible; `alone`: cost of a row without a column, infinite where it must have one."""
    columns = len(costs[0]) if costs else 0
    matching = _Matching(costs, alone, [0.0] * len(costs), [0.0] * columns, [None] * len(costs), [None] * columns)
    for row in range(len(costs)):
        matching.add(row)
    return matching.column_of


@dataclass(slots=True)
class _AugmentingPath:
    """The search from a new row, in the order of path cost (Dijkstra)."""

    rows: dict[int, float] = field(default_factory=dict)
    """Path cost of each row reached, which would have to change its column."""
    columns: dict[int, float] = field(default_factory=dict)
    """Path cost of the columns assigned to these rows."""
    previous_row: dict[int, int] = field(default_factory=dict)
    """By column: the row before it on the path, which would take it."""
    cost: float = math.inf
    end: int | None = None
    """The free column at the end of the path; None where `unassigned` ends without a column."""
    unassigned: int = -1


@dataclass(slots=True)
class _Matching:
    """The assignment of the rows added so far, with dual prices: no reduced cost is negative."""

    costs: Sequence[Sequence[float]]
    alone: Sequence[float]
    row_price: list[float]
    column_price: list[float]
    column_of: list[int | None]
    row_of: list[int | None]

    def add(self, row: int) -> None:
        path = self._shortest_path(row)
        for each, distance in path.rows.items():
            self.row_price[each] += path.cost - distance
        for each, distance in path.columns.items():
            self.column_price[each] -= path.cost - distance
        column = path.end
        if column is None:
            column, self.column_of[path.unassigned] = self.column_of[path.unassigned], None
        while column is not None:
            new_row = path.previous_row[column]
            self.row_of[column] = new_row
            column, self.column_of[new_row] = self.column_of[new_row], column

    def _shortest_path(self, start: int) -> _AugmentingPath:
        path, least = _AugmentingPath(), [math.inf] * len(self.row_of)
        row, distance = start, 0.0
        while True:
            path.rows[row] = distance
            alone = distance + self.alone[row] - self.row_price[row]
            if alone < path.cost:
                path.cost, path.unassigned = alone, row
            self._relax(row, distance, least, path)
            nearest = min((c for c in range(len(least)) if c not in path.columns), key=least.__getitem__, default=None)
            if nearest is None or path.cost < least[nearest]:
                return path
            owner = self.row_of[nearest]
            if owner is None:
                path.cost, path.end = least[nearest], nearest
                return path
            row, distance = owner, least[nearest]
            path.columns[nearest] = distance

    def _relax(self, row: int, distance: float, least: list[float], path: _AugmentingPath) -> None:
        """Lowers the path cost of the columns that are cheaper to reach through this row."""
        row_price = self.row_price[row]
        for column, (cost, column_price) in enumerate(zip(self.costs[row], self.column_price, strict=True)):
            column_distance = distance + cost - row_price - column_price
            if column_distance < least[column] and column not in path.columns:
                least[column], path.previous_row[column] = column_distance, row
