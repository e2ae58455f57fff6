"""Meshes of the pieces, and the heights at which bodies lie on others, leaning ones included."""

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import astuple

import cv2
import numpy as np

from models.render import mesh
from models.render.edition import Sizes
from models.render.glyphs import turned
from models.render.mesh import Mesh
from models.render.pawns import pawn
from models.render.raster import Doubles
from models.render.scene import Body
from rules.pieces import Kind, Size
from rules.pieces.sizes import CARD as CARD_SIDES
from rules.pieces.sizes import THICKNESS, pyramid_base, pyramid_height

FIRST_FACE = 3
PYRAMIDS = {size.value: (pyramid_base(size), pyramid_height(size)) for size in Size}
"""Base and height of pyramids by size, in inches."""
CARD = (*CARD_SIDES, THICKNESS[Kind.CARD])

_CUT_CORNERS = 0.3
_NESTED = 0.32


def tile(sizes: Sizes) -> Mesh:
    outline = mesh.square(sizes.tile, sizes.tile_round)
    return mesh.prism(outline, sizes.tile_thick, sizes.tile_bevel)


def coin(sizes: Sizes) -> Mesh:
    return mesh.prism(mesh.circle(sizes.coin, 28), sizes.coin_thick, sizes.coin_bevel, smooth=True)


def die(sizes: Sizes) -> Mesh:
    """A die; slots FIRST_FACE.. are its side faces."""
    side, corner = sizes.die, sizes.die_round
    if sizes.die_ball:
        return mesh.cube_of(mesh.ball_cut_cube(side, sizes.die_ball * side, 8), FIRST_FACE)
    if corner > _CUT_CORNERS:
        return mesh.cube_of(mesh.rounded_cube(side, side * min(corner * 0.8, 0.49), 3), FIRST_FACE)
    body = mesh.prism(mesh.square(side, side * corner), side, side * corner * 0.6)
    return mesh.join(body, *(_die_side(side, 0.5 - max(corner, 0.1), index) for index in range(4)))


def _die_side(side: float, inner: float, index: int) -> Mesh:
    """A side face; `inner`: share of a side from its middle to the rounding."""
    out = 0.5 + 0.002 / side
    low, high = 0.5 - inner, 0.5 + inner
    corners = side * np.array([[-inner, -out, low], [inner, -out, low], [inner, -out, high], [-inner, -out, high]])
    uv = 0.5 + inner * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    picks = np.array([[0, 1, 2], [0, 2, 3]])
    turned = corners @ mesh.turn_z(index * np.pi / 2).T
    return mesh.flat(turned[picks], uv[picks], FIRST_FACE + index)


def fallen(standing: Mesh) -> Mesh:
    """A standing figure laid on its side, with the top to the north."""
    lying = mesh.moved(standing, mesh.turn_x(-np.pi / 2), np.zeros(3)).points.reshape(-1, 3)
    along = (lying[:, 1] - lying[:, 1].min()) / np.ptp(lying[:, 1])
    rest = lying[np.lexsort((lying[:, 2], along > 0.12))[0]]
    ahead = lying[along > 0.25] - rest
    slope = np.arctan2(ahead[:, 2], ahead[:, 1]).min()
    tipped = mesh.moved(standing, mesh.turn_x(-slope) @ mesh.turn_x(-np.pi / 2), np.zeros(3))
    low, high = tipped.points.reshape(-1, 3).min(0), tipped.points.reshape(-1, 3).max(0)
    return mesh.moved(tipped, np.eye(3), np.array([0.0, -(low[1] + high[1]) / 2, -low[2]]))


Maker = Callable[[Sizes, str], Mesh]
MAKERS: dict[str, Maker] = {
    "tile": lambda sizes, _: tile(sizes),
    "coin": lambda sizes, _: coin(sizes),
    "die": lambda sizes, _: die(sizes),
    "pawn": pawn,
    "pyramid": lambda _, size: mesh.spike(*PYRAMIDS[size], FIRST_FACE),
    "card": lambda _, __: mesh.prism(mesh.rectangle(CARD[0], CARD[1], 0.12), CARD[2]),
}
"""Meshes of upright pieces by kind, from sizes and a detail: a pawn's shape or a pyramid's size."""


