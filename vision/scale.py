"""Consistency of sizes: all pieces lie on one table, so the size of a detection shows whether it can be what it is
taken for.

The cube root of (area in the picture / area on the table) is a linear function of the position. It is fitted to all
detections at once, weighted by certainty; sizes that do not fit the kind lower a detection's certainty, and fitting
ones raise it slightly."""

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
SPREAD: Final = {"tile": 0.045, "coin": 0.06, "die": 0.1, "card": 0.05, "pawn": 0.15, "pyramid": 0.32}
"""Spread of the size (log of length) within one set, with outlines as good as the nets give."""
EDITION_SPREAD: Final = {"coin": 0.09, "die": 0.22, "pawn": 0.2}
"""Spread of the size between editions (log of length): dice have sides of 9 to 20 mm beside tiles of 51."""
OTHER_SPREAD: Final = 0.7
"""Spread of the sizes of other things."""
MAX_NATS: Final = 1.5
MIN_NATS: Final = -8.0
"""Limit of the evidence against a detection: its outline may be wrong, and partly hidden pieces look small."""
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
        return float(np.log(shape.area(outline) / (AREA[kind] * local_root**3)) / 2)


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


def evidence(scale: Scale | None, pieces: Sequence[DetectedPiece]) -> list[float]:
    """Log likelihood ratio of each detection's size for its kind. The pieces of a kind in one set have one size, which
    is estimated from the others first."""
    if scale is None:
        return [0.0] * len(pieces)
    out = [0.0] * len(pieces)
    for kind in {piece.kind for piece in pieces}:
        index = [i for i, piece in enumerate(pieces) if piece.kind == kind]
        gaps = np.array([scale.size_gap(kind, pieces[i].center, pieces[i].outline) for i in index])
        set_offset, offset_spread = set_offsets(kind, gaps, np.array([pieces[i].certainty for i in index]))
        for i, nats in zip(
            index,
            size_log_likelihood_ratio(gaps, gaps - set_offset, np.hypot(SPREAD[kind], offset_spread)),
            strict=True,
        ):
            out[i] = float(nats)
    return out


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


def set_offsets(kind: str, gaps: Floats, certainties: Floats) -> tuple[Floats, Floats]:
    """(offset of this set's size of a kind (log), its standard deviation), for each piece from all others."""
    edition_spread = EDITION_SPREAD.get(kind, 0.0)
    if not edition_spread:
        return np.zeros(len(gaps)), np.zeros(len(gaps))
    is_plausible = np.abs(gaps) < 3 * edition_spread
    weights = np.where(is_plausible, certainties, 0.0) / SPREAD[kind] ** 2
    weighed = weights * np.where(is_plausible, gaps, 0.0)
    precision = weights.sum() - weights + edition_spread**-2
    return (weighed.sum() - weighed) / precision, precision**-0.5


def size_log_likelihood_ratio(gaps: Floats, from_set: Floats, spread: Floats) -> Floats:
    """Log likelihood ratio of sizes for pieces of this set against other things. `gaps`: from the usual size,
    `from_set`: from that of this set."""
    with np.errstate(invalid="ignore"):
        nats = (gaps / OTHER_SPREAD) ** 2 / 2 + np.log(OTHER_SPREAD) - (from_set / spread) ** 2 / 2 - np.log(spread)
    return np.where(np.isfinite(gaps), np.clip(nats, MIN_NATS, MAX_NATS), MIN_NATS)
