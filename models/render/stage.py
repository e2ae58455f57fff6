"""Incremental rendering of one table over many frames.

The light of still bodies is stored with its depth, in separate layers for ambient light and each lamp. Moving bodies (a
hand and what it holds) are composited over it: their shadow scales the stored layers, so still bodies are not shaded
again. Only the window that the moving bodies and their shadows affect is computed for a frame.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import film, renderer, truth
from models.render.camera import PinholeCamera
from models.render.film import Window
from models.render.light import Region
from models.render.materials import Picture
from models.render.raster import NO_TRIANGLE, Doubles, Floats
from models.render.renderer import ComputedLight, LensField, on_screen, triangles_at, visible_world
from models.render.scene import Body, Scene
from models.render.shader import LightMaps, Samples, Shader, light_maps

_STILL_MAP, _MOVING_MAP = 896, 320  # pixels a side of the light maps
_COARSE = 3  # pixels between the points where moving shadows are computed
_BORDER = 6
_STRIP, _MARGIN = 128, 24  # rows; the margin is for blur and sharpening
Slices = tuple[slice, slice]
_CONTACT_REACH = 2.3  # inches that contact shadows reach


@dataclass(slots=True)
class Overlay:
    """Light that replaces the stored light from a row and a column on."""

    start: NDArray[np.int64]
    light: Floats


class Stage:
    """Draws frames of one scene, which holds the still bodies. Bodies are identified by their names, which must be
    unique."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._painter = renderer.painter_of(scene)
        self._gains = np.ones(1 + len(scene.light.lamps), np.float32)
        self.set_camera(scene.camera)

    def set_camera(self, camera: PinholeCamera) -> None:
        """Draws everything anew as seen by this camera."""
        self.scene.camera = camera
        self._frame: Window = (0, 0, camera.width, camera.height)
        self._ideal = renderer.ideal_window(camera, self._frame)
        self._lens = LensField(camera, self._ideal, self._frame)
        self._region: Region = renderer.region_of(camera, self._ideal)
        self._numbers: dict[str, int] = {}
        self._redraw(self._ideal)

    def set_gains(self, gains: Sequence[float]) -> None:
        """Sets a factor for the ambient light and one for each lamp."""
        self._gains = np.array(gains, np.float32)
        self._develop(self._base, self._ideal)

    def set_bodies(self, bodies: Iterable[Body]) -> None:
        """Replaces the still bodies. Only the part of the picture that changes is drawn again."""
        old, new = self.scene.bodies, list(bodies)
        both = set(old) & set(new)
        changed = [b for b in (*old, *new) if b not in both and b.kind != "hand"]
        self.scene.bodies = new
        if changed:
            world = visible_world(replace(self.scene, bodies=changed), self._ideal, self._painter)
            self._redraw(self._affected_window(world.points))

    def _affected_window(self, points: Doubles) -> Window:
        """Window of the ideal picture that bodies and their shadows can affect."""
        left, top, width, height = self._ideal
        corners = _extremes(points.reshape(-1, 3))
        spread = [corners + np.array([side, side, 0.0]) for side in (-_CONTACT_REACH, _CONTACT_REACH)]
        for lamp in self.scene.light.lamps:
            ray = corners - np.array(lamp.place)
            down = np.minimum(ray[:, 2:3], -0.5)
            foot = corners - ray * (corners[:, 2:3] / down)
            soft = _CONTACT_REACH * 0.2 + corners[:, 2:3] * lamp.diameter / max(lamp.place[2], 1.0)
            spread += [foot + soft * (1, 1, 0), foot - soft * (1, 1, 0)]
        every = np.concatenate(spread)
        every = every[self.scene.camera.to_camera(every)[:, 2] > 0.5]
        if not len(every):
            return left, top, 1, 1
        screen = self.scene.camera.pinhole(every)
        low = np.clip(np.floor(screen.min(0)) - 3, (left, top), (left + width - 1, top + height - 1))
        return _window(low, np.clip(np.ceil(screen.max(0)) + 3, low + 1, (left + width, top + height)))

    def _redraw(self, window: Window) -> None:
        world = visible_world(self.scene, self._ideal, self._painter)
        maps = light_maps(self.scene, world, self._region, _STILL_MAP)
        if window == self._ideal:
            width, height = self._ideal[2:]
            self._parts: Floats = np.zeros((len(self._gains), height, width, 3), np.float32)
            self._depth: Floats = np.zeros((height, width), np.float32)
            self._owners: NDArray[np.int16] = np.full((height, width), -1, np.int16)
            self._base: Picture = np.zeros((self._frame[3], self._frame[2], 3), np.uint8)
        for strip in _strips(window):
            self._store(strip, renderer.draw(self.scene, world, maps, strip, separate=True))
        self._develop(self._base, window)

    def _store(self, window: Window, drawn: ComputedLight) -> None:
        part = self._slices_of(window)
        self._depth[part] = _depths(drawn)
        for index, kept in enumerate(self._parts):
            kept[part] = drawn.light[:, :, 3 * index : 3 * index + 3]
        numbers = [self._body_number(body) for body in self.scene.bodies]
        self._owners[part] = np.array([*numbers, -1], np.int16)[drawn.owners]

    def _slices_of(self, window: Window) -> Slices:
        left, top, width, height = window
        return _slices((left - self._ideal[0], top - self._ideal[1], width, height))

    def _body_number(self, body: Body) -> int:
        """A number that a body keeps when the list of bodies changes."""
        return self._numbers.setdefault(body.name, len(self._numbers))

    def _develop(self, picture: Picture, window: Window, over: Overlay | None = None) -> None:
        """Draws on a picture what a window of the ideal one shows, in strips, each developed with a margin for blur and
        sharpening."""
        out = self._real_window(window)
        for strip in _strips(out) if out is not None else ():
            left, top = (max(low - _MARGIN, 0) for low in strip[:2])
            right = min(strip[0] + strip[2] + _MARGIN, self._frame[2])
            bottom = min(strip[1] + strip[3] + _MARGIN, self._frame[3])
            wide = self._developed((left, top, right - left, bottom - top), over)
            rows, columns = strip[1] - top, strip[0] - left
            picture[_slices(strip)] = wide[rows : rows + strip[3], columns : columns + strip[2]]

    def _combined_light(self, part: Slices, shares: Iterable[Any]) -> Floats:
        """Sum of the ambient and the lamps' light, each times its share (a number or a map)."""
        first, *others = (_scaled(kept[part], share) for kept, share in zip(self._parts, shares, strict=True))
        for light in others:
            cv2.add(first, light, dst=first)
        return first

    def _real_window(self, window: Window) -> Window | None:
        """Window of the distorted frame that a window of the ideal one reaches; None outside the frame."""
        left, top, width, height = window
        t = np.linspace(0, 1, 9)
        grid = np.stack(np.meshgrid(left + t * width, top + t * height), -1).reshape(-1, 2)
        seen = self.scene.camera.distort(grid)
        low = np.clip(np.floor(seen.min(0)) - _BORDER, 0, None)
        high = np.minimum(np.ceil(seen.max(0)) + _BORDER, self._frame[2:])
        return _window(low, high) if (high > low).all() else None

    def _developed(self, out: Window, over: Overlay | None) -> Picture:
        maps = self._lens.maps(out)
        part, light = self._light_for(maps, over)
        rows, columns = part
        across, down = maps[:, :, 0] - np.float32(columns.start), maps[:, :, 1] - np.float32(rows.start)
        bent = cv2.remap(light, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        calm = replace(self.scene.film, noise=0.0, jpeg=100, video=0.0, motion=(0.0, 0.0))
        return film.develop(np.asarray(bent, np.float32), calm, self.scene.camera, out)

    def _light_for(self, maps: Floats, over: Overlay | None) -> tuple[Slices, Floats]:
        """The stored light that a part of the frame needs, with the overlay. It is summed on demand: the sum would
        take as much memory as one lamp."""
        shape = self._depth.shape
        low = np.clip(np.floor(maps.min((0, 1))).astype(int)[::-1] - 1, 0, np.array(shape) - 1)
        high = np.clip(np.floor(maps.max((0, 1))).astype(int)[::-1] + 3, low + 1, shape)
        part = _between(low, high)
        light = self._combined_light(part, self._gains)
        if over is not None:
            start, end = np.maximum(low, over.start), np.minimum(high, over.start + over.light.shape[:2])
            if (end > start).all():
                light[_between(start - low, end - low)] = over.light[_between(start - over.start, end - over.start)]
        return part, light

    def frame(self, moving: Sequence[Body], number: int) -> tuple[Picture, Callable[[], dict[str, Any]]]:
        """One frame, and what tells its truth until the stage changes. `number` seeds the sensor noise."""
        picture, owners = self._base.copy(), self._owners
        if moving:
            window, light, owners = self._composited(moving)
            rows, columns = self._slices_of(window)
            self._develop(picture, window, Overlay(np.array([rows.start, columns.start]), light))
        return _noisy(picture, self.scene.film.noise, number), partial(self._truth, moving, owners)

    def _composited(self, bodies: Sequence[Body]) -> tuple[Window, Floats, NDArray[np.int16]]:
        """The window that moving bodies affect, its light, and the owners of the whole ideal picture."""
        scene = replace(self.scene, bodies=list(bodies))
        world = visible_world(scene, self._ideal, self._painter)
        maps = light_maps(scene, world, self._region, _MOVING_MAP)
        affected = self._affected_window(world.points)
        light = self._combined_light(self._slices_of(affected), self._unshadowed(maps, affected))
        screen, depth = on_screen(scene.camera, world.points)
        box = _window(np.floor(screen.min((0, 1))), np.ceil(screen.max((0, 1))))
        window = _overlap(box, affected)
        ids, cover = self._front_triangles(window, screen, depth)
        y, x = np.nonzero(cover)
        ids, cover = ids[y, x], cover[y, x]
        shader = Shader(scene, world, maps, screen, depth, separate=True)
        spots = Samples((x + 0.5 + window[0]).astype(np.float32), (y + 0.5 + window[1]).astype(np.float32), ids)
        fresh = np.einsum("nlc,l->nc", shader.shade(spots).reshape(len(ids), len(self._gains), 3), self._gains)
        at = (y + window[1] - affected[1], x + window[0] - affected[0])
        light[at] += (fresh - light[at]) * cover[:, None]
        owners = self._owners.copy()
        shown = cover > 0.45
        rows = np.array([self._body_number(body) for body in bodies], np.int16)
        owners[self._slices_of(window)][y[shown], x[shown]] = rows[world.owner[ids[shown]]]
        return affected, light, owners

    def _unshadowed(self, maps: LightMaps, window: Window) -> list[Floats]:
        """Share of ambient light and of each lamp's that the moving bodies let through, times its gain, per pixel."""
        left, top, width, height = window
        x, y = (np.arange(0, side + _COARSE, _COARSE, dtype=np.float32) for side in (width, height))
        grid_x, grid_y = np.meshgrid(x, y)
        depth = self._depth[self._slices_of(window)]
        sampled = depth[np.minimum(grid_y, height - 1).astype(int), np.minimum(grid_x, width - 1).astype(int)]
        points = _unprojected(self.scene.camera, grid_x + left, grid_y + top, sampled)
        up = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
        spin = np.zeros(len(points), np.float32)
        lamps = (shadow.visible_share(points, up, spin) for shadow in maps.shadows)
        found = [maps.occlusion.ambient_share(points), *lamps]
        size = (grid_x.shape[1] * _COARSE, grid_x.shape[0] * _COARSE)
        fields = [f.astype(np.float32).reshape(grid_x.shape) * g for f, g in zip(found, self._gains, strict=True)]
        return [np.asarray(cv2.resize(f, size)[:height, :width], np.float32) for f in fields]

    def _front_triangles(self, window: Window, screen: Doubles, depth: Doubles) -> tuple[NDArray[np.int64], Floats]:
        """Visible moving triangle at each pixel of a window and the share of the pixel it covers."""
        hits = triangles_at(screen, depth, window, np.ones(len(screen), bool))
        four = np.stack([hits[0::2, 0::2], hits[0::2, 1::2], hits[1::2, 0::2], hits[1::2, 1::2]])
        near = np.append(depth.mean(1), np.inf)[four] < self._depth[self._slices_of(window)] + 0.02
        cover = (near & (four >= 0)).mean(0).astype(np.float32)
        return np.where(near, four, NO_TRIANGLE).max(0), cover

    def _truth(self, moving: Sequence[Body], owners: NDArray[np.int16]) -> dict[str, Any]:
        """Truth of a frame (see truth.py)."""
        scene = replace(self.scene, bodies=[*self.scene.bodies, *moving])
        rows = np.full(len(self._numbers) + 1, -1, np.int16)
        for index, body in enumerate(scene.bodies):
            rows[self._body_number(body)] = index
        maps = self._lens.maps(self._frame)
        bent = cv2.remap(owners, maps[:, :, 0], maps[:, :, 1], cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        return truth.describe(scene, rows[bent], self._frame)


def _extremes(points: Doubles) -> Doubles:
    """A sample of the points that includes their extremes."""
    if len(points) < 800:
        return points
    return np.concatenate([points[:: len(points) // 600], points[points.argmin(0)], points[points.argmax(0)]])


def _scaled(light: Floats, share: Any) -> Floats:
    """Three channels of light times a number or a map."""
    if not np.ndim(share):
        return np.asarray(light * np.float32(share), np.float32)
    return np.asarray(cv2.multiply(light, cv2.merge([share] * 3)), np.float32)


def _window(low: Doubles, high: Doubles) -> Window:
    """The window between two corners of whole pixels."""
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _overlap(one: Window, other: Window) -> Window:
    """Intersection of two windows; at least a pixel of the second."""
    left = min(max(one[0], other[0]), other[0] + other[2] - 1)
    top = min(max(one[1], other[1]), other[1] + other[3] - 1)
    right, bottom = min(one[0] + one[2], other[0] + other[2]), min(one[1] + one[3], other[1] + other[3])
    return left, top, max(right - left, 1), max(bottom - top, 1)


def _strips(window: Window) -> Iterator[Window]:
    """The window in strips: the temporary arrays of a whole picture take a hundred megabytes."""
    left, top, width, height = window
    for begin in range(0, height, _STRIP):
        yield left, top + begin, width, min(_STRIP, height - begin)


def _between(low: NDArray[np.int64], high: NDArray[np.int64]) -> Slices:
    """The part between two corners (row, column)."""
    return slice(int(low[0]), int(high[0])), slice(int(low[1]), int(high[1]))


def _slices(window: Window) -> Slices:
    left, top, width, height = window
    return slice(top, top + height), slice(left, left + width)


def _depths(drawn: ComputedLight) -> Floats:
    left, top, width, height = drawn.window
    y, x = np.indices((height, width), np.float32)
    spots = Samples((x + left + 0.5).ravel(), (y + top + 0.5).ravel(), drawn.triangles.ravel())
    return drawn.shader.depths(spots).reshape(height, width)


def _unprojected(camera: PinholeCamera, x: Floats, y: Floats, depth: Floats) -> Floats:
    """World points of pixels with a known depth."""
    rays = np.stack([(x - camera.centre[0]) / camera.focal, (y - camera.centre[1]) / camera.focal, np.ones_like(x)], -1)
    seen = (rays * depth[:, :, None]).reshape(-1, 3)
    return np.asarray((seen - np.array(camera.shift)) @ camera.turn, np.float32)


def _noisy(picture: Picture, noise: float, number: int) -> Picture:
    if noise <= 0:
        return picture
    rng = np.random.default_rng([number, 6])
    grain = film.coarse_grain(rng, picture.shape, noise)
    return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)
