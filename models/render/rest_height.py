"""Heights of bodies that lie on others, leaning ones included."""

import math
from collections.abc import Iterable

import numpy as np

from models.render.edition import Sizes
from models.render.raster import Doubles
from models.render.scene import Body
from models.render.shapes import CARD, PYRAMIDS
from models.render.world import direction

_NESTED = 0.32


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
    c, s = math.cos(math.radians(body.angle)), math.sin(math.radians(body.angle))
    local = grid * (wide, high)
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + (body.x, body.y))


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
