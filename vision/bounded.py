"""Decoding in a separate process with limits of memory and time: for large pictures and the first frame of a video.
`python -m vision.bounded picture < FILE` writes the pixels, `... video FILE` the size."""

from __future__ import annotations

import os
import struct
import subprocess
import sys

import cv2
import numpy as np
from numpy.typing import NDArray

MAX_MEMORY_BYTES = 2 * 1024**3
MAX_SECONDS = 30
_HEAD = struct.Struct("<II")
_FAILED = 3


class BoundedError(Exception):
    """Decoding failed, or exceeded the limits."""


def decode_in_process(data: bytes) -> NDArray[np.uint8]:
    """A picture (BGR)."""
    out = _run_process(["picture"], data)
    height, width = _HEAD.unpack_from(out)
    return np.frombuffer(out, np.uint8, offset=_HEAD.size).reshape(height, width, 3)


def video_size(path: str) -> tuple[int, int]:
    """(width, height) of the first frame that a video really delivers."""
    width, height = _HEAD.unpack(_run_process(["video", path], b""))
    return int(width), int(height)


def _run_process(arguments: list[str], data: bytes) -> bytes:
    command = [sys.executable, "-m", "vision.bounded", *arguments]
    single = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=MAX_SECONDS, env={**os.environ, **single}, check=False
        )
    except subprocess.TimeoutExpired:
        raise BoundedError from None
    if done.returncode != 0:
        raise BoundedError
    return done.stdout


def _set_limits() -> None:
    """Limit memory and time where the system supports it: beyond them this process alone fails."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
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
    _set_limits()
    try:
        return _picture() if arguments[0] == "picture" else _video(arguments[1])
    except (cv2.error, MemoryError):
        return _FAILED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
