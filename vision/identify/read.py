"""Reads crops of pieces: the reader's answers as distributions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect import shape
from vision.detect.decode import Detection
from vision.detect.shape import Floats
from vision.identify.heads import CLASSES, CROP, HEADS, MARGIN, SOFTMAX
from vision.nets import OpenModel
from vision.odds import softmax
from vision.rectify import Layers, Picture, apply, batched, cut, frame_quad, inverse, to_crop

Array = NDArray[np.float32]

TUNED: Final = ("tile", "coin")
"""Kinds that a reader tuned on a set reads better."""


@dataclass(frozen=True, slots=True, eq=False)
class CropReading:
    """The read of one detection: a distribution for each softmax head, numbers for the other heads."""

    found: Detection
    beliefs: Mapping[str, Floats]
    numbers: Mapping[str, Floats]
    embedding: Array
    to_crop: Floats
    """3x3 matrix from picture pixels to crop pixels."""
    side: int = CROP
    """Side of the crop in pixels."""
    signs: Array | None = None
    """Feature vector for a learned set (`signs`)."""

    def chance(self, label: str) -> float:
        """Probability of a class label."""
        return float(self.beliefs["class"][CLASSES.index(label)])


def crop_matrix(found: Detection, side: int = CROP) -> Floats:
    """3x3 matrix from picture pixels to crop pixels."""
    return to_crop(found.kind, frame_quad(found.kind, found.outline), side)


def crops(layers: Layers, found: list[Detection], side: int) -> tuple[Array, list[Floats]]:
    """The batch of crops of `side` x `side` and their matrices."""
    matrices = [crop_matrix(each, side) for each in found]
    return pictures(layers, found, matrices, side), matrices


def pictures(layers: Layers, found: list[Detection], matrices: list[Floats], side: int) -> Array:
    """The batch of crops with these matrices."""
    return batched([picture(layers, *each, side) for each in zip(found, matrices, strict=True)], side)


def picture(layers: Layers, found: Detection, matrix: Floats, side: int) -> Picture:
    """One crop of `side` x `side`. `matrix`: picture pixels to crop pixels."""
    scale = side / MARGIN[found.kind] / float(np.sqrt(shape.area(frame_quad(found.kind, found.outline))))
    return cut(*layers.fitting(scale, matrix), side)


class Reader:
    """Reads all pieces of a picture in one batch."""

    def __init__(self, session: OpenModel) -> None:
        self.session = session
        self.side = (session.model.input_size or (CROP, CROP))[0]

    def __call__(
        self, batch: Array, found: list[Detection], matrices: list[Floats], signed: bool = True
    ) -> list[CropReading]:
        """One read for each crop of the batch. `signed`: include the feature vectors for a learned set."""
        if not found:
            return []
        rows, embeddings = self.session.run(batch)
        features = signs([each.kind for each in found], rows, embeddings, batch) if signed else [None] * len(found)
        temperatures = self.session.model.temperatures
        beliefs = {name: softmax(rows[:, HEADS[name]], temperatures.get(name, 1.0)) for name in SOFTMAX}
        numbers = {name: rows[:, part].astype(np.float64) for name, part in HEADS.items() if name not in SOFTMAX}
        return [
            CropReading(
                each,
                {name: table[index] for name, table in beliefs.items()},
                {name: table[index] for name, table in numbers.items()},
                embeddings[index],
                matrices[index],
                self.side,
                features[index],
            )
            for index, each in enumerate(found)
        ]


class TunedReader(Reader):
    """Reads tiles and coins with a reader tuned on a set, and all else with the shipped one, which is better at dice
    and the pose of pyramids."""

    def __init__(self, session: OpenModel, shipped: Reader) -> None:
        super().__init__(session)
        self._shipped = shipped

    def __call__(
        self, batch: Array, found: list[Detection], matrices: list[Floats], signed: bool = True
    ) -> list[CropReading]:
        reads: dict[int, CropReading] = {}
        is_tuned = np.array([each.kind in TUNED for each in found], np.bool_)
        for reader, which in ((super().__call__, np.flatnonzero(is_tuned)), (self._shipped, np.flatnonzero(~is_tuned))):
            arguments = [found[index] for index in which], [matrices[index] for index in which]
            reads |= zip(which.tolist(), reader(batch[which], *arguments, signed), strict=True)
        return [reads[index] for index in range(len(found))]


def refined_quad(read: CropReading) -> Floats:
    """The corners refined by the reader."""
    kind = read.found.kind
    inner = read.side / 2 + np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * read.side / 2 / MARGIN[kind]
    moved = inner + np.clip(read.numbers["refine"].reshape(4, 2), -0.3, 0.3) * read.side / 2
    return apply(inverse(read.to_crop), moved)


def refined_base(read: CropReading) -> Floats:
    """The foot of a pawn or pyramid refined by the reader."""
    at = read.side / 2 + np.clip(read.numbers["refine"][:2], -1, 1) * read.side / 2
    return np.asarray(apply(inverse(read.to_crop), at[None])[0])


def direction(read: CropReading, head: str) -> Floats:
    """Unit vector in the picture of a head that answers a direction."""
    in_crop = read.numbers[head]
    middle = np.full(2, read.side / 2)
    ends = apply(inverse(read.to_crop), np.stack([middle, middle + read.side / 16 * in_crop]))
    step = ends[1] - ends[0]
    return np.asarray(step / max(float(np.linalg.norm(step)), 1e-9), dtype=np.float64)


PIXEL_STEP: Final = 2
"""Stride of the pixels used for colours."""
CENTER_REACH: Final = 0.45
"""Half size of the central region in shares of the piece; the ring around it reaches to RING_REACH."""
RING_REACH: Final = 0.88
INK_SHARE: Final = 0.02
"""Share of a side that is certainly print: a blank tile has only its corner mark."""
BLACK_LEVEL: Final = 0.03
"""Brightness offset below which colours carry no information, of 1."""
CORE_SHARE: Final = 0.22
"""Central share of a solid piece that shows nothing but the piece."""
WHITE_PERCENTILE: Final = 90
"""Percentile of the crop's brightness that stands for white."""
SOLID_KINDS: Final = ("die", "pawn", "pyramid")
MIN_INK_CONTRAST: Final = 0.1
"""Smallest difference of ink and ground, in logarithms of brightness."""


