"""Tiles laid as a board: of all readings of a pattern of lines, the one that fits together.

Where four backs meet, the middle looks like a back too; the tiles around tell: two hardly ever share much of the table,
and those of a board share whole sides. Every candidate hears the others, weighed by how certain they are, and whether
its lines look like theirs, until they agree: how the lines printed on a back and the seams between tiles differ is each
edition's own, so of each candidate the two lines through its middle are compared with its four sides, and if they fall
into two groups by that, the members of the likelier one are believed more, and those of the other less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.detect import shape
from vision.detect.edges import lines_across
from vision.detect.shape import Floats
from vision.odds import logits, sigmoids
from vision.piece import DetectedPiece
from vision.rectify import Picture

CROWDED: Final = 5.0
"""What a surely there tile says against another that it covers whole, in logits."""
FREE: Final = 0.25
"""So much overlap is an inexact outline, or a tile that lies half over another."""
JOINED: Final = 1.6
"""What it says for one that shares a side with it."""
NEAR: Final = 0.13
"""Corners this close, in shares of a side, are the same corner."""
ROUNDS: Final = 12
TALKS: Final = 4
"""So often the lines are looked at anew, with what has been agreed on by then."""

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


def agreed(grey: Picture, pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces, the tiles among them as certain as they are after hearing each other."""
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == "tile"]
    out = list(pieces)
    if len(tiles) < 2:
        return out
    for index, value in zip(tiles, settled(grey, [pieces[index] for index in tiles]).tolist(), strict=True):
        out[index] = replace(pieces[index], certainty=value)
    return out


def settled(grey: Picture, tiles: Sequence[DetectedPiece]) -> Floats:
    """How certain each tile is in the end."""
    alone = logits(np.array([tile.certainty for tile in tiles]))
    voice = influence([tile.outline for tile in tiles])
    backs = [index for index, tile in enumerate(tiles) if tile.face == "back"]
    compared = middles_over_sides(grey, [tiles[index].outline for index in backs]) if backs else None
    lines, now = np.zeros(len(tiles)), alone
    for _ in range(TALKS):
        for _ in range(ROUNDS):
            now = (now + alone + lines + voice @ sigmoids(now)) / 2
        if compared is None:
            break
        lines[backs] = verdicts(compared, sigmoids(now)[backs])
    return sigmoids(now)


def influence(outlines: Sequence[Floats]) -> Floats:
    """What each tile, were it surely there, would say of each other."""
    count = len(outlines)
    sizes = np.sqrt([shape.area(outline) for outline in outlines])
    centers = np.array([outline.mean(axis=0) for outline in outlines])
    out = np.zeros((count, count))
    smaller = np.minimum(sizes[:, None], sizes)
    near = np.linalg.norm(centers[:, None] - centers, axis=2) < 1.6 * smaller
    for one, other in zip(*np.nonzero(np.tril(near, -1)), strict=True):
        out[one, other] = out[other, one] = between(outlines[one], outlines[other], float(smaller[one, other]))
    return out


def between(one: Floats, other: Floats, size: float) -> float:
    gaps = np.linalg.norm(one[:, None] - other[None], axis=2)
    shared = int((gaps.min(axis=1) < NEAR * size).sum())
    overlap = shape.shared(one, other) / size**2
    if shared == 2 and overlap < 2 * FREE:
        return JOINED
    return -CROWDED * max(0.0, overlap - FREE)


def middles_over_sides(grey: Picture, quads: Sequence[Floats]) -> Floats:
    """Of each quad, how much darker than what is beside them its middle lines are than its sides (in shares)."""
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
    lines = lines_across(grey, start, along, across, ALONG, ACROSS)
    profile = np.median(lines.reshape(*start.shape[:2], len(ALONG), len(ACROSS)), axis=2)
    beside = (profile[..., :SHOULDER].mean(axis=-1) + profile[..., -SHOULDER:].mean(axis=-1)) / 2
    bright = profile.mean(axis=(1, 2))[:, None] + 1.0
    return np.asarray((beside - profile[..., SHOULDER:-SHOULDER].min(axis=-1)) / bright)


def verdicts(comparisons: Floats, chances: Floats) -> Floats:
    """What the comparisons say for each candidate (in logits) that is a tile with such a chance: as two groups."""
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
