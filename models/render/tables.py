"""Table tops: wood, planks, cloth, stone, plain, patterned; photographs where a folder of them is given."""

import functools
import itertools
import os
import pathlib
from collections.abc import Callable

import cv2
import numpy as np

from models.render import cloths, materials
from models.render.cloths import SIZE, woven
from models.render.glyphs import Random
from models.render.materials import Colour, Picture
from models.render.scene import Table

PHOTOS = "COMPANION_PHOTOS"


def _planks(rng: Random, base: Colour) -> Picture:
    sheet = np.zeros((SIZE, SIZE, 3), np.uint8)
    count = int(rng.integers(3, 8))
    edges = np.linspace(0, SIZE, count + 1).astype(int)
    for low, high in itertools.pairwise(edges):
        shade = rng.uniform(0.85, 1.12)
        part = materials.wood(rng, high - low, SIZE, _scaled(base, shade), rng.uniform(0.06, 0.16), rng.uniform(2, 6))
        sheet[low:high] = np.roll(part, int(rng.integers(SIZE)), 1) if rng.random() < 0.3 else part
        cv2.line(sheet, (0, int(low)), (SIZE, int(low)), _scaled(base, 0.45), int(rng.integers(1, 4)), cv2.LINE_AA)
    return sheet


def _scaled(base: Colour, by: float) -> Colour:
    return base[0] * by, base[1] * by, base[2] * by


def _wood(rng: Random, base: Colour) -> Picture:
    return materials.wood(rng, SIZE, SIZE, base, rng.uniform(0.06, 0.22), rng.uniform(6, 18))


def _plain(rng: Random, base: Colour) -> Picture:
    return materials.plastic(rng, SIZE, SIZE, base)


def _cloth(rng: Random, base: Colour) -> Picture:
    return materials.cloth(rng, SIZE, SIZE, base)


def _felt(rng: Random, base: Colour) -> Picture:
    return materials.felt(rng, SIZE, SIZE, base)


def _marble(rng: Random, base: Colour) -> Picture:
    return materials.marble(rng, SIZE, SIZE, base)


def _granite(rng: Random, base: Colour) -> Picture:
    return materials.speckled(rng, SIZE, SIZE, base)


def _checked(rng: Random, base: Colour) -> Picture:
    """A checked or striped cloth."""
    cells = int(rng.choice([8, 12, 16, 20, 32]))
    y, x = np.mgrid[0:cells, 0:cells]
    pattern = (x % 2) * 0.5 + (y % 2) * 0.5 if rng.random() < 0.6 else (x % 2) * 1.0
    other = rng.uniform(30, 250, 3)
    return woven(rng, np.array(base) * (1 - pattern[:, :, None]) + other * pattern[:, :, None])


def _printed(rng: Random, base: Colour) -> Picture:
    """A cloth or mat with printed shapes: discs, rings, squares, lines."""
    sheet = materials.card(rng, SIZE, SIZE, base)
    for _ in range(int(rng.integers(15, 90))):
        colour = tuple(float(c) for c in np.clip(np.array(base) + rng.normal(0, 35, 3), 0, 255))
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        radius = int(rng.integers(8, 70))
        thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 8))
        if rng.random() < 0.5:
            cv2.circle(sheet, (x, y), radius, colour, thick, cv2.LINE_AA)
        else:
            corners = cv2.boxPoints(((float(x), float(y)), (radius * 1.5, radius * 2.0), float(rng.uniform(0, 90))))
            cv2.polylines(sheet, [corners.astype(np.int32)], True, colour, abs(thick), cv2.LINE_AA)
    return sheet


def _terrazzo(rng: Random, base: Colour) -> Picture:
    sheet = materials.card(rng, SIZE, SIZE, base)
    for _ in range(900):
        colour = tuple(float(c) for c in np.clip(np.array(base) + rng.normal(0, 32) + rng.normal(0, 9, 3), 0, 255))
        centre = rng.integers(0, SIZE, 2)
        points = centre + rng.normal(0, rng.uniform(3, 12), (6, 2))
        cv2.fillPoly(sheet, [cv2.convexHull(points.astype(np.int32))], colour, cv2.LINE_AA)
    return sheet


