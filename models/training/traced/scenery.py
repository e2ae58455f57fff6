"""A scene of `models.render` as a shot for the path tracer."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.render import tables
from models.render.camera import PinholeCamera
from models.render.film import Window
from models.render.light import pattern, surroundings
from models.render.raster import Doubles
from models.render.renderer import painter_of, visible_world
from models.render.scene import Illumination, Lamp, Scene, Table
from models.render.world import World
from models.training.traced import solids
from models.training.traced.matter import Matter, of_body, of_table
from models.training.traced.shot import Bulb, Linear, Pinhole, Soup, TracedShot

PIECES, TABLE, FLOOR = "pieces", "table", "floor"
FLOOR_BELOW = 28.0
_TOP_THICK = 1.0
_FAR = 260.0
_MASK_REACH = 30.0  # inches of table that one pattern covers
_SLOPE = 80  # steps of a relief's picture that mean a slope of one
_ROOM = (64, 128)
LIFT = 2e-4
"""Inches by which each thing lies higher than the one before it: surfaces in one plane shade one another black, and
cards that lie across each other have theirs in one plane."""
FINER = 1.4
"""Pictures of the pieces are so much finer than the rasteriser's: samples are spread over every pixel."""


def scenery(scene: Scene, window: Window) -> tuple[TracedShot, World]:
    """The shot that shows what a window of the ideal picture shows, and the triangles of its things."""
    world = visible_world(scene, window, painter_of(scene, FINER), solids.placed)
    world.points[:, :, 2] += world.owner[:, None] * LIFT
    things, matters = _things(scene, world)
    ground, ground_matters = _ground(scene.table, len(matters))
    sheets = {PIECES: world.atlas, TABLE: tables.top(scene.table)}
    slopes = {} if world.relief is None else {PIECES: slope_map(world.relief)}
    shot = TracedShot(
        (things, *ground) if len(world) else ground,
        (*matters, *ground_matters),
        sheets | {FLOOR: np.full((4, 4, 3), scene.table.floor, np.float32).astype(np.uint8)},
        tuple(bulb(lamp) for lamp in scene.light.lamps),
        room(scene.light),
        eye(scene, window),
        slopes,
    )
    return shot, world


def _things(scene: Scene, world: World) -> tuple[Soup, list[Matter]]:
    """All bodies as one heap of triangles; bodies of like matter share it."""
    known: dict[Matter, int] = {}
    relief = PIECES if world.relief is not None else ""
    rows = [
        known.setdefault(of_body(body, scene.edition, surface, PIECES, relief), len(known))
        for body, surface in zip(scene.bodies, world.surfaces, strict=True)
    ]
    numbers = np.array(rows or [0], np.int64)[world.owner]
    return Soup(world.points, world.normals, on_sheet(world.uv, world.atlas.shape), numbers), list(known)


def on_sheet(pixels: Doubles, shape: tuple[int, ...]) -> Doubles:
    """Shares of a sheet, the second upwards, for places in pixels that are whole in the pixels' middles."""
    across, down = (pixels[..., 0] + 0.5) / shape[1], (pixels[..., 1] + 0.5) / shape[0]
    return np.asarray(np.stack([across, 1 - down], -1))


