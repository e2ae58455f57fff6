"""A phone as camera: it sends stills by itself, and the newest is used."""

from __future__ import annotations

import threading
import time

from vision.frame import Frame, decode


class PhoneCamera:
    live = True
    stills = False
    name = "phone"

    def __init__(self) -> None:
        self._started_at = time.monotonic()
        self._condition = threading.Condition()
        self._frame: Frame | None = None
        self._closed = False

    @property
    def ended(self) -> bool:
        return self._closed

    def push(self, jpeg: bytes) -> tuple[int, int]:
        """Accept a still from the phone; returns its size or raises PictureError. The header is checked before
        decoding."""
        frame = Frame(decode(self.name, jpeg), source=self.name, at=time.monotonic() - self._started_at)
        with self._condition:
            self._frame = frame
            self._condition.notify()
        return frame.size

    def read(self) -> Frame | None:
        """The newest still that has not been read, waiting up to half a second; None if there is none."""
        with self._condition:
            if self._frame is None:
                self._condition.wait(timeout=0.5)
            frame, self._frame = self._frame, None
            return frame

    def close(self) -> None:
        self._closed = True
