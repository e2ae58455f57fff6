"""Claimed size of an encoded picture, read from its header before decoding. A picture whose header is not understood
here is not decoded at all: a decoder that continues beyond it could find any size."""

from __future__ import annotations

import re
import struct
from typing import Final

Size = tuple[int, int]

PNG: Final = b"\x89PNG\r\n\x1a\n"
FORMATS: Final = "JPEG, PNG, WebP or BMP"
_STANDALONE_MARKERS = frozenset([0x01, *range(0xD0, 0xD8)])  # JPEG markers that stand alone
_MARKER = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]", re.DOTALL)
"""Starts a segment or ends the file; 0 is stuffed, the others stand alone, of fill bytes the last counts."""
MAX_SCANS: Final = 64
"""Cameras write one, progressive pictures about ten."""
MAX_SEGMENTS: Final = 1000
_FRAME_MARKERS = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def claimed_size(data: bytes) -> Size | None:
    """(width, height) of the header; None for formats that are not read."""
    for begins, measure in _KINDS:
        if begins.match(data):
            return measure(data)
    return None


def is_truncated(data: bytes) -> bool:
    """Whether the file stops before its end."""
    if data[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in data[-4096:]
    if data[:8] == PNG:
        return b"IEND" not in data[-64:]
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    if data[:2] == b"BM" and len(data) >= 6:
        return len(data) < int.from_bytes(data[2:6], "little")
    return False


def _png(data: bytes) -> Size | None:
    if data[12:16] != b"IHDR" or len(data) < 24:
        return None
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def _jpeg(data: bytes) -> Size | None:
    """Size in the frame header. Like the decoder, it skips stray bytes between segments."""
    at = 2
    while (at := data.find(b"\xff", at)) >= 0 and at + 9 <= len(data):
        marker = data[at + 1]
        if marker in _FRAME_MARKERS:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return None if _has_too_many_scans(data, at) else (int(width), int(height))
        if marker in (0xD9, 0xDA):
            return None  # pixels, or the end, before any frame header
        if marker in (0x00, 0xFF):
            at += 1
        elif marker in _STANDALONE_MARKERS:
            at += 2
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _has_too_many_scans(data: bytes, at: int) -> bool:
    """Whether decoding would take too long: every scan covers the whole picture and may take only 31 bytes, so a few
    megabytes could take an hour."""
    scans = segments = 0
    while found := _MARKER.search(data, at):
        marker, at = data[found.end() - 1], found.end()
        if marker == 0xD9:
            return False
        scans, segments = scans + (marker == 0xDA), segments + 1
        if scans > MAX_SCANS or segments > MAX_SEGMENTS:
            return True
        at += int.from_bytes(data[at : at + 2], "big")
    return False


def _bmp(data: bytes) -> Size | None:
    """Old headers have 12 bytes and 16 bit sizes, the others at least 40 and 32 bit."""
    if len(data) < 26:
        return None
    length = int.from_bytes(data[14:18], "little")
    if length == 12:
        return int.from_bytes(data[18:20], "little"), int.from_bytes(data[20:22], "little")
    if length < 36:
        return None
    width, height = struct.unpack("<ii", data[18:26])
    return abs(int(width)), abs(int(height))


def _webp(data: bytes) -> Size | None:
    if data[12:16] == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if data[12:16] == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if data[12:16] == b"VP8 " and len(data) >= 30:
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


_KINDS: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), _png),
    (re.compile(rb"\xff\xd8\xff"), _jpeg),
    (re.compile(rb"BM"), _bmp),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), _webp),
)
