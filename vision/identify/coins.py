"""Coins that look alike show the same: what is read of each is joined with what is read of the others, as far as their
embeddings agree. Coins of one face look much alike (cosine of .95; 5 % below .77), those of two hardly ever (5 % above
.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from rules.pieces import RANKS, SUITS, Face
from vision.detect.shape import Floats
from vision.likeness import cosines, others, pair_evidence
from vision.odds import softmax
from vision.piece import DetectedPiece, Signs

SAME_SIMILARITY: Final = 0.6
"""Cosine from which two coins rather show the same than not."""
LOGITS_IF_ALIKE, LOGITS_IF_UNLIKE = 8.0, 4.0
"""Evidence per cosine beyond it that two coins show the same, and short of it that they do not..."""
MAX_PAIR_LOGITS: Final = 6.0
"""... and at most."""
NEUTRAL_COUNT: Final = 0.5
"""Number of neutral coins added to the mean of the evidence of those that show the same. All of these are chosen among
a dozen on 1,573 foreign and 1,000 drawn coins, so the gain on the foreign ones is a little flattered."""
ITERATIONS: Final = 10
"""Number of damped iterations (budget)."""


def with_compared_coins(pieces: Sequence[DetectedPiece]) -> list[DetectedPiece]:
    """The pieces; coins with sides, values and suits that take the other coins into account."""
    out = list(pieces)
    coins = [
        (index, piece.signs, piece.embedding)
        for index, piece in enumerate(pieces)
        if piece.kind == "coin" and piece.signs is not None and piece.embedding is not None
    ]
    if len(coins) < 2:
        return out
    joined = jointly_shown(
        np.array([shown_by(signs) for _, signs, _ in coins]),
        np.array([pieces[index].certainty for index, _, _ in coins]),
        np.array([embedding for _, _, embedding in coins], np.float64),
    )
    for (index, signs, _), chances in zip(coins, joined, strict=True):
        out[index] = showing(pieces[index], signs, chances)
    return out


def shown_by(signs: Signs) -> list[float]:
    """The distribution over the values of a coin's front and the suits of its back, by its own read."""
    front = [signs.sides[Face.FRONT] * signs.ranks[rank] for rank in RANKS]
    back = [signs.sides[Face.BACK] * signs.suits[suit] for suit in SUITS]
    total = max(sum(front) + sum(back), 1e-9)
    return [chance / total for chance in (*front, *back)]


def showing(piece: DetectedPiece, signs: Signs, chances: Floats) -> DetectedPiece:
    """The coin with this distribution over what it shows."""
    front, back = chances[: len(RANKS)], chances[len(RANKS) :]
    ranks = dict(zip(RANKS, (front / front.sum()).tolist(), strict=True))
    suits = dict(zip(SUITS, (back / back.sum()).tolist(), strict=True))
    sides = {Face.FRONT: float(front.sum()), Face.BACK: float(back.sum())}
    face = max(sides, key=sides.__getitem__)
    return replace(
        piece,
        face=face,
        ranks=ranks if face is Face.FRONT else {},
        suits=suits if face is Face.BACK else {},
        signs=replace(signs, sides=sides, ranks=ranks, suits=suits),
    )


def jointly_shown(shown: Floats, coin_probability: Floats, embeddings: Floats) -> Floats:
    """Distribution of each coin over all that a coin may show, from its own and the others'. `coin_probability`: that
    it is a coin."""
    beyond = cosines(embeddings) - SAME_SIMILARITY
    pair_logits = pair_evidence(np.where(beyond > 0, LOGITS_IF_ALIKE, LOGITS_IF_UNLIKE) * beyond, MAX_PAIR_LOGITS)
    own = np.log(np.maximum(shown, 1e-4))
    current = shown
    for _ in range(ITERATIONS):
        weight = coin_probability[:, None] * current
        told = pair_logits @ weight / (NEUTRAL_COUNT + others(weight))
        current = (current + softmax(own + told)) / 2
    return current
