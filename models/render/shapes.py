"""The meshes of the pieces themselves."""

import functools

import numpy as np

from models.render import mesh
from models.render.edition import Sizes
from models.render.mesh import Mesh

FIRST_FACE = 3
# base and height: Looney pyramids by name, piecepack pyramids by letter (their faces are 1.5388 bases long)
PYRAMIDS = {
    "small": (0.5625, 1.0),
    "medium": (0.78125, 1.375),
    "large": (1.0, 1.75),
    **{letter: (base, base * 1.4553) for letter, base in zip("ABCDEF", np.linspace(0.5, 0.84375, 6), strict=True)},
}
CARD = (2.5, 3.5, 0.012)

_PROFILES: dict[str, list[tuple[float, float]]] = {
    "cone": [
        (0, 0),
        (0.5, 0),
        (0.5, 0.06),
        (0.42, 0.14),
        (0.2, 0.62),
        (0.17, 0.68),
        (0.27, 0.74),
        (0.3, 0.84),
        (0.24, 0.94),
        (0.1, 0.995),
        (0, 1),
    ],
    "peg": [
        (0, 0),
        (0.42, 0),
        (0.44, 0.05),
        (0.36, 0.3),
        (0.33, 0.55),
        (0.3, 0.6),
        (0.42, 0.7),
        (0.45, 0.8),
        (0.38, 0.93),
        (0.2, 0.99),
        (0, 1),
    ],
    "cylinder": [(0, 0), (0.48, 0), (0.5, 0.03), (0.5, 0.94), (0.46, 1), (0, 1)],
    "halma": [
        (0, 0),
        (0.5, 0),
        (0.5, 0.1),
        (0.3, 0.16),
        (0.18, 0.4),
        (0.15, 0.58),
        (0.3, 0.62),
        (0.3, 0.66),
        (0.18, 0.7),
        (0.28, 0.8),
        (0.28, 0.9),
        (0.15, 0.98),
        (0, 1),
    ],
    "saucer": [(0, 0), (0.3, 0), (0.5, 0.4), (0.5, 0.55), (0.35, 0.75), (0.25, 0.85), (0.1, 1), (0, 1)],
}


def tile(sizes: Sizes) -> Mesh:
    """A tile lying on the table."""
    outline = mesh.square(sizes.tile, sizes.tile_round)
    return mesh.prism(outline, sizes.tile_thick, sizes.tile_bevel)


def coin(sizes: Sizes) -> Mesh:
    """A coin lying on the table."""
    return mesh.prism(mesh.circle(sizes.coin, 28), sizes.coin_thick, sizes.coin_bevel, smooth=True)


def die(sizes: Sizes) -> Mesh:
    """A die; slots FIRST_FACE.. are its side faces."""
    side = sizes.die
    body = mesh.prism(mesh.square(side, side * 0.12), side, side * 0.07)
    return mesh.join(body, *(_die_side(side, index) for index in range(4)))


def _die_side(side: float, index: int) -> Mesh:
    inner, out = side * 0.38, side / 2 + 0.002
    corners = np.array(
        [[-inner, -out, 0.1 * side], [inner, -out, 0.1 * side], [inner, -out, 0.9 * side], [-inner, -out, 0.9 * side]]
    )
    uv = np.array([[0.12, 0.88], [0.88, 0.88], [0.88, 0.12], [0.12, 0.12]])
    picks = np.array([[0, 1, 2], [0, 2, 3]])
    turned = corners @ mesh.turn_z(index * np.pi / 2).T
    return mesh.flat(turned[picks], uv[picks], FIRST_FACE + index)


def pawn(sizes: Sizes, shape: str) -> Mesh:
    """A standing pawn."""
    if shape == "meeple":
        return _upright(_meeple(), sizes.pawn * 1.15, sizes.pawn_high * 0.85, sizes.pawn * 0.55)
    if shape == "standee":
        foot = mesh.box(sizes.pawn * 1.1, sizes.pawn * 0.8, 0.12)
        return mesh.join(foot, _upright(_bust(), sizes.pawn * 1.2, sizes.pawn_high, 0.08))
    profile = np.array(_PROFILES.get(shape, _PROFILES["cone"]))
    height = sizes.pawn_high * (0.45 if shape == "saucer" else 0.8 if shape == "cylinder" else 1.0)
    return mesh.lathe(profile * (sizes.pawn, height), 18)


def _meeple() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    half = np.array(
        [
            [0.0, 1.0],
            [0.14, 0.97],
            [0.19, 0.84],
            [0.15, 0.7],
            [0.48, 0.62],
            [0.5, 0.48],
            [0.22, 0.42],
            [0.42, 0.02],
            [0.4, 0.0],
            [0.12, 0.0],
            [0.0, 0.2],
        ]
    )
    return np.concatenate([half[::-1], half[1:-1] * (-1, 1)])


def _bust() -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    half = np.array([[0.0, 1.0], [0.3, 0.95], [0.45, 0.75], [0.45, 0.1], [0.0, 0.1]])
    return np.concatenate([half[::-1], half[1:-1] * (-1, 1)])


def _upright(
    outline: np.ndarray[tuple[int, int], np.dtype[np.float64]], wide: float, high: float, thick: float
) -> Mesh:
    """A flat figure standing on its edge. Its outline is star-shaped round its middle."""
    shape = outline * (wide, high)
    middle = np.array([0.0, high * 0.45])
    front = np.concatenate([shape, np.full((len(shape), 1), thick / 2)], axis=1)
    back = np.concatenate([shape, np.full((len(shape), 1), -thick / 2)], axis=1)
    centre = np.array([middle[0], middle[1], thick / 2])
    faces = np.stack([np.broadcast_to(centre, front.shape), front, np.roll(front, -1, 0)], 1)
    behind = np.stack([np.broadcast_to(centre * (1, 1, -1), back.shape), np.roll(back, -1, 0), back], 1)
    uv = np.full((len(shape), 3, 2), 0.5)
    figure = mesh.join(
        mesh.flat(faces, uv, mesh.SIDE), mesh.flat(behind, uv, mesh.SIDE), mesh.band(back, front, mesh.SIDE, False)
    )
    return mesh.moved(figure, mesh.turn_x(np.pi / 2), np.zeros(3))


def pyramid(size: str, pose: str | None) -> Mesh:
    """A pyramid, standing or lying with its tip to the north."""
    upright = mesh.spike(*PYRAMIDS[size], FIRST_FACE)
    return fallen(upright) if pose == "flat" else upright


def fallen(standing: Mesh) -> Mesh:
    """A figure that fell over: its top points to the north, its lowest side lies on the table."""
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
    row = (
        sizes.tile,
        sizes.tile_thick,
        sizes.tile_bevel,
        sizes.tile_round,
        sizes.coin,
        sizes.coin_thick,
        sizes.coin_bevel,
        sizes.die,
        sizes.pawn,
        sizes.pawn_high,
    )
    return _cached(kind, detail, pose or "", row)
