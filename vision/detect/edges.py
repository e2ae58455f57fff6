"""Straight sides found to a fraction of a pixel: the nets say roughly where they run, the picture says exactly.

Across every side, brightness is read along short lines; the straight line on which it changes most, not too far from
where the net saw the side, is the side. Of the two edges of a gap between things one's own is the inner one, where
brightness changes as it does along the other three sides.
"""

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

ALONG: Final = np.linspace(0.1, 0.9, 16)
"""Where across-lines stand: not near the corners, which are round or hidden by the neighbours'."""
STEPS: Final = 31
STEEP: Final = 0.5
"""The steepest slant that is tried turns a side by this share of the reach at each end."""
SLANTED: Final = np.linspace(-STEEP, STEEP, 9)
CLIP: Final = 4.0
"""No single place may count more than this much of the mean: print can be blacker than an edge."""
PASSES: Final = ((0.08, 0.05), (0.04, 0.03))
"""(reach, belief) in shares of the side: how far is looked, and how far the nets are believed to be wrong."""
AGAINST: Final = 0.8
"""What an edge that changes against all its thing's others loses at most."""
DARKER: Final = 1.3
"""So much likelier are things lighter than what is beside them: their own side, a gap, a shadow."""
INNER: Final = 0.02
"""What lies this much further out, in shares of the side, is (by a factor of e) less likely one's own edge."""
SAME: Final = (0.72, 1.35)
"""An outline whose area changes more than this has caught something else's edges."""


def sharpened(grey: Picture, quads: Sequence[Floats]) -> list[Floats]:
    """The quads (clockwise) with every side moved onto the edge beside it."""
    if not quads:
        return []
    before = np.array(quads)
    now = before
    for reach, belief in PASSES:
        now = crossings(*moved_sides(grey, now, reach, belief), now)
    return [new if alike(old, new) else old for old, new in zip(before, now, strict=True)]


def alike(old: Floats, new: Floats) -> bool:
    was, is_now = shape.area(old), shape.area(new)
    return bool(np.isfinite(new).all()) and SAME[0] * was < is_now < SAME[1] * was


def moved_sides(grey: NDArray[np.uint8], quads: Floats, reach: float, belief: float) -> tuple[Floats, Floats]:
    """(a point of each side, its direction), both (things x 4 x 2)."""
    start, along = quads, np.roll(quads, -1, axis=1) - quads
    middle = start + along / 2
    across = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    across = across / np.maximum(np.linalg.norm(across, axis=-1, keepdims=True), 1e-9)
    size = np.sqrt(np.abs([shape.area(quad) for quad in quads]))[:, None, None]
    offsets = np.linspace(-reach, reach, STEPS)
    change = changes(grey, start, along, across * size, offsets)
    shift, slant = best_lines(change.reshape(-1, len(ALONG), STEPS), reach, belief)
    push = across * size
    shifts, slants = (value.reshape(*quads.shape[:2], 1) for value in (shift, slant))
    return middle + push * shifts, along / 2 + push * slants


def changes(grey: NDArray[np.uint8], start: Floats, along: Floats, across: Floats, offsets: Floats) -> Lines:
    """How brightness changes outward at each place of each across-line (things x 4 x lines x steps)."""
    smooth = cv2.GaussianBlur(lines_across(grey, start, along, across, ALONG, offsets), (5, 1), 0).astype(np.float32)
    return np.gradient(smooth, axis=1).astype(np.float32)


def lines_across(
    grey: Picture, start: Floats, along: Floats, across: Floats, shares: Floats, offsets: Floats
) -> Picture:
    """Brightness at these offsets across each line at these shares of it (things x lines x shares, one row each)."""
    feet = start[:, :, None] + along[:, :, None] * shares[:, None]
    flat = (feet[:, :, :, None] + across[:, :, None, None] * offsets[:, None]).reshape(-1, len(offsets), 2)
    x, y = np.moveaxis(flat.astype(np.float32), -1, 0)
    return np.asarray(cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def best_lines(change: Lines, reach: float, belief: float) -> tuple[Floats, Floats]:
    """Per side: how far its middle moves and how much its end moves more, in shares of the thing's size."""
    level = change / (np.abs(change).mean(axis=(1, 2), keepdims=True) + 2.0)
    offsets = np.linspace(-reach, reach, STEPS)
    lighter, darker = np.split(scores(np.maximum(np.concatenate([level, -level]), 0), reach, belief), 2)
    for_lighter, for_darker = votes(lighter, offsets), DARKER * votes(darker, offsets)
    dark = (for_darker / (for_lighter + for_darker + 1e-9))[:, None, None]
    table = np.maximum(lighter * (1 - AGAINST * dark), darker * (1 - AGAINST * (1 - dark)))
    best = np.argmax(table.reshape(len(table), -1), axis=1)
    return offsets[best % STEPS], reach * SLANTED[best // STEPS]


def votes(table: Lines, offsets: Floats) -> Floats:
    """How much the four sides of each thing speak for this way of changing, sharply told apart; said at each side."""
    flat = table.reshape(len(table), -1)
    most = np.maximum(flat.max(axis=1), 0).reshape(-1, 4)
    out = offsets[flat.argmax(axis=1) % STEPS].reshape(-1, 4)
    whole = most.sum(axis=1)
    outward = (most * out).sum(axis=1) / np.maximum(whole, 1e-9)
    return np.asarray(np.repeat(whole**4 * np.exp(-outward / INNER), 4))


def scores(level: Lines, reach: float, belief: float) -> Lines:
    """How much changes along each straight line (sides x slants x offsets), less what speaks against its place."""
    pad = int(STEEP * (STEPS // 2)) + 1
    wide = np.pad(np.minimum(level, CLIP), ((0, 0), (0, 0), (pad, pad)))
    offsets = np.linspace(-reach, reach, STEPS)
    lean = (ALONG - 0.5) * 2 / (offsets[1] - offsets[0])
    out = np.empty((len(level), len(SLANTED), STEPS), np.float32)
    for index, slant in enumerate(SLANTED * reach):
        total = np.zeros((len(level), STEPS), np.float32)
        for row, begin in enumerate((pad + np.round(slant * lean).astype(int)).tolist()):
            total += wide[:, row, begin : begin + STEPS]
        out[:, index] = total / len(ALONG) - (offsets / belief) ** 2 / 4 - (slant / belief) ** 2 / 4
    return out


def crossings(points: Floats, directions: Floats, quads: Floats) -> Floats:
    """Corners where each side meets the one before it; where sides are nearly parallel, the old corners."""
    before, ahead = np.roll(points, 1, axis=1), np.roll(directions, 1, axis=1)
    turn = ahead[..., 0] * directions[..., 1] - ahead[..., 1] * directions[..., 0]
    gap = points - before
    sound = np.abs(turn) > 1e-6
    share = (gap[..., 0] * directions[..., 1] - gap[..., 1] * directions[..., 0]) / np.where(sound, turn, 1.0)
    return np.where(sound[..., None], before + ahead * share[..., None], quads)
