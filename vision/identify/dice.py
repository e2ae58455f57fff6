"""Value and suit of dice by a net of their own. A die is the smallest piece whose print counts (ten to fifteen pixels),
and among tiles and coins the reader learns from few of them. This net reads each die in four rotations; its answers are
multiplied with the reader's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.shape import Floats
from vision.identify.again import LEAST
from vision.identify.heads import MARGIN, SUITS, VALUES
from vision.identify.read import CropReading, refined_quad
from vision.nets import OpenModel
from vision.odds import softmax
from vision.rectify import Layers, batched, cut, to_crop

Array = NDArray[np.float32]
LogAnswers = Mapping[str, Floats]
"""Log probabilities of the answers by head."""

SIDE: Final = 64
"""Side of a crop in pixels; its margin is that of the reader's crops."""
HEADS: Final = {"value die": slice(0, len(VALUES)), "suit die": slice(len(VALUES), len(VALUES) + len(SUITS))}
"""Part of the net's output row for each head of the reader."""
CHANNELS: Final = len(VALUES) + len(SUITS)
ROTATIONS: Final = 4
MIN_PROBABILITY: Final = 0.1
"""Smallest probability of a die, by the reader, from which the net is run (budget)."""
SMALL_PX, LARGE_PX = 10.0, 20.0
"""Sides of a die between which the weights of net and reader change: the reader is better at large dice, and too
certain of small ones."""
WEIGHTS: Final = ("small", "large", "reader small", "reader large")
"""Fitted weights of each head in the registry: of the net and of the reader, for small and for large dice."""


def crops_of(layers: Layers, quads: Sequence[Floats]) -> Array:
    """ROTATIONS crops of each die, turned by quarters."""
    scales = [SIDE / MARGIN["die"] / max(float(np.sqrt(shape.area(quad))), 1.0) for quad in quads]
    fitting = (layers.fitting(scale, to_crop("die", quad, SIDE)) for quad, scale in zip(quads, scales, strict=True))
    return batched(
        [np.rot90(crop, turn) for crop in (cut(*each, SIDE) for each in fitting) for turn in range(ROTATIONS)], SIDE
    )


@dataclass(frozen=True, slots=True)
class DieAnswers:
    """The net's answers about one die, and its size from 0 (small) to 1 (large)."""

    logs: LogAnswers
    size: float


class Dice:
    """Updates the reads of dice with the net's answers."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session

    def __call__(self, layers: Layers, reads: Sequence[CropReading]) -> list[CropReading]:
        out, weights = list(reads), self.session.model.temperatures
        for index, answers in self.answers(layers, reads).items():
            out[index] = with_answers(out[index], answers, weights)
        return out

    def answers(self, layers: Layers, reads: Sequence[CropReading]) -> dict[int, DieAnswers]:
        """The net's answers by index of the read, for those that may be dice."""
        dice = [i for i, read in enumerate(reads) if read.found.kind == "die" and read.chance("die") > MIN_PROBABILITY]
        if not dice:
            return {}
        quads = [refined_quad(reads[i]) for i in dice]
        rows = self.session.run(crops_of(layers, quads))[0].reshape(len(dice), ROTATIONS, CHANNELS)
        return {
            i: DieAnswers(mean_logs(views), size_of(quad)) for i, quad, views in zip(dice, quads, rows, strict=True)
        }


def mean_logs(rows: Array) -> LogAnswers:
    """Mean log probabilities over the rotations of one die."""
    return {head: np.log(softmax(rows[:, part], 1.0) + LEAST).mean(axis=0) for head, part in HEADS.items()}


def size_of(quad: Floats) -> float:
    """Size of a die from 0 at SMALL_PX to 1 at LARGE_PX, logarithmic."""
    side = max(float(np.sqrt(shape.area(quad))), 1.0)
    return float(np.clip(np.log(side / SMALL_PX) / np.log(LARGE_PX / SMALL_PX), 0.0, 1.0))


def with_answers(read: CropReading, answers: DieAnswers, weights: Mapping[str, float]) -> CropReading:
    """The read with the net's answers multiplied in, each with its weight."""
    beliefs = dict(read.beliefs)
    for head, by_net in answers.logs.items():
        by_reader = np.log(read.beliefs[head] + LEAST)
        beliefs[head] = fused(by_net, by_reader, answers.size, [weights.get(f"{head}, {of}", 1.0) for of in WEIGHTS])
    return replace(read, beliefs=beliefs)


def fused(by_net: Floats, by_reader: Floats, size: Floats | float, weights: Sequence[float]) -> Floats:
    """Probabilities from the log probabilities of net and reader for a die of this size. `weights`: see WEIGHTS."""
    small, large, reader_small, reader_large = weights
    net_weight, reader_weight = small + (large - small) * size, reader_small + (reader_large - reader_small) * size
    return softmax(np.asarray(net_weight)[..., None] * by_net + np.asarray(reader_weight)[..., None] * by_reader)
