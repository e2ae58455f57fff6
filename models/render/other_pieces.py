"""Boards, men, letters, cards and bricks of other games. The name of a thing holds its sizes in inches:
"chequers:8:1.6" is a board of eight squares of 1.6 inches a side."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render import fonts, marks, mesh, shapes
from models.render.art import Painted, PaintedThing, solid, stamp
from models.render.glyphs import Mask, Random, one_of
from models.render.materials import Colour, Picture, card, muted_colour, plastic, random_colour, wood, write
from models.render.mesh import SIDE, TOP, Mesh
from models.render.scene import Body

_WOODS: tuple[Colour, ...] = (
    (160, 205, 230), (35, 55, 95), (30, 40, 55), (90, 140, 190), (225, 232, 238), (25, 25, 28),
)  # fmt: skip
MEN: tuple[Colour, ...] = (*_WOODS, (35, 35, 190), (40, 110, 40), (40, 180, 220))
_SUITS = ("♠", "♥", "♦", "♣")
_RED: Colour = (40, 30, 195)
_BLACK: Colour = (25, 25, 25)
_WIDEST = 900


def has(name: str) -> bool:
    return name.partition(":")[0] in _THINGS


def shape(body: Body) -> Mesh:
    name, *sizes = body.shape.split(":")
    return _THINGS[name].shape([float(size) for size in sizes], body.seed)


def paint(body: Body, density: float, rng: Random) -> PaintedThing:
    name, *sizes = body.shape.split(":")
    return _THINGS[name].paint([float(size) for size in sizes], density, rng)


Given = list[float]
"""Numbers in the name of a thing: sizes in inches, counts, the seed of its set."""


@dataclass(frozen=True, slots=True)
class OtherThing:
    shape: Callable[[Given, int], Mesh]
    paint: Callable[[Given, float, Random], PaintedThing]


def _board_shape(given: Given, _: int) -> Mesh:
    cells, cell = given
    return mesh.box(cells * cell + cell, cells * cell + cell, 0.2, 0.03)


def _board_sheet(given: Given, density: float, base: Colour, rng: Random, wooden: float) -> tuple[Picture, float]:
    """Texture of a board with a border of half a square, and the pixels of a square."""
    cells, cell = given
    side = int(np.clip((cells + 1) * cell * density, 64, _WIDEST))
    draw = wood if rng.random() < wooden else card
    return draw(rng, side, side, base), side / (cells + 1)


def _chequers(given: Given, density: float, rng: Random) -> PaintedThing:
    light: Colour = one_of(rng, ((170, 210, 235), (215, 232, 240), (205, 235, 238), (150, 200, 215)))
    dark: Colour = one_of(
        rng, ((40, 55, 90), (25, 25, 28), (80, 120, 70), (60, 90, 140), (40, 40, 170), (150, 100, 60))
    )
    sheet, cell = _board_sheet(given, density, light, rng, 0.6)
    side = len(sheet)
    place = np.floor((np.arange(side) - cell / 2) / cell)
    inside = (place >= 0) & (place < given[0])
    odd = ((place[:, None] + place[None]) % 2 == 1) & inside[:, None] & inside[None]
    shade = np.where(odd[..., None], np.array(dark) / np.array(light), 1.0)
    if rng.random() < 0.7:
        shade[~(inside[:, None] & inside[None])] = np.array(dark) / np.array(light)
    sheet = np.asarray(np.clip(sheet * shade, 0, 255), np.uint8)
    return {TOP: Painted(sheet), SIDE: solid(dark)}, rng.uniform(0.1, 0.7), rng.uniform(0.2, 0.6), 0.0


def _lines(given: Given, density: float, rng: Random) -> PaintedThing:
    base: Colour = (95, 165, 215) if rng.random() < 0.8 else random_colour(rng, 80, 220)
    sheet, cell = _board_sheet(given, density, base, rng, 0.85)
    for line in range(int(given[0])):
        at, end = round(cell * (line + 1)), round(cell * given[0])
        cv2.line(sheet, (at, round(cell)), (at, end), (20, 25, 30), 1, cv2.LINE_AA)
        cv2.line(sheet, (round(cell), at), (end, at), (20, 25, 30), 1, cv2.LINE_AA)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.2, 0.5, 0.0


def _premium(given: Given, density: float, rng: Random) -> PaintedThing:
    """A board of small squares, some coloured."""
    base = random_colour(rng, 110, 230)
    sheet, cell = _board_sheet(given, density, base, rng, 0.1)
    colours = [random_colour(rng, 60, 240) for _ in range(4)]
    for row in range(int(given[0])):
        for column in range(int(given[0])):
            low = (round(cell * (column + 0.5)) + 1, round(cell * (row + 0.5)) + 1)
            high = (round(cell * (column + 1.5)) - 1, round(cell * (row + 1.5)) - 1)
            if (row * column) % 7 == 1 or row == column:
                cv2.rectangle(sheet, low, high, one_of(rng, colours), -1)
            cv2.rectangle(sheet, low, high, (235, 240, 240), 1, cv2.LINE_AA)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.2, 0.5, 0.0


def _man_shape(given: Given, seed: int) -> Mesh:
    """A turned man with rings, a dish, a plain top or a rim, sometimes two stacked."""
    radius, thick = given[0], given[1]
    rng = np.random.default_rng([seed, 5])
    kind, depth = str(rng.choice(["rings", "rings", "dish", "plain", "rim"])), rng.uniform(0.03, 0.07)
    rows = [(0.0, 0.0), (radius, 0.0), (radius, thick * 0.8), (radius * 0.94, thick)]
    if kind == "rings":
        count = int(rng.integers(1, 6))
        for share in np.linspace(0.85, 0.2, count * 2):
            rows.append((radius * share, thick - depth * (len(rows) % 2)))
    elif kind == "dish":
        rows += [(radius * share, thick - depth * 1.5 * (1 - share)) for share in (0.8, 0.6, 0.4, 0.2)]
    elif kind == "rim":
        rows += [(radius * 0.82, thick), (radius * 0.78, thick - depth)]
    man = mesh.lathe(np.array([*rows, (0.0, rows[-1][1])]), 28)
    return mesh.join(man, mesh.moved(man, np.eye(3), np.array([0, 0, thick]))) if rng.random() < 0.1 else man


def _man(given: Given, _: float, rng: Random) -> PaintedThing:
    base = np.array(MEN[int(given[-1])]) * rng.uniform(0.85, 1.1)
    colour: Colour = (float(base[0]), float(base[1]), float(base[2]))
    grain = wood(rng, 96, 96, colour) if rng.random() < 0.6 else plastic(rng, 96, 96, colour)
    return {SIDE: Painted(grain), TOP: Painted(grain)}, rng.uniform(0.15, 0.8), rng.uniform(0.15, 0.5), 0.0


def _turned_shape(given: Given, seed: int) -> Mesh:
    radius, high = given[0], given[1]
    high *= float(np.random.default_rng([seed, 7]).uniform(0.7, 1.25))
    return mesh.lathe(shapes.turned(seed, 2 * radius / high) * (2 * radius, high), 20)


def _stone_shape(given: Given, _: int) -> Mesh:
    t = np.linspace(-np.pi / 2, np.pi / 2, 9)
    return mesh.lathe(np.stack([np.cos(t) * given[0], 0.17 + np.sin(t) * 0.17], 1), 18)


def _stone(given: Given, _: float, rng: Random) -> PaintedThing:
    colour: Colour = (30, 28, 28) if given[1] else (228, 236, 238)
    return {SIDE: solid(colour), TOP: solid(colour)}, rng.uniform(0.2, 0.8), 0.3, 0.0


def _letter_shape(given: Given, _: int) -> Mesh:
    return mesh.prism(mesh.square(given[0], 0.06), 0.16, 0.03)


def _sign(text: str, rng: Random) -> Mask | None:
    """The sign in a random installed font; None if four tries have none."""
    for path in (one_of(rng, fonts.numeral_fonts(False)) for _ in range(4 if fonts.numeral_fonts(False) else 0)):
        drawn = fonts.glyph(path, text)
        if drawn is not None:
            return drawn
    return None


def _letter(given: Given, density: float, rng: Random) -> PaintedThing:
    """A letter tile; material and ink depend on the set's seed."""
    look = np.random.default_rng([int(given[1]), 9])
    base: Colour = one_of(look, ((140, 195, 225), (170, 215, 235), (225, 235, 238), (60, 60, 70), (180, 120, 60)))
    ink: Colour = _BLACK if sum(base) > 330 else (235, 240, 240)
    px = int(np.clip(given[0] * density, 16, 200))
    sheet = wood(rng, px, px, base) if look.random() < 0.6 else plastic(rng, px, px, base)
    drawn = _sign(str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))), look)
    cover = stamp(px, marks.spiral(rng) if drawn is None else drawn, (0.46, 0.47, 0.62))[:, :, None]
    sheet = np.asarray(sheet * (1 - cover) + np.array(ink) * cover, np.uint8)
    number = str(rng.integers(1, 11))
    write(sheet, number, (int(px * 0.72), int(px * 0.9)), px / 130, ink, font=cv2.FONT_HERSHEY_SIMPLEX)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.3, 0.4, 0.0


