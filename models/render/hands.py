"""Hands and forearms as meshes.

A hand is a distance field (soft minimum of tapered capsules), meshed once per pose by surface nets and cached; scenes
move, mirror and tint the mesh. Fingers point north (y), the palm down.
"""

import functools
import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.render import mesh
from models.render.art import Painted, solid
from models.render.glyphs import Random, one_of
from models.render.materials import Colour, Picture, cloth, clouds, muted_colour, noise, random_colour, tinted
from models.render.mesh import SIDE, Mesh
from models.render.raster import Doubles
from models.render.scene import Body

SLEEVE, NAIL, WATCH = 3, 4, 5
_CELL = 0.14
_SOFT = 0.16
Field = NDArray[np.float32]
Capsule = tuple[Doubles, Doubles, float, float]
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class FingerPose:
    """Curl of thumb and four fingers, 0 (straight) to 1 (fist), and their spread."""

    curl: tuple[float, ...]
    spread: float = 0.5


POSES = {
    "open": FingerPose((0.1, 0.1, 0.08, 0.1, 0.15), 0.9),
    "flat": FingerPose((0.2, 0.15, 0.15, 0.15, 0.2), 0.35),
    "point": FingerPose((0.6, 0.08, 0.85, 0.9, 0.9), 0.2),
    "pinch": FingerPose((0.42, 0.5, 0.5, 0.62, 0.7), 0.15),
    "grip": FingerPose((0.5, 0.45, 0.45, 0.48, 0.5), 0.3),
    "fist": FingerPose((0.8, 0.95, 0.95, 0.95, 0.95), 0.1),
}

# root of each finger (x, y, z), lengths of its three bones, thickness at root and tip
_FINGERS = (
    ((-1.05, 0.1, -0.15), (1.25, 1.0, 0.85), 0.4, 0.3),
    ((-0.95, 2.0, 0.0), (1.35, 0.85, 0.75), 0.36, 0.26),
    ((-0.3, 2.15, 0.05), (1.5, 0.95, 0.8), 0.37, 0.27),
    ((0.35, 2.05, 0.02), (1.4, 0.9, 0.78), 0.35, 0.26),
    ((0.95, 1.75, -0.05), (1.1, 0.7, 0.68), 0.31, 0.23),
)


def bones(pose: FingerPose) -> list[Capsule]:
    """Capsules of a hand and forearm: start, end, radius at the start, radius at the end."""
    capsules: list[Capsule] = []
    for index, (root, lengths, thick, thin) in enumerate(_FINGERS):
        capsules += _finger(index, np.array(root), lengths, thick, thin, pose)
    wrist = np.array([0.0, -0.9, 0.0])
    for index, (root, _, thick, _) in enumerate(_FINGERS[1:]):
        start = wrist + np.array([(index - 1.5) * 0.38, 0.1, 0.0])
        capsules.append((start, np.array(root), 0.48, thick * 1.12))
    capsules.append((np.array([-0.45, -0.6, -0.1]), np.array([-0.95, 0.4, -0.2]), 0.5, 0.5))
    for side in (-0.42, 0.42):
        capsules.append((np.array([side, -0.8, 0.0]), np.array([side * 1.2, -4.2, 0.1]), 0.62, 0.85))
        capsules.append((np.array([side * 1.2, -4.2, 0.1]), np.array([side * 1.5, -8.6, 0.25]), 0.85, 1.15))
    return capsules


def _finger(
    index: int, root: Doubles, lengths: tuple[float, float, float], thick: float, thin: float, pose: FingerPose
) -> list[Capsule]:
    sideways = (-0.62 - 0.25 * pose.spread) if index == 0 else (index - 2.4) * 0.17 * pose.spread
    bend, here = 0.12, root
    capsules: list[Capsule] = []
    radii = np.linspace(thick, thin, 4)
    for bone, length in enumerate(lengths):
        bend += pose.curl[index] * (0.55, 1.0, 0.8)[bone] * (0.8 if index == 0 else 1.25)
        ahead = np.array([np.sin(sideways) * np.cos(bend), np.cos(sideways) * np.cos(bend), -np.sin(bend)])
        if index == 0:
            ahead[0] += 0.55 * pose.curl[0] * bone
            ahead /= np.linalg.norm(ahead)
        after = here + ahead * length
        capsules.append((here, after, float(radii[bone]), float(radii[bone + 1])))
        here = after
    return capsules


