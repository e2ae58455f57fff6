"""Triangle meshes: bevelled prisms, turned shapes, boxes, pyramids.

Each corner of a triangle has a normal and texture coordinates. The slot of a triangle selects a texture of the body: 0
top, 1 sides, 2 underside, more where a shape needs them.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.render.raster import Doubles

TOP, SIDE, BOTTOM = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Mesh:
    """Corner points (n, 3, 3), normals (n, 3, 3), texture coordinates 0..1 (n, 3, 2), slot and smooth group (n)."""

    points: Doubles
    normals: Doubles
    uv: Doubles
    slot: NDArray[np.int64]
    group: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.slot)


def join(*meshes: Mesh) -> Mesh:
    """Meshes joined into one; smooth groups stay separate."""
    groups, start = [], 0
    for mesh in meshes:
        groups.append(mesh.group + start)
        start += int(mesh.group.max(initial=-1)) + 1
    points, normals, uv = (np.concatenate([getattr(m, name) for m in meshes]) for name in ("points", "normals", "uv"))
    return Mesh(points, normals, uv, np.concatenate([m.slot for m in meshes]), np.concatenate(groups))


def flat(points: Doubles, uv: Doubles, slot: int) -> Mesh:
    """Flat-shaded triangles in one smooth group."""
    across = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    normals = np.repeat((across / np.where(length == 0, 1, length))[:, None], 3, axis=1)
    count = len(points)
    return Mesh(points, normals, uv, np.full(count, slot, np.int64), np.zeros(count, np.int64))


def fan(outline: Doubles, height: float, slot: int, upwards: bool = True) -> Mesh:
    """A flat convex face at `height`; its texture spans the outline's bounding box, y upwards."""
    low, high = outline.min(0), outline.max(0)
    uv = (outline - low) / np.maximum(high - low, 1e-9)
    uv[:, 1] = 1 - uv[:, 1]
    ring = at_height(outline, height)
    first = np.zeros(len(ring) - 2, int)
    second = np.arange(1, len(ring) - 1)
    corners = np.stack([first, second, second + 1] if upwards else [first, second + 1, second], axis=1)
    return flat(ring[corners], uv[corners], slot)


def band(lower: Doubles, upper: Doubles, slot: int, smooth: bool, rows: tuple[float, float] = (1.0, 0.0)) -> Mesh:
    """The wall between two closed rings of equal length, counter-clockwise seen from above."""
    count = len(lower)
    here, quads = np.arange(count), _ring_quads(lower, upper)
    left, right = here / count, (here + 1) / count
    low, high = np.full(count, rows[0]), np.full(count, rows[1])
    places = np.stack([left, low, right, low, right, high, left, high], 1).reshape(count, 4, 2)
    mesh = flat(_halved(quads), _halved(places), slot)
    if smooth:
        return replace(mesh, normals=_halved(_ring_normals(quads)))
    return replace(mesh, group=np.repeat(here, 2).astype(np.int64))


def _ring_quads(lower: Doubles, upper: Doubles) -> Doubles:
    """Quads (n, 4, 3) between two closed rings."""
    return np.stack([lower, np.roll(lower, -1, 0), np.roll(upper, -1, 0), upper], axis=1)


def _halved(quads: Doubles) -> Doubles:
    """Values at the corners of quads (n, 4, k) as those of two triangles each (2 n, 3, k)."""
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, quads.shape[2])


def _ring_normals(quads: Doubles) -> Doubles:
    """Normals at the corners of a ring of quads, averaged with the neighbours'."""
    face = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
    face /= np.maximum(np.linalg.norm(face, axis=1, keepdims=True), 1e-9)
    before, after = face + np.roll(face, 1, 0), face + np.roll(face, -1, 0)
    corner = np.stack([before, after, after, before], axis=1)
    length = np.linalg.norm(corner, axis=2, keepdims=True)
    return np.asarray(corner / np.maximum(length, 1e-9))


def smooth_band(points: tuple[Doubles, Doubles], normals: tuple[Doubles, Doubles], rows: tuple[float, float]) -> Mesh:
    """The wall between two closed rings, with the normals of their points."""
    return replace(band(*points, SIDE, True, rows), normals=_halved(_ring_quads(*normals)))


def at_height(flat: Doubles, height: float) -> Doubles:
    """Points (n, 2) of a plane as points (n, 3) at a height."""
    return np.concatenate([flat, np.full((len(flat), 1), height)], axis=1)


def ring(outline: Doubles, height: float, shrink: float = 0.0) -> Doubles:
    """The outline at a height, moved inwards by about `shrink` (n, 3)."""
    reach = float(np.abs(outline).max())
    return at_height(outline * (1 - shrink / max(reach, 1e-9)), height)


def prism(outline: Doubles, height: float, bevel: float = 0.0, smooth: bool = False) -> Mesh:
    """An upright prism on the table plane, its upper edge bevelled."""
    top = ring(outline, height, bevel)
    shoulder = ring(outline, height - bevel)
    floor = ring(outline, 0.0)
    parts = [fan(top[:, :2], height, TOP), band(floor, shoulder, SIDE, smooth, (1.0, 0.15))]
    if bevel > 0:
        parts.append(band(shoulder, top, SIDE, smooth, (0.15, 0.0)))
    parts.append(fan(outline, 0.0, BOTTOM, upwards=False))
    return join(*parts)


