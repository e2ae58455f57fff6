"""Path-traced pictures of scenes with their truth, in the form of `models.training.pool`."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.render import random_scene
from models.render.camera import PinholeCamera
from models.render.film import Window
from models.render.renderer import LinearImage, Rendered, finish, ideal_window, owners_of
from models.render.scene import Scene
from models.training.pool import keep, window
from models.training.traced.cycles import RenderEffort, blender, trace
from models.training.traced.scenery import scenery

SMALL_WIDTH = 800
PIECES_SIZE = (520, 300)
"""Width and height in pixels that the pieces may take."""


def render(scene: Scene, crop: Window | None = None, effort: RenderEffort | None = None) -> Rendered:
    """The path-traced picture of a scene; lens, film and truth are those of `models.render`."""
    crop = crop or (0, 0, scene.camera.width, scene.camera.height)
    ideal = ideal_window(scene.camera, crop)
    shot, world = scenery(scene, ideal)
    light = trace(shot, effort or RenderEffort())
    return finish(with_exposure(scene, light), LinearImage(light, owners_of(scene.camera, world, ideal), ideal), crop)


def with_exposure(scene: Scene, light: np.ndarray) -> Scene:
    """The scene with an exposure at which the picture is neither black nor white: bounced light and hidden lamps make
    it brighter or darker than the scene's own estimate."""
    brightness = float(np.median(light.mean(axis=2))) * scene.film.exposure
    target = float(np.clip(brightness, 0.035, 0.42))
    return replace(scene, film=replace(scene.film, exposure=scene.film.exposure * target / max(brightness, 1e-4)))


def smaller(scene: Scene, near: bool = False) -> Scene:
    """The scene for a camera with fewer pixels, equally sharp. `near`: only as much smaller as the pieces need to
    fit."""
    min_scale = min(1.0, SMALL_WIDTH / scene.camera.width)
    factor = float(np.clip(fitting_scale(scene), min_scale, 1.0)) if near else min_scale
    film = scene.film
    softness = replace(film, blur=film.blur * factor, motion=(film.motion[0] * factor, film.motion[1] * factor))
    return replace(scene, camera=scaled(scene.camera, factor), film=softness)


def fitting_scale(scene: Scene) -> float:
    """The scale at which most pieces fit into `PIECES_SIZE`."""
    if not scene.bodies:
        return 0.0
    spots = scene.camera.project(np.array([[body.x, body.y, 0.0] for body in scene.bodies]))
    low, high = np.percentile(spots, (10, 90), axis=0)
    return float(np.min(np.array(PIECES_SIZE) / np.maximum(high - low, 1.0)))


def scaled(camera: PinholeCamera, factor: float) -> PinholeCamera:
    """The camera with its picture scaled by a factor."""
    width, height = round(camera.width * factor), round(camera.height * factor)
    centre = (camera.centre[0] * factor, camera.centre[1] * factor)
    return replace(camera, width=width, height=height, focal=camera.focal * factor, centre=centre)


class TracerMissingError(RuntimeError):
    """The path tracer is not installed; the text says what to do."""


RenderScene = Callable[[Scene, Window | None], Rendered]


def path_tracer(effort: RenderEffort) -> RenderScene:
    """Path tracing; raises TracerMissingError where it is not installed."""
    try:
        blender()
    except ImportError as error:
        raise TracerMissingError(f"{error}: install the extra `traced` (Python 3.11, bpy 4.5)") from None
    return lambda scene, crop: render(scene, crop, effort)


def add_picture(folder: Path, stratum: str, seed: int, of: str, draw: RenderScene) -> None:
    """Write one picture of a folder, with the fewer pixels of path-traced ones; see `pool.AddPicture`."""
    start, spent = time.perf_counter(), time.process_time()
    train = stratum == "train"
    scene = smaller(random_scene(seed, stratum, of), near=train and seed % 5 > 0)  # one in five is shown whole
    keep(folder, seed, draw(scene, window(scene) if train else None))
    seconds, work = time.perf_counter() - start, time.process_time() - spent
    print(f"{stratum} {seed:07d} {seconds:.1f} s, {work:.1f} s of processor", flush=True)
