"""All tiles on a table are one edition: what is printed in one colour is of one suit.

Shapes are read piece by piece; here the pieces of a table help each other. The colour of the print, as a ratio to the
colour it is printed on (so that shadow and lamp cancel), and the tint of what it is printed on are gathered per suit as
far as the shapes tell, and each piece's suit is weighed anew. An edition that prints all suits in one colour on one
ground changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.detect.shape import Floats
from vision.identify.heads import MARGIN
from vision.identify.read import Read
from vision.identify.signs import BLACK, ratios

Batch = NDArray[np.float32]

FEWEST: Final = 5
"""With fewer pieces nothing can be learnt from each other."""
FLOOR: Final = 0.16
"""Inks of one suit differ at least this much (in log ratio) from piece to piece."""
TRUST: Final = 1.0
TINT: Final = 3.0
"""The tint of the ground, which is most of a piece, is believed so much more than its ink."""
SURE: Final = 0.3
"""Things that are hardly certain to be pieces have no say."""


def ink_ratios(pictures: Batch, kind: str) -> Floats:
    """Per piece: log of print colour over ground colour, one number per channel."""
    return ratios(inside(pictures, kind))


def inside(pictures: Batch, kind: str) -> Floats:
    """The pixels (pieces x channels x pixels) of what is surely the piece."""
    side = pictures.shape[-1]
    inner = int(side / 2 - 0.42 * side / MARGIN[kind])
    return pictures[:, :, inner:-inner, inner:-inner].reshape(len(pictures), 3, -1).astype(np.float64)


def tints(pictures: Batch, kind: str) -> Floats:
    """Per piece: how much more blue and red than green its ground is, in logarithms: shade takes from all alike."""
    blue, green, red = np.log(np.median(inside(pictures, kind), axis=2).T + BLACK)
    return np.stack([blue - green, red - green], axis=1)


def agreed_suits(chances: Floats, inks: Floats, grounds: Floats | None = None, rounds: int = 6) -> Floats:
    """Suit chances (pieces x suits) after the pieces have compared their inks and their grounds.

    A pawn on a tile looks like print of any colour: far colours must neither move a suit's mean nor decide.
    """
    signs = [(inks, TRUST)] + ([(grounds, TINT)] if grounds is not None else [])
    now, near = chances, [np.ones_like(chances) for _ in signs]
    for _ in range(rounds):
        weights = now**2 * np.prod(near, axis=0)
        near = [nearness(sign, weights) for sign, _ in signs]
        told = sum(trust * np.log(each) for each, (_, trust) in zip(near, signs, strict=True))
        score = np.log(np.maximum(chances, 1e-4)) + told
        now = np.exp(score - score.max(axis=1, keepdims=True))
        now = now / now.sum(axis=1, keepdims=True)
    return now


def nearness(signs: Floats, weights: Floats) -> Floats:
    """How near (pieces x suits, at most one) each piece's colours are to the mean of each suit's, so weighed."""
    means = (weights.T @ signs + 0.5 * signs.mean(axis=0)) / (weights.sum(axis=0)[:, None] + 0.5)
    gaps = ((signs[:, None] - means[None]) ** 2).sum(axis=2)
    spread = max(FLOOR**2, float(np.median(gaps.min(axis=1))) / signs.shape[1])
    out: Floats = 1 / (1 + gaps / (3 * spread))
    return out


def has_say(read: Read, label: str) -> bool:
    return read.chance(label) > 0.5 and read.found.score * read.found.agreed > SURE


def compare(reads: Sequence[Read], pictures: Sequence[Batch]) -> list[Read]:
    """Tile faces with tile faces, coins' suit sides with each other."""
    out = list(reads)
    for kind, label in (("tile", "tile front"), ("coin", "coin back")):
        mine = [i for i, read in enumerate(out) if read.found.kind == kind and has_say(read, label)]
        if len(mine) < FEWEST:
            continue
        head = f"suit {kind}"
        chances = np.array([out[i].beliefs[head] for i in mine])
        shown = np.stack([pictures[i] for i in mine])
        rows = agreed_suits(chances, ink_ratios(shown, kind), tints(shown, kind))
        for i, row in zip(mine, rows, strict=True):
            out[i] = replace(out[i], beliefs={**out[i].beliefs, head: row})
    return out
