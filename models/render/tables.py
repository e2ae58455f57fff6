"""Textures of table tops, cloths and rugs. They are repeated mirrored, so a pattern of cells ends in half a cell."""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.render import materials
from models.render.glyphs import Random, one_of, polar
from models.render.materials import Colour, Picture
from models.render.raster import Floats
from models.render.scene import Table

SIZE = 1024
"""Pixels a side of a table's texture."""


def _planks(rng: Random, base: Colour) -> Picture:
    sheet = np.zeros((SIZE, SIZE, 3), np.uint8)
    for low, high in itertools.pairwise(np.linspace(0, SIZE, int(rng.integers(3, 8)) + 1).astype(int)):
        shade = rng.uniform(0.85, 1.12)
        part = materials.wood(rng, high - low, SIZE, _scaled(base, shade), rng.uniform(0.06, 0.16), rng.uniform(2, 6))
        sheet[low:high] = np.roll(part, int(rng.integers(SIZE)), 1) if rng.random() < 0.3 else part
        cv2.line(sheet, (0, int(low)), (SIZE, int(low)), _scaled(base, 0.45), int(rng.integers(1, 4)), cv2.LINE_AA)
    return sheet


def _scaled(base: Colour, by: float) -> Colour:
    return base[0] * by, base[1] * by, base[2] * by


def _blank(colour: ArrayLike, side: int = SIZE) -> Picture:
    return np.full((side, side, 3), colour, np.float64).astype(np.uint8)


def _mixed(base: ArrayLike, other: ArrayLike, cover: NDArray[Any]) -> Floats:
    """Cells of two colours; `cover`: the share of the base in each."""
    return np.asarray(np.array(other) * (1 - cover[..., None]) + np.array(base) * cover[..., None])


def _wood(rng: Random, base: Colour) -> Picture:
    return materials.wood(rng, SIZE, SIZE, base, rng.uniform(0.06, 0.22), rng.uniform(6, 18))


def _checked(rng: Random, base: Colour) -> Picture:
    cells = int(rng.choice([8, 12, 16, 20, 32]))
    y, x = np.mgrid[0:cells, 0:cells]
    pattern = (x % 2) * 0.5 + (y % 2) * 0.5 if rng.random() < 0.6 else (x % 2) * 1.0
    return woven(rng, _mixed(rng.uniform(30, 250, 3), base, pattern))


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
            corners = cv2.boxPoints(((float(x), float(y)), (radius * 1.5, radius * 2.0), rng.uniform(0, 90)))
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
    strips = (_scaled(base, rng.uniform(0.88, 1.1)) for _ in range(0, SIZE, 32))
    return np.concatenate([materials.wood(rng, 32, SIZE, shade, 0.08, 2) for shade in strips])


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
    for row, column in itertools.product(range(cells), repeat=2):
        block = materials.wood(rng, side, side, _scaled(base, rng.uniform(0.85, 1.1)), 0.1, 3)
        turned = block.transpose(1, 0, 2) if (row + column) % 2 else block
        sheet[row * side : (row + 1) * side, column * side : (column + 1) * side] = turned
    return sheet


def _slate(rng: Random, base: Colour) -> Picture:
    """Split stone: flat terraces with a fine grain."""
    steps = np.floor(materials.clouds(rng, SIZE, SIZE, 4, 3) * 4) / 4
    grain = materials.noise(rng, SIZE, SIZE, (SIZE / 3, SIZE / 3)) * 0.3
    return materials.tinted((steps + grain).astype(np.float32), base, 0.16)


def woven(rng: Random, colours: Floats) -> Picture:
    """Coloured cells, or a picture, as a woven cloth."""
    cells = np.asarray(np.clip(colours, 0, 255), np.uint8)
    large = cv2.resize(cells, (SIZE, SIZE), interpolation=cv2.INTER_NEAREST)
    weave = materials.cloth(rng, SIZE, SIZE, (128.0, 128.0, 128.0))
    return np.asarray(cv2.multiply(large, weave, scale=1 / 128), np.uint8)


def _pale(rng: Random) -> Colour:
    level = rng.uniform(190, 245)
    return level * rng.uniform(0.85, 1.0), level * rng.uniform(0.94, 1.0), level


