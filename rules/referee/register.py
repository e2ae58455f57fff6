"""Where the game's board lies on the table: one rigid motion that carries the layout onto the sightings.

A board may lie anywhere and be turned any way; it may have been pushed since the last look. All tiles have edges,
so the turn is known up to quarter turns from any tile; the shift is found by votes of all pieces that could match.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.pieces import Face, Kind
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting

_BIN = 0.5
_NEAR = 0.6
_CANDIDATES = 6
_ENOUGH = 0.35
_APART = 2.6  # tiles in a row lie nearer together than this


@dataclass(frozen=True, slots=True)
class Registration:
    """Board to table: turn counter-clockwise by `turn` degrees, then shift."""

    turn: float = 0.0
    dx: float = 0.0
    dy: float = 0.0

    def to_table(self, x: float, y: float) -> tuple[float, float]:
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return c * x - s * y + self.dx, s * x + c * y + self.dy

    def to_board(self, x: float, y: float) -> tuple[float, float]:
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x - self.dx, y - self.dy
        return c * x + s * y, -s * x + c * y


Pair = tuple[Placed, Sighting]


def register(layout: Layout, observed: ObservedTable, previous: Registration | None = None) -> Registration | None:
    """The best motion, or None if too little of the layout is there. The previous one is tried first, so a board
    that looks the same from two sides stays as it was."""
    expected = _visible(layout)
    if not expected:
        return _first_tile(observed.sightings) or previous or Registration()
    if not observed.sightings:
        return None
    candidates = [previous] if previous else []
    candidates += _candidates(expected, observed.sightings)
    best, best_score = None, -math.inf
    for candidate in candidates:
        refined, score = _refine(candidate, expected, observed.sightings)
        if score > best_score + (0.75 if best is not None else 0.0):
            best, best_score = refined, score
    return best if best_score >= _ENOUGH * len(expected) else None


def _first_tile(sightings: Sequence[Sighting]) -> Registration | None:
    """Nothing lies on the board yet: the first tile will be its origin and give it its direction. It is the one that
    lies apart from those that wait in somebody's row."""
    tiles = [s for s in sightings if s.kind is Kind.TILE]
    free = [s for s in tiles if s.zone in (None, Zone.BOARD)]
    tile = max(free, key=lambda one: _distance_to_others(one, tiles), default=None)
    marked = any(s.zone is not None for s in sightings)
    if tile is None or (not marked and _distance_to_others(tile, tiles) < _APART):
        return None
    return Registration(tile.angle or 0.0, tile.x, tile.y)


def _distance_to_others(one: Sighting, tiles: Sequence[Sighting]) -> float:
    return min((math.hypot(one.x - s.x, one.y - s.y) for s in tiles if s is not one), default=math.inf)


def _visible(layout: Layout) -> list[Placed]:
    """Board pieces that nothing covers; enough to lay the board, so no finer question is asked."""
    board = [p for p in layout.pieces if p.zone is Zone.BOARD]
    spots: dict[tuple[int, int], Placed] = {}
    tiles: list[Placed] = []
    for placed in board:
        if placed.piece.kind in (Kind.TILE, Kind.CARD):
            tiles = [t for t in tiles if abs(t.x - placed.x) + abs(t.y - placed.y) > 0.9]
            tiles.append(placed)
        else:
            spots[round(placed.x * 3), round(placed.y * 3)] = placed
    return tiles + list(spots.values())


def fits(placed: Placed, seen: Sighting) -> float:
    """How well a sighting could be this piece, 0 to 1, wherever it lies."""
    if placed.piece.kind is not seen.kind:
        return 0.0
    if placed.face and seen.face and placed.face is not seen.face:
        return 0.05
    shown = placed.shown
    if shown.mark and seen.mark and shown.mark != seen.mark:
        return 0.05
    return max(seen.chance_of(shown.suit, shown.rank), 0.02)


def _candidates(expected: Sequence[Placed], sightings: Sequence[Sighting]) -> list[Registration]:
    found = []
    for turn in _turns(expected, sightings):
        found += _shifts(turn, expected, sightings)
    found.sort(key=lambda item: -item[0])
    return [registration for _, registration in found[:_CANDIDATES]]


def _turns(expected: Sequence[Placed], sightings: Sequence[Sighting]) -> list[float]:
    """Quarter turns from the edges of the tiles and from the lines that tiles or coins form; with nothing to go by,
    a full circle in steps."""
    front = next((p for p in expected if p.piece.kind is Kind.TILE and p.face is Face.FRONT), None)
    offset = front.angle % 90 if front else 0.0
    flat = [s for s in sightings if s.kind in (Kind.TILE, Kind.CARD)]
    edges = [s.angle - offset for s in flat if s.angle is not None]
    lines = _directions(flat if len(flat) > 1 else sightings)
    commons = [common for common in (_common_direction(edges), _common_direction(lines)) if common is not None]
    if not commons:
        return [float(turn) for turn in range(0, 360, 15)]
    if len(commons) == 2 and abs((commons[0] - commons[1] + 45) % 90 - 45) < 3:
        commons.pop()
    return [(common + quarter + 180) % 360 - 180 for common in commons for quarter in (0, 90, 180, -90)]


