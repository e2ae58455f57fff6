"""A scene as triangles: the meshes of all bodies in world coordinates and one texture atlas."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import art, cards, hands, mesh, shapes, things
from models.render.art import Surface
from models.render.edition import VALUES, PaintedSet
from models.render.materials import Picture, cutout
from models.render.mesh import Mesh
from models.render.raster import Doubles
from models.render.scene import PIECES, Body, Scene
from models.render.shapes import MAKERS, Maker, direction

_WIDTH = 1024


@dataclass(slots=True)
class World:
    """Triangles in world coordinates with their owner (index of the body), smooth group and atlas coordinates."""

    points: Doubles
    normals: Doubles
    uv: Doubles
    owner: NDArray[np.int64]
    group: NDArray[np.int64]
    surfaces: list[Surface]
    atlas: Picture
    relief: Picture | None

    def __len__(self) -> int:
        return len(self.owner)


class Atlas:
    """Packs textures on shelves of one sheet."""

    def __init__(self) -> None:
        self._sheets: list[tuple[art.Painted, int, int]] = []
        self._x = self._y = self._shelf = 0

    def add(self, side: art.Painted) -> tuple[float, float, float, float]:
        """Adds a texture; returns x, y of its first pixel's centre and its width and height in pixels."""
        height, width = side.colours.shape[:2]
        if self._x + width + 4 > _WIDTH:
            self._x, self._y, self._shelf = 0, self._y + self._shelf, 0
        left, top = self._x + 2, self._y + 2
        self._sheets.append((side, left, top))
        self._x += width + 4
        self._shelf = max(self._shelf, height + 4)
        return left - 0.5, top - 0.5, float(width), float(height)

    def sheet(self) -> Picture:
        """All textures, each with a margin of its own border colour."""
        sheet = np.zeros((max(8, self._y + self._shelf), _WIDTH, 3), np.uint8)
        for side, left, top in self._sheets:
            height, width = side.colours.shape[:2]
            padded = cv2.copyMakeBorder(side.colours, 2, 2, 2, 2, cv2.BORDER_REPLICATE)
            sheet[top - 2 : top + height + 2, left - 2 : left + width + 2] = padded
        return sheet

    def relief(self) -> Picture | None:
        """Slope map of engraved textures (128: flat), or None where nothing is engraved."""
        if all(side.relief is None for side, _, _ in self._sheets):
            return None
        slopes = np.full((max(8, self._y + self._shelf), _WIDTH, 3), 128, np.uint8)
        for side, left, top in self._sheets:
            if side.relief is not None:
                height, width = side.colours.shape[:2]
                slopes[top : top + height, left : left + width, :2] = _slopes(side.relief)
        return slopes


def _slopes(relief: NDArray[np.float32]) -> Picture:
    soft = cv2.GaussianBlur(relief, (0, 0), 0.8)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray(np.clip(128 + np.stack([across, -down], 2) * 160, 0, 255), np.uint8)


def body_mesh(body: Body, edition: PaintedSet, makers: Mapping[str, Maker] = MAKERS) -> Mesh:
    """The body's mesh in its own axes; `makers`: of pieces."""
    if body.kind not in PIECES:
        return hands.shape(body) if body.kind == "hand" else things.shape(body)
    edition = body.guest or edition
    if body.kind == "pawn":
        detail = edition.pawn_shapes.get(body.suit or "", edition.pawn_shape)
    else:
        detail = body.size or "small"
    return shapes.piece(body.kind, edition.sizes, detail, body.pose, makers)


def placed(body: Body, edition: PaintedSet, makers: Mapping[str, Maker] = MAKERS) -> Mesh:
    """The body's mesh in world coordinates."""
    return mesh.moved(body_mesh(body, edition, makers), direction(body), np.array([body.x, body.y, body.z]))


def paint(body: Body, sheets: art.Sheets, density: float) -> tuple[art.Slots, Surface]:
    """Textures of a body at `density` pixels an inch, and its surface."""
    edition = sheets.edition
    rng = np.random.default_rng([body.seed, 17])
    surface = Surface(edition.gloss, edition.roughness)
    sizes = edition.sizes
    if body.kind == "tile":
        px = _pixels(sizes.tile, density)
        front = body.face == "front" and body.suit is not None and body.value is not None
        side = (body.suit or "suns", body.value or "null", px, rng)
        top = art.tile_front(sheets, *side) if front else art.tile_back(sheets, px, rng)
        return {mesh.TOP: top, mesh.SIDE: _edge(sheets, rng)}, surface
    if body.kind == "coin":
        px = _pixels(sizes.coin, density)
        top = art.coin_side(sheets, body.suit, body.value, body.face or "front", px, rng)
        edge = _edge_like(top) if edition.pictures else _edge(sheets, rng)
        return {mesh.TOP: top, mesh.SIDE: edge}, surface
    if body.kind == "die":
        look = edition.die_art
        shine = Surface(look.gloss, look.roughness) if look else Surface(0.6, 0.25)
        return _die_sides(body, sheets, _pixels(sizes.die, density), rng), shine
    return _paint_other(body, sheets, density, rng)


def _pixels(inches: float, density: float) -> int:
    return int(np.clip(round(inches * density * 1.1), 14, 288))


