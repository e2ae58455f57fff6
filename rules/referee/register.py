"""Where the game's board lies on the table: the motion that carries the layout onto the sightings.

A board may lie anywhere and be turned any way; it may have been pushed since the last look. All tiles have edges,
so the turn is known up to quarter turns from any tile; the shift is found by votes of all pieces that could match.
Where a rigid motion does not carry everything to its place, the table plane was taken wrongly or the pieces lie high:
then the whole board is fitted as a camera would see it, heights included.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from rules.pieces import Face, Kind, Rank, Suit
from rules.pieces.sizes import REFERENCE
from rules.referee.exposure import exposed
from rules.referee.perspective import Perspective, fitted
from rules.referee.relief import Relief
from rules.referee.tuning import TUNING, Registering, Tuning
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting


@dataclass(frozen=True, slots=True)
class Registration:
    """Board to table: as a camera bends it, then turned counter-clockwise by `turn` degrees, then shifted."""

    turn: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    bend: Perspective | None = None

    def to_table(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        if self.bend is not None:
            x, y = self.bend.appears(x, y, z)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return c * x - s * y + self.dx, s * x + c * y + self.dy

    def to_board(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        x, y = self.straightened(x, y)
        return (x, y) if self.bend is None else self.bend.lies(x, y, z)

    def straightened(self, x: float, y: float) -> tuple[float, float]:
        """Turned and shifted back, still as the camera bends it."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x - self.dx, y - self.dy
        return c * x + s * y, -s * x + c * y

    def on(self, relief: Relief, x: float, y: float) -> tuple[float, float]:
        """Where on the board a sighting lies: on the first surface that a line of sight meets."""
        if self.bend is None:
            return self.to_board(x, y)
        flat = self.straightened(x, y)
        for height in relief.heights:
            place = self.bend.lies(*flat, height)
            if relief.at(*place) >= height - 1e-3:
                return place
        return self.bend.lies(*flat, 0.0)


@dataclass(frozen=True, slots=True)
class Expected:
    """A piece that should be seen, how high its upper side lies, and how much its being seen says."""

    placed: Placed
    height: float
    weight: float = 1.0


Pair = tuple[Expected, Sighting]
_SHEETS = (Kind.TILE, Kind.CARD)


def register(
    layout: Layout, observed: ObservedTable, previous: Registration | None = None, tuning: Tuning = TUNING
) -> Registration | None:
    """The best motion, or None if too little of the layout is there. The previous one is tried first, so a board
    that looks the same from two sides stays as it was."""
    expected = _expected(layout, tuning)
    if not expected:
        return _first_tile(observed, tuning.registering) or previous or Registration()
    if not observed.sightings:
        return None
    seen = (*observed.sightings, *observed.faint)
    return _by_names(layout, expected, seen, previous, tuning) or _by_values(expected, seen, tuning)


def matched(
    layout: Layout, observed: ObservedTable, lies: Registration, tuning: Tuning = TUNING
) -> list[tuple[Placed, Sighting]]:
    """What lies where the layout has it, whatever it is taken for."""
    return [(each.placed, seen) for each, seen in _in_place(layout, observed, lies, tuning)]


def turned_alike(
    layout: Layout, observed: ObservedTable, found: Registration, tuning: Tuning = TUNING
) -> list[Registration]:
    """How else the board may lie on the ground where it was found: turned by quarters, where neither names nor what
    waits beside it tell that it does not."""
    expected, seen = _expected(layout, tuning), (*observed.sightings, *observed.faint)
    if not expected or not seen:
        return []
    waiting = [placed for placed in layout if placed.zone is not Zone.BOARD]
    aside = _Aside(waiting, seen, _middle([(each.placed.x, each.placed.y) for each in expected]), tuning)

    def agrees(lies: Registration) -> tuple[float, float]:
        pairs = _matches(lies, expected, seen, tuning.registering)
        return _score(lies, pairs, tuning.registering), aside.found(lies)

    by_names, by_what_waits = (told_so - tuning.registering.better for told_so in agrees(found))
    each = [(lies, *agrees(lies)) for lies, _ in _turned(found, expected, seen, tuning)]
    return [lies for lies, names, waits in each if names > by_names and waits > by_what_waits]