def _directions(sightings: Sequence[Sighting]) -> list[float]:
    """From each piece to its nearest neighbour."""
    found = []
    for one in sightings:
        others = [other for other in sightings if other is not one]
        if others:
            near = min(others, key=lambda other: math.hypot(other.x - one.x, other.y - one.y))
            found.append(math.degrees(math.atan2(near.y - one.y, near.x - one.x)))
    return found


def _common_direction(angles: Sequence[float]) -> float | None:
    """The mean of directions that are only known up to quarter turns; None if they do not agree."""
    if not angles:
        return None
    c = sum(math.cos(math.radians(4 * a)) for a in angles) / len(angles)
    s = sum(math.sin(math.radians(4 * a)) for a in angles) / len(angles)
    return math.degrees(math.atan2(s, c)) / 4 if math.hypot(c, s) > 0.25 else None


def _shifts(turn: float, expected: Iterable[Placed], sightings: Sequence[Sighting]) -> list[tuple[float, Registration]]:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    votes: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for placed in expected:
        x, y = c * placed.x - s * placed.y, s * placed.x + c * placed.y
        for seen in sightings:
            weight = fits(placed, seen)
            if weight:
                dx, dy = seen.x - x, seen.y - y
                vote = votes[round(dx / _BIN), round(dy / _BIN)]
                vote[0] += weight
                vote[1] += weight * dx
                vote[2] += weight * dy
    best = sorted(votes.values(), key=lambda vote: -vote[0])[:3]
    return [(vote[0], Registration(turn, vote[1] / vote[0], vote[2] / vote[0])) for vote in best]


def _refine(
    start: Registration, expected: Sequence[Placed], sightings: Sequence[Sighting]
) -> tuple[Registration, float]:
    """Match, fit, again; the score counts the matches by how well they fit."""
    registration = start
    for _ in range(3):
        pairs = _matches(registration, expected, sightings)
        if len(pairs) < 2:
            break
        registration = _fit(pairs)
    return registration, _score(registration, _matches(registration, expected, sightings))


def _matches(registration: Registration, expected: Sequence[Placed], sightings: Sequence[Sighting]) -> list[Pair]:
    bins: dict[tuple[int, int], list[Sighting]] = defaultdict(list)
    for seen in sightings:
        bins[math.floor(seen.x), math.floor(seen.y)].append(seen)
    pairs = []
    for placed in expected:
        x, y = registration.to_table(placed.x, placed.y)
        near = [
            seen
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for seen in bins.get((math.floor(x) + i, math.floor(y) + j), ())
            if seen.kind is placed.piece.kind and math.hypot(seen.x - x, seen.y - y) < _NEAR
        ]
        if near:
            pairs.append((placed, max(near, key=lambda seen: fits(placed, seen) - math.hypot(seen.x - x, seen.y - y))))
    return pairs


def _score(registration: Registration, pairs: Iterable[Pair]) -> float:
    total = 0.0
    for placed, seen in pairs:
        x, y = registration.to_table(placed.x, placed.y)
        total += fits(placed, seen) * (1 - math.hypot(seen.x - x, seen.y - y))
    return total


def _fit(pairs: Sequence[Pair]) -> Registration:
    """Least squares, without those that moved: pairs far from the median do not count."""
    weights = [_weight(placed, seen) for placed, seen in pairs]
    total = sum(weights)
    px = sum(w * p.x for w, (p, _) in zip(weights, pairs, strict=True)) / total
    py = sum(w * p.y for w, (p, _) in zip(weights, pairs, strict=True)) / total
    sx = sum(w * s.x for w, (_, s) in zip(weights, pairs, strict=True)) / total
    sy = sum(w * s.y for w, (_, s) in zip(weights, pairs, strict=True)) / total
    dot = cross = 0.0
    for weight, (placed, seen) in zip(weights, pairs, strict=True):
        ax, ay, bx, by = placed.x - px, placed.y - py, seen.x - sx, seen.y - sy
        dot += weight * (ax * bx + ay * by)
        cross += weight * (ax * by - ay * bx)
    turn = math.atan2(cross, dot)
    c, s = math.cos(turn), math.sin(turn)
    return Registration(math.degrees(turn), sx - c * px + s * py, sy - s * px - c * py)


def _weight(placed: Placed, seen: Sighting) -> float:
    """Tiles say most about where the board lies; pawns lean and are pushed about."""
    steady = 4.0 if placed.piece.kind in (Kind.TILE, Kind.CARD) else 1.0 if placed.piece.kind is Kind.COIN else 0.5
    return steady * fits(placed, seen)
