"""Cameras that read video files and folders of stills."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from rules.sentence import say, sentence_of
from vision.bounded import BoundedError, video_size
from vision.camera.contract import CameraError
from vision.frame import MAX_PIXELS, Frame, PictureError, check_size, read_frame

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".bmp"}


def _no_video(path: Path) -> CameraError:
    return CameraError(say("{file}: not a video that can be read; give an mp4, avi, mkv or webm file", file=str(path)))


class VideoFile:
    """Frames of a video file at their own times; a truncated file simply ends. `realtime`: deliver them in real
    time."""

    def __init__(self, path: Path, realtime: bool = False) -> None:
        if not path.is_file():
            raise CameraError(say("{file}: no such file", file=str(path)))
        self.name = path.name
        self.live, self.stills = realtime, False
        _check_first_frame(path)
        self._capture = cv2.VideoCapture(str(path))
        if not self._capture.isOpened():
            raise _no_video(path)
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._index = 0
        self._ended = False
        self._started_at = time.monotonic()

    @property
    def ended(self) -> bool:
        return self._ended

    def read(self) -> Frame | None:
        good, image = self._capture.read()
        if not good or image is None:
            self._ended = True
            return None
        at = self._index / self._fps
        self._index += 1
        if self.live:
            time.sleep(max(0.0, at - (time.monotonic() - self._started_at)))
        if image.shape[0] * image.shape[1] > MAX_PIXELS:  # the frame size may grow after the first frame
            self._ended = True
            return None
        return Frame(image, source=self.name, at=at)  # type: ignore[arg-type]

    def close(self) -> None:
        self._capture.release()


def _check_first_frame(path: Path) -> None:
    """Decode the first frame in a separate process with limits: a few bytes of a video may ask for any amount of
    memory."""
    try:
        check_size(str(path), *video_size(str(path)))
    except BoundedError:
        raise _no_video(path) from None
    except PictureError as error:
        raise CameraError(sentence_of(error)) from None


class Stills:
    """Picture files in the given order, each a still moment of its own, a second apart."""

    live = False
    stills = True

    def __init__(self, paths: Sequence[Path], name: str) -> None:
        self.name = name
        self._paths = list(paths)
        self._index = 0

    @property
    def ended(self) -> bool:
        return self._index >= len(self._paths)

    def read(self) -> Frame | None:
        if self.ended:
            return None
        path, at = self._paths[self._index], float(self._index)
        self._index += 1
        try:
            return Frame(read_frame(path).image, source=path.name, at=at)
        except PictureError:
            return None  # an unreadable still is skipped

    def close(self) -> None:
        self._index = len(self._paths)


class Folder(Stills):
    """The pictures of a folder in the order of their names."""

    def __init__(self, path: Path) -> None:
        super().__init__(pictures_in(path), path.name)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files of a folder in the order of their names; CameraError if there are none."""
    found = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not found:
        raise CameraError(say("{file}: no pictures in this folder; give JPEG or PNG files", file=str(folder)))
    return found
