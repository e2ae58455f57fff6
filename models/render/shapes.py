"""Meshes of the pieces."""

import functools
from dataclasses import astuple

import numpy as np

from models.render import mesh
from models.render.edition import Sizes
from models.render.figures import figure, is_figure
from models.render.mesh import Mesh
from rules.pieces import Kind, Size
from rules.pieces.sizes import CARD as CARD_SIDES
from rules.pieces.sizes import THICKNESS, pyramid_base, pyramid_height

FIRST_FACE = 3
PYRAMIDS = {size.value: (pyramid_base(size), pyramid_height(size)) for size in Size}
"""Base and height of pyramids by size, in inches."""
CARD = (*CARD_SIDES, THICKNESS[Kind.CARD])

_CUT_CORNERS = 0.3

_PROFILES: dict[str, list[tuple[float, float]]] = {
    "cone": [(0, 0), (0.5, 0), (0.5, 0.06), (0.42, 0.14), (0.2, 0.62), (0.17, 0.68), (0.27, 0.74), (0.3, 0.84),
             (0.24, 0.94), (0.1, 0.995), (0, 1)],
    "peg": [(0, 0), (0.42, 0), (0.44, 0.05), (0.36, 0.3), (0.33, 0.55), (0.3, 0.6), (0.42, 0.7), (0.45, 0.8),
            (0.38, 0.93), (0.2, 0.99), (0, 1)],
    "cylinder": [(0, 0), (0.48, 0), (0.5, 0.03), (0.5, 0.94), (0.46, 1), (0, 1)],
    "halma": [(0, 0), (0.5, 0), (0.5, 0.1), (0.3, 0.16), (0.18, 0.4), (0.15, 0.58), (0.3, 0.62), (0.3, 0.66),
              (0.18, 0.7), (0.28, 0.8), (0.28, 0.9), (0.15, 0.98), (0, 1)],
    "saucer": [(0, 0), (0.3, 0), (0.5, 0.4), (0.5, 0.55), (0.35, 0.75), (0.25, 0.85), (0.1, 1), (0, 1)],
}  # fmt: skip
"""Radius and height of turned pawns, from the foot upwards, as shares of width and height."""


def tile(sizes: Sizes) -> Mesh:
    """A tile lying on the table."""
    outline = mesh.square(sizes.tile, sizes.tile_round)
    return mesh.prism(outline, sizes.tile_thick, sizes.tile_bevel)


def coin(sizes: Sizes) -> Mesh:
    """A coin lying on the table."""
    return mesh.prism(mesh.circle(sizes.coin, 28), sizes.coin_thick, sizes.coin_bevel, smooth=True)


def die(sizes: Sizes) -> Mesh:
    """A die; slots FIRST_FACE.. are its side faces."""
    side, corner = sizes.die, sizes.die_round
    if sizes.die_ball:
        return mesh.cube_of(mesh.ball_cut_cube(side, sizes.die_ball * side, 8), FIRST_FACE)
    if corner > _CUT_CORNERS:
        return mesh.cube_of(mesh.rounded_cube(side, die_radius(side, corner), 3), FIRST_FACE)
    body = mesh.prism(mesh.square(side, side * corner), side, side * corner * 0.6)
    return mesh.join(body, *(_die_side(side, 0.5 - max(corner, 0.1), index) for index in range(4)))


def die_radius(side: float, corner: float) -> float:
    """Radius of a die's rounded edges."""
    return side * min(corner * 0.8, 0.49)


def _die_side(side: float, inner: float, index: int) -> Mesh:
    """A side face; `inner`: share of a side from its middle to the rounding."""
    out = 0.5 + 0.002 / side
    low, high = 0.5 - inner, 0.5 + inner
    corners = side * np.array([[-inner, -out, low], [inner, -out, low], [inner, -out, high], [-inner, -out, high]])
    uv = 0.5 + inner * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
    picks = np.array([[0, 1, 2], [0, 2, 3]])
    turned = corners @ mesh.turn_z(index * np.pi / 2).T
    return mesh.flat(turned[picks], uv[picks], FIRST_FACE + index)


def pawn(sizes: Sizes, shape: str) -> Mesh:
    """A standing pawn."""
    if is_figure(shape):
        return _figure(sizes, shape)
    if shape == "meeple":
        return mesh.sawn(meeple_outline() * (sizes.pawn * 1.15, sizes.pawn_high * 0.85), sizes.pawn * 0.55)
    if shape == "standee":
        foot = mesh.box(sizes.pawn * 1.1, sizes.pawn * 0.8, 0.12)
        return mesh.join(foot, mesh.sawn(_bust() * (sizes.pawn * 1.2, sizes.pawn_high), 0.08))
    return mesh.lathe(profile(sizes, shape), 20 if shape.startswith("turned:") else 18)


