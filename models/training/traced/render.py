"""A scene as a path-traced picture with its truth, as `models.render.render` gives it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.camera import Camera
from models.render.film import Window
from models.render.renderer import Caught, Rendered, finish, ideal_window, owners_of
from models.render.scene import Scene
from models.training.traced.cycles import Care, trace
from models.training.traced.scenery import scenery

WIDTH = 800


def render(scene: Scene, crop: Window | None = None, care: Care | None = None) -> Rendered:
    """Lens, film and truth are those of `models.render`; only the light comes from elsewhere."""
    window = crop or (0, 0, scene.camera.width, scene.camera.height)
    ideal = ideal_window(scene.camera, window)
    shot, world = scenery(scene, ideal)
    light = trace(shot, care or Care())
    return finish(metered(scene, light), Caught(light, owners_of(scene.camera, world, ideal), ideal), window)


def metered(scene: Scene, light: np.ndarray) -> Scene:
    """The scene with an exposure that keeps the picture from being black or white: light that bounces and lamps that
    are hidden make it brighter or darker than the scene's own guess."""
    level = float(np.median(light.mean(axis=2))) * scene.film.exposure
    wanted = float(np.clip(level, 0.035, 0.42))
    return replace(scene, film=replace(scene.film, exposure=scene.film.exposure * wanted / max(level, 1e-4)))


def smaller(scene: Scene, width: int = WIDTH) -> Scene:
    """The same scene seen by a camera with fewer pixels, and as sharp as it was."""
    by = min(1.0, width / scene.camera.width)
    film = scene.film
    softness = replace(film, blur=film.blur * by, motion=(film.motion[0] * by, film.motion[1] * by))
    return replace(scene, camera=scaled(scene.camera, by), film=softness)


def scaled(camera: Camera, by: float) -> Camera:
    """A camera whose every pixel is 1 / `by` as wide."""
    centre = (camera.centre[0] * by, camera.centre[1] * by)
    return replace(
        camera,
        width=round(camera.width * by),
        height=round(camera.height * by),
        focal=camera.focal * by,
        centre=centre,
    )
