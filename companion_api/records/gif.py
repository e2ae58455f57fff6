"""Encoder for animated GIFs of drawn boards with few flat colours, storing only changed parts. OpenCV writes whole
dithered pictures, ten times as large."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
COLOURS = 64
"""One of them is the transparent colour of unchanged pixels."""
_SAME = 0
_ROUNDED = 8
"""Width of a bin of channel values when frequent colours are counted."""
_CODE_BITS, _MAX_CODES = 6, 4096


def encode_gif(pictures: Sequence[Picture], shown_ms: Sequence[int]) -> bytes:
    """GIF file of equally sized BGR pictures and their durations; loops for ever."""
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
    """The most frequent colours, and the pictures as indices of the nearest one, from 1."""
    counts: dict[int, int] = {}
    codes = [_codes(picture) for picture in pictures]
    for each in codes:
        for code, count in zip(*np.unique(each, return_counts=True), strict=True):
            counts[int(code)] = counts.get(int(code), 0) + int(count)
    known = np.array(sorted(counts, key=lambda code: -counts[code]))
    colours = np.stack([known >> 16, known >> 8 & 255, known & 255], axis=1)
    palette = colours[: COLOURS - 1]
    distances = ((colours[:, None].astype(int) - palette[None].astype(int)) ** 2).sum(2)
    index_of_colour = dict(zip(known.tolist(), (distances.argmin(1) + 1).tolist(), strict=True))
    found = []
    for each in codes:
        values, where = np.unique(each, return_inverse=True)
        found.append(np.array([index_of_colour[int(v)] for v in values], np.uint8)[where].reshape(each.shape))
    return palette.astype(np.uint8), found


def _codes(picture: Picture) -> NDArray[np.int64]:
    rounded = np.minimum(255, (picture.astype(np.int64) + _ROUNDED // 2) // _ROUNDED * _ROUNDED)
    return rounded[..., 0] << 16 | rounded[..., 1] << 8 | rounded[..., 2]


def _frame(picture: Picture, before: Picture | None, shown_ms: int) -> Iterator[bytes]:
    """Blocks of the changed part; unchanged pixels in it are transparent."""
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
    """LZW compression of GIF: codes of growing width, lowest bits first."""
    clear = 1 << _CODE_BITS
    out = bytearray()
    buffer, bits = 0, 0
    codes: dict[tuple[int, int], int] = {}
    width, next_code = _CODE_BITS + 1, clear + 2

    def write(code: int) -> None:
        nonlocal buffer, bits
        buffer |= code << bits
        bits += width
        while bits >= 8:
            out.append(buffer & 255)
            buffer >>= 8
            bits -= 8

    write(clear)
    prefix = pixels[0]
    for pixel in pixels[1:]:
        known = codes.get((prefix, pixel))
        if known is not None:
            prefix = known
            continue
        write(prefix)
        if next_code < _MAX_CODES:
            if next_code == 1 << width:
                width += 1
            codes[prefix, pixel] = next_code
            next_code += 1
        else:
            write(clear)
            codes.clear()
            width, next_code = _CODE_BITS + 1, clear + 2
        prefix = pixel
    write(prefix)
    width += next_code == 1 << width and next_code < _MAX_CODES
    write(clear + 1)
    if bits:
        out.append(buffer & 255)
    return bytes(out)
