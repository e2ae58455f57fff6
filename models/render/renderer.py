"""From a scene to a picture and its truth.

Triangles are resolved at two by two places in every pixel; shading runs once where all four agree
and four times along edges, so edges are smooth at little more than the price of one sample a pixel.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import art, film, truth
from models.render.camera import PinholeCamera
from models.render.edition import PaintedSet
from models.render.film import Window
from models.render.light import Region
from models.render.materials import Picture
from models.render.mesh import Mesh
from models.render.raster import NOTHING, Doubles, Floats, least, most, rasterise, signed_area
from models.render.scene import Body, Scene
from models.render.shader import Lighting, Samples, Shader, lighting
from models.render.world import Painter, World, build, placed

_OVER = 2
_STRIP = 64  # rows
_REACH = 45.0


@dataclass(slots=True)
class Rendered:
    """A picture (BGR) and what is on it."""

    image: Picture
    truth: dict[str, Any]
    owners: NDArray[np.int16]


@dataclass(slots=True)
class LinearImage:
    """The linear light of an ideal window and who shows at each of its pixels."""

    light: Floats
    owners: NDArray[np.int16]
    window: Window


@dataclass(slots=True)
class ComputedLight(LinearImage):
    """Light that was computed here, with what it takes to go on from it."""

    triangles: NDArray[np.int32]
    shader: Shader


def render(scene: Scene, crop: Window | None = None, fine: int | None = None) -> Rendered:
    """Draws the frame or a window (x, y, width, height) of it; truth is in the window's own pixels.

    `fine` is the size of the shadow maps; by default it follows the size of the window.
    """
    window = crop or (0, 0, scene.camera.width, scene.camera.height)
    ideal = ideal_window(scene.camera, window)
    world = visible_world(scene, ideal)
    size = fine or int(np.clip(max(window[2:]) * 0.8, 256, 1024))
    lights = lighting(scene, world, region_of(scene.camera, ideal), size)
    drawn = draw(scene, world, lights, ideal)
    return finish(scene, drawn, window)


def finish(scene: Scene, drawn: LinearImage, window: Window) -> Rendered:
    """Lens, film and truth for light that is already computed."""
    bent, owners = through_lens(scene.camera, drawn, window)
    image = film.develop(bent, scene.film, scene.camera, window)
    facts = truth.describe(scene, owners, window)
    return Rendered(image, facts, owners)


def ideal_window(camera: PinholeCamera, window: Window) -> Window:
    """The part of the undistorted picture that a window of the real one shows, with a margin."""
    left, top, width, height = window
    t = np.linspace(0, 1, 9)
    edge = np.concatenate(
        [
            np.stack([left + t * width, np.full(9, top)], 1),
            np.stack([left + t * width, np.full(9, top + height)], 1),
            np.stack([np.full(9, left), top + t * height], 1),
            np.stack([np.full(9, left + width), top + t * height], 1),
        ]
    )
    flat = camera.undistort(edge)
    low, high = np.floor(flat.min(0)) - 3, np.ceil(flat.max(0)) + 3
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def region_of(camera: PinholeCamera, window: Window) -> Region:
    """The part of the table that a window of the ideal picture shows, and a little more."""
    left, top, width, height = window
    t = np.linspace(0, 1, 5)
    grid = np.stack(np.meshgrid(left + t * width, top + t * height), -1).reshape(-1, 2)
    rays = np.concatenate([(grid - np.array(camera.centre)) / camera.focal, np.ones((len(grid), 1))], 1) @ camera.turn
    eye = camera.place
    far = np.where(rays[:, 2] < -1e-3, -eye[2] / np.minimum(rays[:, 2], -1e-3), 1e9)
    ground = eye + rays * far[:, None]
    middle = ground[len(ground) // 2, :2] if far[len(ground) // 2] < 1e6 else eye[:2]
    ground = np.clip(ground[:, :2], middle - _REACH, middle + _REACH)
    low, high = ground.min(0) - 1.2, ground.max(0) + 1.2
    return Region(float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def visible_world(
    scene: Scene,
    window: Window,
    painter: Painter | None = None,
    shaped: Callable[[Body, PaintedSet], Mesh] = placed,
) -> World:
    """The scene's triangles; only bodies near the window get their pictures painted."""
    seen = [_may_show(scene.camera, body, window) for body in scene.bodies]
    return build(scene, painter or painter_of(scene), seen, shaped)