def signs(kinds: Sequence[str], rows: Array, embeddings: Array, pictures: Array) -> list[Array]:
    """One feature vector per piece. `rows`, `embeddings`: the reader's outputs. `pictures`: pieces x 3 x side x
    side."""
    inks = ink_features(kinds, pictures)
    return [
        np.concatenate(
            [
                embeddings[index],
                *(rows[index, HEADS[head]] for head in identity_heads(kind)),
                inks[index],
                core_colour(pictures[index], CORE_SHARE / MARGIN[kind]) if kind in SOLID_KINDS else (),
            ]
        ).astype(np.float32)
        for index, kind in enumerate(kinds)
    ]


def identity_heads(kind: str) -> list[str]:
    """The heads that answer suit and value of a kind."""
    return [head for head in (f"suit {kind}", f"value {kind}") if head in HEADS]


def ink_features(kinds: Sequence[str], pictures: Array) -> Array:
    """For the central region and the ring: colour of the ink against the ground (three logarithms) and the share of
    ink."""
    out = np.zeros((len(kinds), 8), np.float32)
    for kind in set(kinds):
        indices = [index for index, each in enumerate(kinds) if each == kind]
        small = pictures[indices][:, :, ::PIXEL_STEP, ::PIXEL_STEP].astype(np.float64)
        side = small.shape[-1]
        coordinates = np.abs((np.arange(side) + 0.5) / side * 2 - 1) * MARGIN[kind]
        reach = np.maximum(coordinates[:, None], coordinates[None])
        for place, region in enumerate((reach < CENTER_REACH, (reach >= CENTER_REACH) & (reach < RING_REACH))):
            pixels = small[:, :, region]
            out[indices, 4 * place : 4 * place + 3] = ink_to_ground(pixels)
            brightness = np.log(pixels.mean(axis=1) + BLACK_LEVEL)
            contrast = np.abs(brightness - np.median(brightness, axis=1, keepdims=True))
            out[indices, 4 * place + 3] = (contrast > MIN_INK_CONTRAST).mean(axis=1)
    return out


def core_colour(picture: Array, share: float) -> Floats:
    """Median colour of the central share in logarithms: blue and red against green, and brightness against white."""
    side = picture.shape[-1]
    half = round(share * side / 2)
    core = slice(side // 2 - half, side // 2 + half)
    median = np.median(picture[:, core, core].reshape(3, -1).astype(np.float64), axis=1)
    blue, green, red = np.log(median + BLACK_LEVEL)
    brightest = np.log(np.percentile(picture.mean(axis=0), WHITE_PERCENTILE) + BLACK_LEVEL)
    return np.array([blue - green, red - green, (blue + green + red) / 3 - brightest])


def ink_to_ground(pixels: Floats, share: float = INK_SHARE) -> Floats:
    """Logarithm of ink over ground, for each channel. `pixels`: pieces x channels x pixels from 0 to 1. `share`: the
    part that is certainly print."""
    ground = np.median(pixels, axis=2, keepdims=True)
    contrast = np.abs(pixels - ground).sum(axis=1)
    count = max(4, int(share * contrast.shape[1]))
    ink = np.argpartition(contrast, -count, axis=1)[:, -count:]
    print_colour = np.take_along_axis(pixels, ink[:, None, :], axis=2).mean(axis=2)
    return np.asarray(np.log(print_colour + BLACK_LEVEL) - np.log(ground[:, :, 0] + BLACK_LEVEL))
