"""A growing folder of path-traced pictures, in the form of `models.training.pool`."""

from __future__ import annotations

import time
from collections.abc import Container
from pathlib import Path

from models.render import random_scene
from models.training.pool import keep, wanted, window
from models.training.traced.cycles import Care, blender
from models.training.traced.render import render, smaller


class LackingError(RuntimeError):
    """The path tracer is not there; the text says what to do."""


def grow(
    folder: Path,
    stratum: str,
    first: int,
    count: int,
    rare: int = 0,
    kinds: Container[str] = frozenset(),
    crowd: bool = False,
    care: Care | None = None,
) -> None:
    """Makes the pictures that are still missing, of the scenes that `pool.grow` draws; safe to stop at any time."""
    try:
        blender()
    except ImportError as error:
        raise LackingError(f"{error}: install the extra `traced` (Python 3.11, bpy 4.5)") from None
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        if not (folder / f"{seed:07d}.json").exists() and wanted(seed, stratum, rare, kinds):
            try:
                add_picture(folder, stratum, seed, crowd, care)
            except (ValueError, ArithmeticError, IndexError, MemoryError) as error:
                print(f"{stratum} {seed} left out: {error}", flush=True)


def add_picture(folder: Path, stratum: str, seed: int, crowd: bool = False, care: Care | None = None) -> None:
    start, spent = time.perf_counter(), time.process_time()
    scene = smaller(random_scene(seed, stratum, crowd))
    keep(folder, seed, render(scene, window(scene) if stratum == "train" else None, care))
    seconds, work = time.perf_counter() - start, time.process_time() - spent
    print(f"{stratum} {seed:07d} {seconds:.1f} s, {work:.1f} s of processor", flush=True)
