"""A stream of JPEG pictures over HTTP, as phones and network cameras send it (multipart/x-mixed-replace).

Every part is received at once, so that no old picture waits in a buffer, but only the newest is decoded, and only on
request: decoding is nearly the whole cost of a quiet table. Pictures are decoded with the same checks as any picture
from outside; while the table is quiet most are only compared in a small version."""

from __future__ import annotations

import threading
import time
import urllib.request
from email.message import Message
from typing import IO, Final
from urllib.parse import urlsplit

import numpy as np

from vision.frame import Picture, PictureError, decode, decode_preview
from vision.stillness import CHANGE_LEVELS, changed_share

TIMEOUT_S: Final = 5.0
MAX_BYTES: Final = 30_000_000
"""Largest part that is accepted."""
MAX_REUSE_S: Final = 1.0
"""Longest time for which a decoded picture is reused, in seconds."""
_MAX_LINE_BYTES: Final = 4096
_MAX_HEADER_LINES: Final = 40
"""Largest number of header lines before a part's picture."""


class MjpegStream:
    """The newest picture of a stream, received in a thread."""

    def __init__(self, name: str, answer: IO[bytes]) -> None:
        self._name, self._answer = name, answer
        self._condition = threading.Condition()
        self._newest: bytes | None = None
        self._decoded = _DecodedPicture()
        self._closed = False
        threading.Thread(target=self._listen, name="mjpeg", daemon=True).start()

    def read(self, reuse: bool = False) -> tuple[bool, Picture | None]:
        """(whether the stream goes on, the newest picture or None if it is damaged). Waits for a picture. `reuse`:
        return the last decoded picture if the newest looks the same."""
        with self._condition:
            self._condition.wait_for(lambda: self._closed or self._newest is not None, TIMEOUT_S)
            data, self._newest = self._newest, None
        if data is None:
            return False, None
        if reuse and self._decoded.matches(data):
            return True, self._decoded.picture
        try:
            picture = decode(self._name, data)
        except PictureError:
            return True, None
        picture.flags.writeable = not reuse
        self._decoded = _DecodedPicture(picture, decode_preview(data) if reuse else None)
        return True, picture

    def release(self) -> None:
        self._closed = True
        self._answer.close()

    def _listen(self) -> None:
        try:
            while not self._closed and (data := next_part(self._answer)) is not None:
                with self._condition:
                    self._newest = data
                    self._condition.notify()
        except (OSError, ValueError, AttributeError):
            pass  # the connection broke, or was closed within a part
        with self._condition:
            self._closed = True
            self._condition.notify()


class _DecodedPicture:
    def __init__(self, picture: Picture | None = None, preview: Picture | None = None) -> None:
        self.picture = picture
        self._preview = preview.astype(np.float32) if preview is not None else None
        self._reusable_until = time.monotonic() + MAX_REUSE_S

    def matches(self, data: bytes) -> bool:
        """Whether an encoded picture shows the same, and this one is recent enough to be reused."""
        if self._preview is None or time.monotonic() > self._reusable_until:
            return False
        preview = decode_preview(data)
        return preview is not None and changed_share(self._preview, preview.astype(np.float32), CHANGE_LEVELS) == 0.0


def next_part(stream: IO[bytes]) -> bytes | None:
    """The next picture; None at the end of the stream or if a part gives no length."""
    length = 0
    for _ in range(_MAX_HEADER_LINES):
        line = stream.readline(_MAX_LINE_BYTES)
        if not line:
            return None
        name, _, value = line.decode("latin-1").partition(":")
        if name.strip().lower() == "content-length" and value.strip().isdecimal():
            length = int(value)
        elif not line.strip() and length:
            data = stream.read(length) if length <= MAX_BYTES else b""
            return data if len(data) == length else None
    return None


def open_mjpeg(address: str) -> MjpegStream | None:
    """The stream of an address; None for any other address, also for one with a name and password, which OpenCV
    handles."""
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
