"""Owners of areas of the picture, which the host has marked as a seat's hand or heap, or as the supply.

Areas are polygons in shares of the picture's width and height; when the table plane is fitted again after a bump, they
move with the table. Where anything is marked, everything outside is the board.
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
    """A polygon in the picture; `seat` is None for the shared supply."""

    zone: Zone
    seat: int | None
    corners: tuple[Point, ...]

    def contains(self, point: Point) -> bool:
        outline = np.array(self.corners, dtype=np.float32)
        return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0

    def moved(self, old: TablePlane, new: TablePlane) -> Area:
        """The same part of the table in the picture of another plane."""
        pixels = np.array(self.corners) * old.lens.size
        corners = new.to_picture(old.to_table(pixels)) / new.lens.size
        return replace(self, corners=tuple((float(x), float(y)) for x, y in corners))

    def to_json(self) -> dict[str, Any]:
        return {"zone": self.zone.value, "seat": self.seat, "corners": [list(corner) for corner in self.corners]}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Area:
        corners = tuple((float(x), float(y)) for x, y in data["corners"])
        return Area(Zone(data["zone"]), data["seat"], corners)


class Hands:
    """The areas of this camera, kept in a file; an unreadable file marks nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.areas = self._read()

    def keep(self, areas: Sequence[Area]) -> None:
        """ProfileError where they cannot be written; then the old ones stay."""
        profile_store.write(self._path, KIND, {"areas": [area.to_json() for area in areas]})
        self.areas = tuple(areas)

    def carry(self, old: TablePlane, new: TablePlane) -> None:
        """Moves the areas with the table after its plane was fitted again."""
        self.areas = tuple(area.moved(old, new) for area in self.areas)
        try:
            self.keep(self.areas)
        except ProfileError as error:
            log.warning("the hands are where the table went, but not kept: %s", error)

    def with_owners(self, table: ObservedTable, size: tuple[int, int]) -> ObservedTable:
        return with_owners(table, self.areas, size)

    def _read(self) -> tuple[Area, ...]:
        if not self._path.exists():
            return ()
        try:
            return tuple(Area.from_json(area) for area in profile_store.read(self._path, KIND)["areas"])
        except (ProfileError, KeyError, TypeError, ValueError) as error:
            log.warning("the marked hands are not used: %s", error)
            return ()


def with_owners(table: ObservedTable, areas: Sequence[Area], size: tuple[int, int]) -> ObservedTable:
    """The table with the owner of every sighting, for a picture of this size; unchanged without areas."""
    if not areas:
        return table
    certain, faint_ones = ([_with_owner(one, areas, size) for one in seen] for seen in (table.sightings, table.faint))
    return replace(table, sightings=tuple(certain), faint=tuple(faint_ones))


def _with_owner(sighting: Sighting, areas: Sequence[Area], size: tuple[int, int]) -> Sighting:
    if sighting.center_px is None:
        return sighting
    point = sighting.center_px[0] / size[0], sighting.center_px[1] / size[1]
    area = next((area for area in areas if area.contains(point)), None)
    return replace(sighting, zone=area.zone, seat=area.seat) if area else replace(sighting, zone=Zone.BOARD)
