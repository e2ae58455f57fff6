"""The four suits as polygons in a box from -1 to 1, y downwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Suit

Polygon = NDArray[np.float64]


def _circle(x: float, y: float, radius: float, points: int = 24, start: float = 0.0, sweep: float = 360.0) -> Polygon:
    angles = np.radians(start + np.linspace(0, sweep, points))
    return np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], axis=1)


def _ray(turn: float) -> Polygon:
    angles = np.radians([turn - 11, turn, turn + 11])
    radii = np.array([0.58, 1.0, 0.58])
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)


def _crescent() -> Polygon:
    outer = _circle(-0.1, 0.0, 0.95, 40, 52, 256)
    inner = _circle(0.22, 0.0, 0.74, 40, 292, -224)
    return np.concatenate([outer, inner])


def _fleur() -> list[Polygon]:
    middle = np.array([[0, -1.0], [0.27, -0.5], [0.13, 0.15], [0.2, 0.9], [-0.2, 0.9], [-0.13, 0.15], [-0.27, -0.5]])
    leaf = np.array([[0.17, 0.2], [0.32, -0.2], [0.6, -0.45], [0.88, -0.25], [0.88, 0.1], [0.62, 0.3], [0.66, 0.02]])
    leaf = np.concatenate([leaf, [[0.5, 0.05], [0.36, 0.35]]])
    band = np.array([[-0.42, 0.3], [0.42, 0.3], [0.42, 0.45], [-0.42, 0.45]])
    return [middle, leaf, leaf * [-1, 1], band]


_CROWN = np.array([[-0.85, 0.7], [-1, -0.5], [-0.45, 0.05], [0, -0.85], [0.45, 0.05], [1, -0.5], [0.85, 0.7]])

SHAPES: dict[Suit, list[Polygon]] = {
    Suit.SUNS: [_circle(0, 0, 0.5), *(_ray(turn) for turn in range(0, 360, 45))],
    Suit.MOONS: [_crescent()],
    Suit.CROWNS: [_CROWN],
    Suit.ARMS: _fleur(),
}
