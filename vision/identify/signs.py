"""The numbers by which a taught set is told: what the reader makes of a piece's picture, its ink against its ground,
and of what has height its colour.

They say nothing by themselves. The lesson of a set (`calibration.lesson`) learns what they are for each of its faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.shape import Floats
from vision.identify.heads import HEADS, MARGIN

Array = NDArray[np.float32]

STEP: Final = 2
"""Every other pixel of every other row: colours need no more."""
MIDDLE: Final = 0.45
"""The share of a side, from the middle outwards, that is the middle; the ring about it reaches to EDGE."""
EDGE: Final = 0.88
INK_SHARE: Final = 0.02
"""The share of a side that is surely print: a blank tile has but its corner mark."""
BLACK: Final = 0.03
"""Below such a share of full light colours mean nothing."""
CORE: Final = 0.22
"""Of what has height the share of a side, from the middle outwards, that shows nothing but itself."""
BRIGHTEST: Final = 90
"""As bright as so many of a hundred pixels of its picture: nearly white, if anything there is."""
COLOURED: Final = ("die", "pawn", "pyramid")
PRINTED: Final = 0.1
"""In logarithms of brightness: what differs more from the ground is print."""


def signs(kinds: Sequence[str], rows: Array, embeddings: Array, pictures: Array) -> list[Array]:
    """One row of numbers per piece. `rows`, `embeddings`: the reader's; `pictures`: pieces x 3 x side x side."""
    inks = ink_signs(kinds, pictures)
    return [
        np.concatenate(
            [
                embeddings[index],
                *(rows[index, HEADS[head]] for head in asked_of(kind)),
                inks[index],
                colour_of(pictures[index], CORE / MARGIN[kind]) if kind in COLOURED else (),
            ]
        ).astype(np.float32)
        for index, kind in enumerate(kinds)
    ]


def asked_of(kind: str) -> list[str]:
    """The heads that name a piece of this kind."""
    return [head for head in (f"suit {kind}", f"value {kind}") if head in HEADS]


def ink_signs(kinds: Sequence[str], pictures: Array) -> Array:
    """Of the middle and the ring about it: the ink's colour over the ground's (three logarithms), and its share."""
    out = np.zeros((len(kinds), 8), np.float32)
    for kind in set(kinds):
        mine = [index for index, each in enumerate(kinds) if each == kind]
        small = pictures[mine][:, :, ::STEP, ::STEP].astype(np.float64)
        side = small.shape[-1]
        across = np.abs((np.arange(side) + 0.5) / side * 2 - 1) * MARGIN[kind]
        reach = np.maximum(across[:, None], across[None])
        for place, region in enumerate((reach < MIDDLE, (reach >= MIDDLE) & (reach < EDGE))):
            pixels = small[:, :, region]
            out[mine, 4 * place : 4 * place + 3] = ratios(pixels)
            bright = np.log(pixels.mean(axis=1) + BLACK)
            away = np.abs(bright - np.median(bright, axis=1, keepdims=True))
            out[mine, 4 * place + 3] = (away > PRINTED).mean(axis=1)
    return out


def colour_of(picture: Array, share: float) -> Floats:
    """The usual colour of so much of the middle (logarithms): blue and red against green, and how bright it is."""
    side = picture.shape[-1]
    half = round(share * side / 2)
    within = slice(side // 2 - half, side // 2 + half)
    middle = np.median(picture[:, within, within].reshape(3, -1).astype(np.float64), axis=1)
    blue, green, red = np.log(middle + BLACK)
    brightest = np.log(np.percentile(picture.mean(axis=0), BRIGHTEST) + BLACK)
    return np.array([blue - green, red - green, (blue + green + red) / 3 - brightest])


def ratios(pixels: Floats, share: float = INK_SHARE) -> Floats:
    """The same of pixels (pieces x channels x pixels, from nought to one), of which such a share is surely print."""
    ground = np.median(pixels, axis=2, keepdims=True)
    away = np.abs(pixels - ground).sum(axis=1)
    count = max(4, int(share * away.shape[1]))
    most = np.argpartition(away, -count, axis=1)[:, -count:]
    print_colour = np.take_along_axis(pixels, most[:, None, :], axis=2).mean(axis=2)
    out: Floats = np.log(print_colour + BLACK) - np.log(ground[:, :, 0] + BLACK)
    return out