def astray_mm(layout: Layout, observed: ObservedTable, lies: Registration, tuning: Tuning = TUNING) -> float | None:
    """By how many millimetres of the reference set the board may lie elsewhere than it was found: how far what was seen
    lies from its places, shared by all of it. None where too little is seen to say."""
    gaps = [_gap(lies, each, seen) for each, seen in _in_place(layout, observed, lies, tuning)]
    if len(gaps) < tuning.registering.fewest:
        return None
    return REFERENCE.space * math.hypot(*gaps) / len(gaps)


def _in_place(layout: Layout, observed: ObservedTable, lies: Registration, tuning: Tuning) -> list[Pair]:
    pairs = _matches(lies, _expected(layout, tuning), observed.sightings, tuning.registering)
    return [(each, seen) for each, seen in pairs if _gap(lies, each, seen) < tuning.places.same]


def _by_values(expected: Sequence[Expected], sightings: Sequence[Sighting], tuning: Tuning) -> Registration | None:
    """Where the values lie as they should and no other way to lay the board has nearly as many of them, it lies there,
    whatever the suits are taken for: of a set with other colours than most, every suit may be misread surely."""
    seen = [_of_any_suit(sighting) for sighting in sightings]
    tried = [
        _refine(candidate, expected, seen, tuning.registering)
        for candidate in _candidates(expected, seen, tuning.registering)
    ]
    if not tried:
        return None
    tried += _bent(tried, expected, seen, tuning)
    best, score = _best(tried, tuning.registering)
    if score < tuning.registering.mostly * sum(each.weight for each in expected):
        return None
    return None if _has_rival(best, score, tried, expected, seen, tuning) else best


def _of_any_suit(sighting: Sighting) -> Sighting:
    ranks: dict[tuple[Suit | None, Rank | None], float] = defaultdict(float)
    for (_, rank), chance in sighting.identities.items():
        ranks[None, rank] += chance
    return replace(sighting, identities=dict(ranks))


def _by_names(
    layout: Layout,
    expected: Sequence[Expected],
    seen: Sequence[Sighting],
    previous: Registration | None,
    tuning: Tuning,
) -> Registration | None:
    candidates = ([previous] if previous else []) + _candidates(expected, seen, tuning.registering)
    if not candidates:
        return None  # nothing of what is seen belongs to the layout
    tried = [_refine(candidate, expected, seen, tuning.registering) for candidate in candidates]
    is_where_it_was = previous is not None and _best(tried, tuning.registering)[0] is tried[0][0]
    waiting = [] if is_where_it_was else [placed for placed in layout if placed.zone is not Zone.BOARD]
    aside = _Aside(waiting, seen, _middle([(each.placed.x, each.placed.y) for each in expected]), tuning)
    best, score = aside.told_apart(tried)
    if not _is_stiff(best, expected, seen, tuning.registering):
        tried += _bent(tried, expected, seen, tuning)
        best, score = aside.told_apart([(best, score), *tried])
    if aside.pieces:
        best, score = aside.told_apart([(best, score), *_turned(best, expected, seen, tuning)])
    whole = sum(each.weight for each in expected)
    if previous is None and _is_half_found(best, expected, seen, tuning.registering):
        rivals = (found for found, other in tried if other > score - tuning.registering.better)
        if any(_lies_elsewhere(found, best, expected, tuning.registering) for found in rivals):
            return None  # half a board, a row farther up or down: nobody can tell, and every place would be wrong
    if score >= tuning.registering.enough * whole or _is_all_in_place(best, score, tried, expected, seen, tuning):
        return _most_exact(best, score, tried, expected, tuning.registering)
    return None


def _most_exact(
    found: Registration,
    score: float,
    tried: Sequence[tuple[Registration, float]],
    expected: Sequence[Expected],
    registering: Registering,
) -> Registration:
    """Of all that lay the board as it was found, the one that fits best: what was found first need only give way to
    another way to lay it where that is clearly better."""
    alike = [one for one in tried if one[1] > score and not _lies_otherwise(one[0], found, expected, registering)]
    return max(alike, key=lambda one: one[1], default=(found, score))[0]