def _bamboo(rng: Random, base: Colour) -> Picture:
    sheet = np.zeros((SIZE, SIZE, 3), np.uint8)
    edges = np.arange(0, SIZE + 1, 32)
    for low in edges[:-1]:
        part = materials.wood(rng, 32, SIZE, _scaled(base, rng.uniform(0.88, 1.1)), 0.08, 2)
        sheet[low : low + 32] = part
    return sheet


def _tartan(rng: Random, base: Colour) -> Picture:
    row = rng.integers(0, 5, 32) / 4
    tints = rng.uniform(20, 230, (2, 3))
    mixed = np.array(base) * 0.4 + 0.3 * row[:, None, None] * tints[0] + 0.3 * row[None, :, None] * tints[1]
    return woven(rng, mixed)


def _parquet(rng: Random, base: Colour) -> Picture:
    """Blocks of wood, every other one turned."""
    cells = int(rng.choice([4, 6, 8]))
    side = SIZE // cells
    sheet = np.zeros((SIZE, SIZE, 3), np.uint8)
    for row in range(cells):
        for column in range(cells):
            block = materials.wood(rng, side, side, _scaled(base, rng.uniform(0.85, 1.1)), 0.1, 3)
            turned = block.transpose(1, 0, 2) if (row + column) % 2 else block
            sheet[row * side : (row + 1) * side, column * side : (column + 1) * side] = turned
    return sheet


def _slate(rng: Random, base: Colour) -> Picture:
    """Split stone: flat terraces with a fine grain."""
    steps = np.floor(materials.clouds(rng, SIZE, SIZE, 4, 3) * 4) / 4
    grain = materials.noise(rng, SIZE, SIZE, (SIZE / 3, SIZE / 3)) * 0.3
    return materials.tinted((steps + grain).astype(np.float32), base, 0.16)


MAKERS: dict[str, Callable[[Random, Colour], Picture]] = {
    "wood": _wood,
    "planks": _planks,
    "plain": _plain,
    "cloth": _cloth,
    "felt": _felt,
    "marble": _marble,
    "granite": _granite,
    "checked": _checked,
    "printed": _printed,
    "terrazzo": _terrazzo,
    "bamboo": _bamboo,
    "tartan": _tartan,
    "parquet": _parquet,
    "slate": _slate,
    "gingham": cloths.gingham,
    "chequered": cloths.chequered,
    "floral": cloths.floral,
    "rug": cloths.rug,
    "medallion": cloths.medallion,
    "trellis": cloths.trellis,
}
TEST_KINDS = ("terrazzo", "bamboo", "tartan", "parquet", "slate")
TRAIN_KINDS = ("wood", "planks", "plain", "cloth", "felt", "marble", "granite", "checked", "printed")
TEST_CLOTHS = ("medallion", "trellis")
TRAIN_CLOTHS = ("gingham", "chequered", "floral", "rug")
"""Patterned cloths, which tables of random scenes are laid with now and then."""


def photo_folder() -> pathlib.Path | None:
    """The folder of photographs that COMPANION_PHOTOS names, if any."""
    folder = os.environ.get(PHOTOS)
    return pathlib.Path(folder) if folder else None


@functools.cache
def photos() -> tuple[pathlib.Path, ...]:
    """Photographs of tables and of what lies on them."""
    root = photo_folder()
    if root is None:
        return ()
    names = [p for p in sorted(root.rglob("*")) if p.suffix.lower() in (".jpg", ".jpeg", ".png")]
    return tuple(p for p in names if p.parent.name in ("background-table", "other-boardgame-photo", "hands"))


@functools.lru_cache(maxsize=6)
def _photo(path: str) -> Picture | None:
    picture = cv2.imread(path, cv2.IMREAD_COLOR)
    if picture is None:
        return None
    scale = SIZE / max(picture.shape[:2])
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


@functools.lru_cache(maxsize=4)
def top(table: Table) -> Picture:
    """The table's picture; it repeats, mirrored, every `span` inches."""
    photo = _photo(table.photo) if table.photo else None
    if photo is not None:
        return photo
    return MAKERS[table.kind](np.random.default_rng([table.seed, 29]), table.base)
