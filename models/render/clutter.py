"""Clutter: mugs, pencils, paper, phones, cards and pieces of other games."""

import itertools
from collections.abc import Callable

import cv2
import numpy as np

from models.render import marks, mesh, other_pieces, shapes
from models.render.art import Painted, PaintedThing, solid, stamp
from models.render.glyphs import Random, one_of, random_seed
from models.render.materials import Picture, card, muted_colour, plastic, random_colour, wood, write
from models.render.mesh import SIDE, TOP, Mesh
from models.render.scene import Body

_HOUSEHOLD = ("pencil", "book", "box")
_DRINKS = ((14.0, 22.0, 38.0), (60.0, 105.0, 150.0), (20.0, 70.0, 135.0), (200.0, 215.0, 220.0))  # coffees, tea, milk


def _mug(_: Random) -> Mesh:
    profile = np.array([[0, 0], [1.3, 0], [1.4, 0.1], [1.45, 3.4], [1.42, 3.5], [1.3, 3.45], [1.28, 1.9]])
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    path = np.stack([1.4 + 0.85 * np.cos(angles), np.zeros(9), 1.8 + 1.1 * np.sin(angles)], 1)
    drink = mesh.fan(mesh.circle(2.6, 28), 2.6, TOP)
    return mesh.join(mesh.lathe(profile, 28), tube(path, 0.2), drink)


def _glass(_: Random) -> Mesh:
    profile = np.array([[0, 0.3], [1.0, 0.3], [1.15, 3.9], [1.2, 3.9], [1.1, 0], [0, 0]])[::-1]
    return mesh.lathe(profile, 24)


def tube(path: np.ndarray[tuple[int, int], np.dtype[np.float64]], radius: float, count: int = 8) -> Mesh:
    """A round bar along a path in the x-z plane."""
    step = np.gradient(path, axis=0)
    step /= np.linalg.norm(step, axis=1, keepdims=True)
    side = np.array([0.0, 1.0, 0.0])
    other = np.cross(step, side)
    angles = np.arange(count) / count * 2 * np.pi
    rings = [
        p + radius * (np.outer(np.cos(angles), side) + np.outer(np.sin(angles), o))
        for p, o in zip(path, other, strict=True)
    ]
    return mesh.join(*(mesh.band(a, b, SIDE, True) for a, b in itertools.pairwise(rings)))


def _pencil(_: Random) -> Mesh:
    outline = mesh.circle(0.28, 6)
    bar = mesh.prism(outline, 6.2)
    tip = mesh.lathe(np.array([[0.14, 6.2], [0.0, 6.9]]), 6)
    return mesh.moved(mesh.join(bar, tip), mesh.turn_x(-np.pi / 2), np.array([0, -3.4, 0.13]))


def _sheet(width: float, height: float, thick: float, radius: float = 0.0) -> Callable[[Random], Mesh]:
    return lambda _: mesh.prism(mesh.rectangle(width, height, radius), thick)


def _disc(diameter: float, thick: float) -> Callable[[Random], Mesh]:
    return lambda _: mesh.prism(mesh.circle(diameter, 32), thick, thick * 0.15, smooth=True)


def _go_stone(_: Random) -> Mesh:
    t = np.linspace(-np.pi / 2, np.pi / 2, 9)
    return mesh.lathe(np.stack([np.cos(t) * 0.43, 0.17 + np.sin(t) * 0.17], 1), 18)


def _chess(_: Random) -> Mesh:
    profile = np.array([
        [0, 0], [0.5, 0], [0.52, 0.15], [0.42, 0.25], [0.25, 0.5], [0.2, 1.1], [0.35, 1.2], [0.2, 1.28], [0.3, 1.5],
        [0.22, 1.7], [0, 1.8],
    ])  # fmt: skip
    return mesh.lathe(profile, 16)


def _chessman(rng: Random) -> Mesh:
    """A random turned pawn of another game."""
    wide, high = rng.uniform(0.5, 1.1), rng.uniform(0.8, 2.6)
    return mesh.lathe(shapes.turned(random_seed(rng), wide / high) * (wide, high), 18)


def _draught(rng: Random) -> Mesh:
    """A draughtsman: a disc with turned rings, sometimes two stacked."""
    radius, thick = rng.uniform(0.3, 0.75), rng.uniform(0.12, 0.32)
    rings = [
        (radius * share, thick - deep)
        for share, deep in zip((1.0, 0.8, 0.74, 0.55, 0.5), (0.03, 0, 0.05, 0.05, 0), strict=True)
    ]
    man = mesh.lathe(np.array([(0.0, 0.0), (radius, 0.0), *rings, (0.0, thick)]), 24)
    return mesh.join(man, mesh.moved(man, np.eye(3), np.array([0, 0, thick]))) if rng.random() < 0.15 else man


def _marble(rng: Random) -> Mesh:
    angles, radius = np.linspace(-np.pi / 2, np.pi / 2, 12), rng.uniform(0.25, 0.4)
    return mesh.lathe(np.stack([np.cos(angles) * radius, radius + np.sin(angles) * radius], 1), 18)