def _is_all_in_place(
    found: Registration,
    score: float,
    tried: Sequence[tuple[Registration, float]],
    expected: Sequence[Expected],
    sightings: Sequence[Sighting],
    tuning: Tuning,
) -> bool:
    """Whether a board is there though its pieces are named wrongly, or what lies on its tiles is not seen: a set whose
    suits are misread lies where it should all the same. No other way to lay it may agree nearly as well with the names
    that are read."""
    registering = tuning.registering
    ground = _ground(expected)
    pairs = _matches(found, ground, sightings, registering)
    in_place = sum(each.weight * (1 - _gap(found, each, seen)) for each, seen in pairs)
    if in_place < registering.in_place * sum(each.weight for each in ground):
        return False
    return not _has_rival(found, score, tried, expected, sightings, tuning)


def _has_rival(
    found: Registration,
    score: float,
    tried: Sequence[tuple[Registration, float]],
    expected: Sequence[Expected],
    sightings: Sequence[Sighting],
    tuning: Tuning,
) -> bool:
    """Whether another way to lay the board, a quarter turn on the spot among them, is nearly as good."""
    others = [*tried, *_turned(found, expected, sightings, tuning)]
    return any(
        other > score - tuning.registering.better * 2 and _lies_otherwise(lies, found, expected, tuning.registering)
        for lies, other in others
    )


def _lies_otherwise(
    one: Registration, other: Registration, expected: Sequence[Expected], registering: Registering
) -> bool:
    """Whether any piece lies elsewhere, even where another one lies instead."""
    return any(
        math.dist(
            one.to_table(each.placed.x, each.placed.y, each.height),
            other.to_table(each.placed.x, each.placed.y, each.height),
        )
        > registering.near
        for each in expected
    )


