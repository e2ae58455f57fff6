"""From a scene to a picture and its truth.

Visibility is sampled at two by two points of every pixel; shading runs once where all four agree and four times along
edges, so anti-aliasing costs little more than one sample a pixel.
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import art, film, truth
from models.render.camera import PinholeCamera
from models.render.film import Window
from models.render.light import Region
from models.render.materials import Picture
from models.render.raster import NO_TRIANGLE, Doubles, Floats, corner_max, corner_min, rasterise, signed_area
from models.render.scene import Body, Scene
from models.render.shader import LightMaps, Samples, Shader, light_maps
from models.render.shapes import MAKERS, Maker
from models.render.world import Painter, World, build

_SAMPLES = 2
_STRIP = 64  # rows
_MAX_REACH = 45.0  # inches from the middle of the picture to the edge of the light maps

Triangles = NDArray[np.int32]
"""Indices of triangles at samples."""


@dataclass(slots=True)
class Rendered:
    """A picture (BGR), its truth (see truth.py) and the index of the body at each pixel (-1: the table)."""

    image: Picture
    truth: dict[str, Any]
    owners: NDArray[np.int16]


@dataclass(slots=True)
class LinearImage:
    """Linear light of a window of the ideal picture and the index of the body at each of its pixels."""

    light: Floats
    owners: NDArray[np.int16]
    window: Window


@dataclass(slots=True)
class ComputedLight(LinearImage):
    """Light computed by this module, with the triangle at each pixel and the shader."""

    triangles: Triangles
    shader: Shader


def render(scene: Scene, crop: Window | None = None) -> Rendered:
    """Draws the frame or a window (x, y, width, height) of it; truth is in the window's own pixels."""
    window = crop or (0, 0, scene.camera.width, scene.camera.height)
    ideal = ideal_window(scene.camera, window)
    world = visible_world(scene, ideal)
    map_side = int(np.clip(max(window[2:]) * 0.8, 256, 1024))
    maps = light_maps(scene, world, region_of(scene.camera, ideal), map_side)
    drawn = draw(scene, world, maps, ideal)
    return finish(scene, drawn, window)


