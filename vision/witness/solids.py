"""The room that pieces take on the board: how high they lie and what they hide of the picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from rules.pieces import Kind, Pose
from rules.pieces.sizes import USUAL_THICKNESS, half_extent, half_sides, pyramid_base, pyramid_height
from rules.table.layout import Layout, Placed, Zone
from vision.detect.shape import Floats
from vision.witness.perspective import ProjectiveCamera

STANDING: Final = (Kind.PAWN, Kind.PYRAMID, Kind.DIE)
"""What stands shows where its foot is; what lies flat, where its upper side is."""
_ROUND: Final = np.linspace(0, 2 * np.pi, 14, endpoint=False)
_DISC: Final = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])
_SQUARE: Final = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


def thickness(placed: Placed) -> float:
    piece = placed.piece
    if piece.kind is Kind.PYRAMID:
        return pyramid_height(piece.size) if placed.pose is not Pose.FLAT else pyramid_base(piece.size)
    return USUAL_THICKNESS[piece.kind]


def heights(layout: Layout) -> list[tuple[Placed, float]]:
    """The board's pieces, each with the height of its underside."""
    out: list[tuple[Placed, float]] = []
    for placed in layout.pieces:
        if placed.zone is Zone.BOARD:
            out.append((placed, _rests_at(placed, out)))
    return out


def _rests_at(placed: Placed, below: Sequence[tuple[Placed, float]]) -> float:
    half = half_extent(placed.piece)
    high = 0.0
    for other, height in below:
        reach = (half + half_extent(other.piece)) * 0.8 if placed.piece.kind is Kind.TILE else half_extent(other.piece)
        if abs(other.x - placed.x) < reach and abs(other.y - placed.y) < reach:
            high = max(high, height + thickness(other))
    return high


def height_at(stack: Sequence[tuple[Placed, float]], x: float, y: float) -> float:
    """How high the topmost flat piece lies there."""
    flat = (Kind.TILE, Kind.CARD, Kind.COIN)
    tops = (
        height + thickness(placed)
        for placed, height in stack
        if placed.piece.kind in flat and max(abs(placed.x - x), abs(placed.y - y)) < half_extent(placed.piece)
    )
    return max(tops, default=0.0)


def upper_side(placed: Placed, height: float) -> Floats:
    """The outline of what is seen of it from above: of what lies its upper side, of what stands its foot."""
    raised = height + (0.0 if placed.piece.kind in STANDING else thickness(placed))
    return _at(_outline(placed), raised)


def silhouette(placed: Placed, height: float, view: ProjectiveCamera) -> Floats:
    """The outline in the picture of all that it hides."""
    foot = _outline(placed)
    top = foot
    if placed.piece.kind is Kind.PAWN:
        top = _disc(placed, 0.2)
    elif placed.piece.kind is Kind.PYRAMID:
        top = _disc(placed, 0.05 if placed.pose is not Pose.FLAT else half_extent(placed.piece))
    points = np.concatenate([_at(foot, height), _at(top, height + thickness(placed))])
    seen = view.project(points).astype(np.float32)
    return np.asarray(cv2.convexHull(seen)[:, 0], np.float64)


def _at(outline: Floats, height: float) -> Floats:
    return np.column_stack([outline, np.full(len(outline), height)])


def _disc(placed: Placed, radius: float) -> Floats:
    return np.array([placed.x, placed.y]) + radius * _DISC


def _outline(placed: Placed) -> Floats:
    kind = placed.piece.kind
    if kind in (Kind.COIN, Kind.PAWN):
        return _disc(placed, half_extent(placed.piece))
    half = np.array(half_sides(placed.piece))
    if kind is Kind.PYRAMID and placed.pose is Pose.FLAT:
        half = half * 1.3
    turn = math.radians(placed.angle)
    c, s = math.cos(turn), math.sin(turn)
    out: Floats = np.array([placed.x, placed.y]) + (_SQUARE * half) @ np.array([[c, s], [-s, c]])
    return out
