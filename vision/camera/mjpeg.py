"""A stream of JPEG pictures over http, as telephones and network cameras send it (multipart/x-mixed-replace).

Every part is taken from the line as it comes, so that nothing old waits there, but only the newest is decoded, and
only when somebody asks: decoding is nearly all that a quiet table costs. It is decoded as any picture from outside; of
a quiet table most pictures are only glanced at.
"""

from __future__ import annotations

import threading
import time
import urllib.request
from email.message import Message
from typing import IO, Final
from urllib.parse import urlsplit

import numpy as np

from vision.frame import Picture, PictureError, decode, glimpse
from vision.stillness import CHANGED, differing

TIMEOUT_S: Final = 5.0
MOST_BYTES: Final = 30_000_000
GLANCING_S: Final = 1.0
"""A quiet table's picture is no older than this."""
_LONGEST_LINE: Final = 4096
_MOST_LINES: Final = 40
"""Before a part's picture; a stream with more is none."""


class MjpegStream:
    def __init__(self, name: str, answer: IO[bytes]) -> None:
        self._name, self._answer = name, answer
        self._come = threading.Condition()
        self._newest: bytes | None = None
        self._known = _Known()
        self._over = False
        threading.Thread(target=self._listen, name="mjpeg", daemon=True).start()

    def read(self, glancing: bool = False) -> tuple[bool, Picture | None]:
        """The newest picture, waited for; false when the stream is over. A damaged picture is (true, None).
        `glancing`: where the newest looks as the last one that was decoded, it is that one again."""
        with self._come:
            self._come.wait_for(lambda: self._over or self._newest is not None, TIMEOUT_S)
            data, self._newest = self._newest, None
        if data is None:
            return False, None
        if glancing and self._known.shows(data):
            return True, self._known.picture
        try:
            picture = decode(self._name, data)
        except PictureError:
            return True, None
        picture.flags.writeable = not glancing
        self._known = _Known(picture, glimpse(data) if glancing else None)
        return True, picture

    def release(self) -> None:
        self._over = True
        self._answer.close()

    def _listen(self) -> None:
        try:
            while not self._over and (data := next_part(self._answer)) is not None:
                with self._come:
                    self._newest = data
                    self._come.notify()
        except (OSError, ValueError, AttributeError):
            pass  # the line broke, or was closed in the middle of a part
        with self._come:
            self._over = True
            self._come.notify()


class _Known:
    """A picture that was decoded, and how it looked at a glance."""

    def __init__(self, picture: Picture | None = None, glance: Picture | None = None) -> None:
        self.picture = picture
        self._glance = glance.astype(np.float32) if glance is not None else None
        self._until = time.monotonic() + GLANCING_S

    def shows(self, data: bytes) -> bool:
        """Whether a picture that has come is as good as this one: nothing moved since, and that not long ago."""
        if self._glance is None or time.monotonic() > self._until:
            return False
        now = glimpse(data)
        return now is not None and differing(self._glance, now.astype(np.float32), CHANGED) == 0.0


def next_part(stream: IO[bytes]) -> bytes | None:
    """The next picture; None where the stream ends or does not say how long a picture is."""
    length = 0
    for _ in range(_MOST_LINES):
        line = stream.readline(_LONGEST_LINE)
        if not line:
            return None
        name, _, value = line.decode("latin-1").partition(":")
        if name.strip().lower() == "content-length" and value.strip().isdecimal():
            length = int(value)
        elif not line.strip() and length:
            data = stream.read(length) if length <= MOST_BYTES else b""
            return data if len(data) == length else None
    return None


def open_mjpeg(address: str) -> MjpegStream | None:
    """None for any other address, also for one with a name and password: OpenCV knows more kinds."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or parts.username:
        return None
    try:
        answer = urllib.request.urlopen(address, timeout=TIMEOUT_S)
    except (OSError, ValueError):
        return None
    kind: Message = answer.headers
    try:
        first = next_part(answer) if kind.get_content_type() == "multipart/x-mixed-replace" else None
    except (OSError, ValueError):
        first = None
    if first is None:
        answer.close()
        return None
    return MjpegStream(address, answer)
