"""A phone as the camera: stills that come in by themselves, the newest counts."""

from __future__ import annotations

import threading
import time

from vision.frame import Frame, decode


class PhoneCamera:
    live = True
    stills = False

    def __init__(self, name: str = "phone") -> None:
        self.name = name
        self._begun = time.monotonic()
        self._fresh = threading.Condition()
        self._frame: Frame | None = None
        self._closed = False

    @property
    def ended(self) -> bool:
        return self._closed

    def push(self, jpeg: bytes) -> tuple[int, int]:
        """A still from the phone; its size, or PictureError. The header is checked before anything is decoded."""
        frame = Frame(decode(self.name, jpeg), source=self.name, at=time.monotonic() - self._begun)
        with self._fresh:
            self._frame = frame
            self._fresh.notify()
        return frame.size

    def read(self) -> Frame | None:
        """The newest still that has not been read; waits a moment for one."""
        with self._fresh:
            if self._frame is None:
                self._fresh.wait(timeout=0.5)
            frame, self._frame = self._frame, None
            return frame

    def close(self) -> None:
        self._closed = True
