"""Shading of picture samples from surface colour, normal and the light that reaches them."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import tables
from models.render.light import AmbientOcclusion, Region, ShadowMap, dot, interpolated, remapped, surroundings
from models.render.materials import Picture
from models.render.raster import Doubles, Floats, affine_coefficients
from models.render.scene import Illumination, Scene
from models.render.world import World

_LINEAR = np.power(np.arange(256, dtype=np.float32) / 255, 2.2).astype(np.float32)
_BATCH = 1 << 15
_WALL_OFFSET = 0.25  # inches by which points on vertical faces are moved out before the height map is read
Index = NDArray[np.int32] | NDArray[np.int64]


@dataclass(slots=True)
class Samples:
    """Points of the ideal picture and the triangle at each (-1: the table)."""

    x: Floats
    y: Floats
    triangle: Index


@dataclass(slots=True)
class SeenPoints:
    """Points of surfaces: linear colour, place and normal in the world, direction to the camera, gloss, roughness."""

    albedo: Floats
    points: Floats
    normals: Floats
    view: Floats
    gloss: Floats
    rough: Floats


@dataclass(slots=True)
class LightMaps:
    """Shadow and ambient occlusion maps of one region; reusable between pictures."""

    shadows: list[ShadowMap]
    occlusion: AmbientOcclusion


def light_maps(scene: Scene, world: World, region: Region, size: int) -> LightMaps:
    """Light maps of a region of the table, `size` pixels a side."""
    solid = np.array([s.clear < 0.3 for s in world.surfaces] or [True])[world.owner] if len(world) else slice(None)
    points = world.points[solid]
    shadows = [ShadowMap(lamp, points, region, size) for lamp in scene.light.lamps]
    return LightMaps(shadows, AmbientOcclusion(points, region, max(128, size // 2 // 4 * 4)))


class Shader:
    """Computes linear BGR light for lists of samples of one scene."""

    def __init__(
        self, scene: Scene, world: World, maps: LightMaps, screen: Doubles, depth: Doubles, separate: bool = False
    ) -> None:
        """With `separate` the ambient light and each lamp's light have channels of their own (3 each)."""
        self.channels = 3 * (1 + len(maps.shadows)) if separate else 3
        self._scene, self._world, self._maps = scene, world, maps
        near = 1 / depth
        normal = world.normals * near[:, :, None]
        rows = np.concatenate([near[:, :, None], world.uv * near[:, :, None], normal], axis=2)
        # planes are relative to a corner, so that single precision is enough
        slopes = affine_coefficients(screen, rows)[:, :2].reshape(len(world), 12)
        self._planes = np.concatenate([screen[:, 0], slopes, rows[:, 0]], axis=1).astype(np.float32)
        self._gloss = np.array([*(s.gloss for s in world.surfaces), scene.table.gloss], np.float32)
        self._rough = np.array([*(s.roughness for s in world.surfaces), scene.table.roughness], np.float32)
        self._owner = np.concatenate([world.owner, [len(world.surfaces)]])
        self._slopes = self._tangents(world) if world.relief is not None else None

    def _tangents(self, world: World) -> Floats:
        """World directions of the texture's x and y, for each triangle."""
        p, uv = world.points, world.uv
        e1, e2, d1, d2 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 0], uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
        area = d1[:, 0] * d2[:, 1] - d2[:, 0] * d1[:, 1]
        scale = 1 / np.where(np.abs(area) < 1e-9, 1e9, area)
        across = (e1 * d2[:, 1:] - e2 * d1[:, 1:]) * scale[:, None]
        along = (e2 * d1[:, :1] - e1 * d2[:, :1]) * scale[:, None]
        both = np.stack([across, -along], 1)
        return np.asarray(both / np.maximum(np.linalg.norm(both, axis=2, keepdims=True), 1e-9), np.float32)

    def shade(self, samples: Samples) -> Floats:
        """Light (n, channels) towards the camera, computed in batches that fit the processor's cache."""
        light = np.empty((len(samples.triangle), self.channels), np.float32)
        for part, some in _batches(samples):
            light[part] = self._shade(some)
        return light

    def _shade(self, samples: Samples) -> Floats:
        count = len(samples.triangle)
        rays = self._rays(samples)
        eye = self._scene.camera.place.astype(np.float32)
        depth = -eye[2] / np.minimum(rays[:, 2], -1e-4)
        normals = np.zeros((count, 3), np.float32)
        normals[:, 2] = 1
        albedo = np.empty((count, 3), np.float32)
        things = np.flatnonzero(samples.triangle >= 0)
        if len(things):
            depth[things], albedo[things], normals[things] = self._triangle_samples(samples, things)
        points = eye + rays * depth[:, None]
        floor = np.flatnonzero(samples.triangle < 0)
        if len(floor):
            albedo[floor] = self._table_colour(points[floor])
        owner = self._owner[samples.triangle]
        return self._illuminated(
            SeenPoints(albedo, points, normals, -_unit(rays), self._gloss[owner], self._rough[owner])
        )

    def depths(self, samples: Samples) -> Floats:
        """Depth of the surface at each sample."""
        return np.concatenate([self._depths(some) for _, some in _batches(samples)])

    def _depths(self, samples: Samples) -> Floats:
        rays = self._rays(samples)
        depth = -np.float32(self._scene.camera.place[2]) / np.minimum(rays[:, 2], -1e-4)
        things = np.flatnonzero(samples.triangle >= 0)
        plane = np.take(self._planes, samples.triangle[things], axis=0)
        across, down = samples.x[things] - plane[:, 0], samples.y[things] - plane[:, 1]
        depth[things] = 1 / np.maximum(plane[:, 2] * across + plane[:, 8] * down + plane[:, 14], np.float32(1e-5))
        return depth

    def _triangle_samples(self, samples: Samples, pick: Index) -> tuple[Floats, Floats, Floats]:
        """Depth, linear colour and normal of the samples that show a triangle."""
        triangle = samples.triangle[pick]
        plane = np.take(self._planes, triangle, axis=0)
        across, down = samples.x[pick] - plane[:, 0], samples.y[pick] - plane[:, 1]
        values = plane[:, 2:8] * across[:, None] + plane[:, 8:14] * down[:, None] + plane[:, 14:20]
        depth = 1 / np.maximum(values[:, 0], np.float32(1e-5))
        u, v = values[:, 1] * depth, values[:, 2] * depth
        normals = _unit(values[:, 3:6])
        albedo = _LINEAR[_texture(self._world.atlas, u, v)]
        if self._slopes is not None and self._world.relief is not None:
            slope = (_texture(self._world.relief, u, v)[:, :2].astype(np.float32) - 128) / 80
            bent = self._slopes[triangle]
            normals = _unit(normals + bent[:, 0] * slope[:, :1] + bent[:, 1] * slope[:, 1:2])
        return depth, albedo, normals

    def _rays(self, samples: Samples) -> Floats:
        camera = self._scene.camera
        x = (samples.x - np.float32(camera.centre[0])) / np.float32(camera.focal)
        y = (samples.y - np.float32(camera.centre[1])) / np.float32(camera.focal)
        turn = camera.turn.astype(np.float32)
        return np.stack([x * turn[0, i] + y * turn[1, i] + turn[2, i] for i in range(3)], 1)

    def _table_colour(self, points: Floats) -> Floats:
        table = self._scene.table
        sheet = tables.top(table)
        c, s = np.float32(np.cos(np.radians(table.turn))), np.float32(np.sin(np.radians(table.turn)))
        x, y = points[:, 0], points[:, 1]
        scale = np.float32(max(sheet.shape[:2]) / table.span)
        wide, high = sheet.shape[1], sheet.shape[0]
        u = _mirror_repeated((x * c - y * s) * scale + np.float32(wide / 2), wide)
        v = _mirror_repeated((x * s + y * c) * scale + np.float32(high / 2), high)
        colour = _LINEAR[_texture(sheet, u, v)]
        beyond = (np.abs(x) > table.half[0]) | (np.abs(y) > table.half[1])
        colour[beyond] = np.power(np.array(table.floor, np.float32) / 255, 2.2) * 0.5
        return colour

    def _illuminated(self, seen: SeenPoints) -> Floats:
        light = self._scene.light
        near = self._maps.occlusion.ambient_share(_off_the_walls(seen.points, seen.normals))
        up = (0.5 + 0.5 * seen.normals[:, 2]) * near
        bounce = (0.5 - 0.5 * seen.normals[:, 2]) * 0.35 * near
        sky = np.array(light.sky, np.float32) * np.float32(light.sky_power)
        total = np.zeros((len(seen.albedo), self.channels), np.float32)
        total[:, :3] = seen.albedo * (up + bounce)[:, None] * sky
        total[:, :3] += _reflection(light, seen) * near[:, None]
        spin = _dither(seen.points)
        for index, shadow in enumerate(self._maps.shadows):
            start = 3 * (index + 1) % self.channels
            total[:, start : start + 3] += _lamp_light(shadow, seen, spin)
        return total


