"""Cloths and rugs: gingham, chequers, flowers, ornaments. All of them repeat without a seam."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import materials
from models.render.glyphs import Random
from models.render.materials import Colour, Picture, muted_colour, random_colour
from models.render.raster import Floats

SIZE = 1024
"""Pixels a side of every table top's picture."""


def woven(rng: Random, colours: Floats) -> Picture:
    """A few coloured cells, or a picture, as a large woven cloth."""
    cells = np.asarray(np.clip(colours, 0, 255), np.uint8)
    large = cv2.resize(cells, (SIZE, SIZE), interpolation=cv2.INTER_NEAREST)
    weave = materials.cloth(rng, SIZE, SIZE, (128.0, 128.0, 128.0))
    return np.asarray(cv2.multiply(large, weave, scale=1 / 128), np.uint8)


def _pale(rng: Random) -> Colour:
    level = float(rng.uniform(190, 245))
    return level * float(rng.uniform(0.85, 1.0)), level * float(rng.uniform(0.94, 1.0)), level


def gingham(rng: Random, base: Colour) -> Picture:
    """Stripes of one colour on white, crossed: full where both meet, half where one runs."""
    cells = int(rng.choice([16, 24, 32, 48, 64]))
    stripe = np.arange(cells) % 2 if rng.random() < 0.75 else np.arange(cells) % 4 == 0
    cover = 0.5 * stripe[:, None] + 0.5 * stripe[None]
    return woven(rng, np.array(_pale(rng)) * (1 - cover[..., None]) + np.array(base) * cover[..., None])


def chequered(rng: Random, base: Colour) -> Picture:
    """Squares of two colours in turn, upright or on their corners."""
    cells = int(rng.choice([8, 12, 16, 32, 64]))
    other = _pale(rng) if rng.random() < 0.6 else random_colour(rng)
    if rng.random() < 0.3:
        y, x = np.mgrid[0:SIZE, 0:SIZE]
        odd = ((x + y) * cells // (2 * SIZE) + (x - y + SIZE) * cells // (2 * SIZE)) % 2 == 1
    else:
        odd = np.indices((cells, cells)).sum(0) % 2 == 1
    return woven(rng, np.where(odd[..., None], np.array(base), np.array(other)))


def floral(rng: Random, base: Colour) -> Picture:
    """Flowers with leaves and stems, scattered or in rows."""
    side = int(rng.choice([256, 512]))
    ground = np.array(_pale(rng) if rng.random() < 0.6 else base)
    sheet = np.full((side, side, 3), ground, np.float64).astype(np.uint8)
    kinds = [(random_colour(rng), random_colour(rng), int(rng.integers(4, 9))) for _ in range(int(rng.integers(1, 4)))]
    green = (float(rng.uniform(20, 80)), float(rng.uniform(80, 150)), float(rng.uniform(30, 110)))
    count, rows = int(rng.integers(5, 22)), rng.random() < 0.3
    size = side * float(rng.uniform(0.03, 0.1))
    for index in range(count):
        spot = rng.uniform(0, side, 2)
        if rows:
            spot = np.array([(index % 4 + 0.5 * (index // 4 % 2)) * side / 4, (index // 4) * side / 4])
        petal, heart, petals = kinds[int(rng.integers(len(kinds)))]
        _flower(
            sheet, spot, size * float(rng.uniform(0.7, 1.3)), float(rng.uniform(0, 360)), (petal, heart, green), petals
        )
    return woven(rng, np.tile(sheet, (SIZE // side, SIZE // side, 1)).astype(np.float64))


def _flower(
    sheet: Picture,
    spot: NDArray[np.float64],
    size: float,
    turn: float,
    colours: tuple[Colour, Colour, Colour],
    petals: int,
) -> None:
    """A flower; what runs over an edge of the sheet comes in at the other."""
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


def _petal(
    sheet: Picture, at: NDArray[np.float64], axes: tuple[float, float], turn: float, colour: Colour, away: float
) -> None:
    angle = np.radians(turn)
    middle = at + away * np.array([np.cos(angle), np.sin(angle)])
    half = max(1, round(axes[0])), max(1, round(axes[1]))
    cv2.ellipse(sheet, (int(middle[0]), int(middle[1])), half, turn, 0, 360, colour, -1, cv2.LINE_AA)


def rug(rng: Random, base: Colour) -> Picture:
    """A field of ornaments, mirrored both ways, within borders."""
    palette = [base, *(muted_colour(rng) for _ in range(4))]
    side = int(rng.choice([64, 128, 256]))
    quarter = _ornament(rng, side, palette)
    motif = np.hstack([quarter, quarter[:, ::-1]])
    motif = np.vstack([motif, motif[::-1]])
    field = np.tile(motif, (SIZE // (2 * side), SIZE // (2 * side), 1))
    edge = 0
    for _ in range(int(rng.integers(0, 4))):
        wide = int(rng.integers(8, 50))
        colour = palette[int(rng.integers(5))]
        cv2.rectangle(field, (edge, edge), (SIZE - 1 - edge, SIZE - 1 - edge), colour, 2 * wide)
        edge += wide
    return woven(rng, field.astype(np.float64))


def _ornament(rng: Random, side: int, palette: list[Colour]) -> Picture:
    """Lozenges, steps and hooks on one colour."""
    sheet = np.full((side, side, 3), palette[0], np.float64).astype(np.uint8)
    for _ in range(int(rng.integers(4, 14))):
        colour = palette[int(rng.integers(5))]
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
    palette = [base, *(muted_colour(rng) for _ in range(4))]
    sheet = np.full((SIZE, SIZE, 3), palette[0], np.float64).astype(np.uint8)
    points = int(rng.choice([8, 12, 16]))
    for ring in range(int(rng.integers(4, 9)), 0, -1):
        turn = np.arange(2 * points) * np.pi / points
        reach = SIZE * 0.06 * ring * np.where(np.arange(2 * points) % 2, float(rng.uniform(0.7, 0.95)), 1.0)
        star = np.stack([np.cos(turn) * reach, np.sin(turn) * reach], 1) + SIZE / 2
        cv2.fillPoly(sheet, [star.astype(np.int32)], palette[int(rng.integers(5))], cv2.LINE_AA)
    return woven(rng, sheet.astype(np.float64))


def trellis(rng: Random, base: Colour) -> Picture:
    """Rows of leaves on waving stems."""
    sheet = np.full((SIZE, SIZE, 3), base, np.float64).astype(np.uint8)
    colour, stems = random_colour(rng), int(rng.choice([4, 8, 16]))
    pitch = SIZE / stems
    down = np.arange(0, SIZE + 1, 8)
    for stem in range(stems):
        across = (stem + 0.5) * pitch + 0.25 * pitch * np.sin(down * 2 * np.pi / (2 * pitch))
        cv2.polylines(sheet, [np.stack([across, down], 1).astype(np.int32)], False, colour, 2, cv2.LINE_AA)
        for at in range(0, len(down), max(1, round(pitch / 16))):
            spot = np.array([across[at], float(down[at])])
            _petal(sheet, spot, (0.16 * pitch, 0.07 * pitch), 40.0 if at % 2 else 140.0, colour, 0.15 * pitch)
    return woven(rng, sheet.astype(np.float64))
