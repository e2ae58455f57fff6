"""Volume of pieces on the board: their heights and their silhouettes in the picture."""

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
"""Standing kinds, whose position is that of their foot; that of flat kinds is of their upper side."""
_ROUND: Final = np.linspace(0, 2 * np.pi, 14, endpoint=False)
_DISC: Final = np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])
_SQUARE: Final = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])


def thickness(placed: Placed) -> float:
    """Height of a placed piece in spaces."""
    piece = placed.piece
    if piece.kind is Kind.PYRAMID:
        return pyramid_height(piece.size) if placed.pose is not Pose.FLAT else pyramid_base(piece.size)
    return USUAL_THICKNESS[piece.kind]


def heights(layout: Layout) -> list[tuple[Placed, float]]:
    """The pieces of the board with the heights of their undersides."""
    out: list[tuple[Placed, float]] = []
    for placed in layout.pieces:
        if placed.zone is Zone.BOARD:
            out.append((placed, _underside_height(placed, out)))
    return out


def _underside_height(placed: Placed, below: Sequence[tuple[Placed, float]]) -> float:
    half = half_extent(placed.piece)
    top = 0.0
    for other, height in below:
        reach = (half + half_extent(other.piece)) * 0.8 if placed.piece.kind is Kind.TILE else half_extent(other.piece)
        if abs(other.x - placed.x) < reach and abs(other.y - placed.y) < reach:
            top = max(top, height + thickness(other))
    return top


def height_at(stack: Sequence[tuple[Placed, float]], x: float, y: float) -> float:
    """Height of the topmost flat piece at this place."""
    flat = (Kind.TILE, Kind.CARD, Kind.COIN)
    tops = (
        height + thickness(placed)
        for placed, height in stack
        if placed.piece.kind in flat and max(abs(placed.x - x), abs(placed.y - y)) < half_extent(placed.piece)
    )
    return max(tops, default=0.0)


def upper_side(placed: Placed, height: float) -> Floats:
    """Outline of the visible part from above: upper side of flat pieces, foot of standing ones."""
    z = height + (0.0 if placed.piece.kind in STANDING else thickness(placed))
    return _at(_outline(placed), z)


def silhouette(placed: Placed, height: float, view: ProjectiveCamera) -> Floats:
    """Convex outline in the picture of everything the piece hides."""
    foot = _outline(placed)
    top = foot
    if placed.piece.kind is Kind.PAWN:
        top = _disc(placed, 0.2)
    elif placed.piece.kind is Kind.PYRAMID:
        top = _disc(placed, 0.05 if placed.pose is not Pose.FLAT else half_extent(placed.piece))
    points = np.concatenate([_at(foot, height), _at(top, height + thickness(placed))])
    projected = view.project(points).astype(np.float32)
    return np.asarray(cv2.convexHull(projected)[:, 0], np.float64)


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
    return np.asarray(np.array([placed.x, placed.y]) + (_SQUARE * half) @ np.array([[c, s], [-s, c]]))
