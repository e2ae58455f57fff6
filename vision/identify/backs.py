"""Side of each tile from all tiles of the picture: the backs of a set look alike, each front exists once, and often
nearly all tiles lie on one side. What an edition prints on its backs (a cross, a frame, nothing) may look like a face
to the reader, and a null's front like a back. Two nulls look alike as well, but each says its suit, and a back says
none.
Of 1,837 tiles of the stratum `test` 93 get the wrong side by their looks and suits, 79 with the share of backs and the
fronts that are free; of 895 of three foreign editions 13 and 4 (mean loss .146 and .131, .033 and .018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.detect.shape import Floats
from vision.identify.heads import CLASSES
from vision.identify.name import certainty
from vision.identify.read import CropReading
from vision.likeness import agreements, cosines, others, pair_evidence, share_logits
from vision.odds import logits, sigmoids

SIDE_CLASSES: Final = [CLASSES.index("tile front"), CLASSES.index("tile back")]
SIMILARITY_OFFSET, LOGITS_PER_SIMILARITY, LOGITS_PER_OTHER_SUIT, MAX_PAIR_LOGITS = 0.05, 7.0, 3.0, 6.0
"""Evidence that two tiles both show their backs: LOGITS_PER_SIMILARITY times the cosine of their embeddings beyond
SIMILARITY_OFFSET, less LOGITS_PER_OTHER_SUIT as far as their suits differ, at most MAX_PAIR_LOGITS either way. All are
fitted."""
SUIT_WEIGHT, SUIT_OFFSET, MAX_SUIT_LOGITS = 0.2, 0.3, 5.0
"""Evidence of a suit against a back: SUIT_WEIGHT times the log odds of the likeliest suit, less SUIT_OFFSET (fitted);
beyond MAX_SUIT_LOGITS, a probability of .993, certainty says no more (set)."""
NEUTRAL_COUNT: Final = 1.5
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
        alike = pair_logits @ back / (NEUTRAL_COUNT + others(back))
        current = (current + prior + alike + share_logits(back, front) - free_logits(fronts, front)) / 2
    return sigmoids(current)


def similarity_logits(embeddings: Floats, suits: Floats) -> Floats:
    """Evidence of every two tiles that, if one shows its back, so does the other."""
    alike, other_suit = cosines(embeddings) - SIMILARITY_OFFSET, 1 - agreements(suits)
    return pair_evidence(LOGITS_PER_SIMILARITY * alike - LOGITS_PER_OTHER_SUIT * other_suit, MAX_PAIR_LOGITS)


def free_logits(fronts: Floats, front_probability: Floats) -> Floats:
    """Evidence of each tile for its front: how much likelier what is read of it is one of the fronts that no other tile
    shows than any front. `fronts`: distribution of each tile over the 24. `front_probability`: that it shows one."""
    free = np.clip(1 - others(front_probability[:, None] * fronts), MIN_FREE, 1)
    ratio = (free * fronts).sum(axis=1) / free.mean(axis=1)
    return np.asarray(np.clip(np.log(np.maximum(ratio, 1e-6)), -MAX_INVENTORY_LOGITS, MAX_INVENTORY_LOGITS))