def _lamp_light(shadow: ShadowMap, seen: SeenPoints, spin: Floats) -> Floats:
    lamp = shadow.lamp
    away = np.array(lamp.place, np.float32) - seen.points
    distance2 = dot(away, away)
    towards = away / np.sqrt(distance2)[:, None]
    facing = np.clip(dot(seen.normals, towards), 0, 1)
    fall = np.float32(np.dot(lamp.place, lamp.place)) / distance2 * np.float32(lamp.power)
    visible = shadow.visible_share(seen.points, seen.normals, spin)
    strength = facing * fall * visible * shadow.pattern_share(seen.points)
    half = _unit(towards + seen.view)
    power = 2 / np.maximum(seen.rough, 0.08) ** 4
    aligned = np.clip(dot(seen.normals, half), 1e-4, 1)
    shine = np.exp(np.log(aligned) * power) * (power + 8) * np.float32(0.045 / 25)
    colour = np.array(lamp.colour, np.float32)
    return np.asarray((seen.albedo + (seen.gloss * shine)[:, None]) * strength[:, None] * colour)


def _reflection(light: Illumination, seen: SeenPoints) -> Floats:
    facing = np.clip(dot(seen.normals, seen.view), 0, 1)
    back = 2 * facing[:, None] * seen.normals - seen.view
    sharp, soft = surroundings(light)
    u, v = (back[:, 0] * 0.5 + 0.5) * 127, (back[:, 1] * 0.5 + 0.5) * 127
    blend = np.clip((seen.rough - 0.1) / 0.3, 0, 1)[:, None]
    room = interpolated(sharp, u, v) * (1 - blend) + interpolated(soft, u, v) * blend
    fresnel = 0.04 + 0.7 * (1 - facing) ** 5 * (1 - seen.rough)
    return np.asarray(room * (fresnel * seen.gloss * (back[:, 2] > 0))[:, None])


