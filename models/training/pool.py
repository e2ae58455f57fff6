"""A growing folder of rendered pictures, so that training never waits for the renderer.

Each picture is made from one seed, so a folder can be extended, deleted and made again."""

import json
import time
from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.random import Generator as Random

from vision.frame import Picture

if TYPE_CHECKING:
    from models.render import Rendered, Scene

MAX_SIZE = (1280, 720)
MIN_SIZE = (448, 384)
MARGIN_PX = 110.0
"""Around the pieces of a picture's window."""
RARE_KINDS = ("pawn", "pyramid", "die", "card")

AddPicture = Callable[[Path, str, int, str], None]
"""Takes folder, stratum, seed and kind of scene (empty: any); writes one picture."""


def add_rastered(folder: Path, stratum: str, seed: int, of: str) -> None:
    from models.render import random_scene, render  # only a growing pool needs the renderer

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
    add: AddPicture = add_rastered,
) -> None:
    """Render the pictures that are still missing; safe to stop at any time. With `rare`, only scenes with so many
    pawns, pyramids, dice and cards (at random, tiles outnumber each of them ten to one), and those of `kinds`. `of`:
    only scenes of that special kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        if not (folder / f"{seed:07d}.json").exists() and is_wanted(seed, stratum, rare, kinds):
            try:
                add(folder, stratum, seed, of)
            except (ValueError, ArithmeticError, IndexError, MemoryError) as error:
                print(f"{stratum} {seed} left out: {error}", flush=True)  # one odd scene must not end a long run


def is_wanted(seed: int, stratum: str, rare: int, kinds: Container[str]) -> bool:
    from models.render import random_scene

    if not rare:
        return True
    scene = random_scene(seed, stratum=stratum)
    return scene.kind in kinds or sum(body.kind in RARE_KINDS for body in scene.bodies) >= rare


def keep(folder: Path, seed: int, rendered: "Rendered") -> None:
    """Write the picture and then its truth, which marks it as finished."""
    name = f"{seed:07d}"
    cv2.imwrite(str(folder / f"{name}.jpg"), rendered.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    truth = dict(rendered.truth) | {"image": f"{name}.jpg"}
    draft = folder / f"{name}.part"
    draft.write_text(json.dumps(truth))
    draft.rename(folder / f"{name}.json")


def window(scene: "Scene") -> tuple[int, int, int, int] | None:
    """The part of the picture (left, top, width, height) with pieces in it: bare table costs time and teaches little.
    None: the whole; so are some of the small pictures."""
    camera = scene.camera
    full = (camera.width, camera.height)
    if not scene.bodies or (camera.width <= MAX_SIZE[0] and scene.seed % 5 == 0):
        return None
    spots = camera.project(np.array([[body.x, body.y, 0.0] for body in scene.bodies]))
    low = np.clip(np.percentile(spots, 10, axis=0) - MARGIN_PX, 0, np.array(full) - MIN_SIZE)
    high = np.clip(np.percentile(spots, 90, axis=0) + MARGIN_PX, low + MIN_SIZE, full)
    size = np.minimum(high - low, MAX_SIZE)
    left, top = np.clip((low + high - size) / 2, 0, np.array(full) - size).astype(int)
    return (int(left), int(top), int(size[0]), int(size[1]))


def pictures(*folders: Path) -> list[Path]:
    """Paths of the finished pictures of the folders."""
    return [path.with_suffix(".jpg") for folder in folders for path in sorted(folder.glob("*.json"))]


def sampled_pictures(folders: Sequence[Path], rng: Random, max_count: int) -> list[Path]:
    """A random sample of the finished pictures of the folders, in random order."""
    paths = pictures(*folders)
    return [paths[index] for index in rng.permutation(len(paths))[:max_count]]


def read_picture(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), dtype=np.uint8)
