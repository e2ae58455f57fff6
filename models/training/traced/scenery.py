"""Converts a scene of `models.render` to the path tracer's input."""

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
from models.training.traced.shot import DiskLamp, Linear, Material, Pinhole, Soup, TracedShot, of_body, of_table

PIECES, TABLE, FLOOR = "pieces", "table", "floor"
FLOOR_DEPTH = 28.0
_TOP_THICK = 1.0
_MAX_HALF = 260.0
_MASK_REACH = 30.0  # width of table covered by one pattern, inches
_SLOPE = 80  # levels of a relief map for a slope of one
_ROOM = (64, 128)
BODY_LIFT = 2e-4
"""Inches by which each body is raised above the one before it: coplanar surfaces shade each other black, and cards that
overlap are coplanar."""
TEXTURE_SCALE = 1.4
"""Resolution of the pieces' textures relative to the rasteriser's: samples are spread over every pixel."""


def scenery(scene: Scene, window: Window) -> tuple[TracedShot, World]:
    """The shot of a window of the ideal picture, and the triangles of its bodies."""
    world = visible_world(scene, window, painter_of(scene, TEXTURE_SCALE), solids.MAKERS)
    world.points[:, :, 2] += world.owner[:, None] * BODY_LIFT
    things, materials = _things(scene, world)
    ground, ground_materials = _table_and_floor(scene.table, len(materials))
    sheets = {PIECES: world.atlas, TABLE: tables.top(scene.table)}
    slopes = {} if world.relief is None else {PIECES: slope_map(world.relief)}
    shot = TracedShot(
        (things, *ground) if len(world) else ground,
        (*materials, *ground_materials),
        sheets | {FLOOR: np.full((4, 4, 3), scene.table.floor, np.float32).astype(np.uint8)},
        tuple(disk_lamp(lamp) for lamp in scene.light.lamps),
        environment(scene.light),
        pinhole(scene, window),
        slopes,
    )
    return shot, world


def _things(scene: Scene, world: World) -> tuple[Soup, list[Material]]:
    """All bodies as one triangle soup with their materials; bodies of equal material share it."""
    known: dict[Material, int] = {}
    relief = PIECES if world.relief is not None else ""
    rows = [
        known.setdefault(of_body(body, scene.edition, surface, PIECES, relief), len(known))
        for body, surface in zip(scene.bodies, world.surfaces, strict=True)
    ]
    numbers = np.array(rows or [0], np.int64)[world.owner]
    return Soup(world.points, world.normals, texture_uv(world.uv, world.atlas.shape), numbers), list(known)


def texture_uv(pixels: Doubles, shape: tuple[int, ...]) -> Doubles:
    """Texture coordinates (0..1, the second upwards) of places in pixels, whose centres are integers."""
    across, down = (pixels[..., 0] + 0.5) / shape[1], (pixels[..., 1] + 0.5) / shape[0]
    return np.asarray(np.stack([across, 1 - down], -1))