def piece(
    kind: str, sizes: Sizes, detail: str = "", pose: str | None = None, makers: Mapping[str, Maker] = MAKERS
) -> Mesh:
    """The mesh of a piece in a pose."""
    return _cached(makers[kind], astuple(sizes), detail, pose == "flat")


@functools.lru_cache(maxsize=256)
def _cached(maker: Maker, sizes: tuple[float, ...], detail: str, is_flat: bool) -> Mesh:
    upright = maker(Sizes(*sizes), detail)
    return fallen(upright) if is_flat else upright


def direction(body: Body) -> Doubles:
    """Rotation matrix of a body: about the vertical, then the lean."""
    turn = mesh.turn_z(math.radians(body.angle))
    tilt, azimuth = math.radians(body.lean[0]), math.radians(body.lean[1])
    if not tilt:
        return turn
    away = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    axis = np.cross([0.0, 0.0, 1.0], away) * tilt
    return np.asarray(cv2.Rodrigues(axis)[0]) @ turn


def thickness(body: Body, sizes: Sizes) -> float:
    """Height from the underside of a body to the surface on which another can lie."""
    if body.kind == "pyramid":
        return _NESTED
    if body.kind == "pawn" and body.pose == "flat":
        return sizes.pawn
    flat = {"tile": sizes.tile_thick, "coin": sizes.coin_thick, "die": sizes.die, "card": CARD[2]}
    return flat.get(body.kind, sizes.pawn_high)


def half_size(body: Body, sizes: Sizes) -> tuple[float, float]:
    """Half the width and half the height of the footprint."""
    if body.kind == "card":
        return CARD[0] / 2, CARD[1] / 2
    if body.kind == "pyramid":
        half = PYRAMIDS[body.size or "small"][0] / 2
        return half, half
    side = {"tile": sizes.tile, "coin": sizes.coin, "die": sizes.die}.get(body.kind, sizes.pawn)
    return side / 2, side / 2


def footprint(body: Body, sizes: Sizes) -> Doubles:
    """Sample points of the footprint of a body, slightly inside its edge."""
    wide, high = half_size(body, sizes)
    t = np.array([-0.88, 0.0, 0.88])
    grid = np.stack(np.meshgrid(t, t), -1).reshape(-1, 2)
    if body.kind == "coin":
        grid = grid / np.maximum(np.linalg.norm(grid, axis=1, keepdims=True), 1) * 0.9
    return turned(grid * (wide, high), math.radians(body.angle)) + (body.x, body.y)


def top_at(body: Body, sizes: Sizes, points: Doubles) -> Doubles:
    """Height of the body's upper side at points of the table; zero outside its footprint."""
    turn = direction(body)
    upward = turn[:, 2]
    base = np.array([body.x, body.y, body.z]) + upward * thickness(body, sizes)
    away = points - base[:2]
    height = base[2] - (away @ upward[:2]) / max(float(upward[2]), 0.2)
    local = away @ turn[:2, :2]
    wide, high = half_size(body, sizes)
    inside = (
        (np.hypot(*local.T) < wide)
        if body.kind in ("coin", "pawn")
        else ((np.abs(local[:, 0]) < wide) & (np.abs(local[:, 1]) < high))
    )
    return np.where(inside, height, 0.0)


def _stands(body: Body) -> bool:
    return body.kind == "pawn" and body.pose != "flat"


def resting_height(body: Body, below: Iterable[Body], sizes: Sizes) -> float:
    """Height of the underside of a body laid on others. Standing pawns do not support one another."""
    points = footprint(body, sizes)
    if _stands(body):
        below = [other for other in below if not _stands(other)]
    reach = sum(half_size(body, sizes))
    near = [o for o in below if math.hypot(o.x - body.x, o.y - body.y) < reach + sum(half_size(o, sizes)) + 0.1]
    return float(max((top_at(other, sizes, points).max() for other in near), default=0.0))
