"""What a die shows, read by a net that knows nothing else.
A die is the smallest thing whose print counts (ten to fifteen pixels), and among tiles and coins the reader sees few of
them. This net sees dice only, from all four sides, and is heard beside the reader.
"""

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
Answers = Mapping[str, Floats]
"""The logarithm of every answer's chance, by question."""

SIDE: Final = 64
"""A die's picture is SIDE x SIDE, with as much around it as the reader's has."""
ASKED: Final = {"value die": slice(0, len(VALUES)), "suit die": slice(len(VALUES), len(VALUES) + len(SUITS))}
"""Where the net's row answers which question of the reader's."""
CHANNELS: Final = len(VALUES) + len(SUITS)
TURNS: Final = 4
DIE: Final = 0.1
"""What is less likely a die is not worth the time."""
SMALL, LARGE = 10.0, 20.0
"""How far this net is believed, and how far the reader, changes between dice of so many pixels: the reader tells large
ones better and is too sure of what it hardly sees."""
WEIGHTS: Final = ("small", "large", "reader small", "reader large")
"""What the registry says of each question: how far this net and the reader are believed of small and of large dice."""


def pictures(layers: Layers, dice: Sequence[Floats]) -> Array:
    """Each die as it lies and turned by one, two and three quarters."""
    scales = [SIDE / MARGIN["die"] / max(float(np.sqrt(shape.area(corners))), 1.0) for corners in dice]
    fitting = (layers.fitting(scale, to_crop("die", die, SIDE)) for die, scale in zip(dice, scales, strict=True))
    return batched(
        [np.rot90(once, turn) for once in (cut(*each, SIDE) for each in fitting) for turn in range(TURNS)], SIDE
    )


@dataclass(frozen=True, slots=True)
class DieSaid:
    """What the net says of one die, and how clearly it shows: nought for a small one, one for a large one."""

    answers: Answers
    clearly: float


class Dice:
    """Weighs what every die shows by what this net reads from its four sides."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session

    def __call__(self, layers: Layers, reads: Sequence[CropReading]) -> list[CropReading]:
        out, trust = list(reads), self.session.model.temperatures
        for index, said in self.heard(layers, reads).items():
            out[index] = informed(out[index], said, trust)
        return out

    def heard(self, layers: Layers, reads: Sequence[CropReading]) -> dict[int, DieSaid]:
        """What the net says of each of these that may be a die."""
        asked = [i for i, read in enumerate(reads) if read.found.kind == "die" and read.chance("die") > DIE]
        if not asked:
            return {}
        quads = [refined_quad(reads[i]) for i in asked]
        rows = self.session.run(pictures(layers, quads))[0].reshape(len(asked), TURNS, CHANNELS)
        return {i: DieSaid(answers(views), clearness(quad)) for i, quad, views in zip(asked, quads, rows, strict=True)}


def answers(views: Array) -> Answers:
    return {head: np.log(softmax(views[:, part], 1.0) + LEAST).mean(axis=0) for head, part in ASKED.items()}


def clearness(quad: Floats) -> float:
    size = max(float(np.sqrt(shape.area(quad))), 1.0)
    return float(np.clip(np.log(size / SMALL) / np.log(LARGE / SMALL), 0.0, 1.0))


def informed(read: CropReading, said: DieSaid, trust: Mapping[str, float]) -> CropReading:
    """With the reader's answers and this net's, multiplied, each as far as it is to be trusted."""
    beliefs = dict(read.beliefs)
    for head, mine in said.answers.items():
        theirs = np.log(read.beliefs[head] + LEAST)
        beliefs[head] = together(mine, theirs, said.clearly, [trust.get(f"{head}, {of}", 1.0) for of in WEIGHTS])
    return replace(read, beliefs=beliefs)


def together(mine: Floats, theirs: Floats, clearly: Floats | float, weights: Sequence[float]) -> Floats:
    """Chances from two logarithms of chances, of a die that shows so clearly."""
    small, large, reader_small, reader_large = weights
    own, reader = small + (large - small) * clearly, reader_small + (reader_large - reader_small) * clearly
    total = np.asarray(own)[..., None] * mine + np.asarray(reader)[..., None] * theirs
    return softmax(total)
