"""What lies around a thing speaks for it or against it: whether its size fits the table, what it stands on, whether it
looks like the bare table, and whether others of its kind lie there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from rules.pieces import SUITS
from vision import odds, scale
from vision.bare import like_the_table
from vision.detect import shape
from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.rectify import Layers

EDGE: Final = 0.05
"""What stands this far (in tile sides) beside a tile may still stand on it."""
UNLIKELY: Final = 0.3
"""A tile less certain than this carries nothing."""
ENOUGH: Final = 2.0
"""So many others like it, near it, say all that others can say."""
NEAR: Final = (0.7, 4.0)
"""Others lie so near (in its own size); what is nearer is not another thing but itself, seen twice."""
ALIKE: Final = 0.9
"""How far two things must agree in what colour they are taken for, to be alike."""
CARDS: Final = 4.0
"""So many cards make a table one on which games of cards are played."""
UNTOLD: Final = {"size": 0.6}
"""What counts where the registry says nothing."""


class Context(NamedTuple):
    """What the rest of the picture says of one thing."""

    size: float
    """How much likelier its size makes it (log)."""
    ground: float
    """Of what stands: how certain the tile is that it stands on. What belongs to another game seldom stands on one."""
    bare: float
    """Of a tile: how much it looks like the table and not like the other tiles; never less than nothing."""


class Neighbours(NamedTuple):
    """What other things, as certain as they are by themselves, say of one thing."""

    like: float
    """How many things like it, near it, there surely are; 1 is enough."""
    cards: float
    """Whether games of cards are played here."""


def context_of(pieces: Sequence[DetectedPiece], layers: Layers) -> list[Context]:
    sizes = scale.evidence(scale.find(pieces), pieces)
    return list(map(Context, sizes, support_of(pieces), like_the_table(layers, pieces)))


def support_of(pieces: Sequence[DetectedPiece]) -> list[float]:
    out = np.zeros(len(pieces))
    tiles = [piece for piece in pieces if piece.kind == "tile" and piece.certainty > UNLIKELY]
    standing = [index for index, piece in enumerate(pieces) if piece.kind in STAND]
    if tiles and standing:
        feet, quads = np.array([pieces[i].center for i in standing]), np.array([tile.outline for tile in tiles])
        carried = shape.inside(feet, quads, EDGE)
        out[standing] = np.where(carried, [tile.certainty for tile in tiles], 0.0).max(axis=1)
    return [float(each) for each in out]


def weight_of(kind: str, hint: str, weights: Mapping[str, float]) -> float:
    """How much size, ground, bareness, likes or cards count with a kind; looking bare never speaks for a tile."""
    weight = weights.get(f"certainty {kind} {hint}", UNTOLD.get(hint, 0.0))
    return min(weight, 0.0) if hint == "bare" else weight


def heard(piece: DetectedPiece, hints: Context | Neighbours, weights: Mapping[str, float]) -> DetectedPiece:
    said = (weight_of(piece.kind, hint, weights) * value for hint, value in hints._asdict().items())
    return replace(piece, certainty=odds.sigmoid(sum(said, odds.logit(piece.certainty))))


def reweighted(pieces: Sequence[DetectedPiece], weights: Mapping[str, float], layers: Layers) -> list[DetectedPiece]:
    """The pieces, each as certain as it is once its surroundings have been heard."""
    alone = [heard(piece, hints, weights) for piece, hints in zip(pieces, context_of(pieces, layers), strict=True)]
    return [heard(piece, hints, weights) for piece, hints in zip(alone, neighbours_of(alone), strict=True)]


def neighbours_of(pieces: Sequence[DetectedPiece]) -> list[Neighbours]:
    cards = min(1.0, sum(piece.certainty for piece in pieces if piece.kind == "card") / CARDS)
    like = np.zeros(len(pieces))
    for kind in {piece.kind for piece in pieces}:
        index = [i for i, piece in enumerate(pieces) if piece.kind == kind]
        like[index] = similar_nearby([pieces[i] for i in index])
    return [Neighbours(float(each), cards) for each in like]


def similar_nearby(pieces: Sequence[DetectedPiece]) -> Floats:
    """For each of these, all of one kind, how many of the others are like it and near it."""
    centers = np.array([piece.center for piece in pieces])
    sizes = np.sqrt([shape.area(piece.outline) for piece in pieces])
    gaps = np.linalg.norm(centers[:, None] - centers, axis=2) / sizes[:, None]
    colours = np.sqrt([[piece.suits.get(suit, 0.0) for suit in SUITS] for piece in pieces])
    alike = (colours @ colours.T > ALIKE) | (colours.sum(axis=1) == 0)[:, None]
    near = (gaps > NEAR[0]) & (gaps < NEAR[1]) & alike
    others = np.where(near, [piece.certainty for piece in pieces], 0.0).sum(axis=1)
    return np.asarray(np.minimum(others / ENOUGH, 1.0))
