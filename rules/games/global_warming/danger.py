"""What everybody may infer about the tiles that sink next (GW-6.2).

The bag and the hidden sides are equally unknown to all seats, so there is one answer for all of them.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from rules.games.global_warming.coins import assignments
from rules.games.global_warming.opening import TILES, Danger


@lru_cache(256)
def danger(line: tuple[str, ...], gone: tuple[int, ...]) -> tuple[Danger, ...]:
    """For every tile that may be in the line, in how many cases it is the next, and in how many it is in it at all."""
    cases = list(assignments(line, gone))
    anywhere = Counter(index for case in cases for index in case)
    first = Counter(case[0] for case in cases)
    return tuple(Danger(TILES[index].code, first[index], anywhere[index], len(cases)) for index in sorted(anywhere))
