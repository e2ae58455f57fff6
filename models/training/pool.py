"""A growing folder of rendered pictures, so that training never waits for the renderer.

Each picture is made from one seed, so a folder can be grown, thrown away and made again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from models.render import Rendered, Scene

WIDTH, HEIGHT = 1280, 720
MARGIN = 110.0
LEAST = (448, 384)

RARE = ("pawn", "pyramid", "die", "card")

Add = Callable[[Path, str, int, str], None]
"""Draws one picture of a stratum, by its seed, into a folder, of a kind where that is not left to chance."""


def rastered(folder: Path, stratum: str, seed: int, of: str) -> None:
    from models.render import random_scene, render  # only who grows a pool needs the renderer

    start = time.perf_counter()
    scene = random_scene(seed, stratum, of)
    keep(folder, seed, render(scene, crop=window(scene) if stratum == "train" else None))
    print(f"{stratum} {seed:07d} {time.perf_counter() - start:.2f} s", flush=True)


def grow(
    folder: Path,
    stratum: str,
    first: int,
    count: int,
    rare: int = 0,
    kinds: Container[str] = frozenset(),
    of: str = "",
    add: Add = rastered,
) -> None:
    """Renders the pictures that are still missing; safe to stop at any time. With `rare`, only scenes with so many
    pawns, pyramids, dice and cards (left to chance, tiles outnumber each of them ten to one), and those of `kinds`.
    `of`: only scenes of that special kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        if not (folder / f"{seed:07d}.json").exists() and wanted(seed, stratum, rare, kinds):
            try:
                add(folder, stratum, seed, of)
            except (ValueError, ArithmeticError, IndexError, MemoryError) as error:
                print(f"{stratum} {seed} left out: {error}", flush=True)  # one odd scene must not end the night


def wanted(seed: int, stratum: str, rare: int, kinds: Container[str]) -> bool:
    from models.render import random_scene

    if not rare:
        return True
    scene = random_scene(seed, stratum=stratum)
    return scene.kind in kinds or sum(body.kind in RARE for body in scene.bodies) >= rare


def keep(folder: Path, seed: int, rendered: Rendered) -> None:
    """The picture with its truth beside it, which comes last: a picture without one is not finished."""
    name = f"{seed:07d}"
    cv2.imwrite(str(folder / f"{name}.jpg"), rendered.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    truth = dict(rendered.truth) | {"image": f"{name}.jpg"}
    draft = folder / f"{name}.part"
    draft.write_text(json.dumps(truth))
    draft.rename(folder / f"{name}.json")


def window(scene: Scene) -> tuple[int, int, int, int] | None:
    """The part of the picture with pieces in it: bare table costs time and teaches little. Some are drawn whole."""
    camera = scene.camera
    full = (camera.width, camera.height)
    if not scene.bodies or (camera.width <= WIDTH and scene.seed % 5 == 0):
        return None
    spots = camera.project(np.array([[body.x, body.y, 0.0] for body in scene.bodies]))
    low = np.clip(np.percentile(spots, 10, axis=0) - MARGIN, 0, np.array(full) - LEAST)
    high = np.clip(np.percentile(spots, 90, axis=0) + MARGIN, low + LEAST, full)
    size = np.minimum(high - low, (WIDTH, HEIGHT))
    left, top = np.clip((low + high - size) / 2, 0, np.array(full) - size).astype(int)
    return (int(left), int(top), int(size[0]), int(size[1]))


def pictures(folder: Path) -> list[Path]:
    """The finished pictures of a folder."""
    return sorted(path.with_suffix(".jpg") for path in folder.glob("*.json"))
