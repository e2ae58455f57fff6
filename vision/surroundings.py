"""What lies around a thing speaks for it or against it: whether its size fits the table, what it stands on, and whether
it looks like the bare table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision import odds, scale
from vision.bare import like_the_table
from vision.detect import shape
from vision.detect.channels import STAND
from vision.piece import Seen
from vision.rectify import Layers

EDGE: Final = 0.05
"""What stands this far (in tile sides) beside a tile may still stand on it."""
UNLIKELY: Final = 0.3
"""A tile less certain than this carries nothing."""


@dataclass(frozen=True, slots=True)
class Around:
    """What the rest of the picture says of one thing."""

    size: float
    """How much likelier its size makes it (log)."""
    ground: float
    """Of what stands: how certain the tile is that it stands on. What belongs to another game seldom stands on one."""
    bare: float
    """Of a tile: how much it looks like the table and not like the other tiles; never less than nothing."""


def around(pieces: Sequence[Seen], layers: Layers) -> list[Around]:
    table = scale.find(pieces)
    grounds, bare = ground_under(pieces), like_the_table(layers, pieces)
    return [Around(scale.evidence(table, piece), *of_it) for piece, *of_it in zip(pieces, grounds, bare, strict=True)]


def ground_under(pieces: Sequence[Seen]) -> list[float]:
    out = np.zeros(len(pieces))
    tiles = [piece for piece in pieces if piece.kind == "tile" and piece.certainty > UNLIKELY]
    standing = [index for index, piece in enumerate(pieces) if piece.kind in STAND]
    if tiles and standing:
        feet, quads = np.array([pieces[i].center for i in standing]), np.array([tile.outline for tile in tiles])
        carried = shape.inside(feet, quads, EDGE)
        out[standing] = np.where(carried, [tile.certainty for tile in tiles], 0.0).max(axis=1)
    return [float(each) for each in out]


def trust(kind: str, weights: Mapping[str, float]) -> tuple[float, float, float]:
    """How much size, ground and bareness count with a kind."""
    size, ground, bare = (weights.get(f"certainty {kind} {hint}") for hint in ("size", "ground", "bare"))
    return 0.6 if size is None else size, ground or 0.0, min(bare or 0.0, 0.0)


def before(certain: float, kind: str, weights: Mapping[str, float]) -> float:
    """How certain a thing must at least be before its surroundings are heard, to be `certain` after."""
    size, ground, _ = trust(kind, weights)
    return 1 / (1 + (1 - certain) / certain * float(np.exp(size * scale.MOST + max(ground, 0.0))))


def reconsidered(pieces: Sequence[Seen], weights: Mapping[str, float], layers: Layers) -> list[Seen]:
    """The pieces, each as certain as it is once its surroundings have been heard."""
    return [heard(piece, hint, weights) for piece, hint in zip(pieces, around(pieces, layers), strict=True)]


def heard(piece: Seen, hint: Around, weights: Mapping[str, float]) -> Seen:
    size, ground, bare = trust(piece.kind, weights)
    total = odds.logit(piece.certainty) + size * hint.size + ground * hint.ground + bare * hint.bare
    return replace(piece, certainty=odds.sigmoid(total))
