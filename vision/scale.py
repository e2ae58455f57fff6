"""Consistency of sizes: all pieces lie on one table, so the size of a detection shows whether it can be what it is
taken for.

The cube root of (area in the picture / area on the table) is a linear function of the position. It is fitted to all
detections at once, weighted by certainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from rules.pieces import sizes
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import DetectedPiece

AREA: Final = {
    "tile": sizes.TILE**2,
    "coin": math.pi / 4 * sizes.COIN**2,
    "die": 0.3,
    "card": sizes.CARD[0] * sizes.CARD[1],
    "pawn": 0.33,
    "pyramid": 0.62,
}
"""Area of each kind on the table in square inches; of standing kinds about that of the silhouette."""
MIN_AREA_PX: Final = 0.01
"""Floor of an area in square pixels: outlines may be degenerate."""
FLAT_KINDS: Final = ("tile", "coin", "card")
"""Kinds from which the scale is fitted; standing ones would bias it."""
MIN_CONSENSUS: Final = 3.0
"""Sum of agreeing weights below which there is no scale."""
CONSENSUS_WIDTH: Final = 0.12
TILE_SIZE_TOLERANCE: Final = 0.2
"""Difference (log of length) from the size of a tile up to which a die may be one (set: an outline of another kind is
this rough; no die comes near, and the reader decides)."""
DIE_SIZE_TOLERANCE: Final = 0.55
"""Difference (log of length) from the usual size of a die up to which a square taken for a tile may be one (set: two
and a half times the spread between editions)."""
MIN_CERTAINTY: Final = 0.1
"""Certainty below which a detection is ignored."""


@dataclass(frozen=True, slots=True)
class Scale:
    """`root` gives the cube root of picture area per square inch: root . (x, y, 1)."""

    root: Floats

    def size_gap(self, kind: str, center: Floats, outline: Floats) -> float:
        """Log of the length of a detection relative to its kind at this place."""
        local_root = float(self.root @ np.array([center[0], center[1], 1.0]))
        if local_root <= 0:
            return float("inf")
        return float(np.log(max(shape.area(outline), MIN_AREA_PX) / (AREA[kind] * local_root**3)) / 2)


def tile_side(pieces: Sequence[DetectedPiece]) -> float | None:
    """Side of a tile in the middle of these pieces, in pixels; None if there is no scale."""
    scale = find(pieces)
    if scale is None:
        return None
    middle = np.average([piece.center for piece in pieces], axis=0, weights=[piece.certainty for piece in pieces])
    local_root = float(scale.root @ np.array([*middle, 1.0]))
    return math.sqrt(AREA["tile"] * local_root**3) if local_root > 0 else None


def find(pieces: Sequence[DetectedPiece]) -> Scale | None:
    """The scale on which most of the certain flat detections agree; None if too few do."""
    flat = [piece for piece in pieces if piece.kind in FLAT_KINDS and piece.certainty > MIN_CERTAINTY]
    if not flat:
        return None
    weights = np.array([piece.certainty**2 for piece in flat])
    roots = np.array([(shape.area(piece.outline) / AREA[piece.kind]) ** (1 / 3) for piece in flat])
    centers = np.array([piece.center for piece in flat])
    middle, extent = centers.mean(axis=0), float(np.abs(centers - centers.mean(axis=0)).max()) + 1.0
    places = np.column_stack([(centers - middle) / extent, np.ones(len(flat))])
    fitted, support = consensus(places, roots, weights)
    if support < MIN_CONSENSUS:
        return None
    slope = fitted[:2] / extent
    return Scale(np.array([*slope, fitted[2] - slope @ middle]))


def consensus(places: Floats, roots: Floats, weights: Floats) -> tuple[Floats, float]:
    """(fitted scale, support), from the constant scale with the largest support to the slanted one that fits its
    supporters."""
    logs = np.log(roots)
    support = np.exp(-(((logs[:, None] - logs[None]) / CONSENSUS_WIDTH) ** 2)) @ weights
    fitted = np.array([0.0, 0.0, roots[int(np.argmax(support))]])
    inlier_weights = weights
    for wide in (3.0, 2.0, 1.5, 1.0, 1.0):
        expected = np.maximum(places @ fitted, 1e-3)
        residual = (logs - np.log(expected)) / (CONSENSUS_WIDTH * wide)
        inlier_weights = weights / (1 + residual**2) ** 2
        regularisation = np.diag([0.02, 0.02, 0.0]) * inlier_weights.sum()
        rows = places * inlier_weights[:, None]
        fitted = np.linalg.solve(rows.T @ places + regularisation, rows.T @ roots)
    return fitted, float(inlier_weights.sum())


def maybe_tiles(scale: Scale | None, pieces: Sequence[DetectedPiece]) -> list[tuple[int, Floats]]:
    """(index, outline in the size of a tile) of the dice that have the size of a tile."""
    if scale is None:
        return []
    dice = [
        (index, piece) for index, piece in enumerate(pieces) if piece.kind == "die" and piece.certainty > MIN_CERTAINTY
    ]
    gaps = [scale.size_gap("tile", piece.center, piece.outline) for _, piece in dice]
    return [
        (index, piece.center + (piece.outline - piece.center) * math.exp(-gap))
        for (index, piece), gap in zip(dice, gaps, strict=True)
        if abs(gap) < TILE_SIZE_TOLERANCE
    ]


def maybe_dice(scale: Scale | None, pieces: Sequence[DetectedPiece]) -> list[int]:
    """Indices of the tiles that have the size of a die."""
    if scale is None:
        return []
    return [
        index
        for index, piece in enumerate(pieces)
        if piece.kind == "tile" and abs(scale.size_gap("die", piece.center, piece.outline)) < DIE_SIZE_TOLERANCE
    ]
