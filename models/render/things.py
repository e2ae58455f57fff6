"""Things that are no pieces: mugs, pencils, paper, phones, and boards, men, letters, cards and bricks of other games.

The name of a thing may hold numbers, such as sizes in inches: "chequers:8:1.6" is a board of eight squares of 1.6
inches a side, "stick:2.5" a thin rod.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.render import fonts, glyphs, mesh, pawns
from models.render.art import Painted, Slots, Surface, solid, stamp
from models.render.glyphs import Drawing, Mask, Random, draw, one_of, random_seed
from models.render.materials import Colour, Grey, Picture, card, muted_colour, plastic, random_colour, wood, write
from models.render.mesh import SIDE, TOP, Mesh
from models.render.raster import Doubles
from models.render.scene import Body

Given = Sequence[float]
"""Numbers in the name of a thing: sizes in inches, counts, the seed of its set."""
Range = float | tuple[float, float]
"""A number, or the least and the greatest of random ones."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A kind of things: its mesh from the numbers in the name (or `given`) and a seed; its textures from these numbers,
    the pixels an inch and a generator; its surface."""

    shape: Callable[[Given, int], Mesh]
    paint: Callable[[Given, float, Random], Slots]
    gloss: Range = (0.1, 0.9)
    roughness: Range = 0.3
    clear: float = 0.0
    given: Given = ()


def shape(body: Body) -> Mesh:
    thing, given = _thing(body)
    return thing.shape(given, body.seed)


def paint(body: Body, density: float, rng: Random) -> tuple[Slots, Surface]:
    """Textures at `density` pixels an inch, and surface, of a thing."""
    thing, given = _thing(body)
    slots = thing.paint(given, density, rng)
    return slots, Surface(_drawn(rng, thing.gloss), _drawn(rng, thing.roughness), thing.clear)


def _thing(body: Body) -> tuple[Thing, Given]:
    name, *numbers = body.shape.split(":")
    thing = _THINGS[name]
    return thing, [float(number) for number in numbers] or thing.given


def _drawn(rng: Random, value: Range) -> float:
    return rng.uniform(*value) if isinstance(value, tuple) else value


def _slab(given: Given, _: int) -> Mesh:
    """A sheet or a block of a width, a height, a thickness and a radius of its corners."""
    width, height, thick, radius = given
    return mesh.prism(mesh.rectangle(width, height, radius), thick)


def _disc(given: Given, _: int) -> Mesh:
    diameter, thick = given
    return mesh.prism(mesh.circle(diameter, 32), thick, thick * 0.15, smooth=True)


def _mug(_: Given, __: int) -> Mesh:
    profile = [(0, 0), (1.3, 0), (1.4, 0.1), (1.45, 3.4), (1.42, 3.5), (1.3, 3.45), (1.28, 1.9)]
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    handle = np.stack([1.4 + 0.85 * np.cos(angles), np.zeros(9), 1.8 + 1.1 * np.sin(angles)], 1)
    return mesh.join(mesh.lathe(profile, 28), _tube(handle, 0.2), mesh.fan(mesh.circle(2.6, 28), 2.6, TOP))


def _tube(path: Doubles, radius: float) -> Mesh:
    """A round bar along a path in the x-z plane."""
    step = np.gradient(path, axis=0)
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    side = np.array([0.0, 1.0, 0.0])
    c, s = glyphs.polar(np.arange(8) / 8 * 2 * np.pi).T
    rings = [p + radius * (np.outer(c, side) + np.outer(s, o)) for p, o in zip(path, np.cross(step, side), strict=True)]
    return mesh.join(*(mesh.band(a, b, SIDE, True) for a, b in itertools.pairwise(rings)))


def _glass(_: Given, __: int) -> Mesh:
    return mesh.lathe([(0, 0), (1.1, 0), (1.2, 3.9), (1.15, 3.9), (1.0, 0.3), (0, 0.3)], 24)


def _pencil(_: Given, __: int) -> Mesh:
    bar, tip = mesh.prism(mesh.circle(0.28, 6), 6.2), mesh.lathe([(0.14, 6.2), (0.0, 6.9)], 6)
    return mesh.moved(mesh.join(bar, tip), mesh.turn_x(-np.pi / 2), np.array([0, -3.4, 0.13]))


def _stone(given: Given, _: int) -> Mesh:
    """A go stone of a radius."""
    t = np.linspace(-np.pi / 2, np.pi / 2, 9)
    return mesh.lathe(glyphs.polar(t) * (given[0], 0.17) + (0, 0.17), 18)


def _marble(_: Given, seed: int) -> Mesh:
    t, radius = np.linspace(-np.pi / 2, np.pi / 2, 12), np.random.default_rng(seed).uniform(0.25, 0.4)
    return mesh.lathe(glyphs.polar(t, radius) + (0, radius), 18)


def _chess(_: Given, __: int) -> Mesh:
    profile = [
        (0, 0), (0.5, 0), (0.52, 0.15), (0.42, 0.25), (0.25, 0.5), (0.2, 1.1), (0.35, 1.2), (0.2, 1.28), (0.3, 1.5),
        (0.22, 1.7), (0, 1.8),
    ]  # fmt: skip
    return mesh.lathe(profile, 16)


def _chessman(_: Given, seed: int) -> Mesh:
    """A random turned pawn of another game."""
    rng = np.random.default_rng(seed)
    wide, high = rng.uniform(0.5, 1.1), rng.uniform(0.8, 2.6)
    return mesh.lathe(pawns.turned(random_seed(rng), wide / high) * (wide, high), 18)


def _turned(given: Given, seed: int) -> Mesh:
    """The same with a radius and about a height."""
    radius, high = given[0], given[1]
    high *= float(np.random.default_rng([seed, 7]).uniform(0.7, 1.25))
    return mesh.lathe(pawns.turned(seed, 2 * radius / high) * (2 * radius, high), 20)


def _draught(_: Given, seed: int) -> Mesh:
    """A draughtsman: a disc with turned rings, sometimes two stacked."""
    rng = np.random.default_rng(seed)
    radius, thick = rng.uniform(0.3, 0.75), rng.uniform(0.12, 0.32)
    rings = ((1.0, 0.03), (0.8, 0), (0.74, 0.05), (0.55, 0.05), (0.5, 0))
    rows = [(0.0, 0.0), (radius, 0.0), *((radius * share, thick - deep) for share, deep in rings), (0.0, thick)]
    return _perhaps_two(mesh.lathe(rows, 24), thick, rng, 0.15)


def _man(given: Given, seed: int) -> Mesh:
    """A turned man with rings, a dish, a plain top or a rim, sometimes two stacked."""
    radius, thick = given[0], given[1]
    rng = np.random.default_rng([seed, 5])
    kind, depth = str(rng.choice(["rings", "rings", "dish", "plain", "rim"])), rng.uniform(0.03, 0.07)
    rows = [(0.0, 0.0), (radius, 0.0), (radius, thick * 0.8), (radius * 0.94, thick)]
    if kind == "rings":
        for index, share in enumerate(np.linspace(0.85, 0.2, 2 * int(rng.integers(1, 6)))):
            rows.append((radius * share, thick - depth * (index % 2)))
    elif kind == "dish":
        rows += [(radius * share, thick - depth * 1.5 * (1 - share)) for share in (0.8, 0.6, 0.4, 0.2)]
    elif kind == "rim":
        rows += [(radius * 0.82, thick), (radius * 0.78, thick - depth)]
    return _perhaps_two(mesh.lathe([*rows, (0.0, rows[-1][1])], 28), thick, rng, 0.1)


def _perhaps_two(man: Mesh, thick: float, rng: Random, chance: float) -> Mesh:
    return mesh.join(man, mesh.moved(man, np.eye(3), np.array([0, 0, thick]))) if rng.random() < chance else man


def _board(given: Given, _: int) -> Mesh:
    cells, cell = given
    return mesh.box(cells * cell + cell, cells * cell + cell, 0.2, 0.03)


def _land(given: Given, _: int) -> Mesh:
    hexagon = mesh.circle(given[0] * 2 / math.sqrt(3) * 0.985, 6)
    return mesh.prism(hexagon @ mesh.turn_z(math.pi / 6)[:2, :2].T, 0.08)


def _bricks(given: Given, _: int) -> Mesh:
    """A moulded brick with studs."""
    rows, columns, pitch = int(given[0]), int(given[1]), 0.315
    stud = mesh.lathe([(0.0, 0.0), (0.095, 0.0), (0.095, 0.07), (0.0, 0.07)], 12)
    spots = ((x - (columns - 1) / 2, y - (rows - 1) / 2) for y in range(rows) for x in range(columns))
    studs = [mesh.moved(stud, np.eye(3), np.array([x * pitch, y * pitch, 0.38])) for x, y in spots]
    return mesh.join(mesh.box(columns * pitch, rows * pitch, 0.38, 0.01), *studs)


def _button_shape(given: Given, _: int) -> Mesh:
    return mesh.prism(mesh.circle(2 * given[0]), 0.1, 0.03, smooth=True)


def _ring(given: Given, seed: int) -> Mesh:
    """A washer, a curtain ring or a lid."""
    radius, high = given[0], float(np.random.default_rng([seed, 13]).uniform(0.06, 0.3))
    floor = 0.02 if seed % 2 else high * 0.5
    inner = radius * float(np.random.default_rng([seed, 15]).uniform(0.45, 0.9))
    return mesh.lathe([(0.0, 0.0), (radius, 0.0), (radius, high), (inner, high), (inner, floor), (0.0, floor)], 28)


_DRINKS = ((14.0, 22.0, 38.0), (60.0, 105.0, 150.0), (20.0, 70.0, 135.0), (200.0, 215.0, 220.0))  # coffees, tea, milk
_WOODS: tuple[Colour, ...] = (
    (160, 205, 230), (35, 55, 95), (30, 40, 55), (90, 140, 190), (225, 232, 238), (25, 25, 28),
)  # fmt: skip
MEN: tuple[Colour, ...] = (*_WOODS, (35, 35, 190), (40, 110, 40), (40, 180, 220))
"""Colours of men; a man's last number is the index of its colour."""
_CARD_EDGE: Colour = (235, 238, 238)


