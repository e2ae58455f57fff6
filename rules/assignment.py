"""One to one: which of several things each of several others is, so that all of it together costs least."""

from __future__ import annotations

import math
from collections.abc import Sequence


def assigned(costs: Sequence[Sequence[float]], alone: Sequence[float]) -> list[int | None]:
    """The column of each row, or None where it is cheaper that the row has none. `costs`: what each row costs in each
    column (infinite where that cannot be); `alone`: what it costs without any. The Hungarian method: rows are added
    one by one, each along the cheapest path of changes to those before."""
    rows, columns = len(costs), len(costs[0]) if costs else 0
    width = columns + rows  # every row has a column of its own, to be alone in
    of_row, of_column = [0.0] * rows, [0.0] * width
    taken: list[int | None] = [None] * width
    for start in range(rows):
        least, before = [math.inf] * width, [-1] * width
        done = [False] * width
        row, last, reached = start, -1, [start]
        while True:
            best, nearest = math.inf, -1
            within_reach = (*range(columns), *(columns + each for each in reached))
            for column in within_reach:
                if done[column]:
                    continue
                cost = costs[row][column] if column < columns else _own(alone, row, column - columns)
                gap = cost - of_row[row] - of_column[column]
                if gap < least[column]:
                    least[column], before[column] = gap, last
                if least[column] < best:
                    best, nearest = least[column], column
            for column in within_reach:
                if done[column]:
                    taker = taken[column]
                    of_column[column] -= best
                    if taker is not None:
                        of_row[taker] += best
                else:
                    least[column] -= best
            of_row[start] += best
            done[nearest] = True
            last = nearest
            taker = taken[nearest]
            if taker is None:
                break
            row = taker
            reached.append(taker)
        while last >= 0:
            taken[last] = start if before[last] < 0 else taken[before[last]]
            last = before[last]
    found: list[int | None] = [None] * rows
    for column, taker in enumerate(taken[:columns]):
        if taker is not None:
            found[taker] = column
    return found


def _own(alone: Sequence[float], row: int, own: int) -> float:
    return alone[row] if row == own else math.inf
