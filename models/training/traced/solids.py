"""The pieces' meshes as a path tracer wants them: edges are rounded and curves have many sides.

Sizes, slots and places on the pictures are those of `models.render.shapes`, so that one truth holds for both.
"""

from __future__ import annotations

import functools

import numpy as np

from models.render import mesh, shapes
from models.render.edition import PaintedSet, Sizes
from models.render.figures import Figure, figure, is_figure
from models.render.mesh import BOTTOM, SIDE, TOP, Mesh
from models.render.raster import Doubles
from models.render.scene import Body
from models.render.world import body_mesh, direction

AROUND = 48
_ARC = 4
_CUT = 0.035
_BLUNT = 0.06  # of a pyramid's base


def placed(body: Body, edition: PaintedSet) -> Mesh:
    """The thing in its place, as `models.render.world.placed` puts it there."""
    shift = np.array([body.x, body.y, body.z])
    return mesh.moved(solid(body, edition), direction(body) * body.scale, shift)


def solid(body: Body, edition: PaintedSet) -> Mesh:
    """The thing's mesh, not yet in its place. Pieces are made anew; what is no piece stays as it is."""
    own = body.guest or edition
    sizes = own.sizes
    if body.kind == "tile":
        return slab(sizes.tile, sizes.tile_round, sizes.tile_thick, sizes.tile_bevel)
    if body.kind == "coin":
        return disc(sizes.coin, sizes.coin_thick, sizes.coin_bevel)
    if body.kind == "die":
        return die(sizes.die, sizes.die_round, sizes.die_ball)
    if body.kind == "pyramid":
        upright = pyramid(*shapes.PYRAMIDS[body.size or "small"])
        return shapes.fallen(upright) if body.pose == "flat" else upright
    if body.kind == "pawn":
        upright = pawn(own.pawn_shape, sizes.pawn, sizes.pawn_high)
        return shapes.fallen(upright) if body.pose == "flat" else upright
    return body_mesh(body, edition)


@functools.lru_cache(maxsize=64)
def slab(side: float, radius: float, thick: float, bevel: float) -> Mesh:
    """A tile: no edge of a real one is quite sharp."""
    bevel = max(bevel, 0.008)
    outline, away = rounded_square(side, max(radius, bevel * 1.2))
    return swept(outline, away, thick, (bevel * 0.5, bevel))


@functools.lru_cache(maxsize=64)
def disc(diameter: float, thick: float, bevel: float) -> Mesh:
    """A coin."""
    outline = mesh.circle(diameter, AROUND)
    return swept(outline, outline / (diameter / 2), thick, (bevel * 0.7, bevel))


def rounded_square(side: float, radius: float, steps: int = 6) -> tuple[Doubles, Doubles]:
    """Outline, counter-clockwise, and the direction away from it at each point."""
    turns = np.concatenate([np.pi * (1 + corner / 2) + np.linspace(0, np.pi / 2, steps) for corner in range(4)])
    away = np.stack([np.cos(turns), np.sin(turns)], 1)
    signs = np.repeat([[-1.0, -1], [1, -1], [1, 1], [-1, 1]], steps, axis=0)
    return signs * (side / 2 - radius) + away * radius, away


def swept(outline: Doubles, away: Doubles, high: float, bevels: tuple[float, float]) -> Mesh:
    """An upright body of a convex outline whose lower and upper edges are rounded by so much."""
    walls, foot, head = mantle(outline, away, high, bevels)
    return mesh.join(mesh.fan(head[:, :2], high, TOP), walls, mesh.fan(foot[:, :2], 0.0, BOTTOM, upwards=False))


def mantle(outline: Doubles, away: Doubles, high: float, bevels: tuple[float, float]) -> tuple[Mesh, Doubles, Doubles]:
    """The walls of such a body, and where they begin and end."""
    below, above = bevels
    turn = np.linspace(0, np.pi / 2, _ARC)
    lower = [(below * (1 - np.cos(t)), below * (1 - np.sin(t)), np.cos(t), -np.sin(t)) for t in turn[::-1]]
    upper = [(above * (1 - np.cos(t)), high - above * (1 - np.sin(t)), np.cos(t), np.sin(t)) for t in turn]
    rows = np.array(lower + upper)
    points = [_lifted(outline - away * inset, level) for inset, level, _, _ in rows]
    normals = [_lifted(away * out, up) for _, _, out, up in rows]
    heights = 1 - rows[:, 1] / high
    walls = [
        sleeve((points[i], points[i + 1]), (normals[i], normals[i + 1]), (float(heights[i]), float(heights[i + 1])))
        for i in range(len(rows) - 1)
    ]
    return mesh.join(*walls), points[0], points[-1]


def _lifted(flat: Doubles, level: float) -> Doubles:
    return np.concatenate([flat, np.full((len(flat), 1), level)], axis=1)


def sleeve(
    points: tuple[Doubles, Doubles], normals: tuple[Doubles, Doubles], rows: tuple[float, float], slot: int = SIDE
) -> Mesh:
    """The wall between two closed rings, shaded by the normals given at their points."""
    wall = mesh.band(points[0], points[1], slot, True, rows)
    count = len(points[0])
    here, after = np.arange(count), (np.arange(count) + 1) % count
    quads = np.stack([normals[0][here], normals[0][after], normals[1][after], normals[1][here]], axis=1)
    corners = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(wall.points, quads[:, corners].reshape(-1, 3, 3), wall.uv, wall.slot, wall.group)