def _land_shape(given: Given, _: int) -> Mesh:
    hexagon = mesh.circle(given[0] * 2 / math.sqrt(3) * 0.985, 6)
    return mesh.prism(hexagon @ mesh.turn_z(math.pi / 6)[:2, :2].T, 0.08)


def _land(given: Given, density: float, rng: Random) -> PaintedThing:
    px = int(np.clip(given[0] * density, 24, 320))
    base = muted_colour(rng)
    sheet = card(rng, px, px, base)
    for _ in range(int(rng.integers(5, 40))):
        x, y, size = rng.uniform(0, px, 2)[0], rng.uniform(0, px), rng.uniform(0.02, 0.1) * px
        tint = np.clip(np.array(base) * rng.uniform(0.6, 1.4), 0, 255)
        cv2.ellipse(
            sheet, (int(x), int(y)), (int(size) + 1, int(size * 0.6) + 1), 0, 0, 360, tint.tolist(), -1, cv2.LINE_AA
        )
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.15, 0.5, 0.0


def _suited_shape(_: Given, __: int) -> Mesh:
    return mesh.prism(mesh.rectangle(2.5, 3.5, 0.12), 0.012)


def _suited(given: Given, density: float, rng: Random) -> PaintedThing:
    """A playing card with as many signs as its number."""
    wide, high = (int(np.clip(inches * density, 24, 460)) for inches in (2.5, 3.5))
    look = np.random.default_rng([int(given[0]), 11])
    sheet, back = card(rng, high, wide, (244, 248, 248)), plastic(look, high, wide, random_colour(look, 40, 200))
    if rng.random() < 0.15:
        return {TOP: Painted(back), SIDE: solid((235, 238, 238))}, 0.4, 0.35, 0.0
    suit = int(rng.integers(4))
    ink = np.array(_RED if suit in (1, 2) else _BLACK)
    drawn = _sign(_SUITS[suit], rng)
    sign = marks.spade(rng) if drawn is None else drawn
    number = int(rng.integers(1, 11))
    columns = [0.5] if number <= 3 else [0.3, 0.7]
    for index in range(number):
        row, rows = index // len(columns), math.ceil(number / len(columns))
        _stamped(sheet, sign, ink, columns[index % len(columns)], (row + 0.5) / rows * 0.76 + 0.12, 0.2)
    for x, y in ((0.09, 0.17), (0.91, 0.83)):
        _stamped(sheet, sign, ink, x, y, 0.1)
    write(sheet, str(number), (int(wide * 0.04), int(high * 0.11)), wide / 130, ink.tolist())
    return {TOP: Painted(sheet), SIDE: solid((235, 238, 238))}, 0.4, 0.35, 0.0