def _cube_die(_: Random) -> Mesh:
    side = 0.63
    return mesh.prism(mesh.square(side, 0.1), side, 0.06)


_SHAPES: dict[str, Callable[[Random], Mesh]] = {
    "mug": _mug,
    "glass": _glass,
    "pencil": _pencil,
    "paper": _sheet(8.3, 11.7, 0.006),
    "note": _sheet(3, 3, 0.03),
    "phone": _sheet(2.9, 5.8, 0.3, 0.3),
    "book": _sheet(5.5, 8, 0.8),
    "coaster": _disc(3.7, 0.15),
    "chip": _disc(1.55, 0.13),
    "token": _disc(0.95, 0.08),
    "money": _disc(0.92, 0.09),
    "go": _go_stone,
    "chess": _chess,
    "chessman": _chessman,
    "draught": _draught,
    "marble": _marble,
    "pips": _cube_die,
    "domino": _sheet(1.0, 2.0, 0.3, 0.06),
    "playing": _sheet(2.5, 3.5, 0.012, 0.12),
    "chocolate": _sheet(1.0, 1.0, 0.25, 0.05),
    "counter": _disc(0.6, 0.2),
    "box": _sheet(3.5, 2.2, 1.1),
}
KINDS = tuple(_SHAPES)


def shape(body: Body) -> Mesh:
    """The mesh of a thing; "stick:LENGTH" is a thin rod; for things of other games see other_pieces.py."""
    if body.shape.startswith("stick:"):
        return mesh.box(0.14, float(body.shape[6:]), 0.14, 0.03)
    if other_pieces.has(body.shape):
        return other_pieces.shape(body)
    return _SHAPES[body.shape](np.random.default_rng(body.seed))


def paint(body: Body, density: float, rng: Random) -> PaintedThing:
    """Textures, gloss, roughness and transparency of a thing."""
    name = body.shape
    if other_pieces.has(name):
        return other_pieces.paint(body, density, rng)
    painter = _PAINTERS.get(name)
    if painter is not None:
        return painter(rng, density)
    if name.startswith("stick:"):
        return {SIDE: solid((70, 130, 190)), TOP: solid((75, 140, 200))}, 0.3, 0.5, 0.0
    if name == "glass":
        return {SIDE: solid((225, 235, 235))}, 1.0, 0.08, 0.86
    colour = muted_colour if name in _HOUSEHOLD else random_colour
    return {SIDE: solid(colour(rng)), TOP: solid(colour(rng))}, rng.uniform(0.1, 0.9), 0.3, 0.0


def _px(inches: float, density: float) -> int:
    return int(np.clip(inches * density, 16, 400))


def _paper(rng: Random, _: float) -> PaintedThing:
    base = (245.0, 248.0, 248.0) if rng.random() < 0.7 else random_colour(rng, 150, 250)
    sheet = card(rng, 400, 300, base)
    if rng.random() < 0.6:
        for y in range(20, 400, 12):
            cv2.line(sheet, (0, y), (300, y), (215, 200, 185), 1, cv2.LINE_AA)
    _scribble(sheet, rng, int(rng.integers(3, 25)))
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.05, 0.6, 0.0


def _scribble(sheet: Picture, rng: Random, lines: int) -> None:
    ink = random_colour(rng, 0, 120)
    height, width = sheet.shape[:2]
    pitch = rng.uniform(10, 20)
    for line in range(lines):
        y = 24 + line * pitch
        if y > height - 12:
            return
        words = rng.uniform(10, 30, int(rng.integers(3, 9)))
        x = 18.0
        for word in words:
            if x + word < width - 14:
                _word(sheet, rng, x, y, word, ink)
            x += word + 8


def _word(sheet: Picture, rng: Random, x: float, y: float, wide: float, ink: tuple[float, float, float]) -> None:
    steps = np.arange(0, wide, 2.5)
    ys = y + rng.normal(0, 2.4, len(steps))
    points = np.stack([x + steps, ys], 1)
    cv2.polylines(sheet, [np.round(points * 8).astype(np.int32)], False, ink, 1, cv2.LINE_AA, 3)


def _note(rng: Random, _: float) -> PaintedThing:
    base = [(90, 240, 250), (240, 200, 120), (170, 170, 250), (140, 230, 150)][int(rng.integers(4))]
    sheet = card(rng, 150, 150, base)
    _scribble(sheet, rng, int(rng.integers(0, 7)))
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.05, 0.6, 0.0


def _phone(rng: Random, _: float) -> PaintedThing:
    screen = np.full((290, 145, 3), rng.uniform(8, 30), np.uint8)
    if rng.random() < 0.35:
        screen[8:-8, 5:-5] = np.array(random_colour(rng, 60, 200), np.uint8)
        for row in range(4):
            top = 30 + row * 60
            cv2.rectangle(screen, (16, top), (128, top + 40), random_colour(rng, 100, 255), -1)
    return {TOP: Painted(screen), SIDE: solid((30, 28, 28))}, 1.0, 0.06, 0.0


