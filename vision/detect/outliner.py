"""The closer look: each found thing in a small upright picture of its own, all in one batch.

The finder sees the whole frame and can say only roughly how a thing lies; this net sees one thing at a time and
says what it is and where its outline runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.channels import KINDS, STAND
from vision.detect.decode import SMALL, Detection, sound, without_doubles
from vision.detect.outline_heads import CLASS, CLASSES, CLOSE, FLAT, ROOM, STANDING
from vision.detect.shape import Floats
from vision.nets import OpenModel
from vision.odds import softmax
from vision.rectify import Layers, Picture, batched

Array = NDArray[np.float32]

ROUGH: Final = ("die", *STAND)
"""What is outlined a second time, from where the first outline has it: the finder knows too little of what has height
to put it in the middle of its small picture. For tiles and coins it brings nothing."""
OTHER: Final = 0.7
"""What is this surely another kind than the finder said is taken for that kind."""


def sides(found: list[Detection]) -> list[float]:
    return [ROOM * max(8.0, float(np.sqrt(shape.area(each.outline)))) for each in found]


def middle(found: Detection) -> Floats:
    """Of the outline: what stands has its centre at its foot."""
    return np.asarray(found.outline.mean(axis=0))


def close_ups(layers: Layers, found: list[Detection], close: int = CLOSE) -> Array:
    """One `close` x `close` picture per thing, as the net wants them."""
    return batched([close_up(layers, each, side, close) for each, side in zip(found, sides(found), strict=True)], close)


def close_up(layers: Layers, found: Detection, side: float, close: int) -> Picture:
    scale = close / side
    matrix = np.array([[scale, 0, 0], [0, scale, 0], [0, 0, 1.0]])
    matrix[:2, 2] = close / 2 - scale * middle(found)
    image, level = layers.fitting(scale, matrix)
    return np.asarray(cv2.warpAffine(image, level[:2], (close, close), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def kind_of(found: Detection, likely: dict[str, float]) -> str:
    best = max(KINDS, key=likely.__getitem__)
    if best != found.kind and (likely[best] > OTHER or {best, found.kind} <= set(SMALL)):
        return best
    return found.kind


def outlined(found: list[Detection], rows: Array) -> list[Detection]:
    """The things with their kinds reconsidered and their outlines drawn."""
    likely = [dict(zip(CLASSES, row, strict=True)) for row in softmax(rows[:, CLASS]).tolist()]
    kinds = [kind_of(each, chance) for each, chance in zip(found, likely, strict=True)]
    centers, outlines = places(kinds, np.array([middle(each) for each in found]), np.array(sides(found)), rows)
    return [
        agreeing(replace(each, kind=kind, center=center, outline=outline), chance)
        for each, kind, center, outline, chance in zip(found, kinds, centers, outlines, likely, strict=True)
    ]


def agreeing(found: Detection, likely: dict[str, float]) -> Detection:
    """With how surely the closer look says the same."""
    stands = likely["pawn"] + likely["pyramid"]
    agreed = stands if found.kind in STAND else likely[found.kind]
    return replace(found, agreed=agreed, pyramid=likely["pyramid"] / max(stands, 1e-6))


def places(kinds: list[str], at: Floats, side: Floats, rows: Array) -> tuple[list[Floats], list[Floats]]:
    """Centres and outlines; `at` and `side`: where each small picture lies in the large one."""
    half, numbers = side[:, None] / 2, rows.astype(np.float64)
    standing, flat = numbers[:, STANDING], numbers[:, FLAT]
    feet, middles = at + standing[:, :2] * half, at + flat[:, :2] * half
    matrices = shape.symmetric(*(flat[:, 2:5] * half).T)
    hulls = shape.hull(feet, np.maximum(standing[:, 2:] * half, 1.0))
    discs = shape.disc(middles, matrices)
    quads = shape.quad(middles, matrices, np.arctan2(flat[:, 6], flat[:, 5]))
    drawn = {"coin": discs, "pawn": hulls, "pyramid": hulls}
    outlines = [drawn.get(kind, quads)[index] for index, kind in enumerate(kinds)]
    return [(feet if kind in STAND else middles)[index] for index, kind in enumerate(kinds)], outlines


class Outliner:
    """Outlines all found things of a picture in one batch."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session
        self.close = (session.model.input_size or (CLOSE, CLOSE))[0]

    def __call__(self, batch: Array, found: list[Detection]) -> list[Detection]:
        return outlined(found, self.session.run(batch)[0]) if found else []


def kept(found: list[Detection]) -> list[Detection]:
    """What has a shape, each thing once: of doubles the one that both looks are surest of."""
    return without_doubles(sorted(filter(sound, found), key=lambda each: -each.score * each.agreed))
