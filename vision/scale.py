"""All pieces lie on one table: how large a thing is in the picture tells whether it can be what it is taken for.

Areas on a plane shrink with the cube of the distance, so the cube root of (area in the picture / area on the table) is
a linear function of the place. It is fitted to everything found at once, the certain things first; whatever then has
another size than its kind should have there is doubted, and whatever has the right one is believed a little more.
"""

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
"""What a kind takes of the table, in square spaces; of what stands, about what its whole figure does."""
SPREAD: Final = {"tile": 0.045, "coin": 0.06, "die": 0.1, "card": 0.05, "pawn": 0.15, "pyramid": 0.32}
"""How much (in log of length) pieces of a kind differ within one set, outlined as well as the eyes can."""
EDITIONS: Final = {"coin": 0.09, "die": 0.22, "pawn": 0.2}
"""How much a kind differs from edition to edition (log of length): dice have sides of 9 to 20 mm beside tiles of 51."""
ANYTHING: Final = 0.7
"""How much the sizes of other things differ."""
MOST: Final = 1.5
LEAST: Final = -8.0
"""No size denies a thing by more (log): an outline may be wrong, and what is half hidden looks small."""
FLAT: Final = ("tile", "coin", "card")
"""What lies flat tells the scale; what stands would tell it wrongly."""
FEWEST: Final = 3.0
"""Sum of certainties of things that agree; with fewer nothing is said."""
AGREE: Final = 0.12
FITS: Final = 0.2
"""So near (log of length) to the size of a tile, a thing may be one (set: an outline that was drawn for another kind is
so rough; no die comes near, and the reader has the last word)."""
UNSEEN: Final = 0.1
"""What is less certain than this is hardly a thing at all."""


@dataclass(frozen=True, slots=True)
class Scale:
    """`root` gives the cube root of picture area per square inch: root . (x, y, 1)."""

    root: Floats

    def size_gap(self, kind: str, center: Floats, outline: Floats) -> float:
        """Log of how much longer the thing is than its kind should be there."""
        there = float(self.root @ np.array([center[0], center[1], 1.0]))
        if there <= 0:
            return float("inf")
        return float(np.log(shape.area(outline) / (AREA[kind] * there**3)) / 2)


def find(pieces: Sequence[DetectedPiece]) -> Scale | None:
    """The scale that most of the certain flat things agree on; None where too few do."""
    flat = [piece for piece in pieces if piece.kind in FLAT and piece.certainty > UNSEEN]
    if not flat:
        return None
    trust = np.array([piece.certainty**2 for piece in flat])
    roots = np.array([(shape.area(piece.outline) / AREA[piece.kind]) ** (1 / 3) for piece in flat])
    centers = np.array([piece.center for piece in flat])
    middle, reach = centers.mean(axis=0), float(np.abs(centers - centers.mean(axis=0)).max()) + 1.0
    places = np.column_stack([(centers - middle) / reach, np.ones(len(flat))])
    fitted, agreeing = consensus(places, roots, trust)
    if agreeing < FEWEST:
        return None
    slope = fitted[:2] / reach
    return Scale(np.array([*slope, fitted[2] - slope @ middle]))


def consensus(places: Floats, roots: Floats, trust: Floats) -> tuple[Floats, float]:
    """From the constant scale with most followers to the slanted one that fits them."""
    logs = np.log(roots)
    followers = np.exp(-(((logs[:, None] - logs[None]) / AGREE) ** 2)) @ trust
    fitted = np.array([0.0, 0.0, roots[int(np.argmax(followers))]])
    near = trust
    for wide in (3.0, 2.0, 1.5, 1.0, 1.0):
        expected = np.maximum(places @ fitted, 1e-3)
        gap = (logs - np.log(expected)) / (AGREE * wide)
        near = trust / (1 + gap**2) ** 2
        soft = np.diag([0.02, 0.02, 0.0]) * near.sum()
        rows = places * near[:, None]
        fitted = np.linalg.solve(rows.T @ places + soft, rows.T @ roots)
    return fitted, float(near.sum())


def evidence(scale: Scale | None, pieces: Sequence[DetectedPiece]) -> list[float]:
    """How much the size of each speaks for its kind: log of how much likelier it makes the thing. One set lies on a
    table, and its coins are all of one size: what the others tell of it is believed first."""
    if scale is None:
        return [0.0] * len(pieces)
    out = [0.0] * len(pieces)
    for kind in {piece.kind for piece in pieces}:
        index = [i for i, piece in enumerate(pieces) if piece.kind == kind]
        gaps = np.array([scale.size_gap(kind, pieces[i].center, pieces[i].outline) for i in index])
        longer, unsure = of_this_set(kind, gaps, np.array([pieces[i].certainty for i in index]))
        for i, told in zip(index, likelier(gaps, gaps - longer, np.hypot(SPREAD[kind], unsure)), strict=True):
            out[i] = float(told)
    return out


def maybe_tiles(scale: Scale | None, pieces: Sequence[DetectedPiece]) -> list[tuple[int, Floats]]:
    """Which of these (by number) were taken for dice and have the size of a tile, and their outlines in its size."""
    if scale is None:
        return []
    dice = [(index, piece) for index, piece in enumerate(pieces) if piece.kind == "die" and piece.certainty > UNSEEN]
    gaps = [scale.size_gap("tile", piece.center, piece.outline) for _, piece in dice]
    return [
        (index, piece.center + (piece.outline - piece.center) * math.exp(-gap))
        for (index, piece), gap in zip(dice, gaps, strict=True)
        if abs(gap) < FITS
    ]


def of_this_set(kind: str, gaps: Floats, certain: Floats) -> tuple[Floats, Floats]:
    """How much longer this set's pieces of a kind are than usual (log), and how uncertain that is: by all others."""
    between = EDITIONS.get(kind, 0.0)
    if not between:
        return np.zeros(len(gaps)), np.zeros(len(gaps))
    near = np.abs(gaps) < 3 * between
    heard = np.where(near, certain, 0.0) / SPREAD[kind] ** 2
    weighed = heard * np.where(near, gaps, 0.0)
    known = heard.sum() - heard + between**-2
    return (weighed.sum() - weighed) / known, known**-0.5


def likelier(gaps: Floats, from_set: Floats, spread: Floats) -> Floats:
    """How much likelier (log) a piece of this set makes the size than any other thing would: `gaps` from what is usual,
    `from_set` from what this set's pieces have."""
    with np.errstate(invalid="ignore"):
        told = (gaps / ANYTHING) ** 2 / 2 + np.log(ANYTHING) - (from_set / spread) ** 2 / 2 - np.log(spread)
    return np.where(np.isfinite(gaps), np.clip(told, LEAST, MOST), LEAST)