def gingham(rng: Random, base: Colour) -> Picture:
    """Crossed stripes of one colour on white: full colour at crossings, half elsewhere."""
    cells = int(rng.choice([16, 24, 32, 48, 64]))
    stripe = np.arange(cells) % 2 if rng.random() < 0.75 else np.arange(cells) % 4 == 0
    return woven(rng, _mixed(base, _pale(rng), 0.5 * stripe[:, None] + 0.5 * stripe[None]))


def chequered(rng: Random, base: Colour) -> Picture:
    """Squares of two colours in turn, upright or on their corners."""
    cells = int(rng.choice([8, 12, 16, 32, 64]))
    other = _pale(rng) if rng.random() < 0.6 else materials.random_colour(rng)
    if rng.random() < 0.3:
        y, x = np.mgrid[0:SIZE, 0:SIZE]
        odd = ((x + y) * cells // (2 * SIZE) + (x - y + SIZE) * cells // (2 * SIZE)) % 2 == 1
    else:
        odd = np.indices((cells, cells)).sum(0) % 2 == 1
    return woven(rng, np.where(odd[..., None], np.array(base), np.array(other)))


def floral(rng: Random, base: Colour) -> Picture:
    """Flowers with leaves and stems, scattered or in rows."""
    side = int(rng.choice([256, 512]))
    sheet = _blank(_pale(rng) if rng.random() < 0.6 else base, side)
    kinds = [
        (materials.random_colour(rng), materials.random_colour(rng), int(rng.integers(4, 9)))
        for _ in range(int(rng.integers(1, 4)))
    ]
    green = (rng.uniform(20, 80), rng.uniform(80, 150), rng.uniform(30, 110))
    count, in_rows = int(rng.integers(5, 22)), rng.random() < 0.3
    size = side * rng.uniform(0.03, 0.1)
    for index in range(count):
        spot = rng.uniform(0, side, 2)
        if in_rows:
            spot = np.array([(index % 4 + 0.5 * (index // 4 % 2)) * side / 4, (index // 4) * side / 4])
        petal, heart, petals = one_of(rng, kinds)
        _flower(sheet, spot, size * rng.uniform(0.7, 1.3), rng.uniform(0, 360), (petal, heart, green), petals)
    return woven(rng, np.tile(sheet, (SIZE // side, SIZE // side, 1)).astype(np.float64))


def _flower(sheet: Picture, spot: Floats, size: float, turn: float, colours: Sequence[Colour], petals: int) -> None:
    """Draws a flower, wrapped around the edges of the sheet."""
    petal, heart, green = colours
    side = len(sheet)
    for shift in np.array([(x, y) for x in (-side, 0, side) for y in (-side, 0, side)]):
        at = spot + shift
        if (np.abs(at - side / 2) > side / 2 + 4 * size).any():
            continue
        for leaf in (30.0, 200.0):
            _petal(sheet, at, (1.5 * size, 0.45 * size), turn + leaf, green, 1.4 * size)
        for index in range(petals):
            _petal(sheet, at, (0.6 * size, 0.36 * size), turn + 360 * index / petals, petal, 0.75 * size)
        centre = int(at[0]), int(at[1])
        cv2.circle(sheet, centre, max(1, round(size * 0.32)), heart, -1, cv2.LINE_AA)


def _petal(sheet: Picture, at: Floats, axes: tuple[float, float], turn: float, colour: Colour, away: float) -> None:
    angle = np.radians(turn)
    middle = at + polar(angle, away)
    half = max(1, round(axes[0])), max(1, round(axes[1]))
    cv2.ellipse(sheet, (int(middle[0]), int(middle[1])), half, turn, 0, 360, colour, -1, cv2.LINE_AA)


def rug(rng: Random, base: Colour) -> Picture:
    """A field of ornaments, mirrored both ways, within borders."""
    palette = _palette(rng, base)
    side = int(rng.choice([64, 128, 256]))
    quarter = _ornament(rng, side, palette)
    motif = np.hstack([quarter, quarter[:, ::-1]])
    motif = np.vstack([motif, motif[::-1]])
    field = np.tile(motif, (SIZE // (2 * side), SIZE // (2 * side), 1))
    edge = 0
    for _ in range(int(rng.integers(0, 4))):
        wide = int(rng.integers(8, 50))
        colour = one_of(rng, palette)
        cv2.rectangle(field, (edge, edge), (SIZE - 1 - edge, SIZE - 1 - edge), colour, 2 * wide)
        edge += wide
    return woven(rng, field.astype(np.float64))


def _palette(rng: Random, base: Colour) -> list[Colour]:
    return [base, *(materials.muted_colour(rng) for _ in range(4))]


def _ornament(rng: Random, side: int, palette: list[Colour]) -> Picture:
    """Lozenges, steps and hooks on one colour."""
    sheet = _blank(palette[0], side)
    for _ in range(int(rng.integers(4, 14))):
        colour = one_of(rng, palette)
        x, y = (int(v) for v in rng.integers(0, side, 2))
        reach = int(rng.integers(side // 12 + 1, side // 3))
        lozenge = np.array([(x - reach, y), (x, y - reach), (x + reach, y), (x, y + reach)], np.int32)
        kind = rng.random()
        if kind < 0.5:
            cv2.fillPoly(sheet, [lozenge], colour)
        elif kind < 0.75:
            cv2.polylines(sheet, [lozenge], True, colour, max(1, side // 32))
        else:
            cv2.rectangle(sheet, (x, y), (x + reach, y + reach // 2), colour, -1)
    return sheet


def medallion(rng: Random, base: Colour) -> Picture:
    """A rug with one large star of many points in its middle."""
    palette = _palette(rng, base)
    sheet = _blank(base)
    points = int(rng.choice([8, 12, 16]))
    for ring in range(int(rng.integers(4, 9)), 0, -1):
        turn = np.arange(2 * points) * np.pi / points
        reach = SIZE * 0.06 * ring * np.where(np.arange(2 * points) % 2, rng.uniform(0.7, 0.95), 1.0)
        star = polar(turn, reach) + SIZE / 2
        cv2.fillPoly(sheet, [star.astype(np.int32)], one_of(rng, palette), cv2.LINE_AA)
    return woven(rng, sheet.astype(np.float64))


def trellis(rng: Random, base: Colour) -> Picture:
    """Rows of leaves on waving stems."""
    sheet = _blank(base)
    colour, stems = materials.random_colour(rng), int(rng.choice([4, 8, 16]))
    pitch = SIZE / stems
    down = np.arange(0, SIZE + 1, 8)
    for stem in range(stems):
        across = (stem + 0.5) * pitch + 0.25 * pitch * np.sin(down * 2 * np.pi / (2 * pitch))
        cv2.polylines(sheet, [np.stack([across, down], 1).astype(np.int32)], False, colour, 2, cv2.LINE_AA)
        for at in range(0, len(down), max(1, round(pitch / 16))):
            spot = np.array([across[at], float(down[at])])
            _petal(sheet, spot, (0.16 * pitch, 0.07 * pitch), 40.0 if at % 2 else 140.0, colour, 0.15 * pitch)
    return woven(rng, sheet.astype(np.float64))


def _all_over(surface: Callable[[Random, int, int, Colour], Picture]) -> Callable[[Random, Colour], Picture]:
    return lambda rng, base: surface(rng, SIZE, SIZE, base)


MAKERS: dict[str, Callable[[Random, Colour], Picture]] = {
    "wood": _wood, "planks": _planks, "plain": _all_over(materials.plastic), "cloth": _all_over(materials.cloth),
    "felt": _all_over(materials.felt), "marble": _all_over(materials.marble), "granite": _all_over(materials.speckled),
    "checked": _checked, "printed": _printed, "terrazzo": _terrazzo, "bamboo": _bamboo, "tartan": _tartan,
    "parquet": _parquet, "slate": _slate, "gingham": gingham, "chequered": chequered, "floral": floral, "rug": rug,
    "medallion": medallion, "trellis": trellis,
}  # fmt: skip
TEST_KINDS = ("terrazzo", "bamboo", "tartan", "parquet", "slate")
TRAIN_KINDS = ("wood", "planks", "plain", "cloth", "felt", "marble", "granite", "checked", "printed")
TEST_CLOTHS = ("medallion", "trellis")
TRAIN_CLOTHS = ("gingham", "chequered", "floral", "rug")
"""Patterned cloths on tables of random scenes."""


@functools.lru_cache(maxsize=4)
def top(table: Table) -> Picture:
    """Texture of the table; it repeats, mirrored, every `span` inches."""
    return MAKERS[table.kind](np.random.default_rng([table.seed, 29]), table.base)
