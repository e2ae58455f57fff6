"""A scene as a path-traced picture with its truth, as `models.render.render` gives it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.camera import PinholeCamera
from models.render.film import Window
from models.render.renderer import LinearImage, Rendered, finish, ideal_window, owners_of
from models.render.scene import Scene
from models.training.traced.cycles import RenderEffort, trace
from models.training.traced.scenery import scenery

WIDTH = 800
ROOM = (520, 300)
"""Pixels that the pieces may take."""


def render(scene: Scene, crop: Window | None = None, care: RenderEffort | None = None) -> Rendered:
    """Lens, film and truth are those of `models.render`; only the light comes from elsewhere."""
    window = crop or (0, 0, scene.camera.width, scene.camera.height)
    ideal = ideal_window(scene.camera, window)
    shot, world = scenery(scene, ideal)
    light = trace(shot, care or RenderEffort())
    return finish(metered(scene, light), LinearImage(light, owners_of(scene.camera, world, ideal), ideal), window)


def metered(scene: Scene, light: np.ndarray) -> Scene:
    """The scene with an exposure that keeps the picture from being black or white: light that bounces and lamps that
    are hidden make it brighter or darker than the scene's own guess."""
    level = float(np.median(light.mean(axis=2))) * scene.film.exposure
    wanted = float(np.clip(level, 0.035, 0.42))
    return replace(scene, film=replace(scene.film, exposure=scene.film.exposure * wanted / max(level, 1e-4)))


def smaller(scene: Scene, near: bool = False) -> Scene:
    """The same scene seen by a camera with fewer pixels, and as sharp as it was. `near` takes away no more than must go
    for the pieces to fit on a small picture."""
    least = min(1.0, WIDTH / scene.camera.width)
    by = float(np.clip(fitting(scene), least, 1.0)) if near else least
    film = scene.film
    softness = replace(film, blur=film.blur * by, motion=(film.motion[0] * by, film.motion[1] * by))
    return replace(scene, camera=scaled(scene.camera, by), film=softness)


def fitting(scene: Scene) -> float:
    """How much smaller most pieces lie within `ROOM`."""
    if not scene.bodies:
        return 0.0
    spots = scene.camera.project(np.array([[body.x, body.y, 0.0] for body in scene.bodies]))
    low, high = np.percentile(spots, (10, 90), axis=0)
    return float(np.min(np.array(ROOM) / np.maximum(high - low, 1.0)))


def scaled(camera: PinholeCamera, by: float) -> PinholeCamera:
    """A camera whose every pixel is 1 / `by` as wide."""
    centre = (camera.centre[0] * by, camera.centre[1] * by)
    return replace(
        camera,
        width=round(camera.width * by),
        height=round(camera.height * by),
        focal=camera.focal * by,
        centre=centre,
    )