def _number_token(rng: Random, density: float) -> PaintedThing:
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
    return {TOP: Painted(sheet), SIDE: solid((190, 200, 205))}, 0.1, 0.6, 0.0


def _chip(rng: Random, density: float) -> PaintedThing:
    px = _px(1.5, density)
    base, edge = random_colour(rng), random_colour(rng, 180, 255)
    sheet = plastic(rng, px, px, base)
    for part in range(6):
        cv2.ellipse(sheet, (px // 2, px // 2), (px // 2, px // 2), part * 60, 0, 22, edge, max(2, px // 6), cv2.LINE_AA)
    cv2.circle(sheet, (px // 2, px // 2), int(px * 0.3), edge, max(1, px // 40), cv2.LINE_AA)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.4, 0.35, 0.0


def _money(rng: Random, density: float) -> PaintedThing:
    px = _px(0.9, density)
    metal = [(140, 190, 205), (170, 175, 175), (85, 120, 180)][int(rng.integers(3))]
    sheet = plastic(rng, px, px, metal)
    if rng.random() < 0.5:
        cv2.circle(sheet, (px // 2, px // 2), int(px * 0.36), (175, 180, 180), -1, cv2.LINE_AA)
    height = np.zeros((px, px), np.float32)
    for digit in (marks.numeral(str(rng.choice(["2", "5"])), rng),):
        height = stamp(px, digit, (0.4, 0.5, 0.55))
    return {TOP: Painted(sheet, height * 0.8), SIDE: solid(metal)}, 1.0, 0.25, 0.0


def _pip_die(rng: Random, density: float) -> PaintedThing:
    base = (240, 242, 242) if rng.random() < 0.5 else random_colour(rng)
    px = _px(0.63, density)
    sheet = plastic(rng, px, px, base)
    ink = (20.0, 20.0, 20.0) if sum(base) > 400 else (245.0, 245.0, 245.0)
    mask = stamp(px, marks.pips(int(rng.integers(1, 7))), (0.5, 0.5, 0.86))
    sheet = np.asarray(sheet * (1 - mask[:, :, None]) + np.array(ink) * mask[:, :, None], np.uint8)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.6, 0.25, 0.0


def _domino(rng: Random, density: float) -> PaintedThing:
    px = _px(1.0, density)
    base = (232, 240, 242) if rng.random() < 0.6 else (25, 25, 28)
    ink = (20, 20, 20) if sum(base) > 300 else (240, 240, 240)
    sheet = plastic(rng, px * 2, px, base)
    for half in range(2):
        mask = stamp(px, marks.pips(int(rng.integers(1, 7))), (0.5, 0.5, 0.8))[:, :, None]
        part = sheet[half * px : (half + 1) * px]
        part[:] = part * (1 - mask) + np.array(ink) * mask
    cv2.line(sheet, (int(px * 0.1), px), (int(px * 0.9), px), ink, max(1, px // 30), cv2.LINE_AA)
    return {TOP: Painted(sheet), SIDE: solid(base)}, 0.5, 0.3, 0.0


def _playing_card(rng: Random, density: float) -> PaintedThing:
    wide, high = _px(2.5, density), _px(3.5, density)
    sheet = card(rng, high, wide, (246, 248, 248))
    ink = (30.0, 20.0, 190.0) if rng.random() < 0.5 else (25.0, 25.0, 25.0)
    spade = stamp(wide, marks.spade(rng), (0.5, 0.5, rng.uniform(0.3, 0.5)))[:, :, None]
    top = (high - wide) // 2
    part = sheet[top : top + wide]
    part[:] = part * (1 - spade) + np.array(ink) * spade
    scale = wide / 110
    number = str(rng.choice(list("A23456789JQK")))
    write(sheet, number, (int(wide * 0.06), int(high * 0.14)), scale, ink, max(1, int(scale * 1.5)))
    if rng.random() < 0.3:
        sheet[:] = plastic(rng, high, wide, random_colour(rng, 40, 200))
    return {TOP: Painted(sheet), SIDE: solid((235, 238, 238))}, 0.4, 0.35, 0.0


def _coaster(rng: Random, _: float) -> PaintedThing:
    colours = wood(rng, 180, 180, (90, 150, 190)) if rng.random() < 0.5 else card(rng, 180, 180, random_colour(rng))
    return {TOP: Painted(colours), SIDE: solid((90, 120, 150))}, 0.2, 0.5, 0.0


def _mug_sides(rng: Random, _: float) -> PaintedThing:
    drink = one_of(rng, _DRINKS)
    return {SIDE: solid(muted_colour(rng)), TOP: solid(drink)}, 0.9, 0.15, 0.0


_PAINTERS: dict[str, Callable[[Random, float], PaintedThing]] = {
    "paper": _paper, "note": _note, "phone": _phone, "token": _number_token, "chip": _chip, "money": _money,
    "pips": _pip_die, "domino": _domino, "playing": _playing_card, "coaster": _coaster, "mug": _mug_sides,
}  # fmt: skip


__all__ = ["KINDS", "paint", "shape"]
