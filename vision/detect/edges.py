"""Sub-pixel refinement of straight sides: the nets give their approximate place, the picture the exact one.

Across every side, brightness is sampled along short profiles; the straight line with the largest change near the
predicted side is the side. Of the two edges of a gap between pieces, a piece's own is the inner one, with the same
polarity as its other three sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.shape import Floats
from vision.frame import Picture

Lines = NDArray[np.float32]

PROFILE_SHARES: Final = np.linspace(0.1, 0.9, 16)
"""Positions of the profiles along a side, away from corners that are round or hidden."""
PROFILE_STEPS: Final = 31
MAX_SLANT: Final = 0.5
"""Largest slant: shift of each end of a side in shares of the reach."""
SLANTS: Final = np.linspace(-MAX_SLANT, MAX_SLANT, 9)
MAX_CHANGE: Final = 4.0
"""Limit of a single change relative to the mean: print can be darker than an edge."""
PASSES: Final = ((0.08, 0.05), (0.04, 0.03))
"""(reach of the search, standard deviation of the nets' error) in shares of the side."""
POLARITY_PENALTY: Final = 0.8
"""Largest relative loss of an edge with the opposite polarity to the piece's others."""
DARK_OUTSIDE_PRIOR: Final = 1.3
"""Prior odds of a darker surrounding: a piece's own side, a gap, a shadow."""
OUTWARD_SCALE: Final = 0.02
"""Distance outwards, in shares of the side, over which an edge becomes less likely by a factor of e."""
AREA_RATIO_LIMITS: Final = (0.72, 1.35)
"""Limits of the change of area; beyond them the edges of something else were found."""


def refined_quads(grey: Picture, quads: Sequence[Floats]) -> list[Floats]:
    """The quads (clockwise) with every side moved onto its edge in the picture."""
    if not quads:
        return []
    initial = np.array(quads)
    refined = initial
    for reach, belief in PASSES:
        refined = side_intersections(*moved_sides(grey, refined, reach, belief), refined)
    return [new if has_similar_area(old, new) else old for old, new in zip(initial, refined, strict=True)]


def has_similar_area(old: Floats, new: Floats) -> bool:
    was, is_now = shape.area(old), shape.area(new)
    return bool(np.isfinite(new).all()) and AREA_RATIO_LIMITS[0] * was < is_now < AREA_RATIO_LIMITS[1] * was


def moved_sides(grey: NDArray[np.uint8], quads: Floats, reach: float, belief: float) -> tuple[Floats, Floats]:
    """(a point of each side, its direction), both pieces x 4 x 2."""
    start, along = quads, np.roll(quads, -1, axis=1) - quads
    middle = start + along / 2
    across = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    size = np.sqrt(np.abs([shape.area(quad) for quad in quads]))[:, None, None]
    offsets = np.linspace(-reach, reach, PROFILE_STEPS)
    change = brightness_gradient(grey, start, along, across * size, offsets)
    offset, slant = best_lines(change.reshape(-1, len(PROFILE_SHARES), PROFILE_STEPS), reach, belief)
    normal = across * size
    scaled_offsets, slants = (value.reshape(*quads.shape[:2], 1) for value in (offset, slant))
    return middle + normal * scaled_offsets, along / 2 + normal * slants


def brightness_gradient(
    grey: NDArray[np.uint8], start: Floats, along: Floats, across: Floats, offsets: Floats
) -> Lines:
    """Outward gradient of brightness on each profile (pieces x 4 x profiles x steps)."""
    smooth = cv2.GaussianBlur(profiles_across(grey, start, along, across, PROFILE_SHARES, offsets), (5, 1), 0).astype(
        np.float32
    )
    return np.gradient(smooth, axis=1).astype(np.float32)


def profiles_across(
    grey: Picture, start: Floats, along: Floats, across: Floats, shares: Floats, offsets: Floats
) -> Picture:
    """Brightness at these offsets across each line at these shares of its length (pieces x lines x shares, one row
    each)."""
    bases = start[:, :, None] + along[:, :, None] * shares[:, None]
    flat = (bases[:, :, :, None] + across[:, :, None, None] * offsets[:, None]).reshape(-1, len(offsets), 2)
    x, y = np.moveaxis(flat.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def best_lines(change: Lines, reach: float, belief: float) -> tuple[Floats, Floats]:
    """(offset of the middle, slant) of the best line of each side, in shares of the piece's size."""
    normalised = change / (np.abs(change).mean(axis=(1, 2), keepdims=True) + 2.0)
    offsets = np.linspace(-reach, reach, PROFILE_STEPS)
    lighter, darker = np.split(line_scores(np.maximum(np.concatenate([normalised, -normalised]), 0), reach, belief), 2)
    for_lighter, for_darker = polarity_votes(lighter, offsets), DARK_OUTSIDE_PRIOR * polarity_votes(darker, offsets)
    dark_weight = (for_darker / (for_lighter + for_darker + 1e-9))[:, None, None]
    combined = np.maximum(
        lighter * (1 - POLARITY_PENALTY * dark_weight), darker * (1 - POLARITY_PENALTY * (1 - dark_weight))
    )
    best = np.argmax(combined.reshape(len(combined), -1), axis=1)
    return offsets[best % PROFILE_STEPS], reach * SLANTS[best // PROFILE_STEPS]


def polarity_votes(scores_of_lines: Lines, offsets: Floats) -> Floats:
    """Support of the four sides of each piece for one polarity, repeated for each side."""
    flat = scores_of_lines.reshape(len(scores_of_lines), -1)
    best = np.maximum(flat.max(axis=1), 0).reshape(-1, 4)
    offset = offsets[flat.argmax(axis=1) % PROFILE_STEPS].reshape(-1, 4)
    total = best.sum(axis=1)
    outward = (best * offset).sum(axis=1) / np.maximum(total, 1e-9)
    return np.asarray(np.repeat(total**4 * np.exp(-outward / OUTWARD_SCALE), 4))


def line_scores(gradient: Lines, reach: float, belief: float) -> Lines:
    """Mean change along each straight line (sides x slants x offsets), less the penalty of its distance from the
    prediction."""
    pad = int(MAX_SLANT * (PROFILE_STEPS // 2)) + 1
    padded = np.pad(np.minimum(gradient, MAX_CHANGE), ((0, 0), (0, 0), (pad, pad)))
    offsets = np.linspace(-reach, reach, PROFILE_STEPS)
    slope = (PROFILE_SHARES - 0.5) * 2 / (offsets[1] - offsets[0])
    out = np.empty((len(gradient), len(SLANTS), PROFILE_STEPS), np.float32)
    for index, slant in enumerate(SLANTS * reach):
        total = np.zeros((len(gradient), PROFILE_STEPS), np.float32)
        for row, begin in enumerate((pad + np.round(slant * slope).astype(int)).tolist()):
            total += padded[:, row, begin : begin + PROFILE_STEPS]
        out[:, index] = total / len(PROFILE_SHARES) - (offsets / belief) ** 2 / 4 - (slant / belief) ** 2 / 4
    return out


def side_intersections(points: Floats, directions: Floats, quads: Floats) -> Floats:
    """Corners where neighbouring sides intersect; the old corners where these are nearly parallel."""
    previous, previous_direction = np.roll(points, 1, axis=1), np.roll(directions, 1, axis=1)
    cross = previous_direction[..., 0] * directions[..., 1] - previous_direction[..., 1] * directions[..., 0]
    gap = points - previous
    is_defined = np.abs(cross) > 1e-6
    share = (gap[..., 0] * directions[..., 1] - gap[..., 1] * directions[..., 0]) / np.where(is_defined, cross, 1.0)
    return np.where(is_defined[..., None], previous + previous_direction * share[..., None], quads)
