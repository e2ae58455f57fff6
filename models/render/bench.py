"""How fast pictures are made, by the clock and in processor time, with the machine they were made on."""

import os
import platform
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from models.render.random_scene import random_scene
from models.render.renderer import render

_CROP = 384
_FIRST_SEED = 1000
_KINDS = {"crops of 384x384": True, "frames of 1280x720": False}


def bench(count: int, processes: int) -> Iterator[str]:
    """Lines that say how long random pictures take, each with its new scene, in several processes at once."""
    yield machine()
    with ProcessPoolExecutor(processes, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        list(pool.map(_worked, [True] * processes, range(processes)))  # imports and tables are no part of it
        for name, crop in _KINDS.items():
            begun = time.perf_counter()
            work = sum(pool.map(_worked, [crop] * count, range(_FIRST_SEED, _FIRST_SEED + count))) / count
            clock = (time.perf_counter() - begun) / count
            yield (
                f"{name}: {1000 * work:.0f} ms of processor each, {processes / work:.1f} a second on {processes} free "
                f"cores; {1 / clock:.1f} a second by the clock now"
            )


def _worked(crop: bool, seed: int) -> float:
    """Processor time of one picture and its scene."""
    begun = time.process_time()
    scene = random_scene(seed)
    left, top = np.random.default_rng(seed).integers((200, 100), (700, 330))
    # a larger camera shows its middle, so that every whole frame has the same size
    frame = (0, 0, 1280, 720) if scene.camera.width == 1280 else (320, 180, 1280, 720)
    render(scene, (int(left), int(top), _CROP, _CROP) if crop else frame)
    return time.process_time() - begun


def machine() -> str:
    """Processor, cores, load and versions, in a line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return (
        f"{next(names, platform.processor())}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, OpenCV {cv2.__version__}"
    )
