"""How far a tile slides (DECAY-2.17 to 2.21)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rules.engine import Code
from rules.games.decay.geometry import (
    SIDE,
    STEPS,
    Contacts,
    Fault,
    Position,
    Tiles,
    Touch,
    contact_side,
    contacts,
    on_table,
    placement_fault,
    sections,
    touched_sides,
)


@dataclass(frozen=True, slots=True)
class SlideRule:
    touch: Touch
    shortest: int = 3
    slack: int = 2
    as_placement: bool = False


@dataclass(frozen=True, slots=True)
class Track:
    """A tile on its way: `touching[k]` are the tiles in contact after k u; `wall` stops it after the last of them.
    `parts` are the sections of the board without it: it must hold them together."""

    side: int
    touching: tuple[frozenset[int], ...]
    wall: int | None
    parts: tuple[frozenset[int], ...]


def free_side(near: Contacts, tile: int) -> int | None:
    """The one untouched side of a tile that is touched on exactly three (DECAY-2.17)."""
    free = {0, 1, 2, 3} - touched_sides(near, tile)
    return free.pop() if len(free) == 1 else None


def slid_to(spot: Position, side: int, distance: int) -> Position:
    dx, dy = STEPS[side]
    return spot[0] + distance * dx, spot[1] + distance * dy


@lru_cache(maxsize=4096)
def track_of(tiles: Tiles, tile: int, touch: Touch) -> Track | None:
    """The way of a tile until it is stopped or loses all but one of the tiles it touched."""
    side = free_side(contacts(tiles, touch), tile)
    spot = tiles[tile]
    if side is None or spot is None:
        return None
    near = contacts(tiles, touch)
    parts = tuple(sections(tiles, near, leave_out=tile))
    touching = [frozenset(near[tile])]
    others = [(i, x, y) for i, x, y in on_table(tiles) if i != tile and abs(x - spot[0]) + abs(y - spot[1]) < 8 * SIDE]
    while len(touching[-1] & touching[0]) >= 2:
        x, y = slid_to(spot, side, len(touching))
        now = set()
        for index, other_x, other_y in others:
            dx, dy = other_x - x, other_y - y
            if abs(dx) < SIDE and abs(dy) < SIDE:
                return Track(side, tuple(touching), index, parts)
            if contact_side(dx, dy, touch) is not None:
                now.add(index)
        touching.append(frozenset(now))
    return Track(side, tuple(touching), None, parts)


@lru_cache(maxsize=4096)
def slides(tiles: Tiles, tile: int, rule: SlideRule) -> tuple[int, ...]:
    """All distances that a tile may slide, without regard to who pays or what lies on it."""
    track = track_of(tiles, tile, rule.touch)
    if track is None:
        return ()
    return tuple(k for k in range(rule.shortest, len(track.touching)) if slide_fault(tiles, tile, k, rule) is None)


def slide_fault(tiles: Tiles, tile: int, distance: int, rule: SlideRule) -> Fault | None:
    """Why a tile that is touched on exactly three sides may not slide that far (DECAY-2.19)."""
    track = track_of(tiles, tile, rule.touch)
    assert track is not None
    if distance < rule.shortest:
        return Fault(Code.TOO_LOW, "DECAY-2.19", amount=rule.shortest)
    if distance >= len(track.touching):
        last = len(track.touching) - 1
        return (
            Fault(Code.BLOCKED, "DECAY-2.19", (track.wall,), last)
            if track.wall is not None
            else Fault(Code.NO_CONTACT, "DECAY-2.19", amount=last - 1)
        )
    if len(track.touching[distance] & track.touching[0]) < 2:
        return Fault(Code.NO_CONTACT, "DECAY-2.19", amount=distance - 1)
    return _stop_fault(track, distance, rule) or _hold_fault(tiles, tile, track, distance, rule)


def _stop_fault(track: Track, distance: int, rule: SlideRule) -> Fault | None:
    """It stops at the first new contact; hands are not exact, so a little further is accepted."""
    old = track.touching[0]
    first = next((k for k in range(1, distance + 1) if track.touching[k] - old), None)
    if first is None:
        return None
    fresh = track.touching[first] - old
    later = track.touching[distance] - old - fresh
    if distance > first + rule.slack or later:
        return Fault(Code.LIMIT, "DECAY-2.19", tuple(sorted(fresh)), first)
    return None


def _hold_fault(tiles: Tiles, tile: int, track: Track, distance: int, rule: SlideRule) -> Fault | None:
    for part in track.parts:
        if not part & track.touching[distance]:
            return Fault(Code.SPLITS, "DECAY-2.19", tuple(sorted(part)))
    spot = tiles[tile]
    if rule.as_placement and spot is not None:
        return placement_fault(tiles, tile, *slid_to(spot, track.side, distance), rule.touch)
    return None
