import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frame import Frame, PictureError, read_frame
from vision.headers import claimed_size

GOOD = np.random.default_rng(0).integers(0, 255, (120, 160, 3)).astype(np.uint8)


def png_bomb(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def jpeg_bomb() -> bytes:
    data = bytearray(coded(".jpg"))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 30000, 30000)
    return bytes(data)


def coded(suffix: str) -> bytes:
    return cv2.imencode(suffix, GOOD)[1].tobytes()


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp"])
def test_a_picture_is_read_and_its_header_understood(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"good{suffix}"
    path.write_bytes(coded(suffix))
    assert read_frame(path).size == (160, 120)
    assert claimed_size(coded(suffix)) == (160, 120)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"hello, this is text", "not a picture"),
        (coded(".jpg")[:-2000], "cut off"),
        (coded(".png")[:-2000], "cut off"),
        (png_bomb(30000, 30000), "too big"),
        (jpeg_bomb(), "too big"),
        (png_bomb(0, 0), "too small"),
        (coded(".jpg")[:12], "cut off"),
    ],
)
def test_a_bad_picture_is_one_clear_line(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "bad.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError, match=words) as caught:
        read_frame(path)
    assert "\n" not in str(caught.value)
    assert "bad.jpg" in str(caught.value)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        read_frame(tmp_path / "none.jpg")
    with pytest.raises(PictureError, match="folder"):
        read_frame(tmp_path)


def test_a_frame_must_be_colour() -> None:
    with pytest.raises(PictureError, match="colour"):
        Frame(np.zeros((20, 20), np.uint8))
