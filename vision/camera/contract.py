"""The interface of every camera."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rules.sentence import SentenceError
from vision.frame import Frame


class CameraError(SentenceError):
    """The camera cannot be opened or is gone for good; the text says what to do."""


@runtime_checkable
class Camera(Protocol):
    """`read` returns the next frame, or None if there is none just now (a lost webcam, a silent phone). `live`
    cameras deliver frames in real time; the others hold all of them, and `ended` turns true after the last.
    `stills`: each frame is a still moment without a connection to the one before, and is read once; the frames of
    others are read when the table rests, some times a moment. A live camera that gives None for seconds is said to be
    lost. `Frame.at` is in seconds of the camera's own clock."""

    name: str
    live: bool
    stills: bool

    @property
    def ended(self) -> bool: ...

    def read(self) -> Frame | None: ...

    def close(self) -> None: ...


@runtime_checkable
class RateControlled(Protocol):
    """A camera that can deliver fewer frames of a quiet table."""

    def calm(self, quiet: bool) -> None: ...