def slope_map(relief: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A normal map (BGR) from the rasteriser's slope map."""
    slope = (relief[:, :, :2].astype(np.float32) - 128) / _SLOPE
    normal = np.concatenate([slope, np.ones((*slope.shape[:2], 1), np.float32)], 2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    return np.asarray(np.round(normal[:, :, ::-1] * 127 + 128), np.uint8)


def _table_and_floor(table: Table, first: int) -> tuple[tuple[Soup, ...], list[Material]]:
    """The table's top, with sides and a floor below where its edge is in sight."""
    half = np.minimum(np.array(table.half), _MAX_HALF)
    top = _rectangle(half, 0.0, first)
    top = Soup(top.points, top.normals, table_uv(table, top.points), top.material)
    materials = [of_table(table, TABLE), Material(FLOOR, 0.7)]
    if half.min() >= 200:
        return (top,), materials[:1]
    return (top, _sides(half, table, first), _rectangle(np.full(2, _MAX_HALF), -FLOOR_DEPTH, first + 1)), materials


def _rectangle(half: Doubles, level: float, material: int) -> Soup:
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    corners = np.concatenate([signs * half, np.full((4, 1), level)], 1)
    points = corners[np.array([[0, 1, 2], [0, 2, 3]])]
    up = np.broadcast_to([0.0, 0, 1], points.shape).copy()
    return Soup(points, up, np.full((2, 3, 2), 0.5), np.full(2, material, np.int64))


def _sides(half: Doubles, table: Table, material: int) -> Soup:
    """The four narrow sides of a table top."""
    signs = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * half
    after = np.roll(signs, -1, 0)
    high, low = np.zeros((4, 1)), np.full((4, 1), -_TOP_THICK)
    a, b = np.concatenate([signs, low], 1), np.concatenate([after, low], 1)
    c, d = np.concatenate([after, high], 1), np.concatenate([signs, high], 1)
    points = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    out = np.array([[0.0, -1, 0], [1, 0, 0], [0, 1, 0], [-1, 0, 0]])
    normals = np.repeat(np.concatenate([out, out])[:, None], 3, axis=1)
    return Soup(points, normals, table_uv(table, points), np.full(8, material, np.int64))


def table_uv(table: Table, points: Doubles) -> Doubles:
    """Texture coordinates of points of the table, rotated and scaled as the rasteriser does it."""
    sheet = tables.top(table)
    high, wide = sheet.shape[:2]
    c, s = math.cos(math.radians(table.turn)), math.sin(math.radians(table.turn))
    scale = max(wide, high) / table.span
    x, y = points[..., 0], points[..., 1]
    across = (x * c - y * s) * scale / wide + 0.5
    down = (x * s + y * c) * scale / high + 0.5
    return np.asarray(np.stack([across, 1 - down], -1))


def disk_lamp(lamp: Lamp) -> DiskLamp:
    """A lamp that lights the centre of the table as brightly as the rasteriser's.

    There, white card facing the lamp has the radiance `power`; a disk lamp of W watts facing a wall at distance d gives
    it W / (pi d) squared."""
    place = np.array(lamp.place)
    distance = float(np.linalg.norm(place))
    watts = lamp.power * (math.pi * distance) ** 2
    mask = pattern(lamp.pattern, lamp.seed) if lamp.pattern else None
    return DiskLamp(place, rgb(lamp.colour), watts, max(lamp.diameter, 0.05), mask, _MASK_REACH)


def rgb(colour: tuple[float, float, float]) -> Linear:
    """A BGR colour as RGB."""
    return colour[2], colour[1], colour[0]


def environment(light: Illumination) -> NDArray[np.float32]:
    """Ambient light as an environment map (RGB, rows from zenith to nadir).

    It is the rasteriser's reflection map of the room without its lamps, scaled to its ambient light on a level
    table."""
    high, wide = _ROOM
    polar = (np.arange(high) + 0.5) / high * math.pi
    azimuth = (np.arange(wide) + 0.5) / wide * 2 * math.pi - math.pi
    polar_, azimuth_ = np.meshgrid(polar, azimuth, indexing="ij")
    x, y, z = np.sin(polar_) * np.cos(azimuth_), np.sin(polar_) * np.sin(azimuth_), np.cos(polar_)
    walls, sharp = (surroundings(replace(light, lamps=(), window=pane))[0] for pane in (None, light.window))
    size = sharp.shape[0]
    columns = np.clip((x * 0.5 + 0.5) * size, 0, size - 1).astype(int)
    rows = np.clip((y * 0.5 + 0.5) * size, 0, size - 1).astype(int)
    # from an overcast sky to a lit window in a dim room
    depth = np.random.default_rng([light.seed, 43]).uniform(1.0, 2.5)
    panorama = walls[rows, columns].astype(np.float64) ** depth + (sharp - walls)[rows, columns]
    panorama[z < 0] *= 0.4
    cosine = np.maximum(z, 0) * np.sin(polar_)
    mean = (panorama * cosine[:, :, None]).sum((0, 1)) / cosine.sum()
    irradiance = np.array(light.sky) * light.sky_power
    return np.asarray((panorama * irradiance / np.maximum(mean, 1e-6))[:, :, ::-1], np.float32)


def pinhole(scene: Scene, window: Window) -> Pinhole:
    """The camera of a window of the ideal picture. One in three has a limited depth of field."""
    camera = scene.camera
    left, top, width, height = window
    centre = (camera.centre[0] - left, camera.centre[1] - top)
    rng = np.random.default_rng([scene.seed, 61])
    wide = rng.random() < 0.33
    aperture = float(rng.uniform(0.03, 0.14)) if wide else 0.0
    return Pinhole(width, height, camera.focal, centre, camera.turn, camera.place, aperture, _focus_distance(camera))


def _focus_distance(camera: PinholeCamera) -> float:
    """Distance of the table in the centre of the picture."""
    ahead = camera.turn[2]
    return float(camera.place[2] / max(-ahead[2], 0.2))