def _px(inches: float, density: float, least: int = 16, most: int = 400) -> int:
    return int(np.clip(inches * density, least, most))


def _print(sheet: Picture, mask: Grey, ink: Colour) -> None:
    """Prints where the mask (0..1) is on a sheet, which may be cut off at its right and lower edge."""
    cover = mask[: sheet.shape[0], : sheet.shape[1], None]
    sheet[:] = sheet * (1 - cover) + np.array(ink) * cover


def _sides(top: Picture, edge: Colour) -> Slots:
    return {TOP: Painted(top), SIDE: solid(edge)}


def _one_colour(sides: Colour, top: Colour | None = None) -> Slots:
    return {SIDE: solid(sides), TOP: solid(top or sides)}


def _random_colours(_: Given, __: float, rng: Random) -> Slots:
    return _one_colour(random_colour(rng), random_colour(rng))


def _muted_colours(_: Given, __: float, rng: Random) -> Slots:
    return _one_colour(muted_colour(rng), muted_colour(rng))


def _moulded(_: Given, __: float, rng: Random) -> Slots:
    return _one_colour(random_colour(rng))


def _mug_sides(_: Given, __: float, rng: Random) -> Slots:
    drink = one_of(rng, _DRINKS)
    return _one_colour(muted_colour(rng), drink)


