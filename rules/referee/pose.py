"""Where a board lies on the table: the pose that the fit finds and everybody else uses."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from rules.referee.height_map import HeightMap
from rules.referee.perspective import Floats, Perspective


@dataclass(frozen=True, slots=True)
class Registration:
    """Board to table: as a camera bends it, then turned counter-clockwise by `turn` degrees, then shifted."""

    turn: float = 0.0
    dx: float = 0.0
    dy: float = 0.0
    bend: Perspective | None = None

    @staticmethod
    def of(turn: complex, shift: complex, bend: Perspective | None = None) -> Registration:
        """From the complex numbers that turn and shift the table's plane."""
        return Registration(math.degrees(cmath.phase(turn)), shift.real, shift.imag, bend)

    def to_table(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        if self.bend is not None:
            x, y = self.bend.appears(x, y, z)
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return c * x - s * y + self.dx, s * x + c * y + self.dy

    def places(self, points: Floats) -> Floats:
        """Where the points (rows of x, y and height) appear on the table."""
        flat = points[:, :2] if self.bend is None else np.column_stack(self.bend.appears(*points.T))
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        out: Floats = flat @ np.array([[c, s], [-s, c]]) + (self.dx, self.dy)
        return out

    def to_board(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        x, y = self.straightened(x, y)
        return (x, y) if self.bend is None else self.bend.lies(x, y, z)

    def straightened(self, x: float, y: float) -> tuple[float, float]:
        """Turned and shifted back, still as the camera bends it."""
        c, s = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        x, y = x - self.dx, y - self.dy
        return c * x + s * y, -s * x + c * y

    def on(self, relief: HeightMap, x: float, y: float) -> tuple[float, float]:
        """Where on the board a sighting lies: on the first surface that a line of sight meets."""
        if self.bend is None:
            return self.to_board(x, y)
        flat = self.straightened(x, y)
        for height in relief.heights:
            place = self.bend.lies(*flat, height)
            if relief.at(*place) >= height - 1e-3:
                return place
        return self.bend.lies(*flat, 0.0)
