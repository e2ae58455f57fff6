"""Pairings of the next round.

Two at a table: a library's pairings, the FIDE Dutch system or Berger's tables. Three and four at a table: as few
repeated meetings as possible, and in a Swiss tournament players of similar points together. For that players are dealt
to tables in the order of the standings, then pairs are exchanged while that lowers the cost (local search).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, product
from typing import Any

from caissify_pairings import generate_pairings

REPEAT_COST = 100.0
"""Cost of a repeated meeting: more than any difference in points."""
TRIES = 4000


@dataclass(slots=True)
class PlayerRecord:
    """A player until now. `met`: number of meetings by opponent; `first`: number of games in the first seat."""

    points: float = 0.0
    byes: int = 0
    first: int = 0
    met: Counter[int] = field(default_factory=Counter)


def sizes_for(players: int, allowed: Sequence[int]) -> list[int]:
    """Sizes of the tables: the division that seats most players, and of these the one with the most full tables."""
    most, least = max(allowed), min(allowed)
    for seated in range(players, 0, -1):
        for full in range(seated // most, -1, -1):
            rest = seated - full * most
            if rest % least == 0:
                return [most] * full + [least] * (rest // least)
    return []


def tables(
    records: Sequence[PlayerRecord], allowed: Sequence[int], by_points: bool, seed: int
) -> list[tuple[int, ...]]:
    """Players by table, in the order of the seats, for tables of three and more; byes come last, alone."""
    ranking = sorted(range(len(records)), key=lambda n: (-records[n].points, n))
    sizes = sizes_for(len(records), allowed)
    byes = sorted(ranking, key=lambda n: (records[n].byes, -ranking.index(n)))[: len(records) - sum(sizes)]
    seated = [n for n in ranking if n not in byes]
    rng = random.Random(seed)
    found = []
    for attempt in range(1 + min(60, TRIES // len(records) ** 2)):
        order = seated if attempt == 0 else rng.sample(seated, len(seated))
        dealt = iter(order)
        made = _local_search([list(islice(dealt, size)) for size in sizes], records, by_points)
        found.append((sum(_cost(table, records, by_points) for table in made), attempt, made))
        if found[-1][0] == 0:
            break
    made = min(found)[2]
    # in the order of the seats: who had the first seat least often comes first
    return [tuple(sorted(table, key=lambda n: (records[n].first, n))) for table in made] + [(n,) for n in byes]


def _local_search(made: list[list[int]], records: Sequence[PlayerRecord], by_points: bool) -> list[list[int]]:
    while sum(_exchange(one, two, records, by_points) for one, two in combinations(made, 2)):
        pass  # until no two tables exchange players any more
    return made


def _exchange(one: list[int], two: list[int], records: Sequence[PlayerRecord], by_points: bool) -> bool:
    """Exchange players of two tables in place wherever that lowers their cost; whether any was exchanged."""
    changed = False
    for i, j in product(range(len(one)), range(len(two))):
        before = _cost(one, records, by_points) + _cost(two, records, by_points)
        one[i], two[j] = two[j], one[i]
        if _cost(one, records, by_points) + _cost(two, records, by_points) < before - 1e-9:
            changed = True
        else:
            one[i], two[j] = two[j], one[i]
    return changed


def _cost(table: Sequence[int], records: Sequence[PlayerRecord], by_points: bool) -> float:
    repeats = sum(records[a].met[b] ** 2 for a, b in combinations(table, 2))
    apart = sum(abs(records[a].points - records[b].points) for a, b in combinations(table, 2)) if by_points else 0.0
    return REPEAT_COST * repeats + apart


def pairs(
    records: list[dict[str, Any]], met: set[tuple[int, int]], number: int, planned: int, swiss: bool
) -> list[tuple[int, ...]]:
    """Pairs of the next round of a game of two, by the library; a bye comes alone."""
    paired = generate_pairings("dutch" if swiss else "round_robin", records, met, number, planned)
    return [(e["white_id"],) if e["black_id"] is None else (e["white_id"], e["black_id"]) for e in paired]


def unmet(players: int, records: Sequence[PlayerRecord]) -> int:
    """Number of pairs of players that have not met."""
    return sum(records[a].met[b] == 0 for a, b in combinations(range(players), 2))
