"""Scenes of a Layout: `layout_scene` in a named style, `played_scene` for training, with any set, table, light and
camera, clutter beside it and hands over it."""

import math
import zlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from models.render import random_scene
from models.render.camera import Viewpoint, camera_at
from models.render.edition import SUITS, VALUES, Sizes
from models.render.glyphs import Random, one_of, random_seed
from models.render.random_sets import wild_edition
from models.render.renderer import Rendered, render
from models.render.scene import Body, Scene, clutter_body
from models.render.shapes import half_size, resting_height
from models.render.styles import Style, style
from rules.pieces import Face, Kind
from rules.pieces.decktet import BASIC
from rules.table.layout import Layout, Placed

Ground = tuple[float, float, float, float]
"""The west, south, east and north edge of a part of the table."""


def body_of(placed: Placed, seed: int = 0) -> Body:
    """A placed piece at height zero. An unknown suit or value becomes a random one, fixed for key and seed."""
    piece, standing = placed.piece, placed.piece.kind in (Kind.PAWN, Kind.PYRAMID)
    chance = np.random.default_rng([zlib.crc32(placed.key.encode()), seed])
    any_suit, any_value = one_of(chance, SUITS), one_of(chance, VALUES)
    suit: str | None = piece.suit.value if piece.suit else any_suit
    value: str | None = piece.rank.word if piece.rank is not None else any_value
    if standing:
        value = None
    if piece.kind is Kind.PYRAMID and piece.suit is None and piece.mark:
        suit, value = None, piece.mark  # a colour beyond the four suits
    if piece.kind is Kind.CARD:
        suit, value = None, piece.mark
        if value is None and placed.face is Face.FRONT:
            value = one_of(chance, BASIC).mark
    face = placed.face.value if placed.face else ("back" if piece.kind in (Kind.TILE, Kind.COIN) else None)
    size = (piece.size.value if piece.size else "small") if piece.kind is Kind.PYRAMID else None
    pose, own = placed.pose.value if placed.pose else ("upright" if standing else None), random_seed(chance)
    spot, name = (placed.x, placed.y, 0.0, placed.angle), placed.key
    return Body(piece.kind.value, *spot, suit, value, face, size, pose, seed=own, name=name)


def bodies_of(layout: Layout, sizes: Sizes, seed: int = 0, jitter: float = 0.015) -> list[Body]:
    """All bodies of a layout at their heights; `jitter`: standard deviation of the placement in inches."""
    bodies: list[Body] = []
    for placed in layout.pieces:
        body = body_of(placed, seed)
        dx, dy, turn = np.random.default_rng([body.seed, 2]).normal(0, 1, 3) * jitter
        body = replace(body, x=body.x + dx, y=body.y + dy, angle=body.angle + turn * 70)
        bodies.append(_at_height(body, placed, bodies, sizes))
    return bodies + [_stick(line, index) for index, line in enumerate(layout.borders)]


def _at_height(body: Body, placed: Placed, below: Iterable[Body], sizes: Sizes) -> Body:
    east, north = placed.lean
    if not (east or north):
        return replace(body, z=resting_height(body, below, sizes))
    thick = sizes.tile_thick
    tilt = math.atan(thick * math.hypot(east, north) / sizes.tile)
    azimuth = math.degrees(math.atan2(east, -north))
    centre = (placed.level - (abs(east) + abs(north)) / 2) * thick
    return replace(body, z=max(centre, 0.0), lean=(math.degrees(tilt), azimuth))


def _stick(line: tuple[float, float, float, float], index: int) -> Body:
    """A border as a thin stick beside the board."""
    x1, y1, x2, y2 = line
    length = math.hypot(x2 - x1, y2 - y1)
    angle = math.degrees(math.atan2(-(x2 - x1), y2 - y1))
    return clutter_body((x1 + x2) / 2, (y1 + y2) / 2, f"stick:{length:.3f}", index, angle=angle)


