"""Whose things lie where: parts of the picture that the host has marked out as somebody's hand, heap or supply.

Areas are marked in the picture, in shares of its width and height, and lie on the table: whenever the table's plane is
fitted again, after a bump, they go where the table went. Where anything is marked, everything outside is the board.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration import profile_store
from calibration.plane import TablePlane
from calibration.profile_store import ProfileError
from rules.table.layout import Zone
from rules.table.observed import ObservedTable, Sighting

log = logging.getLogger("companion.hands")

KIND = "piecepack-companion hands"

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the picture; the supply belongs to nobody."""

    zone: Zone
    seat: int | None
    corners: tuple[Point, ...]

    def holds(self, point: Point) -> bool:
        outline = np.array(self.corners, dtype=np.float32)
        return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0

    def carried(self, old: TablePlane, new: TablePlane) -> Area:
        """The same part of the table as another plane sees it."""
        pixels = np.array(self.corners) * old.lens.size
        there = new.to_picture(old.to_table(pixels)) / new.lens.size
        return replace(self, corners=tuple((float(x), float(y)) for x, y in there))

    def to_json(self) -> dict[str, Any]:
        return {"zone": self.zone.value, "seat": self.seat, "corners": [list(corner) for corner in self.corners]}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Area:
        corners = tuple((float(x), float(y)) for x, y in data["corners"])
        return Area(Zone(data["zone"]), data["seat"], corners)


class Hands:
    """The areas of this camera, kept in a file; one that cannot be read marks nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.areas = self._read()

    def keep(self, areas: Sequence[Area]) -> None:
        """ProfileError where they cannot be written; then the old ones stay."""
        profile_store.write(self._path, KIND, {"areas": [area.to_json() for area in areas]})
        self.areas = tuple(areas)

    def carry(self, old: TablePlane, new: TablePlane) -> None:
        """The camera or the table was bumped, and the plane is fitted again."""
        self.areas = tuple(area.carried(old, new) for area in self.areas)
        try:
            self.keep(self.areas)
        except ProfileError as error:
            log.warning("the hands are where the table went, but not kept: %s", error)

    def marked(self, table: ObservedTable, size: tuple[int, int]) -> ObservedTable:
        """The table with every sighting's owner, as far as the table was marked out."""
        return marked(table, self.areas, size)

    def _read(self) -> tuple[Area, ...]:
        if not self._path.exists():
            return ()
        try:
            return tuple(Area.from_json(area) for area in profile_store.read(self._path, KIND)["areas"])
        except (ProfileError, KeyError, TypeError, ValueError) as error:
            log.warning("the marked hands are not used: %s", error)
            return ()


def marked(table: ObservedTable, areas: Sequence[Area], size: tuple[int, int]) -> ObservedTable:
    """The table with every sighting's owner, in a picture of this size; without areas as it was."""
    if not areas:
        return table
    surely, faintly = ([_owned(one, areas, size) for one in seen] for seen in (table.sightings, table.faint))
    return replace(table, sightings=tuple(surely), faint=tuple(faintly))


def _owned(sighting: Sighting, areas: Sequence[Area], size: tuple[int, int]) -> Sighting:
    if sighting.center_px is None:
        return sighting
    point = sighting.center_px[0] / size[0], sighting.center_px[1] / size[1]
    area = next((area for area in areas if area.holds(point)), None)
    return replace(sighting, zone=area.zone, seat=area.seat) if area else replace(sighting, zone=Zone.BOARD)
