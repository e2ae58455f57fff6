"""Where in its photograph something happened: a box round what lies otherwise, with some of the board about it."""

from __future__ import annotations

import cv2
import numpy as np

from rules.engine.contract import AnyGame
from rules.referee.memory import Memory
from rules.referee.register import Registration, register
from rules.referee.verdict import Wrong
from rules.table.observed import ObservedTable

_ROOM = 1.6  # spaces of the board round about
_NEEDED = 4


def box_of(
    wrong: tuple[Wrong, ...], game: AnyGame, state: object, memory: Memory, observed: ObservedTable
) -> list[int] | None:
    """Left, top, width and height in pixels of the picture; None where that cannot be told."""
    found = register(game.layout(state), observed, memory.registration) if wrong else None
    lens = lens_of(observed) if found is not None else None
    if found is None or lens is None:
        return None
    corners = cv2.perspectiveTransform(np.array([_corners(wrong, found)], dtype=np.float64), lens)[0]
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    if not np.isfinite(corners).all() or right - left < 1 or bottom - top < 1:
        return None
    return [int(left), int(top), int(right - left), int(bottom - top)]


def _corners(wrong: tuple[Wrong, ...], found: Registration) -> list[tuple[float, float]]:
    """The corners of a box on the board round everything that lies otherwise, on the table."""
    spots = [(p.x, p.y) for one in wrong for p in (one.expected, one.observed) if p is not None]
    west, east = min(x for x, _ in spots) - _ROOM, max(x for x, _ in spots) + _ROOM
    south, north = min(y for _, y in spots) - _ROOM, max(y for _, y in spots) + _ROOM
    return [found.to_table(x, y) for x in (west, east) for y in (south, north)]


def lens_of(observed: ObservedTable) -> cv2.typing.MatLike | None:
    """From the table to the picture, from the pieces that were seen in both."""
    seen = [(s.x, s.y, *s.center_px) for s in observed.sightings if s.center_px is not None]
    if len(seen) < _NEEDED:
        return None
    points = np.array(seen, dtype=np.float64)
    lens, _ = cv2.findHomography(points[:, :2], points[:, 2:], cv2.RANSAC, 8.0)
    return lens if lens is not None and np.isfinite(lens).all() else None
