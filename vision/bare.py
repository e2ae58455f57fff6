"""Detects tiles that look like the bare table: a hole in a board, or a square of cloth.

Two histograms are collected, of the table around the tiles and of the other tiles, and each tile's pixels are compared
with both. A dark tile on a dark table looks like both, and gives no evidence."""

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

WIDTH_PX: Final = 400
"""Width of the frame at which colours are compared, in pixels."""
BINS: Final = (8, 18, 18)
"""Bins of lightness, green-red and blue-yellow."""
COLOUR_RANGE: Final = 144
"""Range of a and b of Lab around grey."""
MAX_NATS: Final = 4.0
"""Limit of the log ratio of one pixel, and of a whole tile."""
MIN_SHARE: Final = 2e-4
"""Share of a colour that occurs nowhere."""
INNER_SHARE: Final = 0.8
"""Share of a tile's side that is compared: its rim may already be table."""
MARGIN_TILES: Final = 1.5
"""Width of the surroundings of the tiles that count as their ground, in tiles."""
MIN_COVER_CERTAINTY, MIN_CARRIED_CERTAINTY = 0.15, 0.3
"""Smallest certainty of a piece that covers table, and of one that covers a tile."""
MIN_TABLE_PIXELS, MIN_TILE_PIXELS = 200, 30
"""Smallest number of pixels of the table, and of a tile, that are compared."""

Mask = NDArray[np.bool_]
Codes = NDArray[np.int32]
Counts = NDArray[np.float32]


def code_table(count: int, reach: int, weight: int) -> Codes:
    """The part of each value of a channel in a pixel's colour code."""
    shares = (np.arange(256) - 128) / reach + 0.5
    return (np.clip((shares * count).astype(np.int32), 0, count - 1) * weight).astype(np.int32)


CODE_TABLES: Final = (
    code_table(BINS[0], 256, BINS[1] * BINS[2]),
    code_table(BINS[1], COLOUR_RANGE, BINS[2]),
    code_table(BINS[2], COLOUR_RANGE, 1),
)


def table_similarity(layers: Layers, pieces: Sequence[DetectedPiece]) -> list[float]:
    """Similarity of each tile to the table, from 0 (like another tile, or unknown) to MAX_NATS; 0 for other kinds."""
    out = [0.0] * len(pieces)
    tiles = [index for index, piece in enumerate(pieces) if piece.kind == Kind.TILE]
    if not tiles:
        return out
    scale = min(1.0, WIDTH_PX / layers.full.shape[1])
    coded_picture = colour_codes(layers.scaled(scale))
    table = table_histogram(coded_picture, pieces, scale)
    if table is None:
        return out
    carried_mask = polygon_mask(
        coded_picture.shape,
        [p.outline * scale for p in pieces if p.kind != Kind.TILE and p.certainty > MIN_CARRIED_CERTAINTY],
    )
    tile_codes = [tile_pixels(coded_picture, carried_mask, pieces[index].outline * scale) for index in tiles]
    others = other_tiles_histograms([pieces[index] for index in tiles], tile_codes)
    for index, mine, usual in zip(tiles, tile_codes, others, strict=True):
        if len(mine) >= MIN_TILE_PIXELS:
            ratio = np.log((table[mine] + MIN_SHARE) / (usual[mine] + MIN_SHARE))
            out[index] = float(np.clip(np.clip(ratio, -MAX_NATS, MAX_NATS).mean() + 1.0, 0.0, MAX_NATS))
    return out


def colour_codes(picture: NDArray[np.uint8]) -> Codes:
    """Quantised colour of each pixel as one number."""
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    light, green_red, blue_yellow = (table[lab[..., channel]] for channel, table in enumerate(CODE_TABLES))
    return np.asarray(light + green_red + blue_yellow)


def histogram(codes_: Codes) -> Counts:
    return np.bincount(codes_, minlength=BINS[0] * BINS[1] * BINS[2]).astype(np.float32)


def smoothed(histograms: Counts) -> Counts:
    """Histograms smoothed over neighbouring colours."""
    cube = histograms.reshape(-1, *BINS)
    for axis in (1, 2, 3):
        wide = np.moveaxis(cube, axis, -1)
        blurred = 0.5 * wide
        blurred[..., 1:] += 0.25 * wide[..., :-1]
        blurred[..., :-1] += 0.25 * wide[..., 1:]
        cube = np.moveaxis(blurred, -1, axis)
    return cube.reshape(histograms.shape)


def polygon_mask(size: tuple[int, ...], rings: Sequence[Floats]) -> Mask:
    mask = np.zeros(size, np.uint8)
    for ring in rings:
        cv2.fillPoly(mask, [np.round(ring * 16).astype(np.int32)], 1, shift=4)
    return mask.astype(bool)


def table_histogram(coded: Codes, pieces: Sequence[DetectedPiece], scale: float) -> Counts | None:
    """Normalised histogram of the free ground around the tiles; None if too little is visible."""
    tiles = [
        piece.outline * scale for piece in pieces if piece.kind == Kind.TILE and piece.certainty > MIN_COVER_CERTAINTY
    ]
    if not tiles:
        return None
    margin = MARGIN_TILES * float(np.median([np.sqrt(shape.area(quad)) for quad in tiles]))
    corners = np.concatenate(tiles)
    left, top = np.maximum(corners.min(axis=0) - margin, 0).astype(int)
    right, bottom = np.maximum(corners.max(axis=0) + margin, 0).astype(int)
    part = np.s_[top:bottom, left:right]
    covered = polygon_mask(
        coded.shape, [piece.outline * scale for piece in pieces if piece.certainty > MIN_COVER_CERTAINTY]
    )[part]
    free = coded[part][cv2.dilate(covered.astype(np.uint8), np.ones((5, 5), np.uint8)) == 0] if covered.size else []
    return (
        smoothed(histogram(np.asarray(free, np.int32)) / np.float32(len(free)))
        if len(free) >= MIN_TABLE_PIXELS
        else None
    )


def tile_pixels(coded: Codes, carried: Mask, quad: Floats) -> Codes:
    """Colour codes of the inner part of a tile that nothing covers."""
    inner = quad.mean(axis=0) + INNER_SHARE * (quad - quad.mean(axis=0))
    low = np.clip(np.floor(inner.min(axis=0)).astype(int), 0, None)
    high = np.clip(np.ceil(inner.max(axis=0)).astype(int) + 1, 0, coded.shape[::-1])
    if (high <= low).any():
        return np.zeros(0, np.int32)
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    return coded[part][polygon_mask(coded[part].shape, [inner - low]) & ~carried[part]]


def other_tiles_histograms(tiles: Sequence[DetectedPiece], own: Sequence[Codes]) -> Counts:
    """For each tile the normalised histogram of all others at other places, weighted by certainty."""
    each = np.array([histogram(codes_) * np.float32(tile.certainty) for tile, codes_ in zip(tiles, own, strict=True)])
    centers, sides = np.array([tile.center for tile in tiles]), np.sqrt([shape.area(tile.outline) for tile in tiles])
    is_other = np.linalg.norm(centers[:, None] - centers, axis=2) > 0.6 * sides[:, None]
    rest = is_other.astype(np.float32) @ each
    return smoothed(rest / np.maximum(rest.sum(axis=1, keepdims=True), np.float32(1e-9)))
