"""Pawn or pyramid, from all that stands in the picture: on most tables stand either pawns or pyramids.
Of 710 of the stratum `test` 19 are taken for the other kind by themselves, 14 with the share of pyramids; of 1,387 of
three foreign editions 28 and 16 (mean loss .122 and .107, .055 and .041)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision import odds
from vision.detect.channels import STAND
from vision.identify.name import certainty
from vision.identify.read import CropReading
from vision.likeness import share_logits

ITERATIONS: Final = 10
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
    for _ in range(ITERATIONS):
        pyramids = there * odds.sigmoids(current)
        current = (current + own + share_logits(pyramids, there - pyramids)) / 2
    corrected = odds.sigmoids(by_outliner + current - own)
    for index, chance in zip(standing, corrected.tolist(), strict=True):
        out[index] = replace(reads[index], found=replace(reads[index].found, pyramid=chance))
    return out