def slope_map(relief: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A normal map (BGR) from the rasteriser's picture of slopes."""
    slope = (relief[:, :, :2].astype(np.float32) - 128) / _SLOPE
    normal = np.concatenate([slope, np.ones((*slope.shape[:2], 1), np.float32)], 2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    return np.asarray(np.round(normal[:, :, ::-1] * 127 + 128), np.uint8)


def _ground(table: Table, first: int) -> tuple[tuple[Soup, ...], list[Matter]]:
    """The table's top, with an edge where it ends in sight, and the floor below."""
    half = np.minimum(np.array(table.half), _FAR)
    top = _sheet(half, 0.0, first)
    top = Soup(top.points, top.normals, table_uv(table, top.points), top.matter)
    matters = [of_table(table, TABLE), Matter(FLOOR, 0.7)]
    if half.min() >= 200:
        return (top,), matters[:1]
    return (top, _skirt(half, table, first), _sheet(np.full(2, _FAR), -FLOOR_BELOW, first + 1)), matters


def _sheet(half: Doubles, level: float, matter: int) -> Soup:
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    corners = np.concatenate([signs * half, np.full((4, 1), level)], 1)
    points = corners[np.array([[0, 1, 2], [0, 2, 3]])]
    up = np.broadcast_to([0.0, 0, 1], points.shape).copy()
    return Soup(points, up, np.full((2, 3, 2), 0.5), np.full(2, matter, np.int64))


def _skirt(half: Doubles, table: Table, matter: int) -> Soup:
    """The four narrow sides of a table top."""
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * half
    after = np.roll(signs, -1, 0)
    high, low = np.zeros((4, 1)), np.full((4, 1), -_TOP_THICK)
    a, b = np.concatenate([signs, low], 1), np.concatenate([after, low], 1)
    c, d = np.concatenate([after, high], 1), np.concatenate([signs, high], 1)
    points = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    out = np.array([[0.0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]])
    normals = np.repeat(np.concatenate([out, out])[:, None], 3, axis=1)
    return Soup(points, normals, table_uv(table, points), np.full(8, matter, np.int64))


def table_uv(table: Table, points: Doubles) -> Doubles:
    """Where points of the table lie on its picture, turned and scaled as the rasteriser does it."""
    sheet = tables.top(table)
    high, wide = sheet.shape[:2]
    c, s = math.cos(math.radians(table.turn)), math.sin(math.radians(table.turn))
    scale = max(wide, high) / table.span
    x, y = points[..., 0], points[..., 1]
    across = (x * c - y * s) * scale / wide + 0.5
    down = (x * s + y * c) * scale / high + 0.5
    return np.asarray(np.stack([across, 1 - down], -1))


def bulb(lamp: Lamp) -> Bulb:
    """A lamp that lights the middle of the table as brightly as the rasteriser's.

    There, white card facing the lamp shines with `power`; a round lamp of W watts that faces a wall d away gives
    it W / (pi d) squared.
    """
    place = np.array(lamp.place)
    away = float(np.linalg.norm(place))
    watts = lamp.power * (math.pi * away) ** 2
    mask = pattern(lamp.pattern, lamp.seed) if lamp.pattern else None
    return Bulb(place, red_first(lamp.colour), watts, max(lamp.diameter, 0.05), mask, _MASK_REACH)


def red_first(colour: tuple[float, float, float]) -> Linear:
    """Blue, green, red as red, green, blue."""
    return colour[2], colour[1], colour[0]


def room(light: Illumination) -> NDArray[np.float32]:
    """The light from everywhere as a panorama (red first, rows from straight up to straight down).

    The rasteriser's mirror of the room without its lamps, made as bright as its even sky is on a level table.
    """
    high, wide = _ROOM
    polar = (np.arange(high) + 0.5) / high * math.pi
    turn = (np.arange(wide) + 0.5) / wide * 2 * math.pi - math.pi
    polar_, turn_ = np.meshgrid(polar, turn, indexing="ij")
    x, y, z = np.sin(polar_) * np.cos(turn_), np.sin(polar_) * np.sin(turn_), np.cos(polar_)
    walls, sharp = (surroundings(replace(light, lamps=(), window=pane))[0] for pane in (None, light.window))
    size = sharp.shape[0]
    columns = np.clip((x * 0.5 + 0.5) * size, 0, size - 1).astype(int)
    rows = np.clip((y * 0.5 + 0.5) * size, 0, size - 1).astype(int)
    depth = np.random.default_rng([light.seed, 43]).uniform(
        1.0, 2.5
    )  # from an overcast sky to a lit window in a dim room
    panorama = walls[rows, columns].astype(np.float64) ** depth + (sharp - walls)[rows, columns]
    panorama[z < 0] *= 0.4
    falling = np.maximum(z, 0) * np.sin(polar_)
    mean = (panorama * falling[:, :, None]).sum((0, 1)) / falling.sum()
    wanted = np.array(light.sky) * light.sky_power
    return np.asarray((panorama * wanted / np.maximum(mean, 1e-6))[:, :, ::-1], np.float32)


def eye(scene: Scene, window: Window) -> Pinhole:
    """The camera for a window of the ideal picture. One in three has a lens that does not see everything sharp."""
    camera = scene.camera
    left, top, width, height = window
    centre = (camera.centre[0] - left, camera.centre[1] - top)
    rng = np.random.default_rng([scene.seed, 61])
    wide = rng.random() < 0.33
    aperture = float(rng.uniform(0.03, 0.14)) if wide else 0.0
    return Pinhole(width, height, camera.focal, centre, camera.turn, camera.place, aperture, _aimed(camera))


def _aimed(camera: PinholeCamera) -> float:
    """How far away the table is in the middle of the picture."""
    ahead = camera.turn[2]
    return float(camera.place[2] / max(-ahead[2], 0.2))