def painter_of(scene: Scene, finer: float = 1.0) -> Painter:
    """Paints at about the density at which the camera sees the middle of the table, or so much finer."""
    middle = scene.camera.place[2] / max(math.cos(math.radians(scene.tilt_deg)), 0.3)
    return Painter(art.Sheets(scene.edition, scene.seed), scene.camera.focal / max(float(middle), 4.0) * finer)


def _may_show(camera: PinholeCamera, body: Body, window: Window) -> bool:
    reach = {"clutter": 9.0, "hand": 16.0, "card": 2.5}.get(body.kind, 1.8) * body.scale
    centre = np.array([[body.x, body.y, body.z]])
    depth = float(camera.to_camera(centre)[0, 2])
    if depth < 1:
        return body.kind in ("clutter", "hand")
    x, y = camera.pinhole(centre)[0]
    margin = reach / max(depth - reach * 0.5, 1.0) * camera.focal
    left, top, width, height = window
    return bool(left - margin < x < left + width + margin and top - margin < y < top + height + margin)


def on_screen(camera: PinholeCamera, points: Doubles) -> tuple[Doubles, Doubles]:
    """Triangles on the ideal picture and the depths of their corners."""
    seen = camera.to_camera(points.reshape(-1, 3))
    depth = np.maximum(seen[:, 2], 1e-3)
    screen = seen[:, :2] / depth[:, None] * camera.focal + np.array(camera.centre)
    return screen.reshape(-1, 3, 2), depth.reshape(-1, 3)


def draw(scene: Scene, world: World, lights: Lighting, window: Window, apart: bool = False) -> ComputedLight:
    """Light and owners of a window of the ideal picture; `apart` keeps the lamps' light in channels of its own."""
    screen, depth = on_screen(scene.camera, world.points)
    clear = np.array([s.clear for s in world.surfaces] or [0.0])
    solid = clear[world.owner] == 0 if len(world) else np.zeros(0, bool)
    first = triangles_at(screen, depth, window, np.ones(len(world), bool))
    behind = first if solid.all() else triangles_at(screen, depth, window, solid)
    shader = Shader(scene, world, lights, screen, depth, apart)
    light = _resolved(shader, world, first, behind, clear, window)
    ids = first[::_OVER, ::_OVER].copy()  # a view would keep all of them
    return ComputedLight(light, _owned(world, ids), window, ids, shader)


def owners_of(camera: PinholeCamera, world: World, window: Window) -> NDArray[np.int16]:
    """Who shows at each pixel of a window of the ideal picture, without any light."""
    screen, depth = on_screen(camera, world.points)
    return _owned(world, triangles_at(screen, depth, window, np.ones(len(world), bool))[::_OVER, ::_OVER])


def _owned(world: World, ids: NDArray[np.int32]) -> NDArray[np.int16]:
    return np.concatenate([world.owner, [-1]])[ids].astype(np.int16)


def triangles_at(screen: Doubles, depth: Doubles, window: Window, keep: NDArray[np.bool_]) -> NDArray[np.int32]:
    """The nearest triangle at each of the two by two places of every pixel of a window; `keep`: of these."""
    left, top, width, height = window
    low, high = least(screen), most(screen)
    inside = (high[:, 0] > left) & (low[:, 0] < left + width) & (high[:, 1] > top) & (low[:, 1] < top + height)
    pick = np.flatnonzero(keep & inside & (least(depth) > 0.4) & (signed_area(screen) < 0))
    found = np.empty((height * _OVER, width * _OVER), np.int32)
    # in strips: what is worked on at once for a whole picture is two hundred megabytes
    for begin in range(0, height, _STRIP):
        end = min(begin + _STRIP, height)
        some = pick[(high[pick, 1] > top + begin) & (low[pick, 1] < top + end)]
        xy = (screen[some] - (left, top + begin)) * _OVER
        hits = rasterise(xy, 1 / depth[some], width * _OVER, (end - begin) * _OVER).triangle
        found[begin * _OVER : end * _OVER] = np.append(some, NOTHING)[hits]
    return found