def square(side: float, radius: float = 0.0, steps: int = 3) -> Doubles:
    """Outline of a square with rounded corners, counter-clockwise from the bottom left."""
    return rectangle(side, side, radius, steps)


def rectangle(width: float, height: float, radius: float = 0.0, steps: int = 3) -> Doubles:
    """Outline of a rectangle with rounded corners, counter-clockwise from the bottom left."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    half = np.array([width / 2, height / 2])
    if radius <= 0:
        return np.asarray(signs * half)
    return np.asarray(signs[:, None] * (half - radius) + corner_directions(steps) * radius).reshape(-1, 2)


def corner_directions(steps: int) -> Doubles:
    """Directions (4, steps, 2) outwards along the rounded corners of a rectangle."""
    angles = np.pi * (1 + np.arange(4)[:, None] / 2) + np.linspace(0, np.pi / 2, steps)
    return np.stack([np.cos(angles), np.sin(angles)], -1)


def circle(diameter: float, count: int = 24) -> Doubles:
    """Outline of a disc, counter-clockwise."""
    angles = np.arange(count) / count * 2 * np.pi
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], 1) * diameter / 2)


def lathe(profile: ArrayLike, count: int = 16) -> Mesh:
    """A turned shape from (radius, height) pairs, bottom first; radii of zero close the ends."""
    profile = np.asarray(profile)
    heights = (profile[:, 1] - profile[0, 1]) / max(1e-9, float(np.ptp(profile[:, 1])))
    step = np.gradient(profile, axis=0)
    out, up = step[:, 1], -step[:, 0]
    normals = _rings(np.stack([out, up], 1) / np.maximum(np.hypot(out, up), 1e-9)[:, None], count)
    rings = _rings(_opened(profile), count)
    walls = zip(pairwise(rings), pairwise(normals), pairwise(1 - heights), strict=True)
    return join(*(smooth_band(*wall) for wall in walls))


def faceted(profile: Doubles, sides: int) -> Mesh:
    """A figure of several flat sides from (radius to a corner, height) pairs, bottom first."""
    rows = 1 - profile[:, 1] / max(1e-9, float(profile[-1, 1]))
    rings = _rings(_opened(profile), sides)
    return join(*(band(*pair, SIDE, False, span) for pair, span in zip(pairwise(rings), pairwise(rows), strict=True)))


def _opened(profile: Doubles) -> Doubles:
    """The profile without radii of zero, whose rings would have no directions."""
    return np.stack([np.maximum(profile[:, 0], 1e-4), profile[:, 1]], 1)


def _rings(pairs: Doubles, count: int) -> list[Doubles]:
    """A ring of `count` points or directions (count, 3) for each pair of its length outwards and upwards."""
    unit = circle(2.0, count)
    return [at_height(unit * out, up) for out, up in pairs]


def sawn(outline: Doubles, thick: float) -> Mesh:
    """A figure sawn from a board, standing on its edge, seen from the south; its outline (x, height) runs
    counter-clockwise. Its texture is projected from the south (mirrored on the north side)."""
    picks = triangulated(outline)
    front, back = (np.insert(outline, 1, y, axis=1) for y in (-thick / 2, thick / 2))
    nothing = np.zeros((len(picks), 3, 2))
    south, north = flat(front[picks], nothing, SIDE), flat(back[picks[:, ::-1]], nothing, SIDE)
    return facing(join(south, north, band(back, front, SIDE, False)), outline)


def facing(figure: Mesh, outline: Doubles) -> Mesh:
    """The figure with its texture projected from the south onto the extent of the outline (x, height)."""
    low, high = outline.min(0), outline.max(0)
    across = (figure.points[:, :, ::2] - low) / (high - low)
    uv = np.clip(np.stack([across[..., 0], 1 - across[..., 1]], -1), 0, 1)
    return replace(figure, uv=uv)


def triangulated(outline: Doubles) -> NDArray[np.int64]:
    """Triangulation by ear clipping of a simple outline: indices (n, 3), all counter-clockwise."""
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        ear = max(range(len(left)), key=lambda at: _roundness(outline, left, at))
        found.append((left[ear - 1], left[ear], left[(ear + 1) % len(left)]))
        del left[ear]
    return np.array([*found, tuple(left)], np.int64)


def _roundness(outline: Doubles, left: list[int], at: int) -> float:
    """Quality of an ear (area over squared sides); negative if the corner is no ear."""
    a, b, c = outline[left[at - 1]], outline[left[at]], outline[left[(at + 1) % len(left)]]
    area = float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    spread = float(((b - a) ** 2).sum() + ((c - b) ** 2).sum() + ((a - c) ** 2).sum())
    others = outline[[i for i in left if i not in (left[at - 1], left[at], left[(at + 1) % len(left)])]]
    turns = [
        (q - p)[0] * (others[:, 1] - p[1]) - (q - p)[1] * (others[:, 0] - p[0]) for p, q in ((a, b), (b, c), (c, a))
    ]
    blocked = bool(np.any(np.min(turns, axis=0) >= 0)) if len(others) else False
    return -1.0 if blocked or area < 0 else area / max(spread, 1e-12)


def rounded_cube(side: float, radius: float, steps: int) -> tuple[Doubles, Doubles, Doubles]:
    """The upper face of a centred cube with edges and corners rounded in `steps` steps: points, normals and texture
    coordinates, each (n, n, ...)."""
    near = np.linspace(0, radius, steps + 1)[:-1]
    face, uv = _cube_face(np.concatenate([near, [radius, side - radius], side - near[::-1]]) - side / 2, side)
    core = np.clip(face, radius - side / 2, side / 2 - radius)
    normals = face - core
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    return core + normals * radius, normals, uv


def ball_cut_cube(side: float, reach: float, steps: int) -> tuple[Doubles, Doubles, Doubles]:
    """As rounded_cube, for a cube intersected with a sphere of radius `reach`."""
    face, uv = _cube_face(np.linspace(-side / 2, side / 2, steps), side)
    away = np.linalg.norm(face, axis=-1, keepdims=True)
    normals = np.where(away > reach, face / away, np.array([0.0, 0.0, 1.0]))
    return face * np.minimum(1, reach / away), normals, uv


def _cube_face(ticks: Doubles, side: float) -> tuple[Doubles, Doubles]:
    """Points and texture coordinates of the upper face of a centred cube."""
    u, v = np.meshgrid(ticks, ticks)
    return np.stack([u, v, np.full_like(u, side / 2)], -1), np.stack([0.5 + u / side, 0.5 - v / side], -1)


def cube_of(face: tuple[Doubles, Doubles, Doubles], first: int) -> Mesh:
    """A cube on the table from its upper face; its sides have slots from `first` on."""
    points, normals, uv = face
    half = float(points[..., 2].max())
    top = grid(points, normals, uv, TOP)
    # the first side looks south, the others follow counter-clockwise
    south = slotted(moved(top, turn_x(np.pi / 2), np.zeros(3)), first)
    walls = [slotted(moved(south, turn_z(index * np.pi / 2), np.zeros(3)), first + index) for index in range(4)]
    floor = slotted(moved(top, turn_x(np.pi), np.zeros(3)), BOTTOM)
    return moved(join(top, *walls, floor), np.eye(3), np.array([0, 0, half]))


def slotted(part: Mesh, slot: int) -> Mesh:
    """The mesh with all triangles in one slot."""
    return replace(part, slot=np.full(len(part), slot, np.int64))


def grid(points: Doubles, normals: Doubles, uv: Doubles, slot: int) -> Mesh:
    """A patch of (rows, columns) points as triangles, seen from above counter-clockwise."""

    def corners(values: Doubles) -> Doubles:
        a, b, c, d = values[:-1, :-1], values[:-1, 1:], values[1:, 1:], values[1:, :-1]
        pair = np.stack([np.stack([a, b, c], -2), np.stack([a, c, d], -2)], -3)
        return np.asarray(pair.reshape(-1, 3, values.shape[-1]))

    count = 2 * (points.shape[0] - 1) * (points.shape[1] - 1)
    whole = np.full(count, slot, np.int64)
    return Mesh(corners(points), corners(normals), corners(uv), whole, np.zeros(count, np.int64))


def spike(base: float, height: float, first: int) -> Mesh:
    """A square pyramid on the table; its four faces have slots from `first` on."""
    foot, apex = ring(square(base), 0.0), np.array([0.0, 0.0, height])
    triangles = (np.stack([foot[index - 1], foot[index], apex])[None] for index in (1, 2, 3, 0))
    uv = np.array([[[0.0, 1.0], [1.0, 1.0], [0.5, 0.0]]])
    faces = (flat(triangle, uv, first + index) for index, triangle in enumerate(triangles))
    return join(*faces, fan(square(base), 0.0, BOTTOM, upwards=False))


def box(width: float, depth: float, height: float, bevel: float = 0.0) -> Mesh:
    return prism(rectangle(width, depth), height, bevel)


def moved(mesh: Mesh, turn: Doubles, shift: Doubles) -> Mesh:
    """The mesh rotated by a 3x3 matrix, then translated."""
    return replace(mesh, points=mesh.points @ turn.T + shift, normals=mesh.normals @ turn.T)


def mirrored(mesh: Mesh) -> Mesh:
    """The mesh mirrored in x."""
    points, normals = ((values * (-1.0, 1.0, 1.0))[:, ::-1] for values in (mesh.points, mesh.normals))
    return Mesh(points, normals, mesh.uv[:, ::-1], mesh.slot, mesh.group)


def picked(mesh: Mesh, keep: NDArray[np.bool_]) -> Mesh:
    return Mesh(mesh.points[keep], mesh.normals[keep], mesh.uv[keep], mesh.slot[keep], mesh.group[keep])


def turn_z(angle: float) -> Doubles:
    """Counter-clockwise rotation about the vertical, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])


def turn_x(angle: float) -> Doubles:
    """Rotation about the x axis, radians."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])