def _distance(points: Field, capsules: list[Capsule]) -> Field:
    """Soft minimum of the distances to all capsules."""
    total = np.zeros(points.shape[:-1], np.float32)
    for start, end, thick, thin in capsules:
        axis = (end - start).astype(np.float32)
        away = points - start.astype(np.float32)
        x, y, z = away[..., 0], away[..., 1], away[..., 2]
        along = np.clip((x * axis[0] + y * axis[1] + z * axis[2]) / np.float32(axis @ axis), 0, 1)
        x, y, z = x - along * axis[0], y - along * axis[1], z - along * axis[2]
        gap = np.sqrt(x * x + y * y + z * z)
        total += np.exp(-np.clip(gap - (thick + (thin - thick) * along), -4, 4) / _SOFT)
    return np.asarray(-_SOFT * np.log(np.maximum(total, 1e-30)), np.float32)


CACHED_HANDS = 8
"""Cached hands with sleeves, 2 MB each: enough for four players, flat and pinching."""


@functools.lru_cache(maxsize=24)
def bare_hand(name: str, variant: int = 0) -> tuple[Mesh, float]:
    """Skin and nails of a pose, varied by `variant`, and the height of its lowest finger point."""
    rng = np.random.default_rng([variant, 71])
    base = POSES[name]
    curl = tuple(float(np.clip(c + rng.normal(0, 0.05), 0, 1)) for c in base.curl)
    pose = FingerPose(curl, base.spread * rng.uniform(0.7, 1.2))
    skin_ = _meshed(bones(pose))
    fingers = skin_.points[skin_.points[:, :, 1] > 1.0]
    return mesh.join(skin_, *_nails(pose)), float(fingers[:, 2].min())


@functools.lru_cache(maxsize=CACHED_HANDS)
def hand_mesh(name: str, sleeve: float, variant: int = 0, watch: bool = False) -> Mesh:
    """A hand with a sleeve that starts `sleeve` inches behind the wrist; its lowest finger point is at z = 0."""
    whole, lowest = bare_hand(name, variant)
    bare = mesh.picked(whole, whole.points[:, :, 1].max(1) > -1.6 - sleeve)
    worn = (bare, _sleeve(sleeve), _watch()) if watch else (bare, _sleeve(sleeve))
    return mesh.moved(mesh.join(*worn), np.eye(3), np.array([0, 0, -lowest]))


def _meshed(capsules: list[Capsule]) -> Mesh:
    ends = np.concatenate([np.stack([a, b]) for a, b, _, _ in capsules])
    low, high = ends.min(0) - 1.4, ends.max(0) + 1.4
    counts = np.ceil((high - low) / _CELL).astype(int)
    axes = [low[i] + np.arange(counts[i]) * _CELL for i in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1).astype(np.float32)
    field = _distance(grid, capsules)
    points, quads = surface_net(field)
    world = points * _CELL + low
    normals = _gradient(field, points)
    corners = quads[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)
    uv = np.stack([(world[:, 0] + 4) / 8, (world[:, 1] + 10) / 16], 1)
    group = np.zeros(len(corners), np.int64)
    return Mesh(world[corners], normals[corners], uv[corners], group + SIDE, group)


def surface_net(field: Field) -> tuple[Doubles, NDArray[np.int64]]:
    """Points and quads (outwards) of the zero surface of a field, in cells: naive surface nets."""
    inside = field < 0
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    nx, ny, nz = (n - 1 for n in field.shape)
    cut = sum(inside[i : i + nx, j : j + ny, k : k + nz].astype(np.int8) for i, j, k in corners)
    cells = np.argwhere((cut > 0) & (cut < 8))
    number = np.full((nx, ny, nz), -1, np.int64)
    number[tuple(cells.T)] = np.arange(len(cells))
    total, weight = np.zeros((len(cells), 3)), np.zeros(len(cells))
    for a in corners:
        for axis in range(3):
            if a[axis] == 0:
                b = tuple(1 if i == axis else a[i] for i in range(3))
                _add_crossing(field, cells, a, b, total, weight)
    return cells + total / weight[:, None], _quads(inside, number)


def _add_crossing(
    field: Field, cells: NDArray[np.int64], a: tuple[int, ...], b: tuple[int, ...], total: Doubles, weight: Doubles
) -> None:
    first, second = field[tuple((cells + a).T)], field[tuple((cells + b).T)]
    crosses = (first < 0) != (second < 0)
    share = np.where(crosses, first / np.where(crosses, first - second, 1), 0)
    place = np.array(a) + share[:, None] * (np.array(b) - np.array(a))
    total += place * crosses[:, None]
    weight += crosses