def _batches(samples: Samples) -> Iterator[tuple[slice, Samples]]:
    for start in range(0, len(samples.triangle), _BATCH):
        part = slice(start, start + _BATCH)
        yield part, Samples(samples.x[part], samples.y[part], samples.triangle[part])


def _off_the_walls(points: Floats, normals: Floats) -> Floats:
    """Points moved away from vertical faces, where the height map would count them as buried."""
    moved = points.copy()
    moved[:, :2] += normals[:, :2] * np.float32(_WALL_OFFSET)
    return moved


def _unit(vectors: Floats) -> Floats:
    scale = 1 / np.sqrt(np.maximum(dot(vectors, vectors), np.float32(1e-12)))
    return np.asarray(vectors * scale[:, None], np.float32)


def _texture(sheet: Picture, u: Floats, v: Floats) -> Picture:
    """Colours at points given in pixels; whole numbers are pixel centres."""
    return np.asarray(remapped(sheet, u, v, cv2.INTER_LINEAR).reshape(-1, 3)[: len(u)], np.uint8)


def _mirror_repeated(value: Floats, size: int) -> Floats:
    """A coordinate reflected back and forth into 0..size."""
    return np.asarray(np.abs((value + size) % np.float32(2 * size) - size))


def _dither(points: Floats) -> Floats:
    """Pseudo-random angle (radians) that depends only on the point, so that still pictures do not flicker."""
    mixed = np.sin(points[:, 0] * np.float32(127.1) + points[:, 1] * np.float32(311.7)) * np.float32(43758.547)
    return np.asarray((mixed - np.floor(mixed)) * np.float32(6.2832), np.float32)