def _paper(_: Given, __: float, rng: Random) -> Slots:
    base = (245.0, 248.0, 248.0) if rng.random() < 0.7 else random_colour(rng, 150, 250)
    sheet = card(rng, 400, 300, base)
    if rng.random() < 0.6:
        for y in range(20, 400, 12):
            cv2.line(sheet, (0, y), (300, y), (215, 200, 185), 1, cv2.LINE_AA)
    _scribble(sheet, rng, int(rng.integers(3, 25)))
    return _sides(sheet, base)


def _note(_: Given, __: float, rng: Random) -> Slots:
    base = one_of(rng, ((90, 240, 250), (240, 200, 120), (170, 170, 250), (140, 230, 150)))
    sheet = card(rng, 150, 150, base)
    _scribble(sheet, rng, int(rng.integers(0, 7)))
    return _sides(sheet, base)


def _scribble(sheet: Picture, rng: Random, lines: int) -> None:
    ink = random_colour(rng, 0, 120)
    height, width = sheet.shape[:2]
    pitch = rng.uniform(10, 20)
    for y in 24 + np.arange(lines) * pitch:
        if y > height - 12:
            return
        x = 18.0
        for word in rng.uniform(10, 30, int(rng.integers(3, 9))):
            if x + word < width - 14:
                steps = np.arange(0, word, 2.5)
                points = np.stack([x + steps, y + rng.normal(0, 2.4, len(steps))], 1)
                cv2.polylines(sheet, [np.round(points * 8).astype(np.int32)], False, ink, 1, cv2.LINE_AA, 3)
            x += word + 8


