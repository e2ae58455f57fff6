"""Where the pawns can go in exactly k single steps (GW-4.5 to GW-4.8).

Every step can be taken back, and a step changes the parity of all coordinates together. So the places reachable in
exactly k steps are those at most k steps away whose distance is even or odd as k is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.games.global_warming.cells import distances, near, point

Pawns = tuple[str, ...]
_PATIENCE = 20_000
_FAR = 10_000


def steps(land: Collection[str], pawns: Pawns) -> list[tuple[int, int, str]]:
    """Every single step: which pawn, which direction, onto which cell (GW-4.6)."""
    return [
        (index, direction, target)
        for index, place in enumerate(pawns)
        if place
        for direction, target in enumerate(near(place))
        if target in land and target not in pawns
    ]


def can_step(land: Collection[str], pawns: Pawns) -> bool:
    return any(target in land and target not in pawns for place in pawns if place for target in near(place))


def stepped(pawns: Pawns, index: int, target: str) -> Pawns:
    return (*pawns[:index], target, *pawns[index + 1 :])


def reachable(land: Collection[str], pawns: Pawns, quota: int) -> Iterator[Pawns]:
    """Every arrangement after exactly `quota` steps, once, the nearest first."""
    seen = {pawns}
    layer = [pawns]
    if not can_step(land, pawns):
        return
    for distance in range(quota + 1):
        if (quota - distance) % 2 == 0:
            yield from layer
        if distance < quota:
            layer = _next_layer(land, layer, seen)


def _next_layer(land: Collection[str], layer: list[Pawns], seen: set[Pawns]) -> list[Pawns]:
    found = []
    for pawns in layer:
        for index, _, target in steps(land, pawns):
            after = stepped(pawns, index, target)
            if after not in seen:
                seen.add(after)
                found.append(after)
    return found


def parity(pawns: Pawns) -> int:
    """GW-4.8."""
    return sum(sum(point(place)) for place in pawns if place) % 2


def shortest_way(land: Collection[str], start: Pawns, goal: Pawns, limit: int) -> list[Pawns] | None:
    """The arrangements from start to goal, one step each, if at most `limit` steps are needed (IDA*)."""
    return _PawnSearch(land, goal).run(start, limit)


class _PawnSearch:
    """Deepens by two steps at a time; what is left is at least the distance of each pawn were it alone."""

    def __init__(self, land: Collection[str], goal: Pawns) -> None:
        self.land = frozenset(land)
        self.goal = goal
        self.maps = [distances(self.land, place) if place else {"": 0} for place in goal]
        self.patience = _PATIENCE
        self.seen: dict[Pawns, int] = {}

    def run(self, start: Pawns, limit: int) -> list[Pawns] | None:
        left = sum(far.get(place, _FAR) for far, place in zip(self.maps, start, strict=True))
        for bound in range(left, limit + 1, 2):
            self.seen = {}
            way = [start]
            if self.deepen(way, left, bound):
                return way
        return None

    def deepen(self, way: list[Pawns], left: int, bound: int) -> bool:
        here = way[-1]
        if here == self.goal:
            return True
        self.patience -= 1
        if self.patience < 0 or self.seen.get(here, -1) >= bound:
            return False
        self.seen[here] = bound
        for index, _, target in steps(self.land, here):
            far = self.maps[index]
            rest = left - far.get(here[index], _FAR) + far.get(target, _FAR)
            if rest < bound:
                way.append(stepped(here, index, target))
                if self.deepen(way, rest, bound - 1):
                    return True
                way.pop()
        return False
