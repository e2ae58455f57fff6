"""What the pieces of a picture tell of each other: how alike they are, pair by pair, and what most of them are.

Sides of tiles: the backs of a set look alike, each front exists once, and often nearly all tiles lie on one side. What
an edition prints on its backs (a cross, a frame, nothing) may look like a face to the reader, and a null's front like a
back. Two nulls look alike as well, but each says its suit, and a back says none. (Of 1,837 tiles of the stratum `test`
93 get the wrong side by their looks and suits, 79 with the share of backs and the fronts that are free; of 895 of three
foreign editions 13 and 4; mean loss .146 and .131, .033 and .018.)

Pawn or pyramid: on most tables stand either pawns or pyramids. (Of 710 of the stratum `test` 19 are taken for the other
kind by themselves, 14 with the share of pyramids; of 1,387 of three foreign editions 28 and 16; mean loss .122 and
.107, .055 and .041.)

Coins that look alike show the same: what is read of each is joined with what is read of the others, as far as their
embeddings agree. (Cosine of coins of one face .95, 5 % below .77; of two hardly ever above .4, 5 %.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from rules.pieces import RANKS, SUITS, Face
from vision import odds
from vision.detect.channels import STAND
from vision.detect.shape import Floats
from vision.identify.heads import CLASSES
from vision.identify.name import certainty
from vision.identify.read import CropReading
from vision.odds import logits, sigmoids, softmax
from vision.piece import DetectedPiece, Signs

SHARE_WEIGHT, SHARE_COUNT = 0.5, 0.5
"""Weight of the log odds of an answer among the other pieces of the picture, and what is added to either count. Fitted
on the sides of tiles: one each would take the pieces of a picture for independent."""


def cosines(embeddings: ArrayLike) -> Floats:
    rows = np.array(embeddings, np.float64)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return np.asarray(rows @ rows.T)


def pair_evidence(pair_logits: Floats, most: float) -> Floats:
    """Evidence of each pair, at most so much either way; none of a piece for itself."""
    out: Floats = np.clip(pair_logits, -most, most)
    np.fill_diagonal(out, 0)
    return out


def others(values: Floats) -> Floats:
    """Sum over all other pieces, for each."""
    return np.asarray(values.sum(axis=0) - values)


def share_logits(one: Floats, other: Floats) -> Floats:
    """Evidence, for each piece, of the first of two answers from how often the others give either. `one`, `other`:
    probability of either answer, for each piece."""
    return SHARE_WEIGHT * np.log((others(one) + SHARE_COUNT) / (others(other) + SHARE_COUNT))


def agreements(distributions: ArrayLike) -> Floats:
    """Bhattacharyya coefficient of each pair of distributions: 1 if they are the same, 0 if they share nothing."""
    roots = np.sqrt(np.array(distributions, np.float64))
    return np.asarray(roots @ roots.T)


SIDE_CLASSES: Final = [CLASSES.index("tile front"), CLASSES.index("tile back")]
SIMILARITY_OFFSET, LOGITS_PER_SIMILARITY, LOGITS_PER_OTHER_SUIT, MAX_TILE_PAIR_LOGITS = 0.05, 7.0, 3.0, 6.0
"""Evidence that two tiles both show their backs: LOGITS_PER_SIMILARITY times the cosine of their embeddings beyond
SIMILARITY_OFFSET, less LOGITS_PER_OTHER_SUIT as far as their suits differ, at most MAX_TILE_PAIR_LOGITS either
way (fitted)."""
SUIT_WEIGHT, SUIT_OFFSET, MAX_SUIT_LOGITS = 0.2, 0.3, 5.0
"""Evidence of a suit against a back: SUIT_WEIGHT times the log odds of the likeliest suit, less SUIT_OFFSET (fitted);
beyond MAX_SUIT_LOGITS, a probability of .993, certainty says no more (set)."""
NEUTRAL_TILES: Final = 1.5
"""Number of neutral tiles added to the mean of the evidence of the others. Fitted."""
MIN_FREE, MAX_INVENTORY_LOGITS = 0.02, 3.0
"""Smallest probability that no other tile is one of the fronts, and the evidence of what is free, at most (set)."""
ITERATIONS: Final = 12
"""Number of damped iterations (budget)."""


def with_compared_sides(reads: Sequence[CropReading], weights: Mapping[str, float]) -> list[CropReading]:
    """The reads; those of tiles with side probabilities that take the other tiles into account."""
    tiles = [index for index, read in enumerate(reads) if read.found.kind == "tile"]
    out = list(reads)
    if len(tiles) < 2:
        return out
    tile_probability = np.array([certainty(reads[index], weights) for index in tiles])
    side_probabilities = np.array([reads[index].beliefs["class"][SIDE_CLASSES] for index in tiles])
    embeddings = np.array([reads[index].embedding for index in tiles], np.float64)
    suits = np.array([reads[index].beliefs["suit tile"] for index in tiles], np.float64)
    ranks = np.array([reads[index].beliefs["value tile"] for index in tiles], np.float64)
    tile_mass = side_probabilities.sum(axis=1)
    own_back = side_probabilities[:, 1] / np.maximum(tile_mass, 1e-9)
    backs = back_probabilities(own_back, tile_probability, embeddings, suits, ranks)
    for index, mass, back in zip(tiles, tile_mass, backs, strict=True):
        classes = reads[index].beliefs["class"].copy()
        classes[SIDE_CLASSES] = mass * (1 - back), mass * back
        out[index] = replace(reads[index], beliefs={**reads[index].beliefs, "class": classes})
    return out


def back_probabilities(
    back_probability: Floats, tile_probability: Floats, embeddings: Floats, suits: Floats, ranks: Floats
) -> Floats:
    """Probability of each tile to show its back. `back_probability`: from its own read. `tile_probability`: that it is
    a tile. `suits`, `ranks`: distributions over them, should it show its front."""
    pair_logits = similarity_logits(embeddings, suits)
    suit_logits = np.minimum(logits(suits.max(axis=1)), MAX_SUIT_LOGITS)
    fronts = (suits[:, :, None] * ranks[:, None, :]).reshape(len(suits), -1)
    prior = logits(back_probability) - SUIT_WEIGHT * suit_logits + SUIT_OFFSET
    current = prior
    for _ in range(ITERATIONS):
        back = tile_probability * sigmoids(current)
        front = tile_probability - back
        alike = pair_logits @ back / (NEUTRAL_TILES + others(back))
        current = (current + prior + alike + share_logits(back, front) - free_logits(fronts, front)) / 2
    return sigmoids(current)


def similarity_logits(embeddings: Floats, suits: Floats) -> Floats:
    """Evidence of every two tiles that, if one shows its back, so does the other."""
    alike, other_suit = cosines(embeddings) - SIMILARITY_OFFSET, 1 - agreements(suits)
    return pair_evidence(LOGITS_PER_SIMILARITY * alike - LOGITS_PER_OTHER_SUIT * other_suit, MAX_TILE_PAIR_LOGITS)


def free_logits(fronts: Floats, front_probability: Floats) -> Floats:
    """Evidence of each tile for its front: how much likelier what is read of it is one of the fronts that no other tile
    shows than any front. `fronts`: distribution of each tile over the 24. `front_probability`: that it shows one."""
    free = np.clip(1 - others(front_probability[:, None] * fronts), MIN_FREE, 1)
    ratio = (free * fronts).sum(axis=1) / free.mean(axis=1)
    return np.asarray(np.clip(np.log(np.maximum(ratio, 1e-6)), -MAX_INVENTORY_LOGITS, MAX_INVENTORY_LOGITS))


STANDING_ITERATIONS: Final = 10
"""Number of damped iterations (budget)."""


def with_compared_kinds(reads: Sequence[CropReading], weights: Mapping[str, float]) -> list[CropReading]:
    """The reads; those of standing pieces with the outliner's probability of a pyramid corrected by the share of
    pyramids among the others. `weights`: fitted weights of the evidence from the registry."""
    standing = [index for index, read in enumerate(reads) if read.found.kind in STAND]
    out = list(reads)
    if len(standing) < 2:
        return out
    there = np.array([certainty(reads[index], weights) for index in standing])
    by_outliner = odds.logits([reads[index].found.pyramid for index in standing])
    read = np.array([[reads[index].chance(kind) for kind in STAND] for index in standing])
    pawn, pyramid = np.log(np.maximum(read, odds.MIN_PROBABILITY)).T
    own = by_outliner + pyramid - pawn
    current = own
    for _ in range(STANDING_ITERATIONS):
        pyramids = there * odds.sigmoids(current)
        current = (current + own + share_logits(pyramids, there - pyramids)) / 2
    corrected = odds.sigmoids(by_outliner + current - own)
    for index, chance in zip(standing, corrected.tolist(), strict=True):
        out[index] = replace(reads[index], found=replace(reads[index].found, pyramid=chance))
    return out


SAME_SIMILARITY: Final = 0.6
"""Cosine from which two coins rather show the same than not."""
LOGITS_IF_ALIKE, LOGITS_IF_UNLIKE = 8.0, 4.0
"""Evidence per cosine beyond it that two coins show the same, and short of it that they do not..."""
MAX_COIN_PAIR_LOGITS: Final = 6.0
"""... and at most."""
NEUTRAL_COINS: Final = 0.5
"""Number of neutral coins added to the mean of the evidence of those that show the same. All of these are chosen among
a dozen on 1,573 foreign and 1,000 drawn coins, so the gain on the foreign ones is a little flattered."""
COIN_ITERATIONS: Final = 10
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
    pair_logits = pair_evidence(np.where(beyond > 0, LOGITS_IF_ALIKE, LOGITS_IF_UNLIKE) * beyond, MAX_COIN_PAIR_LOGITS)
    own = np.log(np.maximum(shown, 1e-4))
    current = shown
    for _ in range(COIN_ITERATIONS):
        weight = coin_probability[:, None] * current
        told = pair_logits @ weight / (NEUTRAL_COINS + others(weight))
        current = (current + softmax(own + told)) / 2
    return current
