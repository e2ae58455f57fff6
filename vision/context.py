"""Evidence of a piece's surroundings: whether its size fits the table, the tile it stands on, its similarity to the
bare table, and pieces of its kind nearby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from rules.pieces import SUITS
from vision import odds, scale
from vision.bare import table_similarity
from vision.detect import shape
from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.rectify import Layers

EDGE_TOLERANCE: Final = 0.05
"""Distance beside a tile, in its sides, at which a piece may still stand on it."""
MIN_SUPPORT_CERTAINTY: Final = 0.3
"""Smallest certainty of a tile that supports a piece."""
SUFFICIENT_NEIGHBOURS: Final = 2.0
"""Expected number of similar neighbours that gives the full evidence."""
NEIGHBOUR_RANGE: Final = (0.7, 4.0)
"""Range of the distances of neighbours, in the piece's size; nearer detections are the piece itself, found twice."""
MIN_COLOUR_SIMILARITY: Final = 0.9
"""Smallest similarity of the suit distributions of similar pieces."""
CARDS_OF_CARD_GAME: Final = 4.0
"""Expected number of cards from which a card game is assumed."""
DEFAULT_WEIGHTS: Final = {"size": 0.6}
"""Weights where the registry has none."""


class Context(NamedTuple):
    """Evidence from the rest of the picture about one piece."""

    size: float
    """Log likelihood ratio of its size."""
    ground: float
    """Of standing pieces: certainty of the tile beneath. Pieces of other games seldom stand on one."""
    bare: float
    """Of a tile: similarity to the bare table rather than to other tiles; at least 0."""


class Neighbours(NamedTuple):
    """Evidence from other pieces, by their own certainties, about one piece."""

    like: float
    """Expected number of similar pieces nearby, 1 at SUFFICIENT_NEIGHBOURS."""
    cards: float
    """Degree to which a card game is played here, from 0 to 1."""


def context_of(pieces: Sequence[DetectedPiece], layers: Layers) -> list[Context]:
    sizes = scale.evidence(scale.find(pieces), pieces)
    return list(map(Context, sizes, support_certainties(pieces), table_similarity(layers, pieces)))


def support_certainties(pieces: Sequence[DetectedPiece]) -> list[float]:
    """Certainty of the tile beneath each standing piece; 0 for the others."""
    out = np.zeros(len(pieces))
    tiles = [piece for piece in pieces if piece.kind == "tile" and piece.certainty > MIN_SUPPORT_CERTAINTY]
    standing = [index for index, piece in enumerate(pieces) if piece.kind in STAND]
    if tiles and standing:
        feet, quads = np.array([pieces[i].center for i in standing]), np.array([tile.outline for tile in tiles])
        is_on_tile = shape.inside(feet, quads, EDGE_TOLERANCE)
        out[standing] = np.where(is_on_tile, [tile.certainty for tile in tiles], 0.0).max(axis=1)
    return [float(each) for each in out]


def weight_of(kind: str, hint: str, weights: Mapping[str, float]) -> float:
    """Weight of a hint for a kind; similarity to the table never supports a tile."""
    weight = weights.get(f"certainty {kind} {hint}", DEFAULT_WEIGHTS.get(hint, 0.0))
    return min(weight, 0.0) if hint == "bare" else weight


def with_hints(piece: DetectedPiece, hints: Context | Neighbours, weights: Mapping[str, float]) -> DetectedPiece:
    """The piece with its certainty updated by these hints."""
    evidence = (weight_of(piece.kind, hint, weights) * value for hint, value in hints._asdict().items())
    return replace(piece, certainty=odds.sigmoid(sum(evidence, odds.logit(piece.certainty))))


def reweighted(pieces: Sequence[DetectedPiece], weights: Mapping[str, float], layers: Layers) -> list[DetectedPiece]:
    """The pieces with certainties updated by their surroundings."""
    in_context = [
        with_hints(piece, hints, weights) for piece, hints in zip(pieces, context_of(pieces, layers), strict=True)
    ]
    return [
        with_hints(piece, hints, weights) for piece, hints in zip(in_context, neighbours_of(in_context), strict=True)
    ]


def neighbours_of(pieces: Sequence[DetectedPiece]) -> list[Neighbours]:
    cards = min(1.0, sum(piece.certainty for piece in pieces if piece.kind == "card") / CARDS_OF_CARD_GAME)
    like = np.zeros(len(pieces))
    for kind in {piece.kind for piece in pieces}:
        index = [i for i, piece in enumerate(pieces) if piece.kind == kind]
        like[index] = similar_nearby([pieces[i] for i in index])
    return [Neighbours(float(each), cards) for each in like]


def similar_nearby(pieces: Sequence[DetectedPiece]) -> Floats:
    """For pieces of one kind, the number of similar neighbours as a share of SUFFICIENT_NEIGHBOURS, at most 1."""
    centers = np.array([piece.center for piece in pieces])
    sizes = np.sqrt([shape.area(piece.outline) for piece in pieces])
    distances = np.linalg.norm(centers[:, None] - centers, axis=2) / sizes[:, None]
    colours = np.sqrt([[piece.suits.get(suit, 0.0) for suit in SUITS] for piece in pieces])
    similar_colour = (colours @ colours.T > MIN_COLOUR_SIMILARITY) | (colours.sum(axis=1) == 0)[:, None]
    is_neighbour = (distances > NEIGHBOUR_RANGE[0]) & (distances < NEIGHBOUR_RANGE[1]) & similar_colour
    others = np.where(is_neighbour, [piece.certainty for piece in pieces], 0.0).sum(axis=1)
    return np.asarray(np.minimum(others / SUFFICIENT_NEIGHBOURS, 1.0))