def _phone(_: Given, __: float, rng: Random) -> Slots:
    screen = np.full((290, 145, 3), rng.uniform(8, 30), np.uint8)
    if rng.random() < 0.35:
        screen[8:-8, 5:-5] = np.array(random_colour(rng, 60, 200), np.uint8)
        for top in range(30, 270, 60):
            cv2.rectangle(screen, (16, top), (128, top + 40), random_colour(rng, 100, 255), -1)
    return _sides(screen, (30, 28, 28))


def _token(_: Given, density: float, rng: Random) -> Slots:
    """A round number token of another game, easily mistaken for a coin."""
    px = _px(1.0, density)
    sheet = card(rng, px, px, (200, 225, 240) if rng.random() < 0.7 else random_colour(rng, 120, 250))
    ink = random_colour(rng, 0, 100)
    digit = str(rng.integers(6, 13)) if rng.random() < 0.8 else str(rng.integers(7, 10))
    scale = px / 60
    at = (int(px * (0.18 if len(digit) > 1 else 0.34)), int(px * 0.62))
    write(sheet, digit, at, scale, ink, max(1, int(scale * 2)), cv2.FONT_HERSHEY_DUPLEX)
    for dot in range(int(rng.integers(1, 6))):
        cv2.circle(sheet, (int(px * (0.3 + dot * 0.1)), int(px * 0.8)), max(1, px // 30), ink, -1, cv2.LINE_AA)
    return _sides(sheet, (190, 200, 205))


def _chip(_: Given, density: float, rng: Random) -> Slots:
    px = _px(1.5, density)
    base, edge = random_colour(rng), random_colour(rng, 180, 255)
    sheet, half = plastic(rng, px, px, base), px // 2
    for part in range(6):
        cv2.ellipse(sheet, (half, half), (half, half), part * 60, 0, 22, edge, max(2, px // 6), cv2.LINE_AA)
    cv2.circle(sheet, (half, half), int(px * 0.3), edge, max(1, px // 40), cv2.LINE_AA)
    return _sides(sheet, base)


def _money(_: Given, density: float, rng: Random) -> Slots:
    px = _px(0.9, density)
    metal = one_of(rng, ((140, 190, 205), (170, 175, 175), (85, 120, 180)))
    sheet = plastic(rng, px, px, metal)
    if rng.random() < 0.5:
        cv2.circle(sheet, (px // 2, px // 2), int(px * 0.36), (175, 180, 180), -1, cv2.LINE_AA)
    height = stamp(px, glyphs.numeral(str(rng.choice(["2", "5"])), rng), (0.4, 0.5, 0.55))
    return {TOP: Painted(sheet, height * 0.8), SIDE: solid(metal)}


def _pip_die(_: Given, density: float, rng: Random) -> Slots:
    base = (240, 242, 242) if rng.random() < 0.5 else random_colour(rng)
    px = _px(0.63, density)
    sheet = plastic(rng, px, px, base)
    ink = (20.0, 20.0, 20.0) if sum(base) > 400 else (245.0, 245.0, 245.0)
    _print(sheet, stamp(px, glyphs.pips(int(rng.integers(1, 7))), (0.5, 0.5, 0.86)), ink)
    return _sides(sheet, base)


def _domino(_: Given, density: float, rng: Random) -> Slots:
    px = _px(1.0, density)
    base = (232, 240, 242) if rng.random() < 0.6 else (25, 25, 28)
    ink = (20, 20, 20) if sum(base) > 300 else (240, 240, 240)
    sheet = plastic(rng, px * 2, px, base)
    for half in (sheet[:px], sheet[px:]):
        _print(half, stamp(px, glyphs.pips(int(rng.integers(1, 7))), (0.5, 0.5, 0.8)), ink)
    cv2.line(sheet, (int(px * 0.1), px), (int(px * 0.9), px), ink, max(1, px // 30), cv2.LINE_AA)
    return _sides(sheet, base)


def _playing(_: Given, density: float, rng: Random) -> Slots:
    """An ace, or a back."""
    wide, high = _px(2.5, density), _px(3.5, density)
    sheet = card(rng, high, wide, (246, 248, 248))
    ink = (30.0, 20.0, 190.0) if rng.random() < 0.5 else (25.0, 25.0, 25.0)
    top = (high - wide) // 2
    _print(sheet[top : top + wide], stamp(wide, draw(glyphs.spade, rng), (0.5, 0.5, rng.uniform(0.3, 0.5))), ink)
    scale = wide / 110
    number = str(rng.choice(list("A23456789JQK")))
    write(sheet, number, (int(wide * 0.06), int(high * 0.14)), scale, ink, max(1, int(scale * 1.5)))
    if rng.random() < 0.3:
        sheet[:] = plastic(rng, high, wide, random_colour(rng, 40, 200))
    return _sides(sheet, _CARD_EDGE)


def _suited(given: Given, density: float, rng: Random) -> Slots:
    """A playing card with as many signs as its number, or the back that all of its set have."""
    wide, high = _px(2.5, density, 24, 460), _px(3.5, density, 24, 460)
    look = np.random.default_rng([int(given[0]), 11])
    sheet, back = card(rng, high, wide, (244, 248, 248)), plastic(look, high, wide, random_colour(look, 40, 200))
    if rng.random() < 0.15:
        return _sides(back, _CARD_EDGE)
    suit = int(rng.integers(4))
    ink: Colour = (40, 30, 195) if suit in (1, 2) else (25, 25, 25)
    sign = _sign("♠♥♦♣"[suit], rng, glyphs.spade, rng)
    number = int(rng.integers(1, 11))
    columns = [0.5] if number <= 3 else [0.3, 0.7]
    rows = math.ceil(number / len(columns))
    spots = [(columns[i % len(columns)], (i // len(columns) + 0.5) / rows * 0.76 + 0.12, 0.2) for i in range(number)]
    for x, y, size in (*spots, (0.09, 0.17, 0.1), (0.91, 0.83, 0.1)):
        side = max(4, int(size * wide))
        left, top = int(x * wide - side / 2), int(y * high - side / 2)
        part = sheet[max(top, 0) : top + side, max(left, 0) : left + side]
        _print(part, stamp(side, sign, (0.5, 0.5, 1.0), 180.0 if y > 0.5 else 0.0), ink)
    write(sheet, str(number), (int(wide * 0.04), int(high * 0.11)), wide / 130, ink)
    return _sides(sheet, _CARD_EDGE)


def _sign(text: str, font_rng: Random, other: Drawing, rng: Random) -> Mask:
    """The sign in a random installed font, or another drawing where four tries have none."""
    files = fonts.numeral_fonts(False)
    for path in (one_of(font_rng, files) for _ in range(4 if files else 0)):
        drawn = fonts.glyph(path, text)
        if drawn is not None:
            return drawn
    return draw(other, rng)


def _letter(given: Given, density: float, rng: Random) -> Slots:
    """A letter tile; material and ink depend on the set's seed."""
    look = np.random.default_rng([int(given[1]), 9])
    base: Colour = one_of(look, ((140, 195, 225), (170, 215, 235), (225, 235, 238), (60, 60, 70), (180, 120, 60)))
    ink: Colour = (25, 25, 25) if sum(base) > 330 else (235, 240, 240)
    px = _px(given[0], density, 16, 200)
    sheet = wood(rng, px, px, base) if look.random() < 0.6 else plastic(rng, px, px, base)
    letter = str(rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
    _print(sheet, stamp(px, _sign(letter, look, glyphs.spiral, rng), (0.46, 0.47, 0.62)), ink)
    number = str(rng.integers(1, 11))
    write(sheet, number, (int(px * 0.72), int(px * 0.9)), px / 130, ink, font=cv2.FONT_HERSHEY_SIMPLEX)
    return _sides(sheet, base)


def _coaster(_: Given, __: float, rng: Random) -> Slots:
    sheet = wood(rng, 180, 180, (90, 150, 190)) if rng.random() < 0.5 else card(rng, 180, 180, random_colour(rng))
    return _sides(sheet, (90, 120, 150))


def _men(given: Given, _: float, rng: Random) -> Slots:
    b, g, r = (float(part) for part in np.array(MEN[int(given[-1])]) * rng.uniform(0.85, 1.1))
    grain = (wood if rng.random() < 0.6 else plastic)(rng, 96, 96, (b, g, r))
    return {SIDE: Painted(grain), TOP: Painted(grain)}


def _button(given: Given, density: float, rng: Random) -> Slots:
    """A disc with a rim and two or four holes."""
    px, colour = _px(2 * given[0], density, 16, 200), random_colour(rng)
    sheet = plastic(rng, px, px, colour)
    dark = tuple(0.35 * part for part in colour)
    cv2.circle(sheet, (px // 2, px // 2), int(px * 0.36), dark, max(1, px // 40), cv2.LINE_AA)
    for x, y in ((-1, -1), (1, -1), (-1, 1), (1, 1))[: int(rng.choice([2, 4]))]:
        spot = int(px / 2 + 0.1 * px * x), int(px / 2 + 0.1 * px * y)
        cv2.circle(sheet, spot, max(1, px // 24), dark, -1, cv2.LINE_AA)
    return _sides(sheet, colour)


def _board_sheet(given: Given, density: float, base: Colour, rng: Random, wooden: float) -> tuple[Picture, float]:
    """Texture of a board with a border of half a square, and the pixels of a square."""
    cells, cell = given
    side = _px((cells + 1) * cell, density, 64, 900)
    return (wood if rng.random() < wooden else card)(rng, side, side, base), side / (cells + 1)


def _chequers(given: Given, density: float, rng: Random) -> Slots:
    light: Colour = one_of(rng, ((170, 210, 235), (215, 232, 240), (205, 235, 238), (150, 200, 215)))
    darks = ((40, 55, 90), (25, 25, 28), (80, 120, 70), (60, 90, 140), (40, 40, 170), (150, 100, 60))
    dark: Colour = one_of(rng, darks)
    sheet, cell = _board_sheet(given, density, light, rng, 0.6)
    place = np.floor((np.arange(len(sheet)) - cell / 2) / cell)
    inside = (place >= 0) & (place < given[0])
    squares = inside[:, None] & inside[None]
    odd = ((place[:, None] + place[None]) % 2 == 1) & squares
    shade = np.where(odd[..., None], np.array(dark) / np.array(light), 1.0)
    if rng.random() < 0.7:
        shade[~squares] = np.array(dark) / np.array(light)
    return _sides(np.asarray(np.clip(sheet * shade, 0, 255), np.uint8), dark)


def _lines(given: Given, density: float, rng: Random) -> Slots:
    base: Colour = (95, 165, 215) if rng.random() < 0.8 else random_colour(rng, 80, 220)
    sheet, cell = _board_sheet(given, density, base, rng, 0.85)
    low, end = round(cell), round(cell * given[0])
    for at in (round(cell * (line + 1)) for line in range(int(given[0]))):
        cv2.line(sheet, (at, low), (at, end), (20, 25, 30), 1, cv2.LINE_AA)
        cv2.line(sheet, (low, at), (end, at), (20, 25, 30), 1, cv2.LINE_AA)
    return _sides(sheet, base)


def _premium(given: Given, density: float, rng: Random) -> Slots:
    """A board of small squares, some coloured."""
    base = random_colour(rng, 110, 230)
    sheet, cell = _board_sheet(given, density, base, rng, 0.1)
    colours = [random_colour(rng, 60, 240) for _ in range(4)]
    for row, column in itertools.product(range(int(given[0])), repeat=2):
        low = (round(cell * (column + 0.5)) + 1, round(cell * (row + 0.5)) + 1)
        high = (round(cell * (column + 1.5)) - 1, round(cell * (row + 1.5)) - 1)
        if (row * column) % 7 == 1 or row == column:
            cv2.rectangle(sheet, low, high, one_of(rng, colours), -1)
        cv2.rectangle(sheet, low, high, (235, 240, 240), 1, cv2.LINE_AA)
    return _sides(sheet, base)


def _landscape(given: Given, density: float, rng: Random) -> Slots:
    px = _px(given[0], density, 24, 320)
    base = muted_colour(rng)
    sheet = card(rng, px, px, base)
    for _ in range(int(rng.integers(5, 40))):
        x, y, size = rng.uniform(0, px, 2)[0], rng.uniform(0, px), rng.uniform(0.02, 0.1) * px
        tint = np.clip(np.array(base) * rng.uniform(0.6, 1.4), 0, 255).tolist()
        cv2.ellipse(sheet, (int(x), int(y)), (int(size) + 1, int(size * 0.6) + 1), 0, 0, 360, tint, -1, cv2.LINE_AA)
    return _sides(sheet, base)


_HOUSEHOLD: dict[str, Thing] = {
    "mug": Thing(_mug, _mug_sides, 0.9, 0.15),
    "glass": Thing(_glass, lambda *_: {SIDE: solid((225, 235, 235))}, 1.0, 0.08, clear=0.86),
    "pencil": Thing(_pencil, _muted_colours),
    "paper": Thing(_slab, _paper, 0.05, 0.6, given=(8.3, 11.7, 0.006, 0.0)),
    "note": Thing(_slab, _note, 0.05, 0.6, given=(3, 3, 0.03, 0.0)),
    "phone": Thing(_slab, _phone, 1.0, 0.06, given=(2.9, 5.8, 0.3, 0.3)),
    "book": Thing(_slab, _muted_colours, given=(5.5, 8, 0.8, 0.0)),
    "coaster": Thing(_disc, _coaster, 0.2, 0.5, given=(3.7, 0.15)),
    "chip": Thing(_disc, _chip, 0.4, 0.35, given=(1.55, 0.13)),
    "token": Thing(_disc, _token, 0.1, 0.6, given=(0.95, 0.08)),
    "money": Thing(_disc, _money, 1.0, 0.25, given=(0.92, 0.09)),
    "go": Thing(_stone, _random_colours, given=(0.43,)),
    "chess": Thing(_chess, _random_colours),
    "chessman": Thing(_chessman, _random_colours),
    "draught": Thing(_draught, _random_colours),
    "marble": Thing(_marble, _random_colours),
    "pips": Thing(lambda *_: mesh.prism(mesh.square(0.63, 0.1), 0.63, 0.06), _pip_die, 0.6, 0.25),
    "domino": Thing(_slab, _domino, 0.5, 0.3, given=(1.0, 2.0, 0.3, 0.06)),
    "playing": Thing(_slab, _playing, 0.4, 0.35, given=(2.5, 3.5, 0.012, 0.12)),
    "chocolate": Thing(_slab, _random_colours, given=(1.0, 1.0, 0.25, 0.05)),
    "counter": Thing(_disc, _random_colours, given=(0.6, 0.2)),
    "box": Thing(_slab, _muted_colours, given=(3.5, 2.2, 1.1, 0.0)),
}
KINDS = tuple(_HOUSEHOLD)
"""Names without numbers."""
_THINGS = _HOUSEHOLD | {
    "stick": Thing(
        lambda given, _: mesh.box(0.14, given[0], 0.14, 0.03),
        lambda *_: _one_colour((70, 130, 190), (75, 140, 200)), 0.3, 0.5,
    ),
    "chequers": Thing(_board, _chequers, (0.1, 0.7), (0.2, 0.6)),
    "lines": Thing(_board, _lines, 0.2, 0.5),
    "premium": Thing(_board, _premium, 0.2, 0.5),
    "man": Thing(_man, _men, (0.15, 0.8), (0.15, 0.5)),
    "turned": Thing(_turned, _men, (0.15, 0.8), (0.15, 0.5)),
    "stone": Thing(_stone, lambda given, *_: _one_colour((30, 28, 28) if given[1] else (228, 236, 238)), (0.2, 0.8)),
    "letter": Thing(lambda given, _: mesh.prism(mesh.square(given[0], 0.06), 0.16, 0.03), _letter, 0.3, 0.4),
    "land": Thing(_land, _landscape, 0.15, 0.5),
    "suited": Thing(lambda *_: mesh.prism(mesh.rectangle(2.5, 3.5, 0.12), 0.012), _suited, 0.4, 0.35),
    "bricks": Thing(_bricks, _moulded, (0.3, 0.9), 0.25),
    "button": Thing(_button_shape, _button, (0.3, 0.9), 0.25),
    "ring": Thing(_ring, _moulded, (0.3, 0.9), 0.25),
}  # fmt: skip