def _resolved(
    shader: Shader, world: World, first: NDArray[np.int32], behind: NDArray[np.int32], clear: Doubles, window: Window
) -> Floats:
    left, top, width, height = window
    parts = np.append(world.group, -1).astype(np.int32)[first]
    base = parts[0::2, 0::2]
    edge = (parts[0::2, 1::2] != base) | (parts[1::2, 0::2] != base) | (parts[1::2, 1::2] != base)
    # edges are shaded here once too many: cheaper than picking the others out
    down_all, across_all = np.indices((height, width), np.float32).reshape(2, -1) + 0.5
    middle, under = first[0::2, 0::2].ravel(), behind[0::2, 0::2].ravel()
    picture = _mixed(shader, world, clear, across_all + left, down_all + top, middle, under)
    picture = picture.reshape(height, width, shader.channels)
    y, x = np.nonzero(edge)
    rows, columns = np.concatenate([y * 2, y * 2, y * 2 + 1, y * 2 + 1]), np.tile(np.concatenate([x * 2, x * 2 + 1]), 2)
    at = (rows, columns)
    spread = _mixed(shader, world, clear, columns / 2 + 0.25 + left, rows / 2 + 0.25 + top, first[at], behind[at])
    picture[y, x] = spread.reshape(4, len(y), shader.channels).mean(0)
    return picture


def _mixed(
    shader: Shader,
    world: World,
    clear: Doubles,
    x: Doubles,
    y: Doubles,
    first: NDArray[np.int32],
    behind: NDArray[np.int32],
) -> Floats:
    """Light of samples; where something clear stands in front, a mixture."""
    x32, y32 = x.astype(np.float32), y.astype(np.float32)
    light = shader.shade(Samples(x32, y32, behind))
    veiled = np.flatnonzero(first != behind)
    if len(veiled):
        front = shader.shade(Samples(x32[veiled], y32[veiled], first[veiled]))
        through = clear[world.owner[first[veiled]]].astype(np.float32)[:, None]
        tint = np.clip(front * 1.6, 0.05, 1)
        light[veiled] = front * (1 - through) + light[veiled] * through * (0.45 + 0.55 * tint)
    return light


def through_lens(camera: PinholeCamera, drawn: LinearImage, window: Window) -> tuple[Floats, NDArray[np.int16]]:
    """Bends an ideal window as the lens does; owners are taken from the nearest pixel."""
    maps = LensField(camera, drawn.window, window).maps(window)
    light = cv2.remap(drawn.light, maps[:, :, 0], maps[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    owners = cv2.remap(drawn.owners, maps[:, :, 0], maps[:, :, 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(light, np.float32), np.asarray(owners, np.int16)


class LensField:
    """How the lens bends the ideal picture, known coarsely: the maps of a whole picture are eight megabytes, those of a
    part are soon made."""

    _STEP = 16

    def __init__(self, camera: PinholeCamera, ideal: Window, window: Window) -> None:
        left, top, width, height = window
        step = self._STEP
        columns, rows = width // step + 4, height // step + 4
        # placed so that enlarging, which keeps the middles of pixels, meets every pixel of the window
        across, down = ((np.arange(count) - 0.5) * step - 0.5 for count in (columns, rows))
        grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
        source = camera.undistort(grid + np.array([left, top]) + 0.5) - np.array(ideal[:2]) - 0.5
        self._origin = left, top
        self._coarse = source.reshape(rows, columns, 2).astype(np.float32)

    def maps(self, window: Window) -> Floats:
        """For every pixel of a window of the real picture, where it is in the ideal one."""
        step = self._STEP
        left, top = window[0] - self._origin[0], window[1] - self._origin[1]
        column, row = left // step, top // step
        coarse = self._coarse[row : (top + window[3]) // step + 3, column : (left + window[2]) // step + 3]
        size = coarse.shape[1] * step, coarse.shape[0] * step
        fine = cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
        y, x = top - row * step + step, left - column * step + step
        return np.asarray(fine[y : y + window[3], x : x + window[2]], np.float32)
