"""Pieces get their place on the table, and how many pieces lie beneath them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision import plane as planes
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import Seen
from vision.plane import Plane

CERTAIN_TILE = 0.5


def table_plane(pieces: Sequence[Seen], size: tuple[int, int]) -> Plane | None:
    quads = [piece.outline for piece in pieces if piece.kind == "tile" and piece.certainty >= CERTAIN_TILE]
    return planes.fit(quads, size)


def placed(pieces: Sequence[Seen], plane: Plane | None) -> list[Seen]:
    """With position and level where a plane is known."""
    if plane is None:
        return list(pieces)
    return [place(piece, pieces, plane) for piece in pieces]


def place(piece: Seen, pieces: Sequence[Seen], plane: Plane) -> Seen:
    x, y = plane.to_table(piece.center[None])[0]
    return replace(
        piece,
        position=(round(float(x), 4), round(float(y), 4)),
        level=sum(carries(other, piece) for other in pieces),
        table_angle=table_angle(piece, plane),
    )


def carries(below: Seen, above: Seen) -> bool:
    """A small piece lies on the tile (or card) that its centre is over. Tiles on tiles cannot be told from one picture
    by their centres alone."""
    if below.kind not in ("tile", "card") or above.kind in ("tile", "card"):
        return False
    at = (float(above.center[0]), float(above.center[1]))
    return cv2.pointPolygonTest(below.outline.astype(np.float32), at, False) >= 0


def table_angle(piece: Seen, plane: Plane) -> float | None:
    """The direction of the piece's up on the table: 0 along y, counter-clockwise positive."""
    if piece.angle is None:
        return None
    turn = np.deg2rad(piece.angle)
    reach = 0.25 * float(np.sqrt(shape.area(piece.outline)))
    ends: Floats = piece.center + np.array([[0.0, 0.0], [-np.sin(turn), -np.cos(turn)]]) * reach
    start, end = plane.to_table(ends)
    step = end - start
    return float(np.degrees(np.arctan2(-step[0], step[1])))
