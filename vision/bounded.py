"""Decoding in a process of its own, which may use only so much memory and time: for large pictures and the first look
into a video. `python -m vision.bounded picture < FILE` writes the pixels, `... video FILE` the size."""

from __future__ import annotations

import os
import struct
import subprocess
import sys

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_MEMORY = 2 * 1024**3
MOST_SECONDS = 30
_HEAD = struct.Struct("<II")
_FAILED = 3


class BoundedError(Exception):
    """It could not be decoded within the bounds, or not at all."""


def decode_apart(data: bytes) -> NDArray[np.uint8]:
    """A picture (BGR)."""
    out = _apart(["picture"], data)
    height, width = _HEAD.unpack_from(out)
    return np.frombuffer(out, np.uint8, offset=_HEAD.size).reshape(height, width, 3)


def video_size(path: str) -> tuple[int, int]:
    """(width, height) of the first frame that a video really gives."""
    width, height = _HEAD.unpack(_apart(["video", path], b""))
    return int(width), int(height)


def _apart(arguments: list[str], data: bytes) -> bytes:
    command = [sys.executable, "-m", "vision.bounded", *arguments]
    single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=MOST_SECONDS, env={**os.environ, **single}, check=False
        )
    except subprocess.TimeoutExpired:
        raise BoundedError from None
    if done.returncode != 0:
        raise BoundedError
    return done.stdout


def _limit() -> None:
    """Where the system knows such limits: beyond them an allocation fails, and with it this process alone."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _picture() -> int:
    image = cv2.imdecode(np.frombuffer(sys.stdin.buffer.read(), np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return _FAILED
    sys.stdout.buffer.write(_HEAD.pack(image.shape[0], image.shape[1]))
    sys.stdout.buffer.write(np.ascontiguousarray(image, dtype=np.uint8).data)
    return 0


def _video(path: str) -> int:
    capture = cv2.VideoCapture(path)
    good, image = capture.read()
    if not good or image is None:
        return _FAILED
    sys.stdout.buffer.write(_HEAD.pack(image.shape[1], image.shape[0]))
    return 0


def main(arguments: list[str]) -> int:
    cv2.setNumThreads(1)
    _limit()
    try:
        return _picture() if arguments[0] == "picture" else _video(arguments[1])
    except (cv2.error, MemoryError):
        return _FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
