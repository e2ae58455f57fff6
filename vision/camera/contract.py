"""The contract of every camera."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from rules.sentence import ToldError
from vision.frame import Frame


class CameraError(ToldError):
    """The camera cannot be opened or is gone for good; the text says what to do."""


@runtime_checkable
class Camera(Protocol):
    """`read` gives the next frame, or None where there is none just now (a lost webcam that is being looked for, a
    phone that is silent). `live` cameras make frames in their own time; the others have them all and `ended` says when
    they are out of them. `stills`: each frame is a moment of its own, and nothing is known of what lies between.
    `Frame.at` counts seconds in the camera's own time."""

    name: str
    live: bool
    stills: bool

    @property
    def ended(self) -> bool: ...

    def read(self) -> Frame | None: ...

    def close(self) -> None: ...


@runtime_checkable
class Unhurried(Protocol):
    """A camera that gives fewer frames while nothing happens."""

    def calm(self, quiet: bool) -> None: ...