def _quads(inside: NDArray[np.bool_], number: NDArray[np.int64]) -> NDArray[np.int64]:
    found = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        ahead = np.take(inside, np.arange(1, inside.shape[axis]), axis)
        here = np.take(inside, np.arange(inside.shape[axis] - 1), axis)
        edges = np.argwhere(here != ahead)
        across = edges[:, [u, v]]
        edges = edges[((across > 0) & (across < (number.shape[u], number.shape[v]))).all(1)]
        step_u, step_v = np.eye(3, dtype=int)[u], np.eye(3, dtype=int)[v]
        corners = np.stack([-step_u - step_v, -step_v, 0 * step_u, -step_u])
        cells = edges[:, None] + corners[None]
        quad = number[cells[..., 0], cells[..., 1], cells[..., 2]]
        outwards = here[tuple(edges.T)]
        found.append(np.where(outwards[:, None], quad, quad[:, ::-1]))
    return np.concatenate(found)


def _gradient(field: Field, points: Doubles) -> Doubles:
    gradients: Any = np.gradient(field)
    slopes = np.stack(list(gradients), -1)
    cell = np.clip(np.round(points).astype(int), 0, np.array(field.shape) - 1)
    normal = slopes[tuple(cell.T)]
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9), float)


def _nails(pose: FingerPose) -> list[Mesh]:
    """A small shiny oval on the back of each finger tip."""
    nails = []
    for index, (root, lengths, thick, thin) in enumerate(_FINGERS):
        start, end, _, radius = _finger(index, np.array(root), lengths, thick, thin, pose)[-1]
        along = (end - start) / np.linalg.norm(end - start)
        side = np.cross(along, [0.0, 0.0, 1.0])
        side /= max(float(np.linalg.norm(side)), 1e-6)
        up = np.cross(side, along)
        turn = np.stack([side, along, up], axis=1)
        dome = mesh.lathe(np.array([[0.52, 0], [0.46, 0.12], [0.28, 0.2], [0, 0.24]]) * radius, 12)
        dome = mesh.slotted(replace(dome, points=dome.points * (1, 1.3, 1)), NAIL)
        nails.append(mesh.moved(dome, turn, end + up * radius * 0.82 - along * radius * 0.1))
    return nails


def _sleeve(start: float) -> Mesh:
    """Cloth round the forearm, with a hem and a few folds."""
    y = np.array([0.0, 0.02, 0.1, 0.5, 1.2, 2.2, 3.4, 5.0, 22.0])
    width = np.array([1.2, 1.42, 1.46, 1.42, 1.5, 1.46, 1.56, 1.62, 2.6]) + start * 0.06
    rings = []
    for away, half in zip(y, width, strict=True):
        sway = 0.06 * np.sin(np.arange(20) * 1.7 + away * 3)[:, None] * (away > 0.3)
        outline = mesh.circle(2.0, 20) * (half, half * 0.82) * (1 + sway)
        rings.append(np.stack([outline[:, 0], np.full(20, -0.9 - start - away), outline[:, 1] + 0.1], 1))
    pairs = enumerate(itertools.pairwise(rings))
    return mesh.join(*(mesh.band(a, b, SLEEVE, True, (i / 9, (i + 1) / 9)) for i, (a, b) in pairs))


def _watch() -> Mesh:
    """A strap round the wrist with a dial on its back."""
    rings = []
    for y, out in ((-1.75, 1.0), (-1.7, 1.08), (-1.35, 1.08), (-1.3, 1.0)):
        outline = mesh.circle(2.0, 20) * (1.2 * out, 0.8 * out)
        rings.append(np.stack([outline[:, 0], np.full(20, y), outline[:, 1]], 1))
    strap = mesh.join(*(mesh.band(a, b, WATCH, True) for a, b in itertools.pairwise(rings[::-1])))
    dial = mesh.slotted(mesh.prism(mesh.circle(1.1, 20), 0.2, 0.04, smooth=True), WATCH)
    return mesh.join(strap, mesh.moved(dial, np.eye(3), np.array([0.0, -1.5, 0.75])))


def shape(body: Body) -> Mesh:
    """The mesh of a hand body: `shape` is the pose, `size` "left" or "right", `value` the bare inches of forearm,
    `pose` "watch" or None."""
    right = hand_mesh(body.shape, float(body.value or 2.0), body.seed % 3, body.pose == "watch")
    return mesh.mirrored(right) if body.size == "left" else right


@functools.lru_cache(maxsize=64)
def tip(pose: str, variant: int = 0) -> tuple[float, float]:
    """Position (x, y) of the lowest finger tips of a pose, relative to the wrist (right hand)."""
    bare, lowest = bare_hand(pose, variant)
    points = bare.points.reshape(-1, 3)
    low = points[(points[:, 2] < lowest + 0.3) & (points[:, 1] > 0)].mean(0)
    return float(low[0]), float(low[1])