def _figure(sizes: Sizes, shape: str) -> Mesh:
    made, high = figure(shape), sizes.pawn_high
    if made.outline is None:
        line = profile(sizes, shape)
        return mesh.faceted(line, made.sides) if made.sides else mesh.lathe(line, 18)
    outline = made.outline * high
    body = mesh.sawn(outline, made.thick * high)
    if made.foot is None:
        return body
    plate = mesh.prism(mesh.circle(made.foot[0] * 2 * high, 18), made.foot[1] * high, smooth=True)
    return mesh.facing(mesh.join(mesh.slotted(plate, mesh.SIDE), body), np.concatenate([outline, [[0.0, 0.0]]]))


def profile(sizes: Sizes, shape: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Profile (radius, height) of a turned pawn from its foot to its top."""
    if shape.startswith("turned:"):
        return turned(int(shape[7:]), sizes.pawn / sizes.pawn_high) * (sizes.pawn, sizes.pawn_high)
    if is_figure(shape) and (line := figure(shape).profile) is not None:
        return np.asarray(line * sizes.pawn_high)
    height = sizes.pawn_high * (0.45 if shape == "saucer" else 0.8 if shape == "cylinder" else 1.0)
    return np.array(_PROFILES.get(shape, _PROFILES["cone"])) * (sizes.pawn, height)


def turned(seed: int, stout: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Random profile of a turned figure, from a ball on a peg to a chessman: foot, body, perhaps a collar, head.
    `stout`: width over height, so that balls are round."""
    rng = np.random.default_rng([seed, 31])
    foot = rng.uniform(0.36, 0.5)
    neck, head = rng.uniform(0.1, 0.32), rng.uniform(0.2, 0.42)
    kind = str(rng.choice(["ball", "ball", "ball", "dome", "tip", "knob"]))
    tall = min(head * stout * {"ball": 1.0, "dome": 0.7, "tip": 1.3, "knob": 0.5}[kind], 0.35)
    shoulder = 1 - 2 * tall if kind in ("ball", "knob") else 1 - tall
    shoulder += 0.25 * tall
    rows = [(0.0, 0.0), (0.5 if rng.random() < 0.7 else foot, 0.0)]
    if rng.random() < 0.6:
        edge = rng.uniform(0.03, 0.12)
        rows += [(0.5, edge), (foot, edge + 0.03)]
    low, bend = rows[-1][1] + 0.03, rng.uniform(0.4, 2.2)
    for share in np.linspace(0, 1, 6)[1:]:
        rows.append((neck + (foot - neck) * (1 - share) ** bend, low + (shoulder - low) * share))
    if rng.random() < 0.35:
        collar = min(0.5, neck + rng.uniform(0.06, 0.18))
        rows += [(collar, shoulder + 0.005), (collar, shoulder + 0.035)]
    start = -0.9 if kind in ("ball", "knob") else 0.0
    middle = 1 - tall
    for angle in np.linspace(start, np.pi / 2, 8):
        round_ = head * np.cos(angle) if kind != "tip" else head * (1 - angle / (np.pi / 2))
        rows.append((float(max(round_, 0.0)), middle + tall * float(np.sin(angle))))
    heights = np.maximum.accumulate([high for _, high in rows]) + np.arange(len(rows)) * 1e-4
    return np.stack([[wide for wide, _ in rows], heights / heights[-1]], axis=1)


def meeple_outline() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """A meeple seen from the front, one unit wide and high, counter-clockwise."""
    half = np.array([
        [0.0, 1.0], [0.14, 0.97], [0.19, 0.84], [0.15, 0.7], [0.48, 0.62], [0.5, 0.48], [0.22, 0.42], [0.42, 0.02],
        [0.4, 0.0], [0.12, 0.0], [0.0, 0.2],
    ])  # fmt: skip
    return np.concatenate([half[::-1], half[1:-1] * (-1, 1)])


def _bust() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    half = np.array([[0.0, 1.0], [0.3, 0.95], [0.45, 0.75], [0.45, 0.1], [0.0, 0.1]])
    return np.concatenate([half[::-1], half[1:-1] * (-1, 1)])


def pyramid(size: str, pose: str | None) -> Mesh:
    """A pyramid, standing or lying with its tip to the north."""
    upright = mesh.spike(*PYRAMIDS[size], FIRST_FACE)
    return fallen(upright) if pose == "flat" else upright


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


def card() -> Mesh:
    """A playing card lying on the table."""
    return mesh.prism(mesh.rectangle(CARD[0], CARD[1], 0.12), CARD[2])


@functools.lru_cache(maxsize=256)
def _cached(kind: str, detail: str, pose: str, sizes: tuple[float, ...]) -> Mesh:
    dims = Sizes(*sizes)
    if kind == "pyramid":
        return pyramid(detail, pose)
    if kind == "pawn":
        return fallen(pawn(dims, detail)) if pose == "flat" else pawn(dims, detail)
    return {"tile": tile, "coin": coin, "die": die}[kind](dims)


def piece(kind: str, sizes: Sizes, detail: str = "", pose: str | None = None) -> Mesh:
    """The mesh of a piece; `detail` is a pawn's shape or a pyramid's size."""
    if kind == "card":
        return card()
    return _cached(kind, detail, pose or "", astuple(sizes))
