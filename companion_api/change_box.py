"""The part of a picture in which pieces lie wrong."""

from __future__ import annotations

import cv2
import numpy as np

from rules.engine.contract import AnyGame
from rules.referee.memory import Memory
from rules.referee.register import Registration, register
from rules.referee.verdict import Wrong
from rules.table.observed import ObservedTable

_MARGIN = 1.6  # in spaces
_MIN_POINTS = 4


def box_of(
    wrong: tuple[Wrong, ...], game: AnyGame, state: object, memory: Memory, observed: ObservedTable
) -> list[int] | None:
    """Left, top, width and height in pixels; None where it cannot be located."""
    registration = register(game.layout(state), observed, memory.registration) if wrong else None
    homography = table_to_picture(observed) if registration is not None else None
    if registration is None or homography is None:
        return None
    corners = cv2.perspectiveTransform(np.array([_corners(wrong, registration)], dtype=np.float64), homography)[0]
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    if not np.isfinite(corners).all() or right - left < 1 or bottom - top < 1:
        return None
    return [int(left), int(top), int(right - left), int(bottom - top)]


def _corners(wrong: tuple[Wrong, ...], registration: Registration) -> list[tuple[float, float]]:
    """Table coordinates of the corners of a box around all wrong pieces."""
    spots = [(p.x, p.y) for one in wrong for p in (one.expected, one.observed) if p is not None]
    west, east = min(x for x, _ in spots) - _MARGIN, max(x for x, _ in spots) + _MARGIN
    south, north = min(y for _, y in spots) - _MARGIN, max(y for _, y in spots) + _MARGIN
    return [registration.to_table(x, y) for x in (west, east) for y in (south, north)]


def table_to_picture(observed: ObservedTable) -> cv2.typing.MatLike | None:
    """Homography from the table to the picture, from the sightings' positions in both; None with too few."""
    seen = [(s.x, s.y, *s.center_px) for s in observed.sightings if s.center_px is not None]
    if len(seen) < _MIN_POINTS:
        return None
    points = np.array(seen, dtype=np.float64)
    homography, _ = cv2.findHomography(points[:, :2], points[:, 2:], cv2.RANSAC, 8.0)
    return homography if homography is not None and np.isfinite(homography).all() else None
