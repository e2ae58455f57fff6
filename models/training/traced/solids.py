"""Meshes of the pieces for the path tracer: edges are rounded and curves have many sides.

Sizes, slots and texture coordinates are those of `models.render.shapes`, so that both have the same truth."""

import numpy as np

from models.render import mesh, pawns, shapes
from models.render.edition import Sizes
from models.render.mesh import BOTTOM, SIDE, TOP, Mesh, at_height, smooth_band
from models.render.pawns import Figure, figure, is_figure
from models.render.raster import Doubles

CIRCLE_STEPS = 48
_ARC_STEPS = 4
_CORNER_STEPS = 6
_CORNER_CUT = 0.035
_BLUNTNESS = 0.06  # of a pyramid's base


def slab(side: float, radius: float, thick: float, bevel: float) -> Mesh:
    """A tile; its edges are never quite sharp."""
    bevel = max(bevel, 0.008)
    outline, away = rounded_square(side, max(radius, bevel * 1.2))
    return prism(outline, away, thick, (bevel * 0.5, bevel))


def disc(diameter: float, thick: float, bevel: float) -> Mesh:
    """A coin."""
    outline = mesh.circle(diameter, CIRCLE_STEPS)
    return prism(outline, outline / (diameter / 2), thick, (bevel * 0.7, bevel))


def rounded_square(side: float, radius: float) -> tuple[Doubles, Doubles]:
    """Outline, counter-clockwise, and its normals."""
    outline = mesh.square(side, radius, _CORNER_STEPS)
    return outline, mesh.corner_directions(_CORNER_STEPS).reshape(-1, 2)


def prism(outline: Doubles, away: Doubles, high: float, bevels: tuple[float, float]) -> Mesh:
    """An upright prism of a convex outline; `bevels` are the radii of its lower and upper edges."""
    walls, foot, head = mantle(outline, away, high, bevels)
    return mesh.join(mesh.fan(head[:, :2], high, TOP), walls, mesh.fan(foot[:, :2], 0.0, BOTTOM, upwards=False))


def mantle(outline: Doubles, away: Doubles, high: float, bevels: tuple[float, float]) -> tuple[Mesh, Doubles, Doubles]:
    """The walls of such a prism, and its lowest and highest ring."""
    below, above = bevels
    turn = np.linspace(0, np.pi / 2, _ARC_STEPS)
    lower = [(below * (1 - np.cos(t)), below * (1 - np.sin(t)), np.cos(t), -np.sin(t)) for t in turn[::-1]]
    upper = [(above * (1 - np.cos(t)), high - above * (1 - np.sin(t)), np.cos(t), np.sin(t)) for t in turn]
    rows = np.array(lower + upper)
    points = [at_height(outline - away * inset, level) for inset, level, _, _ in rows]
    normals = [at_height(away * out, up) for _, _, out, up in rows]
    heights = 1 - rows[:, 1] / high
    walls = [
        smooth_band(
            (points[i], points[i + 1]), (normals[i], normals[i + 1]), (float(heights[i]), float(heights[i + 1]))
        )
        for i in range(len(rows) - 1)
    ]
    return mesh.join(*walls), points[0], points[-1]


def die(side: float, corner: float, ball: float = 0.0) -> Mesh:
    """A cube with round edges and corners; each face's texture extends over its rounding. `ball`: see `Sizes`."""
    if ball:
        return mesh.cube_of(mesh.ball_cut_cube(side, ball * side, 25), shapes.FIRST_FACE)
    radius = side * float(np.clip(corner * 0.8, 0.03, 0.49))
    return mesh.cube_of(mesh.rounded_cube(side, radius, _ARC_STEPS), shapes.FIRST_FACE)


def pyramid(base: float, height: float) -> Mesh:
    """A square pyramid with slightly blunt edges and tip."""
    outline, away = rounded_square(base, base * _BLUNTNESS)
    slope = at_height(away * height, base / 2) / np.hypot(height, base / 2)
    share = np.array([0.0, 1 - _BLUNTNESS / 2])
    rings = [at_height(outline * (1 - up), height * up) for up in share]
    tip = at_height(outline * 1e-3, height * (1 - _BLUNTNESS / 4))
    upwards = np.broadcast_to([0.0, 0.0, 1.0], slope.shape)
    walls = mesh.join(
        smooth_band((rings[0], rings[1]), (slope, slope), (1, 0)),
        smooth_band((rings[1], tip), (slope, upwards), (1, 0)),
    )
    return mesh.join(_with_face_uv(walls, base, height), mesh.fan(outline, 0.0, BOTTOM, upwards=False))