def _stamped(sheet: Picture, sign: Mask, ink: NDArray[np.int64], x: float, y: float, size: float) -> None:
    height, width = sheet.shape[:2]
    side = max(4, int(size * width))
    left, top = int(x * width - side / 2), int(y * height - side / 2)
    part = sheet[max(top, 0) : top + side, max(left, 0) : left + side]
    cover = stamp(side, sign, (0.5, 0.5, 1.0), 180.0 if y > 0.5 else 0.0)[: part.shape[0], : part.shape[1], None]
    part[:] = part * (1 - cover) + ink * cover


def _bricks_shape(given: Given, _: int) -> Mesh:
    """A moulded brick with studs."""
    rows, columns, pitch = int(given[0]), int(given[1]), 0.315
    stud = mesh.lathe(np.array([(0.0, 0.0), (0.095, 0.0), (0.095, 0.07), (0.0, 0.07)]), 12)
    spots = [
        ((column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch)
        for row in range(rows)
        for column in range(columns)
    ]
    studs = [mesh.moved(stud, np.eye(3), np.array([x, y, 0.38])) for x, y in spots]
    return mesh.join(mesh.box(columns * pitch, rows * pitch, 0.38, 0.01), *studs)


def _moulded(_: Given, __: float, rng: Random) -> PaintedThing:
    colour = random_colour(rng)
    return {SIDE: solid(colour), TOP: solid(colour)}, rng.uniform(0.3, 0.9), 0.25, 0.0


def _button_shape(given: Given, _: int) -> Mesh:
    return mesh.prism(mesh.circle(2 * given[0]), 0.1, 0.03, smooth=True)


def _button(given: Given, density: float, rng: Random) -> PaintedThing:
    """A disc with a rim and two or four holes."""
    px, colour = int(np.clip(2 * given[0] * density, 16, 200)), random_colour(rng)
    sheet = plastic(rng, px, px, colour)
    dark = tuple(0.35 * part for part in colour)
    cv2.circle(sheet, (px // 2, px // 2), int(px * 0.36), dark, max(1, px // 40), cv2.LINE_AA)
    for hole in range(int(rng.choice([2, 4]))):
        spot = (
            px / 2 + 0.1 * px * (1 if hole % 2 else -1),
            px / 2 + 0.1 * px * ((1 if hole > 1 else -1) if hole else -1),
        )
        cv2.circle(sheet, (int(spot[0]), int(spot[1])), max(1, px // 24), dark, -1, cv2.LINE_AA)
    return {TOP: Painted(sheet), SIDE: solid(colour)}, rng.uniform(0.3, 0.9), 0.25, 0.0


def _ring_shape(given: Given, seed: int) -> Mesh:
    """A washer, a curtain ring or a lid."""
    radius, high = given[0], float(np.random.default_rng([seed, 13]).uniform(0.06, 0.3))
    floor = 0.02 if seed % 2 else high * 0.5
    inner = radius * float(np.random.default_rng([seed, 15]).uniform(0.45, 0.9))
    return mesh.lathe(
        np.array([(0.0, 0.0), (radius, 0.0), (radius, high), (inner, high), (inner, floor), (0.0, floor)]), 28
    )


_THINGS: dict[str, OtherThing] = {
    "chequers": OtherThing(_board_shape, _chequers),
    "lines": OtherThing(_board_shape, _lines),
    "premium": OtherThing(_board_shape, _premium),
    "man": OtherThing(_man_shape, _man),
    "turned": OtherThing(_turned_shape, _man),
    "stone": OtherThing(_stone_shape, _stone),
    "letter": OtherThing(_letter_shape, _letter),
    "land": OtherThing(_land_shape, _land),
    "suited": OtherThing(_suited_shape, _suited),
    "bricks": OtherThing(_bricks_shape, _moulded),
    "button": OtherThing(_button_shape, _button),
    "ring": OtherThing(_ring_shape, _moulded),
}
