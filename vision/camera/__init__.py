"""Frame sources with one contract: webcams, files, folders, network streams, phones and the simulated table."""

from __future__ import annotations

import os
from pathlib import Path

from rules.sentence import say
from vision.camera.contract import Camera, CameraError
from vision.camera.recorded import Folder, VideoFile
from vision.camera.webcam import Webcam

__all__ = ["Camera", "CameraError", "first_working", "open_camera"]

_MOST_DIGITS = 3
_MAX_INDEX = 4
"""Indices that are tried for a working webcam, from 0."""


def open_camera(source: str, realtime: bool = False) -> Camera:
    """The camera of a source: a camera index, a video file, a folder of stills, or an http(s)/rtsp address."""
    if source.isdecimal() and len(source) <= _MOST_DIGITS:
        return Webcam(int(source))
    if source.startswith(("http://", "https://", "rtsp://")):
        return Webcam(source)
    if os.path.isdir(source):  # Path.is_dir raises for names that are too long
        return Folder(Path(source))
    if os.path.exists(source):
        return VideoFile(Path(source), realtime)
    raise CameraError(
        say("{source}: no such camera, file or folder; give an index like 0, a path or an address", source=source)
    )


def first_working() -> Camera | None:
    """The first webcam that delivers a picture."""
    for index in range(_MAX_INDEX):
        if not Path(f"/dev/video{index}").exists() and Path("/dev").exists() and Path("/proc").exists():
            continue  # on Linux opening a missing device fills the terminal with warnings
        try:
            camera = Webcam(index)
        except CameraError:
            continue
        if any(camera.read() is not None for _ in range(5)):
            return camera
        camera.close()
    return None