@functools.lru_cache(maxsize=64)
def die(side: float, corner: float, ball: float = 0.0) -> Mesh:
    """A cube with round edges and corners; each face's picture goes on over its rounding. `ball`: see `Sizes`."""
    if ball:
        return mesh.cube_of(mesh.ball_cut_cube(side, ball * side, 25), shapes.FIRST_FACE)
    radius = side * float(np.clip(corner * 0.8, 0.03, 0.49))
    return mesh.cube_of(mesh.rounded_cube(side, radius, _ARC), shapes.FIRST_FACE)


@functools.lru_cache(maxsize=64)
def pyramid(base: float, height: float) -> Mesh:
    """A square pyramid whose edges and tip are a little blunt."""
    outline, away = rounded_square(base, base * _BLUNT)
    slope = _lifted(away * height, base / 2) / np.hypot(height, base / 2)
    share = np.array([0.0, 1 - _BLUNT / 2])
    rings = [_lifted(outline * (1 - up), height * up) for up in share]
    tip = _lifted(outline * 1e-3, height * (1 - _BLUNT / 4))
    upwards = np.broadcast_to([0.0, 0.0, 1.0], slope.shape)
    walls = mesh.join(
        sleeve((rings[0], rings[1]), (slope, slope), (1, 0)), sleeve((rings[1], tip), (slope, upwards), (1, 0))
    )
    return mesh.join(_faced(walls, base, height), mesh.fan(outline, 0.0, BOTTOM, upwards=False))


def _faced(walls: Mesh, base: float, height: float) -> Mesh:
    """Every part of the walls on the picture of the face it belongs to; the first face looks south."""
    out = walls.normals.mean(1)
    quarter = np.round((np.arctan2(out[:, 1], out[:, 0]) + np.pi / 2) / (np.pi / 2)).astype(np.int64) % 4
    turn = quarter * np.pi / 2
    along = np.stack([np.cos(turn), np.sin(turn)], 1)
    across = np.einsum("nkc,nc->nk", walls.points[:, :, :2], along)
    uv = np.stack([0.5 + across / base, 1 - walls.points[:, :, 2] / height], -1)
    return Mesh(walls.points, walls.normals, np.clip(uv, 0, 1), shapes.FIRST_FACE + quarter, walls.group)


@functools.lru_cache(maxsize=64)
def pawn(shape: str, wide: float, high: float) -> Mesh:
    """A standing pawn."""
    sizes = Sizes(pawn=wide, pawn_high=high)
    if is_figure(shape) and (figure(shape).outline is not None or figure(shape).sides):
        return _cut_figure(figure(shape), sizes, shape)
    if shape == "meeple":
        return sawn(shapes.meeple_outline() * (wide * 1.15, high * 0.85), wide * 0.55)
    if shape == "standee":
        return shapes.pawn(sizes, shape)
    return mesh.lathe(softened(shapes.profile(sizes, shape), _CUT * high), AROUND)


def _cut_figure(made: Figure, sizes: Sizes, shape: str) -> Mesh:
    """A figure with flat sides: sawn from a board, perhaps on a plate, or of several facets (those stay sharp)."""
    if made.outline is None:
        return shapes.pawn(sizes, shape)
    high = sizes.pawn_high
    body = sawn(made.outline * high, made.thick * high)
    if made.foot is None:
        return body
    plate = mesh.slotted(disc(made.foot[0] * 2 * high, made.foot[1] * high, 0.015 * high), SIDE)
    return mesh.facing(mesh.join(plate, body), np.concatenate([made.outline * high, [[0.0, 0.0]]]))


def softened(profile: Doubles, most: float, times: int = 2) -> Doubles:
    """A line without its sharp corners: each gives way to two points at most so far from it."""
    for _ in range(times):
        step = np.diff(profile, axis=0)
        length = np.linalg.norm(step, axis=1, keepdims=True)
        cut = np.minimum(length * 0.25, most)
        unit = step / np.maximum(length, 1e-9)
        after, before = profile[:-1] + unit * cut, profile[1:] - unit * cut
        inner = np.stack([before[:-1], after[1:]], 1).reshape(-1, 2)
        profile = np.concatenate([profile[:1], inner, profile[-1:]])
        most /= 2
    return profile


def sawn(outline: Doubles, thick: float) -> Mesh:
    """A wooden figure sawn from a board, its edges broken; its outline is (x, height)."""
    high = float(outline[:, 1].max())
    closed = np.concatenate([outline, outline[:1]])
    ring = softened(np.concatenate([closed, outline[1:2]]), _CUT * high)[1:-1]
    ring = ring[:-1] if np.allclose(ring[0], ring[-1]) else ring
    step = np.roll(ring, -1, 0) - np.roll(ring, 1, 0)
    away = np.stack([step[:, 1], -step[:, 0]], 1) / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
    edge = min(0.02, thick * 0.2)
    walls, back, front = mantle(ring, away, thick, (edge, edge))
    lying = mesh.join(walls, _cap(front, True), _cap(back, False))
    standing = mesh.moved(lying, mesh.turn_x(np.pi / 2), np.array([0.0, thick / 2, 0.0]))
    return mesh.facing(standing, outline)


def _cap(ring: Doubles, upwards: bool) -> Mesh:
    """A flat side of a figure."""
    picks = mesh.triangulated(ring[:, :2])
    points = ring[picks if upwards else picks[:, ::-1]]
    return mesh.flat(points, np.full((len(picks), 3, 2), 0.5), SIDE)