def _edge(sheets: art.Sheets, rng: np.random.Generator) -> art.Painted:
    strip = cutout(rng, sheets.front, 24, 64)
    return art.Painted(np.asarray(strip * np.float32(0.93), np.uint8))


def _edge_like(top: art.Painted) -> art.Painted:
    """Edge in the median colour of the upper side."""
    blue, green, red = np.median(top.colours, axis=(0, 1)) * 0.93
    return art.solid((float(blue), float(green), float(red)))


def _die_sides(body: Body, sheets: art.Sheets, px: int, rng: np.random.Generator) -> art.Slots:
    suit, value = body.suit or "suns", body.value or "null"
    others = [v for v in VALUES if v != value]
    slots = {mesh.TOP: art.die_face(sheets, suit, value, px, rng)}
    blank = art.die_face(sheets, suit, "null", 12, rng)
    slots[mesh.SIDE] = art.Painted(blank.colours)
    for index, pick in enumerate(rng.permutation(len(others))[:4]):
        slots[shapes.FIRST_FACE + index] = art.die_face(sheets, suit, others[int(pick)], px, rng)
    return slots


def _paint_other(body: Body, sheets: art.Sheets, density: float, rng: np.random.Generator) -> tuple[art.Slots, Surface]:
    edition = body.guest or sheets.edition
    lacquer = Surface(edition.pawn_gloss, float(0.5 * 0.22**edition.pawn_gloss))  # glossier is smoother
    if body.kind == "pawn":
        px = min(_pixels(edition.sizes.pawn_high, density), 160)
        side = art.pawn_side(edition, body.suit or "suns", px, rng)
        return {mesh.SIDE: side}, lacquer
    if body.kind == "pyramid":
        return art.pyramid_sides(body, edition), replace(lacquer, clear=0.55 if edition.pyramid_clear else 0.0)
    if body.kind == "card":
        mark = "" if body.face == "back" else body.value or ""
        top = cards.face(mark, density, rng, edition.deck)
        return {mesh.TOP: top, mesh.SIDE: art.solid((225, 230, 230))}, Surface(0.4, 0.4)
    if body.kind == "hand":
        dress = hands.clothed_sides if body.face == "dressed" else hands.sides
        return dress(rng), Surface(0.22, 0.45)
    return things.paint(body, density, rng)


class Painter:
    """Paints bodies and caches their textures: a piece that only moves is not painted again."""

    def __init__(self, sheets: art.Sheets, density: float) -> None:
        self._sheets, self._density = sheets, density
        self._guests: dict[PaintedSet, art.Sheets] = {}
        self._done: dict[Body, tuple[art.Slots, Surface]] = {}

    def paint(self, body: Body) -> tuple[art.Slots, Surface]:
        """Textures and surface of a body."""
        key = replace(body, x=0.0, y=0.0, z=0.0, angle=0.0, lean=(0.0, 0.0), name="")
        if key not in self._done:
            self._done[key] = paint(body, self._sheets_of(body), self._density)
        return self._done[key]

    def _sheets_of(self, body: Body) -> art.Sheets:
        """Material of the set a body comes from; a pawn or pyramid of another set needs none."""
        if body.guest is None or body.kind != "die":
            return self._sheets
        if body.guest not in self._guests:
            self._guests[body.guest] = art.Sheets(body.guest, body.seed)
        return self._guests[body.guest]


def build(scene: Scene, painter: Painter, seen: Iterable[bool], makers: Mapping[str, Maker]) -> World:
    """Triangles of the whole scene. Bodies that are not `seen` only cast shadows: their textures stay grey."""
    atlas = Atlas()
    grey = atlas.add(art.Painted(np.full((4, 4, 3), 128, np.uint8)))
    meshes, uvs, surfaces = [], [], []
    for body, wanted in zip(scene.bodies, seen, strict=True):
        piece = placed(body, scene.edition, makers)
        slots, surface = painter.paint(body) if wanted else ({}, Surface())
        places = {slot: atlas.add(side) for slot, side in slots.items()}
        meshes.append(piece)
        uvs.append(_atlas_coordinates(piece, places, grey))
        surfaces.append(surface)
    return _joined(meshes, uvs, surfaces, atlas)


def _atlas_coordinates(
    piece: Mesh, places: dict[int, tuple[float, float, float, float]], grey: tuple[float, float, float, float]
) -> Doubles:
    rows = [places.get(slot, places.get(mesh.SIDE, grey)) for slot in range(int(piece.slot.max()) + 1)]
    rect = np.array(rows)[piece.slot][:, None]
    return np.asarray(rect[:, :, :2] + piece.uv * rect[:, :, 2:])


def _joined(meshes: list[Mesh], uvs: list[Doubles], surfaces: list[Surface], atlas: Atlas) -> World:
    empty = np.zeros((0, 3, 3))
    owner = np.repeat(np.arange(len(meshes)), [len(m) for m in meshes]).astype(np.int64)
    groups = [m.group + index * 1000 for index, m in enumerate(meshes)]
    return World(
        np.concatenate([empty, *(m.points for m in meshes)]),
        np.concatenate([empty, *(m.normals for m in meshes)]),
        np.concatenate([np.zeros((0, 3, 2)), *uvs]),
        owner,
        np.concatenate([np.zeros(0, np.int64), *groups]),
        surfaces,
        atlas.sheet(),
        atlas.relief(),
    )
