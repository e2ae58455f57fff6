"""A picture on its way through the eyes, and how it is read from a file without being fooled."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.sentence import SaidError, say
from vision.bounded import BoundedError, decode_apart
from vision.headers import USUAL, claimed_size, cut_short

Picture = NDArray[np.uint8]

MOST_PIXELS: Final = 60_000_000
USUAL_PIXELS: Final = 16_000_000
MOST_BYTES: Final = 120_000_000
LEAST_SIDE: Final = 16
JPEG: Final = b"\xff\xd8"
GLIMPSED: Final = 240
"""Pixels across, at least."""
_SMALLER: Final = (
    (8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
    (4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    (2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
)
_ROOM = threading.Semaphore(2)
"""However many pictures come in at once, no more than these are being decoded."""
_APART = threading.Semaphore(1)
"""What is decoded apart may take half a minute; a camera does not wait for it."""


class PictureError(SaidError):
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
            raise PictureError(say("{file}: not a colour picture of 8 bits a channel", file=self.source or "frame"))
        object.__setattr__(self, "size", (self.image.shape[1], self.image.shape[0]))


def read_frame(path: str | Path) -> Frame:
    """The picture in a file."""
    return Frame(decode(str(path), read_bytes(Path(path))), source=str(path))


def read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PictureError(say("{file}: is a folder; give a picture file", file=str(path)))
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(
                say("{file}: more than {most} MB; give a smaller picture", file=str(path), most=MOST_BYTES // 1000000)
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(say("{file}: no such file", file=str(path))) from None
    except (OSError, ValueError) as error:
        if isinstance(error, PictureError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise PictureError(say("{file}: {why}", file=str(path), why=reason)) from None
    if not data:
        raise PictureError(say("{file}: the file is empty; take the picture again", file=str(path)))
    return data


def check_size(name: str, width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise PictureError(
            say(
                "{file}: {width} x {height} is too big (at most {most} megapixels); scale it down",
                file=name,
                width=width,
                height=height,
                most=MOST_PIXELS // 1000000,
            )
        )
    if min(width, height) < LEAST_SIDE:
        raise PictureError(
            say(
                "{file}: {width} x {height} is too small to show anything; give a bigger picture",
                file=name,
                width=width,
                height=height,
            )
        )


def decode(name: str, data: bytes) -> Picture:
    """The pixels (BGR) of a picture from outside. Its header is understood and its size checked before anything is
    decoded; a file that stops half way is refused, since half a table would be refereed as a changed one."""
    if cut_short(data):
        raise PictureError(say("{file}: the picture is cut off; copy it again", file=name))
    claimed = claimed_size(data)
    if claimed is None:
        raise PictureError(say("{file}: not a picture that can be read; give a {usual} file", file=name, usual=USUAL))
    check_size(name, *claimed)
    image = _decoded(data, claimed[0] * claimed[1])
    if image is None:
        raise PictureError(say("{file}: not a picture that can be read; give a {usual} file", file=name, usual=USUAL))
    check_size(name, image.shape[1], image.shape[0])
    return image


def glimpse(data: bytes) -> NDArray[np.uint8] | None:
    """A camera's JPEG in grey, at least so wide that a hand is seen in it; None where it must be decoded whole."""
    claimed = claimed_size(data) if data[:2] == JPEG and not cut_short(data) else None
    if claimed is None or claimed[0] * claimed[1] > USUAL_PIXELS:
        return None
    mode = next((mode for times, mode in _SMALLER if claimed[0] >= times * GLIMPSED), cv2.IMREAD_GRAYSCALE)
    try:
        with _ROOM:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), mode)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _decoded(data: bytes, pixels: int) -> Picture | None:
    """In this process what is of a usual size, so that it costs little whatever is in it."""
    try:
        if pixels > USUAL_PIXELS:
            with _APART:
                return decode_apart(data)
        with _ROOM:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, BoundedError):
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)