def reaching(
    at: Point, angle: float, pose: str, tilt: float = 16.0, seed: int = 0, left: bool = False, bare: float = 2.0
) -> Body:
    """A hand with its finger tips at a point, reaching in the direction `angle`, the forearm raised by `tilt`."""
    side, reach = tip(pose, seed % 3)
    rise, back = math.radians(tilt), math.radians(angle)
    out, side = reach * math.cos(rise), -side if left else side
    x = at[0] + math.sin(back) * out - math.cos(back) * side
    y = at[1] - math.cos(back) * out - math.sin(back) * side
    z, hand = at[2] + reach * math.sin(rise), "left" if left else "right"
    return Body("hand", x, y, z, angle, size=hand, value=str(bare), lean=(tilt, angle), shape=pose, seed=seed)


SKINS: tuple[Colour, ...] = (
    (150, 180, 228), (120, 155, 210), (140, 170, 215), (85, 120, 180), (60, 90, 145), (38, 58, 98), (165, 190, 235),
)  # fmt: skip


SHORT_SLEEVE = 8.0
"""Bare inches of forearm with short sleeves."""


def with_clothes(hand: Body) -> Body:
    """The hand with random clothing by its seed: any cloth, short sleeves, a watch, painted nails."""
    rng = np.random.default_rng([hand.seed, 73])
    bare = SHORT_SLEEVE if rng.random() < 0.3 else float(hand.value or 2.0)
    watch = bare >= 2.0 and rng.random() < 0.25
    return replace(hand, value=str(bare), face="dressed", pose="watch" if watch else None)


def skin(rng: Random) -> Picture:
    """Texture of skin with reddish knuckles and finger tips, from the sleeve to the finger tips."""
    base = np.array(one_of(rng, SKINS), np.float32) * rng.uniform(0.92, 1.06)
    grey = clouds(rng, 160, 96, 6, 3) * 0.5 + noise(rng, 160, 96, (50, 30)) * 0.25
    sheet = tinted(grey, tuple(base.tolist()), 0.07, (1.2, 1.1, 0.7)).astype(np.float32)
    rows = np.arange(160, dtype=np.float32)[:, None]
    red = sum(np.exp(-(((rows - at) / 5) ** 2)) for at in (121, 135, 146, 152))
    sheet *= 1 - np.asarray(red, np.float32)[:, :, None] * np.array([0.1, 0.08, 0.0], np.float32)
    return np.asarray(np.clip(sheet, 0, 255), np.uint8)


def clothed_sides(rng: Random) -> dict[int, Painted]:
    """Textures of a dressed hand: skin of any shade between those of `SKINS`, nails, sleeve and watch."""
    plain = sides(rng)
    shade = np.array(one_of(rng, SKINS)) / np.array(one_of(rng, SKINS))
    spots = np.minimum(0, noise(rng, 160, 96, (70, 45)) + rng.uniform(-0.2, 0.9))
    hue = 1 + rng.normal(0, 0.04, 3)
    tone = shade ** rng.uniform(0, 0.5) * hue * (1 + spots[..., None] * rng.uniform(0.0, 0.2))
    skin_ = np.asarray(np.clip(plain[SIDE].colours * tone, 0, 250), np.uint8)
    nails = plain[NAIL] if rng.random() < 0.85 else solid(random_colour(rng, 20, 220))
    sleeve = plain[SLEEVE].colours.astype(np.float64)
    cells = np.indices((160, 160)) // int(rng.integers(4, 24)) % 2
    pattern = [np.zeros((160, 160)), cells[0], cells[1], cells.sum(0) / 2][int(rng.choice(4, p=[0.4, 0.2, 0.15, 0.25]))]
    other = np.array(random_colour(rng)) / np.maximum(sleeve.mean((0, 1)), 1)
    fabric = np.asarray(np.clip(sleeve * (1 - pattern[..., None] * (1 - other)), 0, 255), np.uint8)
    strap = solid(muted_colour(rng))
    return {SIDE: Painted(skin_), NAIL: nails, SLEEVE: Painted(fabric), WATCH: strap}


def sides(rng: Random) -> dict[int, Painted]:
    """Textures of skin, nails and sleeve."""
    colour = np.clip(rng.uniform(15, 235) + rng.normal(0, 35, 3), 5, 250)
    skin_ = skin(rng)
    nail = solid(tuple(np.clip(skin_.mean(axis=(0, 1)) * (1.0, 1.0, 1.03) + 12, 0, 255).tolist()))
    return {SIDE: Painted(skin_), NAIL: nail, SLEEVE: Painted(cloth(rng, 160, 160, tuple(colour.tolist())))}
