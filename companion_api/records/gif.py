"""Animated GIFs of drawn boards: few flat colours, and of every picture only what changed. OpenCV writes each picture
whole and with dithered colours, which makes the same film ten times as large."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
COLOURS = 64
"""One of them stands for what stays as it is."""
_SAME = 0
_ROUNDED = 8
"""Levels of a channel that count as one where the most frequent colours are looked for."""
_CODE_BITS, _MOST_CODES = 6, 4096


def animated(pictures: Sequence[Picture], shown_ms: Sequence[int]) -> bytes:
    """The file, from pictures of one size in BGR and how long each is shown. It runs for ever."""
    palette, indexed = _indexed(pictures)
    height, width = indexed[0].shape
    table = np.zeros((COLOURS, 3), np.uint8)
    table[1 : len(palette) + 1] = palette[:, ::-1]
    out = [b"GIF89a", struct.pack("<HHBBB", width, height, 0xF0 | _CODE_BITS - 1, 0, 0), table.tobytes()]
    out.append(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    before: Picture | None = None
    for picture, shown in zip(indexed, shown_ms, strict=True):
        out += _frame(picture, before, shown)
        before = picture
    return b"".join([*out, b"\x3b"])


def _indexed(pictures: Sequence[Picture]) -> tuple[Picture, list[Picture]]:
    """The most frequent colours, and every picture as numbers of the nearest of them, from 1."""
    counts: dict[int, int] = {}
    codes = [_codes(picture) for picture in pictures]
    for each in codes:
        for code, count in zip(*np.unique(each, return_counts=True), strict=True):
            counts[int(code)] = counts.get(int(code), 0) + int(count)
    known = np.array(sorted(counts, key=lambda code: -counts[code]))
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    palette = colours[: COLOURS - 1]
    apart = ((colours[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(2)
    number = dict(zip(known.tolist(), (apart.argmin(1) + 1).tolist(), strict=True))
    found = []
    for each in codes:
        values, where = np.unique(each, return_inverse=True)
        found.append(np.array([number[int(v)] for v in values], np.uint8)[where].reshape(each.shape))
    return palette.astype(np.uint8), found


def _codes(picture: Picture) -> NDArray[np.int64]:
    rounded = np.minimum(255, (picture.astype(np.int64) + _ROUNDED // 2) // _ROUNDED * _ROUNDED)
    return rounded[..., 0] << 16 | rounded[..., 1] << 8 | rounded[..., 2]


def _frame(picture: Picture, before: Picture | None, shown_ms: int) -> Iterator[bytes]:
    """The part that changed; what stays in it is one colour that shows nothing."""
    top, left = 0, 0
    part = picture
    if before is not None:
        left, top, width, height = cv2.boundingRect((picture != before).astype(np.uint8))
        width, height = max(1, width), max(1, height)
        box = np.s_[top : top + height, left : left + width]
        part = np.where(picture[box] == before[box], _SAME, picture[box]).astype(np.uint8)
    yield b"\x21\xf9\x04" + struct.pack("<BHBB", 0x05, shown_ms // 10, _SAME, 0)
    yield b"\x2c" + struct.pack("<HHHHB", left, top, part.shape[1], part.shape[0], 0)
    packed = _packed(part.tobytes())
    yield bytes([_CODE_BITS])
    for at in range(0, len(packed), 255):
        block = packed[at : at + 255]
        yield bytes([len(block)]) + block
    yield b"\x00"


def _packed(pixels: bytes) -> bytes:
    """LZW as GIF has it: codes of growing width, the lowest bits first."""
    clear = 1 << _CODE_BITS
    out = bytearray()
    waiting, bits = 0, 0
    codes: dict[tuple[int, int], int] = {}
    width, following = _CODE_BITS + 1, clear + 2

    def put(code: int) -> None:
        nonlocal waiting, bits
        waiting |= code << bits
        bits += width
        while bits >= 8:
            out.append(waiting & 255)
            waiting >>= 8
            bits -= 8

    put(clear)
    prefix = pixels[0]
    for pixel in pixels[1:]:
        known = codes.get((prefix, pixel))
        if known is not None:
            prefix = known
            continue
        put(prefix)
        if following < _MOST_CODES:
            if following == 1 << width:
                width += 1
            codes[prefix, pixel] = following
            following += 1
        else:
            put(clear)
            codes.clear()
            width, following = _CODE_BITS + 1, clear + 2
        prefix = pixel
    put(prefix)
    width += following == 1 << width and following < _MOST_CODES
    put(clear + 1)
    if bits:
        out.append(waiting & 255)
    return bytes(out)
