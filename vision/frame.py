"""A picture on its way through the eyes, and how it is read from a file without being fooled."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

MOST_PIXELS: Final = 60_000_000
MOST_BYTES: Final = 120_000_000
LEAST_SIDE: Final = 16


class PictureError(ValueError):
    """The picture cannot be used; the text is one clear line that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Pixels (BGR) with where they come from and when they were taken."""

    image: Picture
    source: str = ""
    at: float = 0.0
    size: tuple[int, int] = field(init=False)
    """(width, height)"""

    def __post_init__(self) -> None:
        if self.image.ndim != 3 or self.image.shape[2] != 3 or self.image.dtype != np.uint8:
            raise PictureError(f"{self.source or 'frame'}: not a colour picture of 8 bits a channel")
        object.__setattr__(self, "size", (self.image.shape[1], self.image.shape[0]))


def read_frame(path: str | Path) -> Frame:
    """The picture in a file. The header is checked before anything is decoded."""
    data = read_bytes(Path(path))
    claimed = claimed_size(data)
    if claimed is not None:
        check_size(str(path), *claimed)
    image = decode_whole(str(path), data)
    check_size(str(path), image.shape[1], image.shape[0])
    return Frame(image, source=str(path))


def read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(f"{path}: is a folder; give a picture file")
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{path}: more than {MOST_BYTES // 1_000_000} MB; give a smaller picture")
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise error if isinstance(error, PictureError) else PictureError(f"{path}: {reason}") from None
    if not data:
        raise PictureError(f"{path}: the file is empty; take the picture again")
    return data


def check_size(name: str, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"{name}: {width} x {height} is too big (at most {MOST_PIXELS // 1_000_000} megapixels); scale it down"
        )
    if min(width, height) < LEAST_SIDE:
        raise PictureError(f"{name}: {width} x {height} is too small to show anything; give a bigger picture")


def decode_whole(name: str, data: bytes) -> Picture:
    """Decodes, and refuses a file that stops half way: half a table would be refereed as a changed one."""
    if cut_short(data):
        raise PictureError(f"{name}: the picture is cut off; copy it again")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None:
        raise PictureError(f"{name}: not a picture that can be read; give a JPEG, PNG, WebP or BMP file")
    return np.asarray(image, dtype=np.uint8)


def cut_short(data: bytes) -> bool:
    if data[:2] == b"\xff\xd8":
        return b"\xff\xd9" not in data[-4096:]
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return b"IEND" not in data[-64:]
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return len(data) < 8 + int.from_bytes(data[4:8], "little")
    if data[:2] == b"BM" and len(data) >= 6:
        return len(data) < int.from_bytes(data[2:6], "little")
    return False


def claimed_size(data: bytes) -> tuple[int, int] | None:
    """(width, height) as the header says, for the formats a camera or a phone writes."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    if data[:2] == b"\xff\xd8":
        return jpeg_size(data)
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(int(width)), abs(int(height))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return webp_size(data)
    return None


def jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walks the segments to the frame header."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return int(width), int(height)
        at += 1 if marker == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def webp_size(data: bytes) -> tuple[int, int] | None:
    if data[12:16] == b"VP8X" and len(data) >= 30:
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if data[12:16] == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if data[12:16] == b"VP8 " and len(data) >= 30:
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None