def _is_half_found(
    found: Registration, expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> bool:
    """Whether much of the board's ground is missing: where all tiles are seen it lies there, whatever lies on it."""
    ground = _ground(expected)
    there = _score(found, _matches(found, ground, sightings, registering), registering)
    return there < registering.mostly * sum(each.weight for each in ground)


def _ground(expected: Sequence[Expected]) -> Sequence[Expected]:
    """The tiles, whatever lies on them; a board without tiles is its own ground."""
    return [each for each in expected if each.placed.piece.kind is Kind.TILE] or expected


def _lies_elsewhere(
    one: Registration, other: Registration, expected: Sequence[Expected], registering: Registering
) -> bool:
    """Whether the boards do not cover the same places: turned on the spot, a board that is alike from several sides
    does, and so does one that is only bent a little otherwise."""
    there = [other.to_table(each.placed.x, each.placed.y, each.height) for each in expected]
    here = [one.to_table(each.placed.x, each.placed.y, each.height) for each in expected]
    if median(math.dist(spot, place) for spot, place in zip(here, there, strict=True)) < registering.near:
        return False
    return any(min(math.dist(spot, place) for place in there) > registering.near for spot in here)


@dataclass(frozen=True)
class _Aside:
    """What should lie beside the board, and all that is seen."""

    pieces: Sequence[Placed]
    sightings: Sequence[Sighting]
    middle: tuple[float, float]
    """Of the board."""
    tuning: Tuning

    def told_apart(self, tried: Sequence[tuple[Registration, float]]) -> tuple[Registration, float]:
        """The best. Of a board that looks the same from several sides, the side that has people's things beside it
        where they should be."""
        better = self.tuning.registering.better
        best, best_score = _best(tried, self.tuning.registering)
        if not self.pieces:
            return best, best_score
        near = [(found, score) for found, score in tried if score > best_score - better and found is not best]
        each = [(self.found(found), found, score) for found, score in near]
        most, found, score = max(each, key=lambda one: one[0], default=(0.0, best, best_score))
        return (found, score) if most > self.found(best) + better else (best, best_score)

    def found(self, lies: Registration) -> float:
        """How many of the pieces lie roughly where they are drawn, if the board lies so; of what lies in ground that
        was marked out for somebody, on the side on which that somebody sits."""
        total = 0.0
        for placed in self.pieces:
            x, y = lies.to_table(placed.x, placed.y)
            near = (seen for seen in self.sightings if math.hypot(seen.x - x, seen.y - y) < self.tuning.beside.near)
            total += max((fits(placed, seen, self.tuning.registering) * seen.certainty for seen in near), default=0.0)
        return total + sum(self._sits(seat, lies) for seat in self._seats)

    @cached_property
    def _seats(self) -> Mapping[int, tuple[tuple[float, float], tuple[float, float]]]:
        """Everybody whose things are drawn beside the board and lie in marked ground: the middle of both."""
        drawn, seen = defaultdict(list), defaultdict(list)
        for placed in self.pieces:
            drawn[placed.seat].append((placed.x, placed.y))
        for sighting in self.sightings:
            seen[sighting.seat].append((sighting.x, sighting.y))
        seats = [seat for seat in drawn if seat is not None and seat in seen]
        return {seat: (_middle(drawn[seat]), _middle(seen[seat])) for seat in seats}

    def _sits(self, seat: int, lies: Registration) -> float:
        """How well the side on which somebody's things lie is the one on which they are drawn: from 1 to -1."""
        drawn, seen = self._seats[seat]
        middle = lies.to_table(*self.middle)
        there, here = (math.atan2(y - middle[1], x - middle[0]) for x, y in (lies.to_table(*drawn), seen))
        return math.cos(there - here)


def _middle(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _best(tried: Sequence[tuple[Registration, float]], registering: Registering) -> tuple[Registration, float]:
    """The first, unless a later one is clearly better."""
    best, best_score = tried[0]
    for candidate, score in tried[1:]:
        if score > best_score + registering.better:
            best, best_score = candidate, score
    return best, best_score


def _is_stiff(
    found: Registration, expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> bool:
    """Whether nearly everything is found and lies where a board as it was would have it."""
    pairs = _matches(found, expected, sightings, registering)
    if sum(each.weight for each, _ in pairs) < registering.whole * sum(each.weight for each in expected):
        return False
    if _lies_farther_off(found, pairs, expected, sightings, registering):
        return False
    found_at = {id(each): _gap(found, each, seen) for each, seen in pairs}
    if any(
        each.height > registering.high
        and found_at.get(id(each), registering.near) > registering.tall * registering.stiff
        for each in expected
    ):
        return False
    gaps = sorted(found_at.values())
    return gaps[len(gaps) * 3 // 4] < registering.stiff


def _lies_farther_off(
    found: Registration,
    pairs: Iterable[Pair],
    expected: Iterable[Expected],
    sightings: Iterable[Sighting],
    registering: Registering,
) -> bool:
    """Whether something that is not where it should be is seen a little farther off, where nothing should lie: what
    lies apart from all the rest, as a house far from its clock, tells best how the table plane slants."""
    matched, used = {id(each) for each, _ in pairs}, {id(seen) for _, seen in pairs}
    free = [seen for seen in sightings if id(seen) not in used and seen.certainty >= registering.named]
    return any(
        seen.kind is each.placed.piece.kind
        and _gap(found, each, seen) < registering.far
        and fits(each.placed, seen, registering) >= registering.named
        for each in expected
        if id(each) not in matched
        for seen in free
    )


def _bent(
    tried: Sequence[tuple[Registration, float]],
    expected: Sequence[Expected],
    sightings: Sequence[Sighting],
    tuning: Tuning,
) -> list[tuple[Registration, float]]:
    registering = tuning.registering
    starts = sorted(tried, key=lambda item: -item[1])[: registering.bent]
    scales = _told_scales(expected, sightings, registering)
    if starts[0][1] < registering.mostly * sum(each.weight for each in expected):
        scales += registering.scales
    starts += [start for scale in scales for start in _scaled(scale, expected, sightings, registering)]
    out = [found for start, _ in starts if (found := _bend(start, expected, sightings, tuning)) is not None]
    first = starts[0][0]
    pairs = _matches(first, expected, sightings, tuning.registering)
    if _lies_farther_off(first, pairs, expected, sightings, tuning.registering):
        farther = _bend(first, expected, sightings, tuning, tuning.registering.far)
        out += [farther] if farther is not None else []
    return out


def _turned(
    found: Registration, expected: Sequence[Expected], sightings: Sequence[Sighting], tuning: Tuning
) -> list[tuple[Registration, float]]:
    """The same board, turned on the spot by one, two and three quarters: if it looks as well so, what waits beside it
    must decide, whether or not that turn was among the likeliest."""
    xs, ys = [each.placed.x for each in expected], [each.placed.y for each in expected]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    at = found.to_table(x, y)
    scale = 1.0 if found.bend is None else math.dist(found.to_table(x + 0.5, y), found.to_table(x - 0.5, y))
    shape = Perspective(numbers=(scale - 1, 0.0, 0.0, 0.0, 0.0, scale - 1, *[0.0] * 5))
    out: list[tuple[Registration, float] | None] = []
    for quarter in (90, 180, -90):
        turned = Registration((found.turn + quarter + 180) % 360 - 180)
        dx, dy = turned.to_table(scale * x, scale * y)
        start = replace(turned, dx=at[0] - dx, dy=at[1] - dy, bend=shape if found.bend else None)
        rigid = found.bend is None
        out.append(
            _refine(start, expected, sightings, tuning.registering)
            if rigid
            else _bend(start, expected, sightings, tuning)
        )
    return [each for each in out if each is not None]


def _told_scales(expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering) -> list[float]:
    """How much too large or too small the table was taken, if it was. A printed frame that is taken for the edge makes
    every tile or card small and all that lies between them far: how near they lie to each other tells by how much."""
    laid = _pitch([(each.placed.x, each.placed.y) for each in expected if each.placed.piece.kind in _SHEETS])
    seen = _pitch([(sighting.x, sighting.y) for sighting in sightings if sighting.kind in _SHEETS])
    least, most = registering.scaled
    told = [seen / laid] if laid and seen else []
    return [scale for scale in told if least < scale < most and abs(scale - 1) > registering.scaled_at_least]


def _pitch(places: Sequence[tuple[float, float]]) -> float:
    """How far apart neighbours usually lie; 0 where there are none."""
    if len(places) < 2:
        return 0.0
    return median(min(math.dist(one, other) for other in places if other is not one) for one in places)


def _scaled(
    scale: float, expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> list[tuple[Registration, float]]:
    """Starts for a table plane that was taken too large or too small."""
    shape = Perspective(numbers=(scale - 1, 0.0, 0.0, 0.0, 0.0, scale - 1, *[0.0] * 5))
    grown = [
        replace(each, placed=replace(each.placed, x=scale * each.placed.x, y=scale * each.placed.y))
        for each in expected
    ]
    starts = [replace(found, bend=shape) for found in _candidates(grown, sightings, registering)[: registering.bent]]
    return [(start, 0.0) for start in starts]


def _bend(
    start: Registration,
    expected: Sequence[Expected],
    sightings: Sequence[Sighting],
    tuning: Tuning,
    reach: float | None = None,
) -> tuple[Registration, float] | None:
    """Match, fit a perspective, match again: pieces that were too far off to be matched are drawn in. `reach`: so far
    they may lie at first."""
    registration = start
    for number in range(tuning.registering.rounds):
        wide = replace(tuning.registering, near=reach) if reach and not number else tuning.registering
        pairs = _matches(registration, expected, sightings, wide)
        if len(pairs) < tuning.registering.fewest:
            return None
        points = [(each.placed.x, each.placed.y, each.height) for each, _ in pairs]
        places = [registration.straightened(seen.x, seen.y) for _, seen in pairs]
        bend = fitted(points, places, [_weight(each, seen, tuning.registering) for each, seen in pairs], tuning.bending)
        if not bend.is_sound(tuning.bending):
            return None
        registration = replace(registration, bend=bend)
    score = _score(registration, _matches(registration, expected, sightings, tuning.registering), tuning.registering)
    return registration, score - tuning.bending.strained * bend.strain(tuning.bending)


def _first_tile(observed: ObservedTable, registering: Registering) -> Registration | None:
    """Nothing lies on the board yet: the first tile will be its origin and give it its direction. It is the one that
    lies apart from those that wait in somebody's row."""
    tiles = [s for s in observed.sightings if s.kind is Kind.TILE]
    free = [s for s in tiles if s.zone in (None, Zone.BOARD)]
    tile = max(free, key=lambda one: _distance_to_others(one, tiles), default=None)
    if tile is None or (not observed.is_marked and _distance_to_others(tile, tiles) < registering.apart):
        return None
    return Registration(tile.angle or 0.0, tile.x, tile.y)


def _distance_to_others(one: Sighting, tiles: Sequence[Sighting]) -> float:
    return min((math.hypot(one.x - s.x, one.y - s.y) for s in tiles if s is not one), default=math.inf)


def _expected(layout: Layout, tuning: Tuning) -> list[Expected]:
    """Board pieces that are open to view; enough to lay the board, so no finer question is asked."""
    relief = Relief(layout.pieces, tuning.heights)
    return [
        Expected(placed, relief.at(placed.x, placed.y), 1.0 if share > tuning.heights.partly else tuning.heights.partly)
        for placed, share in exposed(layout, tuning)
    ]


def fits(placed: Placed, seen: Sighting, registering: Registering) -> float:
    """How well a sighting could be this piece, 0 to 1, wherever it lies."""
    if placed.piece.kind is not seen.kind:
        return 0.0
    if placed.face and seen.face and placed.face is not seen.face:
        return registering.wrong_side
    shown = placed.shown
    if shown.mark and seen.mark and shown.mark != seen.mark:
        return registering.wrong_side
    return max(seen.chance_of(shown.suit, shown.rank), registering.unlikely)


def _candidates(
    expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> list[Registration]:
    found = []
    for turn in _turns(expected, sightings, registering):
        found += _shifts(turn, expected, sightings, registering)
    found.sort(key=lambda item: -round(item[0], 6))  # of what is alike the first turn, not the luckiest sum
    return [registration for _, registration in found[: registering.candidates]]


def _turns(expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering) -> list[float]:
    """Quarter turns from the edges of the tiles and from the lines that tiles or coins form; with nothing to go by,
    a full circle in steps."""
    pieces = [each.placed for each in expected]
    front = next((p for p in pieces if p.piece.kind is Kind.TILE and p.face is Face.FRONT), None)
    offset = front.angle % 90 if front else 0.0
    flat = [s for s in sightings if s.kind in _SHEETS]
    turned = [s.angle if s.edges is None else s.edges for s in flat]
    edges = [angle - offset for angle in turned if angle is not None]
    lines = _directions(flat if len(flat) > 1 else sightings)
    commons = [
        common
        for common in (_common_direction(edges, registering), _common_direction(lines, registering))
        if common is not None
    ]
    if not commons:
        return [float(turn) for turn in range(0, 360, registering.step)]
    if len(commons) == 2 and abs((commons[0] - commons[1] + 45) % 90 - 45) < registering.one_direction:
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


def _common_direction(angles: Sequence[float], registering: Registering) -> float | None:
    """The mean of directions that are only known up to quarter turns; None if they do not agree."""
    if not angles:
        return None
    c = sum(math.cos(math.radians(4 * a)) for a in angles) / len(angles)
    s = sum(math.sin(math.radians(4 * a)) for a in angles) / len(angles)
    return math.degrees(math.atan2(s, c)) / 4 if math.hypot(c, s) > registering.agree else None


def _shifts(
    turn: float, expected: Iterable[Expected], sightings: Sequence[Sighting], registering: Registering
) -> list[tuple[float, Registration]]:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    votes: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    half = registering.bin / 2
    for each in expected:
        placed = each.placed
        x, y = c * placed.x - s * placed.y, s * placed.x + c * placed.y
        for seen in sightings:
            weight = each.weight * fits(placed, seen, registering)
            if weight:
                dx, dy = seen.x - x, seen.y - y
                _count(votes[math.floor(dx / half), math.floor(dy / half)], weight, weight * dx, weight * dy)
    best = _most_voted(votes, registering)
    return [(vote, Registration(turn, dx, dy)) for vote, dx, dy in best]


def _count(vote: list[float], weight: float, dx: float, dy: float) -> None:
    vote[0] += weight
    vote[1] += dx
    vote[2] += dy


def _most_voted(votes: Mapping[tuple[int, int], list[float]], registering: Registering) -> list[tuple[float, ...]]:
    """The weightiest squares, each once, with the mean of what fell into them. They overlap by half, so that no line
    between two parts what belongs together."""
    squares: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for (column, row), vote in votes.items():
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            _count(squares[column - i, row - j], *vote)
    best: list[tuple[float, ...]] = []
    for weight, dx, dy in sorted(squares.values(), key=lambda square: -square[0]):
        if len(best) == registering.votes:
            break
        middle = dx / weight, dy / weight
        if all(math.dist(middle, other) > registering.bin for _, *other in best):
            best.append((weight, *middle))
    return best


def _refine(
    start: Registration, expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> tuple[Registration, float]:
    """Match, fit, again; the score counts the matches by how well they fit."""
    registration = start
    for _ in range(registering.refined):
        pairs = _matches(registration, expected, sightings, registering)
        if len(pairs) < 2:
            break
        registration = _fit(registration.bend, pairs, registering)
    return registration, _score(registration, _matches(registration, expected, sightings, registering), registering)


def _matches(
    registration: Registration, expected: Sequence[Expected], sightings: Sequence[Sighting], registering: Registering
) -> list[Pair]:
    bins: dict[tuple[int, int], list[Sighting]] = defaultdict(list)
    for seen in sightings:
        bins[math.floor(seen.x), math.floor(seen.y)].append(seen)
    pairs = []
    for each in expected:
        placed = each.placed
        x, y = registration.to_table(placed.x, placed.y, each.height)
        reach = registering.near + registering.slant * max(0.0, each.height)
        near = [
            seen
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            for seen in bins.get((math.floor(x) + i, math.floor(y) + j), ())
            if seen.kind is placed.piece.kind and math.hypot(seen.x - x, seen.y - y) < reach
        ]
        if near:
            pairs.append(
                (each, max(near, key=lambda seen: fits(placed, seen, registering) - math.hypot(seen.x - x, seen.y - y)))
            )
    return pairs


def _gap(registration: Registration, each: Expected, seen: Sighting) -> float:
    x, y = registration.to_table(each.placed.x, each.placed.y, each.height)
    return math.hypot(seen.x - x, seen.y - y)


def _score(registration: Registration, pairs: Iterable[Pair], registering: Registering) -> float:
    return sum(
        each.weight
        * fits(each.placed, seen, registering)
        * (1 - _gap(registration, each, seen))
        * (registering.crosswise if _is_crosswise(registration, each.placed, seen) else 1.0)
        for each, seen in pairs
    )


def _is_crosswise(registration: Registration, placed: Placed, seen: Sighting) -> bool:
    """Whether a card lies lengthwise where it should lie across, or the other way round: its sides tell."""
    if placed.piece.kind is not Kind.CARD or seen.edges is None:
        return False
    off = seen.edges - registration.turn - placed.angle
    return abs((off + 90) % 180 - 90) > 45


def _fit(bend: Perspective | None, pairs: Sequence[Pair], registering: Registering) -> Registration:
    """Least squares, without those that moved: pairs far from the median do not count."""
    weights = [_weight(each, seen, registering) for each, seen in pairs]
    total = sum(weights)
    own = [_bent_place(bend, each) for each, _ in pairs]
    px = sum(w * x for w, (x, _) in zip(weights, own, strict=True)) / total
    py = sum(w * y for w, (_, y) in zip(weights, own, strict=True)) / total
    sx = sum(w * s.x for w, (_, s) in zip(weights, pairs, strict=True)) / total
    sy = sum(w * s.y for w, (_, s) in zip(weights, pairs, strict=True)) / total
    dot = cross = 0.0
    for weight, (x, y), (_, seen) in zip(weights, own, pairs, strict=True):
        ax, ay, bx, by = x - px, y - py, seen.x - sx, seen.y - sy
        dot += weight * (ax * bx + ay * by)
        cross += weight * (ax * by - ay * bx)
    turn = math.atan2(cross, dot)
    c, s = math.cos(turn), math.sin(turn)
    return Registration(math.degrees(turn), sx - c * px + s * py, sy - s * px - c * py, bend)


def _bent_place(bend: Perspective | None, each: Expected) -> tuple[float, float]:
    place = each.placed.x, each.placed.y
    return place if bend is None else bend.appears(*place, each.height)


def _weight(each: Expected, seen: Sighting, registering: Registering) -> float:
    """Tiles say most about where the board lies; pawns lean and are pushed about."""
    kind = each.placed.piece.kind
    steady = registering.tiles_say if kind in _SHEETS else 1.0 if kind is Kind.COIN else registering.standing_say
    return each.weight * steady * fits(each.placed, seen, registering) * seen.certainty