def _with_face_uv(walls: Mesh, base: float, height: float) -> Mesh:
    """The walls with the texture of the face they belong to; the first face points south."""
    out = walls.normals.mean(1)
    quarter = np.round((np.arctan2(out[:, 1], out[:, 0]) + np.pi / 2) / (np.pi / 2)).astype(np.int64) % 4
    turn = quarter * np.pi / 2
    along = np.stack([np.cos(turn), np.sin(turn)], 1)
    across = np.einsum("nkc,nc->nk", walls.points[:, :, :2], along)
    uv = np.stack([0.5 + across / base, 1 - walls.points[:, :, 2] / height], -1)
    return Mesh(walls.points, walls.normals, np.clip(uv, 0, 1), shapes.FIRST_FACE + quarter, walls.group)


def pawn(sizes: Sizes, shape: str) -> Mesh:
    """A standing pawn."""
    wide, high = sizes.pawn, sizes.pawn_high
    if is_figure(shape) and (figure(shape).outline is not None or figure(shape).sides):
        return _cut_figure(figure(shape), sizes, shape)
    if shape == "meeple":
        return sawn(pawns.MEEPLE * (wide * 1.15, high * 0.85), wide * 0.55)
    if shape == "standee":
        return pawns.pawn(sizes, shape)
    return mesh.lathe(corners_cut(pawns.profile(sizes, shape), _CORNER_CUT * high), CIRCLE_STEPS)


def _cut_figure(made: Figure, sizes: Sizes, shape: str) -> Mesh:
    """A figure with flat sides: sawn from a board, perhaps on a plate, or of several facets (those stay sharp)."""
    if made.outline is None:
        return pawns.pawn(sizes, shape)
    high = sizes.pawn_high
    body = sawn(made.outline * high, made.thick * high)
    if made.foot is None:
        return body
    plate = mesh.slotted(disc(made.foot[0] * 2 * high, made.foot[1] * high, 0.015 * high), SIDE)
    return mesh.facing(mesh.join(plate, body), np.concatenate([made.outline * high, [[0.0, 0.0]]]))


def corners_cut(profile: Doubles, max_cut: float) -> Doubles:
    """A polyline with its corners cut twice: each becomes two points at most `max_cut` from it."""
    for _ in range(2):
        step = np.diff(profile, axis=0)
        length = np.linalg.norm(step, axis=1, keepdims=True)
        cut = np.minimum(length * 0.25, max_cut)
        unit = step / np.maximum(length, 1e-9)
        after, before = profile[:-1] + unit * cut, profile[1:] - unit * cut
        inner = np.stack([before[:-1], after[1:]], 1).reshape(-1, 2)
        profile = np.concatenate([profile[:1], inner, profile[-1:]])
        max_cut /= 2
    return profile


def sawn(outline: Doubles, thick: float) -> Mesh:
    """A wooden figure sawn from a board, with broken edges; its outline is (x, height)."""
    high = float(outline[:, 1].max())
    closed = np.concatenate([outline, outline[:1]])
    ring = corners_cut(np.concatenate([closed, outline[1:2]]), _CORNER_CUT * high)[1:-1]
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


MAKERS = shapes.MAKERS | {
    "tile": lambda sizes, _: slab(sizes.tile, sizes.tile_round, sizes.tile_thick, sizes.tile_bevel),
    "coin": lambda sizes, _: disc(sizes.coin, sizes.coin_thick, sizes.coin_bevel),
    "die": lambda sizes, _: die(sizes.die, sizes.die_round, sizes.die_ball),
    "pawn": pawn,
    "pyramid": lambda _, size: pyramid(*shapes.PYRAMIDS[size]),
}
"""As in `models.render.shapes`; cards are the same."""
