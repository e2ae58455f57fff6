"""Tiles laid as a board: of all readings of a pattern of lines, the one that fits together.

Where four backs meet, the middle looks like a back too; the tiles around tell: two hardly ever share much of the table,
and those of a board share whole sides. Every candidate hears the others, weighed by how certain they are, and whether
its lines look like theirs (`seams`), until they agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify import seams
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
    compared = seams.middles_over_sides(grey, [tiles[index].outline for index in backs]) if backs else None
    lines, now = np.zeros(len(tiles)), alone
    for _ in range(TALKS):
        for _ in range(ROUNDS):
            now = (now + alone + lines + voice @ sigmoids(now)) / 2
        if compared is None:
            break
        lines[backs] = seams.verdicts(compared, sigmoids(now)[backs])
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
