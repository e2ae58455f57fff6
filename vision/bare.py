"""Where something looks like the bare table beside it, it is a hole in a board, or a square of cloth, and no tile.

The colours of the table round the tiles and the colours of the other tiles are gathered in two histograms; a tile is
asked which of them its own pixels come from. A dark tile on a dark table looks like both, and nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Kind
from vision.detect import shape
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.rectify import Layers

WIDE: Final = 400
"""So many pixels of the frame's width are enough for colours."""
BINS: Final = (8, 18, 18)
REACH: Final = 144
"""Colours (a and b of Lab) lie within this range round grey."""
MOST: Final = 4.0
"""No single pixel says more than this (log ratio), and a whole tile no more either."""
SELDOM: Final = 2e-4
"""A colour that is seen nowhere is taken to have this share."""
INNER: Final = 0.8
"""The share of a tile's side that is looked at: its rim may be the table's already."""
AROUND: Final = 1.5
"""The table within so many sides of the tiles is what they lie on."""
THERE, CARRIED = 0.15, 0.3
"""What is less certain covers no table, and no tile."""
ENOUGH, FEW = 200, 30
"""Pixels of table, and of a tile, that are enough to tell."""

Mask = NDArray[np.bool_]
Codes = NDArray[np.int32]
Counts = NDArray[np.float32]


def steps(count: int, reach: int, weight: int) -> Codes:
    """What each of a channel's 256 numbers adds to a pixel's code."""
    shares = (np.arange(256) - 128) / reach + 0.5
    return (np.clip((shares * count).astype(np.int32), 0, count - 1) * weight).astype(np.int32)


STEPS: Final = (steps(BINS[0], 256, BINS[1] * BINS[2]), steps(BINS[1], REACH, BINS[2]), steps(BINS[2], REACH, 1))


def like_the_table(layers: Layers, pieces: Sequence[DetectedPiece]) -> list[float]:
    """0: like another tile, or nobody can tell; up to MOST: like the table. Of what is no tile 0."""
    out = [0.0] * len(pieces)
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == Kind.TILE]
    if not tiles:
        return out
    scale = min(1.0, WIDE / layers.full.shape[1])
    coded = codes(layers.shrunk(scale))
    table = colours_of_the_table(coded, pieces, scale)
    if table is None:
        return out
    carried = filled(coded.shape, [p.outline * scale for p in pieces if p.kind != Kind.TILE and p.certainty > CARRIED])
    own = [pixels(coded, carried, pieces[index].outline * scale) for index in tiles]
    others = colours_of_the_others([pieces[index] for index in tiles], own)
    for index, mine, usual in zip(tiles, own, others, strict=True):
        if len(mine) >= FEW:
            ratio = np.log((table[mine] + SELDOM) / (usual[mine] + SELDOM))
            out[index] = float(np.clip(np.clip(ratio, -MOST, MOST).mean() + 1.0, 0.0, MOST))
    return out


def codes(picture: NDArray[np.uint8]) -> Codes:
    """One number a pixel: its colour, roughly."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    light, green_red, blue_yellow = (table[lab[..., channel]] for channel, table in enumerate(STEPS))
    out: Codes = light + green_red + blue_yellow
    return out


def counted(codes_: Codes) -> Counts:
    """How often each colour is there."""
    return np.bincount(codes_, minlength=BINS[0] * BINS[1] * BINS[2]).astype(np.float32)


def softened(histograms: Counts) -> Counts:
    """Colours beside one another are nearly the same."""
    cube = histograms.reshape(-1, *BINS)
    for axis in (1, 2, 3):
        wide = np.moveaxis(cube, axis, -1)
        blurred = 0.5 * wide
        blurred[..., 1:] += 0.25 * wide[..., :-1]
        blurred[..., :-1] += 0.25 * wide[..., 1:]
        cube = np.moveaxis(blurred, -1, axis)
    return cube.reshape(histograms.shape)


def filled(size: tuple[int, ...], rings: Sequence[Floats]) -> Mask:
    mask = np.zeros(size, np.uint8)
    for ring in rings:
        cv2.fillPoly(mask, [np.round(ring * 16).astype(np.int32)], 1, shift=4)
    return mask.astype(bool)


def colours_of_the_table(coded: Codes, pieces: Sequence[DetectedPiece], scale: float) -> Counts | None:
    """Round the tiles, where nothing lies; None where no table is to be seen."""
    tiles = [piece.outline * scale for piece in pieces if piece.kind == Kind.TILE and piece.certainty > THERE]
    if not tiles:
        return None
    reach = AROUND * float(np.median([np.sqrt(shape.area(quad)) for quad in tiles]))
    corners = np.concatenate(tiles)
    left, top = np.maximum(corners.min(axis=0) - reach, 0).astype(int)
    right, bottom = np.maximum(corners.max(axis=0) + reach, 0).astype(int)
    part = np.s_[top:bottom, left:right]
    covered = filled(coded.shape, [piece.outline * scale for piece in pieces if piece.certainty > THERE])[part]
    free = coded[part][cv2.dilate(covered.astype(np.uint8), np.ones((5, 5), np.uint8)) == 0] if covered.size else []
    return softened(counted(np.asarray(free, np.int32)) / np.float32(len(free))) if len(free) >= ENOUGH else None


def pixels(coded: Codes, carried: Mask, quad: Floats) -> Codes:
    """Of the inner part of a tile, as far as nothing lies on it."""
    inner = quad.mean(axis=0) + INNER * (quad - quad.mean(axis=0))
    low = np.clip(np.floor(inner.min(axis=0)).astype(int), 0, None)
    high = np.clip(np.ceil(inner.max(axis=0)).astype(int) + 1, 0, coded.shape[::-1])
    if (high <= low).any():
        return np.zeros(0, np.int32)
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    return coded[part][filled(coded[part].shape, [inner - low]) & ~carried[part]]


def colours_of_the_others(tiles: Sequence[DetectedPiece], own: Sequence[Codes]) -> Counts:
    """For each tile the colours of all that are not in its place, each as far as it is certain."""
    each = np.array([counted(codes_) * np.float32(tile.certainty) for tile, codes_ in zip(tiles, own, strict=True)])
    centers, sides = np.array([tile.center for tile in tiles]), np.sqrt([shape.area(tile.outline) for tile in tiles])
    apart = np.linalg.norm(centers[:, None] - centers, axis=2) > 0.6 * sides[:, None]
    rest = apart.astype(np.float32) @ each
    return softened(rest / np.maximum(rest.sum(axis=1, keepdims=True), np.float32(1e-9)))
