"""Lamps, soft shadows, contact shadows and reflections.

A lamp's shadow map stores the height of the surface the lamp sees first. A point is in shadow where that height exceeds
its own. Comparing heights avoids self-shadowing specks on flat ground, however wide the penumbra; its width grows with
the height of the caster.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.materials import Grey
from models.render.raster import NO_TRIANGLE, Doubles, Floats, Ints, affine_coefficients, corner_min, rasterise
from models.render.scene import Illumination, Lamp, Pane

_TAPS = 10
_HEIGHT_OFFSET = 1.0
_MAX_HEIGHT = 3.0  # inches: height above which a thing occludes no more ambient light
_COARSE = 8
_MAX_SOFTNESS = 60.0  # pixels of the shadow map


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of the table, inches."""

    left: float
    bottom: float
    right: float
    top: float


def remapped(sheet: NDArray[Any], x: Floats, y: Floats, mode: int) -> NDArray[Any]:
    """Values of a picture at a list of points, in rows of 1024 (OpenCV needs a two-dimensional list)."""
    count = len(x)
    grid = np.zeros((2, -(-count // 1024) * 1024), np.float32)
    grid[0, :count], grid[1, :count] = x, y
    grid_x, grid_y = grid.reshape(2, -1, 1024)
    return np.asarray(cv2.remap(sheet, grid_x, grid_y, mode, borderMode=cv2.BORDER_REPLICATE))


def interpolated(sheet: Grey, x: Floats, y: Floats, mode: int = cv2.INTER_LINEAR) -> Floats:
    """Values of a picture of one or more channels at a list of points; (n,) or (n, channels)."""
    if not len(x):
        return np.zeros((0,) if sheet.ndim == 2 else (0, sheet.shape[2]), np.float32)
    drawn = remapped(sheet, x, y, mode)
    return np.asarray(drawn.reshape(-1)[: len(x)] if sheet.ndim == 2 else drawn.reshape(-1, sheet.shape[2])[: len(x)])


class ShadowMap:
    """Heights of the surfaces that one lamp sees first, over one region of the table."""

    def __init__(self, lamp: Lamp, points: Doubles, region: Region, size: int) -> None:
        self.lamp = lamp
        place = np.array(lamp.place)
        aim = np.array([(region.left + region.right) / 2, (region.bottom + region.top) / 2, 0.0])
        self.distance = float(np.linalg.norm(place - aim))
        self.axes = _axes(aim - place)
        self._place = place
        self._fit(region, size)
        self.heights = self._height_map(points, size)
        self._softness = 0.5 * lamp.diameter / max(lamp.place[2], 1.0) / self.texel
        self.blockers = self._blocker_heights()
        self._peaks = self._peak_map()

    def _fit(self, region: Region, size: int) -> None:
        corners = np.array(
            [[x, y, z] for x in (region.left, region.right) for y in (region.bottom, region.top) for z in (0.0, 2.0)]
        )
        seen = self._projected(corners)
        low, high = seen[:, :2].min(0), seen[:, :2].max(0)
        self._low, self._scale = low, size / float((high - low).max())
        self.texel = self.distance / self._scale

    def _projected(self, points: Doubles) -> Doubles:
        turned = (points - self._place) @ self.axes.T
        depth = np.maximum(turned[:, 2:3], 0.3)
        return np.concatenate([turned[:, :2] / depth, turned[:, 2:3]], axis=1)

    def _height_map(self, points: Doubles, size: int) -> Grey:
        heights = np.zeros((size, size), np.float32)
        if not len(points):
            return heights
        seen = self._projected(points.reshape(-1, 3)).reshape(-1, 3, 3)
        keep = np.flatnonzero(corner_min(seen[:, :, 2]) > 0.5)
        xy = (seen[keep, :, :2] - self._low) * self._scale
        near = 1 / seen[keep, :, 2]
        y, x, values = _front_values(xy, near, np.stack([near, points[keep, :, 2] * near], 2), size)
        heights[y, x] = np.clip(values[:, 1] / np.maximum(values[:, 0], 1e-9), 0, 30)
        return heights

    def _blocker_heights(self) -> Grey:
        """Mean height of the shadow casters nearby, from which the width of the penumbra follows."""
        window = max(3, round(0.5 / self.texel) | 1)
        standing = (self.heights > 0.02).astype(np.float32)
        total = cv2.blur(self.heights, (window, window))
        share = cv2.blur(standing, (window, window))
        return np.asarray(total / np.maximum(share, 1e-3), np.float32)

    def _peak_map(self) -> Grey:
        """Greatest height within reach of any tap, on a coarse map: a point above it is lit in full."""
        size = self.heights.shape[0] // _COARSE
        coarse = self.heights[: size * _COARSE, : size * _COARSE].reshape(size, _COARSE, size, _COARSE).max(axis=(1, 3))
        reach = min(_MAX_SOFTNESS, self._softness * float(self.heights.max()))
        cells = math.ceil(reach / _COARSE) + 2
        return np.asarray(cv2.dilate(coarse, np.ones((2 * cells + 1, 2 * cells + 1), np.uint8)), np.float32)

    def _map_coordinates(self, points: Floats) -> tuple[Floats, Floats]:
        away = points - self._place.astype(np.float32)
        right, down, ahead = (dot(away, axis[None]) for axis in self.axes.astype(np.float32))
        scale = np.float32(self._scale)
        return (
            (right / ahead - np.float32(self._low[0])) * scale - np.float32(0.5),
            (down / ahead - np.float32(self._low[1])) * scale - np.float32(0.5),
        )

    def visible_share(self, points: Floats, normals: Floats, spin: Floats) -> Floats:
        """Visible share of the lamp (0..1) at each point. `spin` (radians) rotates the taps against banding."""
        u, v = self._map_coordinates(points)
        share = np.ones(len(u), np.float32)
        highest = interpolated(self._peaks, u / _COARSE, v / _COARSE, cv2.INTER_NEAREST)
        near = np.flatnonzero(highest > points[:, 2] + 0.015)
        if len(near):
            share[near] = self._soft_visibility(u[near], v[near], points[near, 2], normals[near, 2], spin[near])
        return share

    def _soft_visibility(self, u: Floats, v: Floats, z: Floats, upward: Floats, spin: Floats) -> Floats:
        above = np.maximum(interpolated(self.blockers, u, v) - z, 0.02)
        soft = np.clip(above * np.float32(self._softness), 0.7, _MAX_SOFTNESS)
        level = z + 0.02 + (1 - np.clip(upward, 0, 1)) * (0.06 + soft * np.float32(self.texel))
        return self._taps(u, v, soft, level, spin)

    def _taps(self, u: Floats, v: Floats, soft: Floats, level: Floats, spin: Floats) -> Floats:
        share = np.zeros(len(u), np.float32)
        right, down = np.cos(spin) * soft, np.sin(spin) * soft
        for tap in range(_TAPS):
            reach, angle = math.sqrt((tap + 0.5) / _TAPS), tap * 2.39996
            c, s = np.float32(math.cos(angle) * reach), np.float32(math.sin(angle) * reach)
            height = interpolated(self.heights, u + right * c - down * s, v + right * s + down * c)
            share += np.clip((level - height) * np.float32(30) + 1, 0, 1)
        return share / np.float32(_TAPS)

    def pattern_share(self, points: Floats) -> Floats:
        """Share of the light that the lamp's pattern (window frame, blind, leaves) lets through at each point."""
        if not self.lamp.pattern:
            return np.ones(len(points), np.float32)
        u, v = self._map_coordinates(points)
        sheet = pattern(self.lamp.pattern, self.lamp.seed)
        scale = np.float32(sheet.shape[0] / 30.0 * self.distance)
        middle = np.float32(sheet.shape[0] / 2)
        right, down = u / np.float32(self._scale) + self._low[0], v / np.float32(self._scale) + self._low[1]
        return interpolated(
            sheet, (right * scale + middle).astype(np.float32), (down * scale + middle).astype(np.float32)
        )


def _front_values(xy: Doubles, nearness: Doubles, values: Doubles, size: int) -> tuple[Ints, Ints, Doubles]:
    """Rows and columns of the covered pixels of a square map, and there the values (n, k) of the nearest triangle,
    which are affine between those at its corners."""
    hits = rasterise(xy, nearness, size, size)
    y, x = np.nonzero(hits != NO_TRIANGLE)
    plane = affine_coefficients(xy, values)[hits[y, x]]
    return y, x, plane[:, 0] * (x + 0.5)[:, None] + plane[:, 1] * (y + 0.5)[:, None] + plane[:, 2]


def dot(a: Floats, b: Floats) -> Floats:
    """Scalar products of rows of three; either side may have one row."""
    return np.asarray(a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1] + a[:, 2] * b[:, 2])


def _axes(forward: Doubles) -> Doubles:
    forward = forward / np.linalg.norm(forward)
    helper = np.array([0.0, 1.0, 0.0]) if abs(forward[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    right = np.cross(forward, helper)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


@functools.lru_cache(maxsize=16)
def pattern(name: str, seed: int) -> Grey:
    """Transmission mask (0..1) of a window, a blind or leaves in front of a lamp."""
    rng = np.random.default_rng([seed, 5])
    sheet = np.full((256, 256), 0.08, np.float32)
    if name == "window":
        shift = int(rng.integers(-60, 60))
        for left in (20, 140):
            for top in (10, 130):
                sheet[top : top + 104, max(0, left + shift) : left + shift + 98] = 1
    elif name == "blind":
        pitch = int(rng.integers(12, 40))
        sheet[(np.arange(256) % pitch) < pitch * 0.6] = 1
    else:
        noise_ = rng.standard_normal((24, 24)).astype(np.float32)
        sheet = np.clip(cv2.resize(noise_, (256, 256), interpolation=cv2.INTER_CUBIC) * 1.5 + 0.7, 0.1, 1)
    rotation = cv2.getRotationMatrix2D((128, 128), rng.uniform(0, 360), 1.2)
    turned = cv2.warpAffine(sheet, rotation, (256, 256), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(turned, (0, 0), rng.uniform(1.0, 5.0)), np.float32)


class AmbientOcclusion:
    """Contact shadows: ambient light occluded at a point by the things around it, from a height map."""

    def __init__(self, points: Doubles, region: Region, size: int) -> None:
        wide = max(region.right - region.left, region.top - region.bottom)
        self._density = size / wide
        self._origin = np.array([region.left, region.bottom], np.float32)
        heights = self._height_map(points, size)
        self._soft = [
            (reach, cv2.GaussianBlur(heights, (0, 0), max(0.6, reach * self._density))) for reach in (0.09, 0.3)
        ]
        small = cv2.resize(heights, (size // 4, size // 4), interpolation=cv2.INTER_AREA)
        wide_soft = cv2.GaussianBlur(small, (0, 0), max(0.6, 0.9 * self._density / 4))
        self._soft.append((0.9, cv2.resize(wide_soft, (size, size), interpolation=cv2.INTER_LINEAR)))

    def _height_map(self, points: Doubles, size: int) -> Grey:
        heights = np.zeros((size, size), np.float32)
        if not len(points):
            return heights
        xy = (points[:, :, :2] - self._origin) * self._density
        height = np.clip(points[:, :, 2], -0.5, 8)
        y, x, values = _front_values(xy, height + _HEIGHT_OFFSET, height[:, :, None], size)
        heights[y, x] = np.clip(values[:, 0], 0, _MAX_HEIGHT)
        return heights

    def ambient_share(self, points: Floats) -> Floats:
        """Share of the ambient light that reaches each point."""
        u = (points[:, 0] - self._origin[0]) * np.float32(self._density) - np.float32(0.5)
        v = (points[:, 1] - self._origin[1]) * np.float32(self._density) - np.float32(0.5)
        taken = np.zeros(len(points), np.float32)
        for (reach, sheet), weight in zip(self._soft, (0.38, 0.36, 0.3), strict=True):
            above = interpolated(np.asarray(sheet, np.float32), u, v) - points[:, 2]
            taken += np.clip(above / np.float32(reach * 1.6), 0, 1) * np.float32(weight)
        return 1 - np.minimum(taken, np.float32(0.85))


@functools.lru_cache(maxsize=32)
def surroundings(light: Illumination) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Environment map for reflections (the room seen upwards from the table, square), sharp and blurred."""
    rng = np.random.default_rng([light.seed, 41])
    size = 128
    y, x = (np.mgrid[0:size, 0:size].astype(np.float32) / size - 0.5) * 2
    base = 0.35 + 0.25 * np.cos(np.hypot(x, y) * 1.5)
    room = np.asarray(base[:, :, None] * np.array(light.sky, np.float32) * light.sky_power, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        _bright_patch(rng, room, light.sky_power)
    if light.window:
        _window(np.random.default_rng([light.seed, 83]), room, light, light.window)
    for lamp in light.lamps:
        towards = np.array(lamp.place) / np.linalg.norm(lamp.place)
        centre = (towards[:2] * 0.5 + 0.5) * size
        radius = max(2, int(size * lamp.diameter / np.linalg.norm(lamp.place) * 0.5))
        glow = tuple(float(c) * lamp.power * 6 for c in lamp.colour)
        cv2.circle(room, (int(centre[0]), int(centre[1])), radius, glow, -1, cv2.LINE_AA)
    sharp = np.asarray(cv2.GaussianBlur(room, (0, 0), 1.6), np.float32)
    return sharp, np.asarray(cv2.GaussianBlur(room, (0, 0), 12), np.float32)


def _window(rng: np.random.Generator, room: NDArray[np.float32], light: Illumination, window: Pane) -> None:
    """Draws the panes between the bars of a window, rotated at random."""
    size = room.shape[0]
    wide, high = (float(v) for v in rng.uniform(6, 26, 2))
    bars = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    middle = (np.array(window.towards) * 0.5 + 0.5) * size
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    bright = [float(c) * window.bright for c in light.sky]
    for column in range(bars[0]):
        for row in range(bars[1]):
            low = np.array([column / bars[0] - 0.5, row / bars[1] - 0.5]) + 0.02
            edge = np.array([1 / bars[0], 1 / bars[1]]) - 0.04
            pane = (low + edge * np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])) * (wide, high) @ axes + middle
            cv2.fillConvexPoly(room, np.round(pane * 16).astype(np.int32), bright, cv2.LINE_AA, 4)


def _bright_patch(rng: np.random.Generator, room: NDArray[np.float32], power: float) -> None:
    size = room.shape[0]
    x, y = (int(v) for v in rng.integers(0, size, 2))
    wide, high = (int(v) for v in rng.integers(8, 40, 2))
    bright = power * rng.uniform(0.8, 3.5)
    cv2.rectangle(room, (x, y), (x + wide, y + high), (bright * 1.05, bright, bright * 0.95), -1)
