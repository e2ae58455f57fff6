"""Tiles on a free table (DECAY-2): contact, sections, the intervals where a tile may lie, slides.

All tiles share one orientation; a position is a centre in u (a tile side is 16 u). Sets of lateral offsets t from -15
to 15 are bit masks (bit t + 15), so that whole bands are taken away at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import hypot
from typing import NamedTuple, TypeAlias

from rules.engine import Code
from rules.sentence import say

Position: TypeAlias = tuple[int, int]
Tiles: TypeAlias = tuple[Position | None, ...]
Contacts: TypeAlias = tuple[Mapping[int, int], ...]
Forbidden: TypeAlias = frozenset[tuple[int, int]]

SIDE = 16
MIN_OFFSET = 4
NORTH, EAST, SOUTH, WEST = range(4)
SIDE_WORDS = (say("north"), say("east"), say("south"), say("west"))
STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
NOWHERE: Forbidden = frozenset()
_LIMIT = SIDE - 1


class Touch(NamedTuple):
    """Definition of contact: the widest gap and the largest offset at which edges still touch, in u."""

    gap: int = 2
    reach: int = 15


def opposite(side: int) -> int:
    return (side + 2) % 4


def contact_side(dx: float, dy: float, touch: Touch) -> int | None:
    """Side of a tile that is touched by a tile at this distance (DECAY-2.2)."""
    across, along = abs(dx), abs(dy)
    if SIDE <= across <= SIDE + touch.gap and along <= touch.reach:
        return EAST if dx > 0 else WEST
    if SIDE <= along <= SIDE + touch.gap and across <= touch.reach:
        return NORTH if dy > 0 else SOUTH
    return None


def on_table(tiles: Tiles) -> Iterator[tuple[int, int, int]]:
    return ((index, spot[0], spot[1]) for index, spot in enumerate(tiles) if spot is not None)


@lru_cache(maxsize=4096)
def contacts(tiles: Tiles, touch: Touch) -> Contacts:
    """By tile: its neighbours, each with the side that it touches."""
    found: list[dict[int, int]] = [{} for _ in tiles]
    placed = sorted((x, y, index) for index, x, y in on_table(tiles))
    far = SIDE + touch.gap
    for start, (x, y, first) in enumerate(placed, 1):
        for other_x, other_y, second in placed[start:]:
            if other_x - x > far:
                break  # all further ones are farther east
            if -far <= other_y - y <= far:
                side = contact_side(other_x - x, other_y - y, touch)
                if side is not None:
                    found[first][second] = side
                    found[second][first] = opposite(side)
    return tuple(found)


def touched_sides(near: Contacts, tile: int) -> frozenset[int]:
    return frozenset(near[tile].values())


def sections(tiles: Tiles, near: Contacts, leave_out: int | None = None) -> list[frozenset[int]]:
    """Connected parts of the board (DECAY-2.6), as if one tile were absent."""
    waiting = {index for index, spot in enumerate(tiles) if spot is not None and index != leave_out}
    parts = []
    while waiting:
        part = [waiting.pop()]
        for tile in part:
            for other in near[tile]:
                if other in waiting:
                    waiting.discard(other)
                    part.append(other)
        parts.append(frozenset(part))
    return parts


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a placement or a slide is illegal: code, clause, tiles concerned and a number of u."""

    code: Code
    clause: str
    tiles: tuple[int, ...] = ()
    amount: int = 0
    side: int = 0


def placement_fault(
    tiles: Tiles, tile: int, x: int, y: int, touch: Touch, forbidden: Forbidden = NOWHERE
) -> Fault | None:
    """Why a tile may not lie at a place (DECAY-2.8 to 2.12); None if it may. Its present place is ignored."""
    touching: dict[int, tuple[int, int]] = {}
    for index, other_x, other_y in on_table(tiles):
        dx, dy = other_x - x, other_y - y
        if index == tile or abs(dx) > SIDE + touch.gap or abs(dy) > SIDE + touch.gap:
            continue
        if abs(dx) < SIDE and abs(dy) < SIDE:
            return Fault(Code.OVERLAP, "DECAY-2.11", (index,), min(SIDE - abs(dx), SIDE - abs(dy)))
        side = contact_side(dx, dy, touch)
        if side is not None:
            touching[index] = (opposite(side), abs(dy) if side in (EAST, WEST) else abs(dx))
    if not touching:
        return Fault(Code.NO_CONTACT, "DECAY-2.8")
    for index, (side, offset) in touching.items():
        if (index, side) in forbidden:
            return Fault(Code.REPEATS, "DECAY-2.12", (index,), side=side)
        if offset < MIN_OFFSET:
            return Fault(Code.WRONG_DISTANCE, "DECAY-2.10", (index,), offset)
    near = contacts(tiles, touch)
    for index, other in combinations(touching, 2):
        if other in near[index]:
            return Fault(Code.NOT_ALLOWED, "DECAY-2.9", (index, other))
    return None


def forbidden_sides(near: Contacts, tile: int) -> Forbidden:
    """The sides that a lifted tile may not touch again (DECAY-2.12)."""
    return frozenset((other, near[other][tile]) for other in near[tile])


def _bits(low: int, high: int) -> int:
    low, high = max(low, -_LIMIT), min(high, _LIMIT)
    return ((1 << (high - low + 1)) - 1) << (low + _LIMIT) if low <= high else 0


def beside(spot: Position, side: int, offset: int) -> Position:
    """The place flush at a side of a tile, shifted along it."""
    x, y = spot
    dx, dy = STEPS[side]
    return (x + SIDE * dx, y + offset) if dx else (x + offset, y + SIDE * dy)


