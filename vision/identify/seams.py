"""Where one tile ends and the next begins: of a board of backs, any square of lines looks like a tile.

How the lines printed on a back and the seams between tiles differ is each edition's own: so a board is asked about
itself. Of each candidate, the two lines through its middle are compared with its four sides. If they fall into two
groups by that, the members of the likelier one are believed more, and those of the other less.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.detect.shape import Floats
from vision.rectify import Picture

ALONG: Final = np.linspace(0.12, 0.88, 11)
ACROSS: Final = np.linspace(-0.1, 0.1, 19)
"""Where a line is looked at (not near the corners), and how far to its sides, in shares of the tile's side."""
SHOULDER: Final = 3
"""So many of the outermost places show what lies beside it."""
FEWEST: Final = 1.5
"""So many tiles (and so many others) must be expected before two groups are looked for."""
WIDTH, SEEN_BEFORE = 0.3, 4.0
"""How much a comparison is believed to scatter within a group before any is seen, and how many sights it counts as."""
MOST: Final = 3.0
"""In logits, the most that this may say of a tile."""


def middles_over_sides(grey: Picture, quads: Sequence[Floats]) -> Floats:
    """Of each quad, how much darker than their surroundings its middle lines are than its sides are (in shares of its
    brightness)."""
    corners = np.array(quads)
    halves = (corners + np.roll(corners, -1, axis=1)) / 2
    start = np.concatenate([corners, halves[:, :2]], axis=1)
    end = np.concatenate([np.roll(corners, -1, axis=1), halves[:, 2:]], axis=1)
    dark = darkness(grey, start, end)
    return np.asarray(dark[:, 4:].mean(axis=1) - dark[:, :4].mean(axis=1))


def darkness(grey: Picture, start: Floats, end: Floats) -> Floats:
    """Of each line (quads x lines), how much darker than what lies on both sides of it."""
    along = end - start
    across = np.stack([-along[..., 1], along[..., 0]], axis=-1)
    feet = start[:, :, None] + along[:, :, None] * ALONG[:, None]
    places = feet[:, :, :, None] + across[:, :, None, None] * ACROSS[:, None]
    flat = places.reshape(-1, len(ACROSS), 2).astype(np.float32)
    lines = cv2.remap(grey, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = np.median(lines.reshape(*start.shape[:2], len(ALONG), len(ACROSS)), axis=2)
    beside = (profile[..., :SHOULDER].mean(axis=-1) + profile[..., -SHOULDER:].mean(axis=-1)) / 2
    bright = profile.mean(axis=(1, 2))[:, None] + 1.0
    return np.asarray((beside - profile[..., SHOULDER:-SHOULDER].min(axis=-1)) / bright)


def verdicts(comparisons: Floats, chances: Floats) -> Floats:
    """What the comparisons say for each candidate (in logits), when each is a tile with such a chance: as two groups
    that scatter alike."""
    tiles, others = chances.sum(), (1 - chances).sum()
    if min(tiles, others) < FEWEST:
        return np.zeros(len(comparisons))
    middle = comparisons.mean()
    of_tiles = (chances @ comparisons + middle) / (tiles + 1)
    of_others = ((1 - chances) @ comparisons + middle) / (others + 1)
    from_tiles, from_others = (comparisons - of_tiles) ** 2, (comparisons - of_others) ** 2
    scatter = chances @ from_tiles + (1 - chances) @ from_others + SEEN_BEFORE * WIDTH**2
    said = (from_others - from_tiles) / (2 * scatter / (len(chances) + SEEN_BEFORE))
    return np.asarray(np.clip(said, -MOST, MOST))