def finish(scene: Scene, drawn: LinearImage, window: Window) -> Rendered:
    """Applies lens and film to computed light and describes the truth."""
    maps = LensField(scene.camera, drawn.window, window).maps(window)
    bent = cv2.remap(drawn.light, maps[:, :, 0], maps[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    nearest = cv2.remap(drawn.owners, maps[:, :, 0], maps[:, :, 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    image = film.develop(np.asarray(bent, np.float32), scene.film, scene.camera, window)
    owners = np.asarray(nearest, np.int16)
    return Rendered(image, truth.describe(scene, owners, window), owners)


def ideal_window(camera: PinholeCamera, window: Window) -> Window:
    """Window of the undistorted picture that covers a window of the distorted one, with a margin."""
    left, top, width, height = window
    t, ends = np.linspace(0, 1, 9), (0, 1)
    shares = np.array([*itertools.product(t, ends), *itertools.product(ends, t)])
    flat = camera.undistort(shares * (width, height) + (left, top))
    low, high = np.floor(flat.min(0)) - 3, np.ceil(flat.max(0)) + 3
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def region_of(camera: PinholeCamera, window: Window) -> Region:
    """Region of the table that a window of the ideal picture shows, with a margin."""
    left, top, width, height = window
    t = np.linspace(0, 1, 5)
    grid = np.stack(np.meshgrid(left + t * width, top + t * height), -1).reshape(-1, 2)
    rays = np.concatenate([(grid - np.array(camera.centre)) / camera.focal, np.ones((len(grid), 1))], 1) @ camera.turn
    eye = camera.place
    far = np.where(rays[:, 2] < -1e-3, -eye[2] / np.minimum(rays[:, 2], -1e-3), 1e9)
    ground = eye + rays * far[:, None]
    middle = ground[len(ground) // 2, :2] if far[len(ground) // 2] < 1e6 else eye[:2]
    ground = np.clip(ground[:, :2], middle - _MAX_REACH, middle + _MAX_REACH)
    low, high = ground.min(0) - 1.2, ground.max(0) + 1.2
    return Region(float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def visible_world(
    scene: Scene, window: Window, painter: Painter | None = None, makers: Mapping[str, Maker] = MAKERS
) -> World:
    """Triangles of the scene; only bodies near the window get their textures painted."""
    seen = [_is_near(scene.camera, body, window) for body in scene.bodies]
    return build(scene, painter or painter_of(scene), seen, makers)


def painter_of(scene: Scene, finer: float = 1.0) -> Painter:
    """Painter at the pixel density at which the camera sees the middle of the table, times `finer`."""
    middle = scene.camera.place[2] / max(math.cos(math.radians(scene.tilt_deg)), 0.3)
    return Painter(art.Sheets(scene.edition, scene.seed), scene.camera.focal / max(float(middle), 4.0) * finer)


def _is_near(camera: PinholeCamera, body: Body, window: Window) -> bool:
    reach = {"clutter": 9.0, "hand": 16.0, "card": 2.5}.get(body.kind, 1.8)
    centre = np.array([[body.x, body.y, body.z]])
    depth = float(camera.to_camera(centre)[0, 2])
    if depth < 1:
        return body.kind in ("clutter", "hand")
    x, y = camera.pinhole(centre)[0]
    margin = reach / max(depth - reach * 0.5, 1.0) * camera.focal
    left, top, width, height = window
    return bool(left - margin < x < left + width + margin and top - margin < y < top + height + margin)


def on_screen(camera: PinholeCamera, points: Doubles) -> tuple[Doubles, Doubles]:
    """Corners of triangles on the ideal picture (n, 3, 2) and their depths (n, 3)."""
    seen = camera.to_camera(points.reshape(-1, 3))
    depth = np.maximum(seen[:, 2], 1e-3)
    screen = seen[:, :2] / depth[:, None] * camera.focal + np.array(camera.centre)
    return screen.reshape(-1, 3, 2), depth.reshape(-1, 3)


def draw(scene: Scene, world: World, maps: LightMaps, window: Window, separate: bool = False) -> ComputedLight:
    """Light and owners of a window of the ideal picture; `separate`: see Shader."""
    screen, depth = on_screen(scene.camera, world.points)
    clear = np.array([s.clear for s in world.surfaces] or [0.0])
    solid = clear[world.owner] == 0 if len(world) else np.zeros(0, bool)
    first = triangles_at(screen, depth, window, np.ones(len(world), bool))
    behind = first if solid.all() else triangles_at(screen, depth, window, solid)
    shader = Shader(scene, world, maps, screen, depth, separate)
    light = _shaded(shader, world, first, behind, clear, window)
    ids = first[::_SAMPLES, ::_SAMPLES].copy()  # a view would keep all of them
    return ComputedLight(light, _owner_map(world, ids), window, ids, shader)


def owners_of(camera: PinholeCamera, world: World, window: Window) -> NDArray[np.int16]:
    """Index of the body at each pixel of a window of the ideal picture, without shading."""
    screen, depth = on_screen(camera, world.points)
    return _owner_map(world, triangles_at(screen, depth, window, np.ones(len(world), bool))[::_SAMPLES, ::_SAMPLES])


def _owner_map(world: World, ids: Triangles) -> NDArray[np.int16]:
    return np.concatenate([world.owner, [-1]])[ids].astype(np.int16)


def triangles_at(screen: Doubles, depth: Doubles, window: Window, keep: NDArray[np.bool_]) -> Triangles:
    """Nearest triangle at the two by two sample points of every pixel of a window; `keep`: the triangles to draw."""
    left, top, width, height = window
    low, high = corner_min(screen), corner_max(screen)
    inside = (high[:, 0] > left) & (low[:, 0] < left + width) & (high[:, 1] > top) & (low[:, 1] < top + height)
    pick = np.flatnonzero(keep & inside & (corner_min(depth) > 0.4) & (signed_area(screen) < 0))
    found = np.empty((height * _SAMPLES, width * _SAMPLES), np.int32)
    # in strips: the temporary arrays of a whole picture take two hundred megabytes
    for begin in range(0, height, _STRIP):
        end = min(begin + _STRIP, height)
        some = pick[(high[pick, 1] > top + begin) & (low[pick, 1] < top + end)]
        xy = (screen[some] - (left, top + begin)) * _SAMPLES
        hits = rasterise(xy, 1 / depth[some], width * _SAMPLES, (end - begin) * _SAMPLES)
        found[begin * _SAMPLES : end * _SAMPLES] = np.append(some, NO_TRIANGLE)[hits]
    return found


def _shaded(
    shader: Shader, world: World, first: Triangles, behind: Triangles, clear: Doubles, window: Window
) -> Floats:
    left, top, width, height = window
    parts = np.append(world.group, -1).astype(np.int32)[first]
    base = parts[0::2, 0::2]
    edge = (parts[0::2, 1::2] != base) | (parts[1::2, 0::2] != base) | (parts[1::2, 1::2] != base)
    # edge pixels are shaded here too: cheaper than selecting the others
    down_all, across_all = np.indices((height, width), np.float32).reshape(2, -1) + 0.5
    middle, under = first[0::2, 0::2].ravel(), behind[0::2, 0::2].ravel()
    picture = _shaded_samples(shader, world, clear, across_all + left, down_all + top, middle, under)
    picture = picture.reshape(height, width, shader.channels)
    y, x = np.nonzero(edge)
    rows, columns = np.concatenate([y * 2, y * 2, y * 2 + 1, y * 2 + 1]), np.tile(np.concatenate([x * 2, x * 2 + 1]), 2)
    at = (rows, columns)
    x_fine, y_fine = columns / 2 + 0.25 + left, rows / 2 + 0.25 + top
    spread = _shaded_samples(shader, world, clear, x_fine, y_fine, first[at], behind[at])
    picture[y, x] = spread.reshape(4, len(y), shader.channels).mean(0)
    return picture


def _shaded_samples(
    shader: Shader, world: World, clear: Doubles, x: Doubles, y: Doubles, first: Triangles, behind: Triangles
) -> Floats:
    """Light of samples, blended where a transparent surface is in front."""
    x32, y32 = x.astype(np.float32), y.astype(np.float32)
    light = shader.shade(Samples(x32, y32, behind))
    veiled = np.flatnonzero(first != behind)
    if len(veiled):
        front = shader.shade(Samples(x32[veiled], y32[veiled], first[veiled]))
        through = clear[world.owner[first[veiled]]].astype(np.float32)[:, None]
        tint = np.clip(front * 1.6, 0.05, 1)
        light[veiled] = front * (1 - through) + light[veiled] * through * (0.45 + 0.55 * tint)
    return light


class LensField:
    """Lens distortion on a coarse grid: the maps of a whole picture take eight megabytes, those of a window are made on
    demand."""

    _STEP = 16

    def __init__(self, camera: PinholeCamera, ideal: Window, window: Window) -> None:
        left, top, width, height = window
        step = self._STEP
        columns, rows = width // step + 4, height // step + 4
        # cv2.resize aligns pixel centres: grid points lie half a step before the window
        across, down = ((np.arange(count) - 0.5) * step - 0.5 for count in (columns, rows))
        grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
        source = camera.undistort(grid + np.array([left, top]) + 0.5) - np.array(ideal[:2]) - 0.5
        self._origin = left, top
        self._coarse = source.reshape(rows, columns, 2).astype(np.float32)

    def maps(self, window: Window) -> Floats:
        """Coordinates (rows, columns, 2) in the ideal window of every pixel of a window of the distorted picture."""
        step = self._STEP
        left, top = window[0] - self._origin[0], window[1] - self._origin[1]
        column, row = left // step, top // step
        coarse = self._coarse[row : (top + window[3]) // step + 3, column : (left + window[2]) // step + 3]
        size = coarse.shape[1] * step, coarse.shape[0] * step
        fine = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        y, x = top - row * step + step, left - column * step + step
        return np.asarray(fine[y : y + window[3], x : x + window[2]], np.float32)
