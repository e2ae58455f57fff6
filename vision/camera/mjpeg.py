"""A stream of JPEG pictures over http, as telephones and network cameras send it (multipart/x-mixed-replace).

Every part is taken from the line as it comes, so that nothing old waits there, but only the newest is decoded, and
only when somebody asks: decoding is nearly all that a quiet table costs. It is decoded as any picture from outside.
"""

from __future__ import annotations

import threading
import urllib.request
from email.message import Message
from typing import IO, Final
from urllib.parse import urlsplit

from vision.frame import Picture, PictureError, decode

TIMEOUT_S: Final = 5.0
MOST_BYTES: Final = 30_000_000
_LONGEST_LINE: Final = 4096
_MOST_LINES: Final = 40
"""Before a part's picture; a stream with more is none."""


class MjpegStream:
    def __init__(self, name: str, answer: IO[bytes]) -> None:
        self._name, self._answer = name, answer
        self._come = threading.Condition()
        self._newest: bytes | None = None
        self._over = False
        threading.Thread(target=self._listen, name="mjpeg", daemon=True).start()

    def read(self) -> tuple[bool, Picture | None]:
        """The newest picture, waited for; false when the stream is over. A damaged picture is (true, None)."""
        with self._come:
            self._come.wait_for(lambda: self._over or self._newest is not None, TIMEOUT_S)
            data, self._newest = self._newest, None
        if data is None:
            return False, None
        try:
            return True, decode(self._name, data)
        except PictureError:
            return True, None

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
