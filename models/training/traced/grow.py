"""A growing folder of path-traced pictures, in the form of `models.training.pool`."""

from __future__ import annotations

import time
from collections.abc import Callable, Container
from functools import partial
from pathlib import Path

from models.render import Rendered, Scene, random_scene
from models.render import render as rasterised
from models.render.film import Window
from models.training import pool
from models.training.pool import keep, window
from models.training.traced.cycles import RenderEffort, blender
from models.training.traced.render import render, smaller


class TracerMissingError(RuntimeError):
    """The path tracer is not there; the text says what to do."""


Light = Callable[[Scene, Window | None], Rendered]


def traced(care: RenderEffort) -> Light:
    """Path tracing, if it is there."""
    try:
        blender()
    except ImportError as error:
        raise TracerMissingError(f"{error}: install the extra `traced` (Python 3.11, bpy 4.5)") from None
    return lambda scene, crop: render(scene, crop, care)


def drawn(scene: Scene, crop: Window | None) -> Rendered:
    """The rasteriser's picture of the same scene, to compare with."""
    return rasterised(scene, crop)


def grow(
    folder: Path,
    stratum: str,
    first: int,
    count: int,
    rare: int = 0,
    kinds: Container[str] = frozenset(),
    of: str = "",
    light: Light = drawn,
) -> None:
    """Makes the pictures that are still missing, of the scenes that `pool.grow` draws; safe to stop at any time."""
    pool.grow(folder, stratum, first, count, rare, kinds, of, partial(add_picture, light=light))


def add_picture(folder: Path, stratum: str, seed: int, of: str, light: Light) -> None:
    start, spent = time.perf_counter(), time.process_time()
    train = stratum == "train"
    scene = smaller(random_scene(seed, stratum, of), near=train and seed % 5 > 0)  # one in five is shown whole
    keep(folder, seed, light(scene, window(scene) if train else None))
    seconds, work = time.perf_counter() - start, time.process_time() - spent
    print(f"{stratum} {seed:07d} {seconds:.1f} s, {work:.1f} s of processor", flush=True)
