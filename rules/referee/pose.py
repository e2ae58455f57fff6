"""The pose of a board on the table."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from rules.referee.height_map import HeightMap
from rules.referee.perspective import Floats, Perspective


@dataclass(frozen=True, slots=True)
class Registration:
    """Board to table: a camera's perspective, then a turn counter-clockwise by `turn` degrees, then a shift."""

    turn: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    perspective: Perspective | None = None

    @staticmethod
    def of(turn: complex, shift: complex, perspective: Perspective | None = None) -> Registration:
        """From the complex numbers that turn and shift the table's plane."""
        return Registration(math.degrees(cmath.phase(turn)), shift.real, shift.imag, perspective)

    def to_table(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        if self.perspective is not None:
            x, y = self.perspective.project(x, y, z)
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return cos * x - sin * y + self.dx, sin * x + cos * y + self.dy

    def places(self, points: Floats) -> Floats:
        """Table positions of the points (rows of x, y and height)."""
        flat = points[:, :2] if self.perspective is None else np.column_stack(self.perspective.project(*points.T))
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        out: Floats = flat @ np.array([[c, s], [-s, c]]) + (self.dx, self.dy)
        return out

    def to_board(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        x, y = self.unrotated(x, y)
        return (x, y) if self.perspective is None else self.perspective.unproject(x, y, z)

    def unrotated(self, x: float, y: float) -> tuple[float, float]:
        """The shift and turn undone; the perspective stays."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x - self.dx, y - self.dy
        return c * x + s * y, -s * x + c * y

    def surface_place(self, height_map: HeightMap, x: float, y: float) -> tuple[float, float]:
        """The board position of a sighting: the first surface on its line of sight."""
        if self.perspective is None:
            return self.to_board(x, y)
        flat = self.unrotated(x, y)
        for height in height_map.heights:
            place = self.perspective.unproject(*flat, height)
            if height_map.at(*place) >= height - 1e-3:
                return place
        return self.perspective.unproject(*flat, 0.0)
