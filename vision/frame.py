"""Pictures (BGR) and their safe decoding from files and streams."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.sentence import InputError, say
from vision.bounded import BoundedError, decode_in_process
from vision.headers import FORMATS, claimed_size, is_truncated

Picture = NDArray[np.uint8]

MAX_PIXELS: Final = 60_000_000
MAX_INLINE_PIXELS: Final = 16_000_000
"""Pictures with more pixels are decoded in a separate process."""
MAX_BYTES: Final = 120_000_000
MIN_SIDE: Final = 16
JPEG: Final = b"\xff\xd8"
PREVIEW_WIDTH: Final = 240
"""Smallest width of a preview in pixels."""
_REDUCTIONS: Final = (
    (8, cv2.IMREAD_REDUCED_GRAYSCALE_8),
    (4, cv2.IMREAD_REDUCED_GRAYSCALE_4),
    (2, cv2.IMREAD_REDUCED_GRAYSCALE_2),
)
_DECODING = threading.Semaphore(2)
"""Limits the number of pictures decoded at once."""
_SEPARATE = threading.Semaphore(1)
"""A separate decoding may take half a minute; a camera does not wait for it."""


class PictureError(InputError):
    """The picture cannot be used; the text is one line with the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture (BGR) with its source and time in seconds."""

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
    return Frame(decode(str(path), read_bytes(Path(path))), source=str(path))


def read_bytes(path: Path) -> bytes:
    """The content of a picture file; PictureError if it cannot be read or is too large."""
    try:
        if path.is_dir():
            raise PictureError(say("{file}: is a folder; give a picture file", file=str(path)))
        if path.stat().st_size > MAX_BYTES:
            raise PictureError(
                say("{file}: more than {most} MB; give a smaller picture", file=str(path), most=MAX_BYTES // 1000000)
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
    """Raise PictureError for a picture that is too big or too small."""
    if width * height > MAX_PIXELS:
        raise PictureError(
            say(
                "{file}: {width} x {height} is too big (at most {most} megapixels); scale it down",
                file=name,
                width=width,
                height=height,
                most=MAX_PIXELS // 1000000,
            )
        )
    if min(width, height) < MIN_SIDE:
        raise PictureError(
            say(
                "{file}: {width} x {height} is too small to show anything; give a bigger picture",
                file=name,
                width=width,
                height=height,
            )
        )


def decode(name: str, data: bytes) -> Picture:
    """The pixels (BGR) of an encoded picture from outside. Header and size are checked before decoding. A truncated
    file is refused, since half a table would be judged as a changed one."""
    if is_truncated(data):
        raise PictureError(say("{file}: the picture is cut off; copy it again", file=name))
    claimed = claimed_size(data)
    if claimed is None:
        raise PictureError(say("{file}: not a picture that can be read; give a {usual} file", file=name, usual=FORMATS))
    check_size(name, *claimed)
    image = _decoded(data, claimed[0] * claimed[1])
    if image is None:
        raise PictureError(say("{file}: not a picture that can be read; give a {usual} file", file=name, usual=FORMATS))
    check_size(name, image.shape[1], image.shape[0])
    return image


def decode_preview(data: bytes) -> NDArray[np.uint8] | None:
    """A reduced grey version of a camera's JPEG, wide enough to show a hand; None where it must be decoded in full."""
    claimed = claimed_size(data) if data[:2] == JPEG and not is_truncated(data) else None
    if claimed is None or claimed[0] * claimed[1] > MAX_INLINE_PIXELS:
        return None
    mode = next((mode for times, mode in _REDUCTIONS if claimed[0] >= times * PREVIEW_WIDTH), cv2.IMREAD_GRAYSCALE)
    try:
        with _DECODING:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), mode)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def _decoded(data: bytes, pixels: int) -> Picture | None:
    """The pixels; pictures of usual size are decoded in this process, larger ones in a separate one."""
    try:
        if pixels > MAX_INLINE_PIXELS:
            with _SEPARATE:
                return decode_in_process(data)
        with _DECODING:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except (cv2.error, BoundedError):
        return None
    return None if image is None else np.asarray(image, dtype=np.uint8)
