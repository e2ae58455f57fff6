"""One to one, at the least cost (`assignment`)."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

import pytest

from rules.assignment import assigned

Costs = Sequence[Sequence[float]]


def ways(costs: Costs, alone: Sequence[float], taken: frozenset[int] = frozenset()) -> Iterator[float]:
    """What every way costs."""
    if not costs:
        yield 0.0
        return
    for rest in ways(costs[1:], alone[1:], taken):
        yield alone[0] + rest
    for column, cost in enumerate(costs[0]):
        if column not in taken and cost < math.inf:
            for rest in ways(costs[1:], alone[1:], taken | {column}):
                yield cost + rest


@pytest.mark.parametrize("seed", range(40))
def test_no_other_way_costs_less(seed: int) -> None:
    rng = random.Random(seed)
    rows, columns = rng.randint(0, 4), rng.randint(0, 5)
    costs = [[rng.choice((math.inf, rng.uniform(-3, 4), 1.0)) for _ in range(columns)] for _ in range(rows)]
    alone = [rng.choice((0.0, 1.5, 3.0)) for _ in range(rows)]
    found = assigned(costs, alone)
    used = [column for column in found if column is not None]
    assert len(set(used)) == len(used)
    cost = sum(alone[row] if column is None else costs[row][column] for row, column in enumerate(found))
    assert cost == pytest.approx(min(ways(costs, alone)))