def fitting_view(
    bodies: Iterable[Body], sizes: Sizes, view: Viewpoint, margin: float = 0.07, ground: Ground | None = None
) -> Viewpoint:
    """The view with aim and distance such that all bodies, and the ground if given, are in the picture."""
    spots = [(b.x + dx, b.y + dy, b.z) for b in bodies for dx, dy in _corners(b, sizes)]
    if ground is not None:
        west, south, east, north = ground
        spots += [(x, y, 0.0) for x in (west, east) for y in (south, north)]
    spots = spots or [(-3.0, -3.0, 0.0), (3.0, 3.0, 0.0)]
    corners = np.array([(x, y, z + up) for x, y, z in spots for up in (0.0, 0.6)])
    aim = (corners[:, :2].min(0) + corners[:, :2].max(0)) / 2
    view = replace(view, aim=(float(aim[0]), float(aim[1])))
    for _ in range(8):
        seen = camera_at(view).project(corners)
        frame = np.array([view.width, view.height])
        low, high = seen.min(0), seen.max(0)
        fill = float(((high - low) / (frame * (1 - 2 * margin))).max())
        view = _recentred(replace(view, distance=max(view.distance * fill, 6.0)), (low + high) / 2 - frame / 2)
    return view


def _recentred(view: Viewpoint, off: np.ndarray[tuple[int, ...], np.dtype[np.floating]]) -> Viewpoint:
    """The view aimed so that an offset from the middle (pixels) shrinks."""
    right, down = off / view.focal * view.distance * 0.8
    c, s = math.cos(math.radians(view.turn_deg)), math.sin(math.radians(view.turn_deg))
    return replace(view, aim=(view.aim[0] + right * c + down * s, view.aim[1] + right * s - down * c))


def _corners(body: Body, sizes: Sizes) -> tuple[tuple[float, float], ...]:
    if body.kind == "clutter":
        return ((0.0, 0.0),)
    half = max(half_size(body, sizes)) * 1.1
    return ((-half, -half), (half, -half), (-half, half), (half, half))


def layout_scene(
    layout: Layout, look: Style, view: Viewpoint | None = None, seed: int = 0, jitter: float = 0.015
) -> Scene:
    """The scene of a layout, with a camera that shows everything."""
    bodies = bodies_of(layout, look.edition.sizes, seed, jitter)
    chosen = view or Viewpoint(tilt_deg=18.0)
    eye = camera_at(fitting_view(bodies, look.edition.sizes, chosen))
    film, tilt = replace(look.film, seed=seed), chosen.tilt_deg
    return Scene(look.edition, bodies, look.table, look.light, eye, film, seed, "layout", "layout", tilt)


def render_layout(
    layout: Layout, style_name: str = "classic", seed: int = 0, view: Viewpoint | None = None
) -> Rendered:
    """Picture and truth of a layout in a named style (see styles.NAMES, or "random")."""
    return render(layout_scene(layout, style(style_name, seed), view, seed))


JITTER = (0.0, 0.008, 0.02, 0.04)
"""Standard deviations of the placement of pieces, in inches."""
NEARER = 0.4
"""Share of the pictures that do not show the whole table."""


def played_scene(layout: Layout, seed: int) -> Scene:
    """A random training scene of a layout."""
    rng = np.random.default_rng([seed, 4])
    edition = wild_edition(int(rng.integers(1 << 40)), "train")
    bodies = bodies_of(layout, edition.sizes, seed, float(rng.choice(JITTER)))
    table, light = random_scene.table_with_cloth(rng, "train"), random_scene.random_light(rng)
    view = fitting_view(bodies, edition.sizes, _anywhere(rng), margin=rng.uniform(0.02, 0.15))
    if rng.random() < NEARER:
        view = replace(view, distance=view.distance * rng.uniform(0.55, 1.0))
    bodies = bodies + random_scene.random_clutter(rng, bodies, view)
    bodies += random_scene.random_hands(rng, bodies, view)
    film, camera = random_scene.random_film(rng, table, light), camera_at(view)
    light = random_scene.with_window(light, camera, bodies)
    return Scene(edition, bodies, table, light, camera, film, seed, "train", "played", view.tilt_deg)


def _anywhere(rng: Random) -> Viewpoint:
    """A random camera, often nearly above the table."""
    width, height = (1920, 1080) if rng.random() < 0.35 else (1280, 720)
    tilt = float(abs(rng.normal(0, 22))) if rng.random() < 0.6 else rng.uniform(0, 62)
    fov, turn, roll = rng.uniform(50, 85), rng.uniform(0, 360), rng.normal(0, 3)
    return Viewpoint(width, height, fov, min(tilt, 62.0), turn, roll)
