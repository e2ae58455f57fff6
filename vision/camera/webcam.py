"""A webcam or network stream through OpenCV; it is reopened when it is lost."""

from __future__ import annotations

import time

import cv2

from rules.sentence import say
from vision.camera.contract import CameraError
from vision.camera.mjpeg import MjpegStream, open_mjpeg
from vision.frame import Frame, PictureError

_RETRY_S = 1.0
_STEP_S, _QUIET_STEP_S = 1 / 15, 1 / 4
"""Shortest time between decoded frames, in seconds, when something moves and on a quiet table. Earlier frames are taken
from the queue but not decoded, which is most of the work."""
_PREFERRED_SIZES = ((1920, 1080), (1280, 720))
"""Resolutions to ask for, the first that the camera delivers is used."""


class Webcam:
    """`source`: camera index or address (http, https, rtsp)."""

    live = True
    stills = False

    def __init__(self, source: int | str) -> None:
        self.name = f"camera {source}" if isinstance(source, int) else str(source)
        self._source = source
        self._started_at = time.monotonic()
        self._lost_at: float | None = None
        self._step_s = _STEP_S
        self._due_at = 0.0
        self._capture = self._open()
        if self._capture is None:
            raise CameraError(
                say("{name} cannot be opened; is it plugged in, and does no other program use it?", name=self.name)
            )

    @property
    def ended(self) -> bool:
        return False

    def read(self) -> Frame | None:
        if self._capture is None:
            self._reopen()
            return None
        good, image = self._newest(self._capture)
        if not good:
            self._capture.release()
            self._capture, self._lost_at = None, time.monotonic()
        if not good or image is None:
            return None
        try:
            return Frame(image, source=self.name, at=time.monotonic() - self._started_at)  # type: ignore[arg-type]
        except PictureError:
            return None

    def calm(self, quiet: bool) -> None:
        """Decode four frames a second of a quiet table; a hand is still seen soon enough."""
        self._step_s = _QUIET_STEP_S if quiet else _STEP_S

    def _newest(self, capture: cv2.VideoCapture | MjpegStream) -> tuple[bool, object]:
        """(whether the camera goes on, the newest frame). Devices deliver at their own pace, so waiting costs nothing;
        of other sources every frame must be taken."""
        if isinstance(capture, MjpegStream):
            time.sleep(max(0.0, self._due_at - time.monotonic()))
            self._due_at = time.monotonic() + self._step_s
            return capture.read(reuse=self._step_s == _QUIET_STEP_S)
        if not isinstance(self._source, int):
            return capture.read()
        while capture.grab():
            if time.monotonic() >= self._due_at:
                self._due_at = time.monotonic() + self._step_s
                return capture.retrieve()
        return False, None

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()

    def _open(self) -> cv2.VideoCapture | MjpegStream | None:
        if isinstance(self._source, str) and (stream := open_mjpeg(self._source)):
            return stream
        capture = cv2.VideoCapture(self._source)
        if not capture.isOpened():
            capture.release()
            return None
        if isinstance(self._source, int):
            _choose_size(capture)
        # Keep only the newest frame in the queue.
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture

    def _reopen(self) -> None:
        now = time.monotonic()
        if self._lost_at is None or now - self._lost_at >= _RETRY_S:
            self._lost_at = now
            self._capture = self._open()
        else:
            time.sleep(0.05)


def _choose_size(capture: cv2.VideoCapture) -> None:
    """Set the first preferred size that the camera really delivers."""
    for width, height in _PREFERRED_SIZES:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        if round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)) == width:
            return
