"""Pictures and films that a few bytes say are huge, or that lie about what they are."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np

SIDE = 30000
GOOD = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def coded(suffix: str) -> bytes:
    return cv2.imencode(suffix, GOOD)[1].tobytes()


def png(width: int = SIDE, height: int = SIDE) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\x00" * 3_000_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def jpeg(stray: bytes = b"") -> bytes:
    """With a frame of 30000 x 30000; `stray` stands before that frame's header, where decoders step over it."""
    data = bytearray(coded(".jpg"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", SIDE, SIDE)
    return bytes(data[:at]) + stray + bytes(data[at:])


def endless_jpeg(scans: int, between: bytes = b"") -> bytes:
    """A progressive picture whose last scan, which takes a few bytes, is there again and again."""
    data = cv2.imencode(".jpg", np.full((600, 800, 3), 120, np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    last = data[data.rindex(b"\xff\xda") : -2]
    return data[:-2] + (between + last) * scans + b"\xff\xd9"


def _bmp(header: bytes) -> bytes:
    return b"BM" + struct.pack("<IHHI", 14 + len(header) + 64, 0, 0, 14 + len(header)) + header + b"\x00" * 64


def _tiff() -> bytes:
    tags = [(256, SIDE), (257, SIDE), (258, 8), (259, 1), (262, 1), (273, 8), (277, 1), (278, SIDE), (279, SIDE)]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    return b"II*\x00" + struct.pack("<IH", 8, len(tags)) + entries + b"\x00" * 4


def _webp() -> bytes:
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\x00" * 4 + (16000).to_bytes(3, "little") * 2
    return b"RIFF" + struct.pack("<I", len(body)) + body


HUGE: dict[str, bytes] = {
    "png": png(),
    "jpeg": jpeg(),
    "jpeg behind a stray byte": jpeg(b"\x00"),
    "jpeg behind stray bytes": jpeg(b"\x17\x42\xff\x00\x33"),
    "jpeg behind fill bytes": jpeg(b"\xff" * 7),
    "bmp": _bmp(struct.pack("<IiiHHIIiiII", 40, SIDE, -SIDE, 1, 24, 0, 0, 0, 0, 0, 0)),
    "old bmp": _bmp(struct.pack("<IHHHH", 12, 60000, 60000, 1, 24) + b"\x00" * 14),
    "webp": _webp(),
}

UNKNOWN: dict[str, bytes] = {
    "pbm": b"P4\n%d %d\n" % (SIDE * 4, SIDE * 4) + b"\x00" * 100,
    "pbm with comments": b"P4\n# %s\n%d %d\n" % (b"x" * 300, SIDE * 4, SIDE * 4) + b"\x00" * 100,
    "ppm": b"P6 %d %d 255\n" % (SIDE, SIDE) + b"\x00" * 100,
    "plain pgm": b"P2\n%d\n%d\n255\n" % (SIDE, SIDE) + b"0 " * 100,
    "gif": b"GIF89a" + struct.pack("<HH", 60000, 60000) + b"\x00\x00\x00;",
    "tiff": _tiff(),
    "text": b"hello, this is text",
    "pam": b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\nENDHDR\n" % (SIDE, SIDE),
    "pfm": b"PF\n%d %d\n-1.0\n" % (SIDE, SIDE) + b"\x00" * 100,
    "radiance": b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n" % (SIDE, SIDE),
    "sun raster": struct.pack(">8I", 0x59A66A95, SIDE, SIDE, 24, 0, 1, 0, 0),
    "exr": b"\x76\x2f\x31\x01" + b"\x00" * 60,
    "jpeg 2000": b"\x00\x00\x00\x0cjP  \r\n\x87\n" + b"\x00" * 60,
    "jpeg 2000 stream": b"\xff\x4f\xff\x51" + struct.pack(">HHII", 41, 0, SIDE, SIDE) + b"\x00" * 60,
    "avif": b"\x00\x00\x00\x1cftypavif" + b"\x00" * 60,
    "jpeg behind a byte": b"\x00" + coded(".jpg"),
    "jpeg without a frame": b"\xff\xd8\xff\xda\x00\x02" + b"\x00" * 40 + b"\xff\xd9",
    "svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='30000' height='30000'/>",
    "webp with a strange first chunk": b"RIFF" + struct.pack("<I", 16) + b"WEBPXXXX" + b"\x00" * 8,
    "zip": b"PK\x03\x04" + b"\x00" * 40,
}


def film(path: Path) -> Path:
    """A small film whose frames say that they are 30000 x 30000."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (160, 120))
    assert writer.isOpened()
    for _ in range(3):
        writer.write(GOOD)
    writer.release()
    data = bytearray(path.read_bytes())
    at = -1
    while (at := data.find(b"\xff\xc0\x00\x11", at + 1)) >= 0:
        data[at + 5 : at + 9] = struct.pack(">HH", SIDE, SIDE)
    path.write_bytes(data)
    return path