def free_offsets(tiles: Tiles, tile: int, base: int, side: int, touch: Touch, forbidden: Forbidden = NOWHERE) -> int:
    """All offsets at which a tile may lie flush at a side of the base, as a mask."""
    spot = tiles[base]
    assert spot is not None
    x, y = beside(spot, side, 0)
    upright = side in (EAST, WEST)
    allowed = _bits(-touch.reach, touch.reach)
    touching: list[tuple[int, int]] = []
    for index, other_x, other_y in on_table(tiles):
        if index == tile:
            continue
        normal, along = (other_x - x, other_y - y) if upright else (other_y - y, other_x - x)
        if abs(normal) <= SIDE + touch.gap and abs(along) <= 2 * SIDE + touch.gap:
            allowed, hit = _without(allowed, index, normal, along, upright, touch, forbidden)
            if hit & allowed:
                touching.append((index, hit))
    return _without_triangles(allowed, touching, contacts(tiles, touch))


def _without(
    allowed: int, index: int, normal: int, along: int, upright: bool, touch: Touch, forbidden: Forbidden
) -> tuple[int, int]:
    """The allowed offsets minus those that one other tile forbids, and the offsets at which that tile is touched."""
    ahead, behind = (WEST, EAST) if upright else (SOUTH, NORTH)
    if abs(normal) >= SIDE:
        hit = _bits(along - touch.reach, along + touch.reach)
        closed = (index, ahead if normal > 0 else behind) in forbidden
        bad = hit if closed else _bits(along - MIN_OFFSET + 1, along + MIN_OFFSET - 1)
        return allowed & ~bad, hit
    bad = _bits(along - _LIMIT, along + _LIMIT)
    if abs(normal) > touch.reach:
        return allowed & ~bad, 0
    low, high = (SOUTH, NORTH) if upright else (WEST, EAST)
    below = _bits(along - SIDE - touch.gap, along - SIDE)
    above = _bits(along + SIDE, along + SIDE + touch.gap)
    if abs(normal) < MIN_OFFSET or (index, low) in forbidden:
        bad |= below
    if abs(normal) < MIN_OFFSET or (index, high) in forbidden:
        bad |= above
    return allowed & ~bad, below | above


def _without_triangles(allowed: int, touching: list[tuple[int, int]], near: Contacts) -> int:
    for (first, hit), (second, other_hit) in combinations(touching, 2):
        if second in near[first]:
            allowed &= ~(hit & other_hit)
    return allowed


def offsets_in(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1 - _LIMIT
        mask ^= lowest


def spans_of(mask: int) -> tuple[tuple[int, int], ...]:
    """A mask as closed intervals of offsets."""
    spans: list[tuple[int, int]] = []
    for offset in offsets_in(mask):
        if spans and spans[-1][1] == offset - 1:
            spans[-1] = (spans[-1][0], offset)
        else:
            spans.append((offset, offset))
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class Edge:
    """Legal places of a tile along one side of another one: intervals of the offset in u."""

    base: int
    side: int
    spans: tuple[tuple[int, int], ...]


@lru_cache(maxsize=256)
def placements(tiles: Tiles, tile: int, touch: Touch, forbidden: Forbidden = NOWHERE) -> tuple[Edge, ...]:
    """Legal places of a tile, by edge."""
    found = []
    for base, _, _ in on_table(tiles):
        for side in range(4) if base != tile else ():
            mask = free_offsets(tiles, tile, base, side, touch, forbidden)
            if mask:
                found.append(Edge(base, side, spans_of(mask)))
    return tuple(found)


def spots_of(tiles: Tiles, edges: tuple[Edge, ...]) -> Iterator[Position]:
    """Every position in whole u on the edges, once each."""
    seen = set()
    for edge in edges:
        base = tiles[edge.base]
        assert base is not None
        for low, high in edge.spans:
            for offset in range(low, high + 1):
                spot = beside(base, edge.side, offset)
                if spot not in seen:
                    seen.add(spot)
                    yield spot


class NearestPlace(NamedTuple):
    """A legal place, and the interval of its edge."""

    distance: float
    spot: Position
    base: int
    side: int
    span: tuple[int, int]


def nearest(
    tiles: Tiles, tile: int, x: float, y: float, touch: Touch, forbidden: Forbidden = NOWHERE
) -> NearestPlace | None:
    """The legal place closest to a measured one. Edges are searched in the order of their lower distance bound."""
    best: NearestPlace | None = None
    for bound, base, side in sorted(_edge_bounds(tiles, tile, x, y)):
        if best is not None and bound >= best.distance:
            break
        spot = tiles[base]
        assert spot is not None
        for low, high in spans_of(free_offsets(tiles, tile, base, side, touch, forbidden)):
            along = y - spot[1] if side in (EAST, WEST) else x - spot[0]
            place = beside(spot, side, min(max(round(along), low), high))
            distance = hypot(place[0] - x, place[1] - y)
            if best is None or distance < best.distance:
                best = NearestPlace(distance, place, base, side, (low, high))
    return best


def _edge_bounds(tiles: Tiles, tile: int, x: float, y: float) -> Iterator[tuple[float, int, int]]:
    for base, base_x, base_y in on_table(tiles):
        for side in range(4) if base != tile else ():
            line_x, line_y = beside((base_x, base_y), side, 0)
            dx, dy = abs(x - line_x), abs(y - line_y)
            normal, along = (dx, dy) if side in (EAST, WEST) else (dy, dx)
            yield hypot(normal, max(along - _LIMIT, 0)), base, side
