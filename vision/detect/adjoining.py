"""Where boards go on. A tile between others is often outlined half a tile aside, or not at all: what separates it from
them is a seam as fine as the lines printed on it. But where one tile lies another may lie beside it, side to side or
shifted by half, and there it is worth asking, though the finder was not sure enough to say so by itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.detect import shape
from vision.detect.decode import Detection, sound
from vision.detect.finder import Glance
from vision.detect.shape import Floats
from vision.piece import Seen
from vision.rectify import apply

LIKELY: Final = 0.5
"""So certain must a tile be for others to be sought beside it."""
WARM: Final = 0.05
"""What is less of a tile to the finder (who reports from `finder.LEAST` on) is bare table. Of 87 tiles that were found
in this way on pictures kept for tuning three were colder, and half of all places are."""
MOST: Final = 30
"""No more places than these, the warmest, are asked."""
STEPS: Final = np.array(
    [(x, y) for x in (-1, -0.5, 0, 0.5, 1) for y in (-1, -0.5, 0, 0.5, 1) if max(abs(x), abs(y)) == 1 != abs(x * y)]
)
"""In sides of the tile: beside it, and beside it shifted by half. What only touches a corner lies beside another."""
TAKEN: Final = 0.2
"""Nearer than this (in sides) to a tile that was read already it is the same."""
ALIKE: Final = 1.6
"""A neighbour so many times larger or smaller lies beyond the horizon."""
STAYS: Final = 0.25
"""What the closer look outlines further than this (in sides) from where it was sought is something else."""

UNIT: Final = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
"""A tile as it lies, one side long."""


def places(pieces: Sequence[Seen], glances: Sequence[Glance], frame: tuple[int, int]) -> list[Detection]:
    """Where tiles may lie beside those that were found, the likeliest first. `frame`: its width and height."""
    tiles = [piece for piece in pieces if piece.kind == "tile"]
    quads = [quad for tile in tiles if tile.certainty >= LIKELY for quad in beside(tile.outline)]
    if not quads:
        return []
    middles = np.array([shape.crossing(quad) for quad in quads])
    sides = np.sqrt([shape.area(quad) for quad in quads])
    warm = np.max([glance.warmth(middles) for glance in glances], axis=0)
    gaps = np.linalg.norm(middles[:, None] - np.array([tile.center for tile in tiles]), axis=2).min(axis=1)
    free = (warm >= WARM) & (gaps > TAKEN * sides) & (middles > 0).all(axis=1) & (middles < frame).all(axis=1)
    chosen: list[int] = []
    for index in np.argsort(-warm, kind="stable"):
        if len(chosen) == MOST:
            break
        away = np.linalg.norm(middles[chosen] - middles[index], axis=1)
        if free[index] and (away > TAKEN * sides[index]).all():
            chosen.append(int(index))
    return [Detection("tile", float(warm[index]), middles[index], quads[index]) for index in chosen]


def beside(quad: Floats) -> list[Floats]:
    """The quads of the neighbours, seen as the tile is seen."""
    seen = cv2.getPerspectiveTransform(UNIT.astype(np.float32), quad.astype(np.float32))
    out = apply(np.asarray(seen, np.float64), (UNIT + STEPS[:, None]).reshape(-1, 2)).reshape(-1, 4, 2)
    side = shape.area(quad)
    return [each for each in out if ALIKE**-2 < shape.area(each) / side < ALIKE**2]


def confirmed(asked: Sequence[Detection], outlined: Sequence[Detection]) -> list[Detection]:
    """Those that the closer look calls tiles and leaves where they were sought."""
    return [
        now
        for before, now in zip(asked, outlined, strict=True)
        if now.kind == "tile" and sound(now) and moved(before, now) < STAYS
    ]


def moved(before: Detection, now: Detection) -> float:
    """In sides of what it was."""
    gap = now.outline.mean(axis=0) - before.outline.mean(axis=0)
    return float(np.linalg.norm(gap)) / float(np.sqrt(shape.area(before.outline)))
