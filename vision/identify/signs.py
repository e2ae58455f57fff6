"""Feature vectors of crops ("signs") by which a learned set is recognised: the reader's embedding and answers, the
colour of the ink against its ground, and the colour of solid pieces.

They have no meaning by themselves; `calibration.lesson` learns their values for each face of a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.shape import Floats
from vision.identify.heads import HEADS, MARGIN

Array = NDArray[np.float32]

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
