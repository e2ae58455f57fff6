"""Drawings of suits and values as white-on-black masks.

A drawing is a function of a pen and a random generator: the same state gives the same drawing. Coordinates are -1..1, y
upwards. `draw` makes its mask. Drawings of only one stratum are in train_drawings.py and held_out_drawings.py.
"""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.raster import Doubles

Mask = NDArray[np.uint8]
Random = np.random.Generator
Point = Doubles | Sequence[float]
Points = Doubles | Sequence[Point]

T = TypeVar("T")


def one_of(rng: Random, things: Sequence[T]) -> T:
    return things[int(rng.integers(len(things)))]


def random_seed(rng: Random) -> int:
    """A seed below 2**30."""
    return int(rng.integers(1 << 30))


SIZE = 160
_OVER = 2
_SHIFT = 5


class Pen:
    """Draws shapes on a mask at twice the final size; ink 0 erases."""

    def __init__(self) -> None:
        self.sheet: Mask = np.zeros((SIZE * _OVER, SIZE * _OVER), np.uint8)
        self._above: Mask = np.zeros((SIZE, SIZE), np.uint8)

    def _pixels(self, points: Points) -> NDArray[np.int32]:
        scaled = (np.asarray(points) * (1, -1) * 0.94 + 1) / 2 * SIZE * _OVER
        return np.round(scaled * (1 << _SHIFT)).astype(np.int32)

    def fill(self, points: Points, ink: int = 255) -> None:
        cv2.fillPoly(self.sheet, [self._pixels(points)], ink, cv2.LINE_8, _SHIFT)

    def fill_twice(self, points: Points) -> None:
        """A filled outline and its mirror image."""
        for sign in (1, -1):
            self.fill(np.asarray(points) * (sign, 1))

    def disc(self, centre: Point, radius: float, ink: int = 255) -> None:
        self.fill(polar(np.linspace(0, 2 * np.pi, 48, endpoint=False), radius) + centre, ink)

    def stroke(self, points: Points, width: float, ink: int = 255) -> None:
        """A line with round ends."""
        thick = max(1, round(width * 0.94 / 2 * SIZE * _OVER))
        cv2.polylines(self.sheet, [self._pixels(points)], False, ink, thick, cv2.LINE_8, _SHIFT)

    def beam(self, y: float, reach: float, width: float, ink: int = 255) -> None:
        """A horizontal line from -`reach` to `reach`."""
        self.stroke([[-reach, y], [reach, y]], width, ink)

    def outline(self, mask: Mask, width: int) -> None:
        """The contour of a finished mask, `width` pixels wide."""
        contour = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((width, width), np.uint8))
        self._above = np.maximum(self._above, np.asarray(contour, np.uint8))

    def hollow(self, width: int) -> None:
        """Replaces what is drawn by its contour."""
        drawn = self.mask()
        self.sheet[:] = 0
        self.outline(drawn, width)

    def mask(self) -> Mask:
        """The finished drawing."""
        small = cv2.resize(self.sheet, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
        return np.maximum(self._above, np.asarray(small, np.uint8))


Drawing = Callable[[Pen, Random], None]


def draw(drawing: Drawing, rng: Random) -> Mask:
    """The mask of a drawing."""
    pen = Pen()
    drawing(pen, rng)
    return pen.mask()


def curve(points: Points) -> Doubles:
    """A smooth open curve (Catmull-Rom) through the points."""
    through = np.asarray(points)
    padded = np.concatenate([through[:1] * 2 - through[1:2], through, through[-1:] * 2 - through[-2:-1]])
    t = np.linspace(0, 1, 12, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate([*pieces, through[-1:]])


def mirrored(points: Points) -> Doubles:
    """A closed outline from its right half, top to bottom."""
    right = np.asarray(points)
    return np.concatenate([right, right[::-1] * (-1, 1)])


def polar(angles: float | Doubles, radius: float | Doubles = 1.0) -> Doubles:
    """Points (..., 2) at angles (radians) and distances from the middle."""
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], -1) * np.asarray(radius)[..., None])


def turned(points: Points | Point, angle: float) -> Doubles:
    """The points rotated counter-clockwise about the middle."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(np.asarray(points) @ np.array([[c, s], [-s, c]]))


def star(centre: Point, radius: float, points: int) -> Doubles:
    """Outline of a star, one point up."""
    corner = np.arange(2 * points)
    return centre + polar(np.pi / 2 + corner * np.pi / points, np.where(corner % 2 == 0, radius, radius * 0.42))


def sun(pen: Pen, rng: Random) -> None:
    """A disc or ring with pointed, wavy or straight rays, sometimes with a face."""
    rays, core = int(rng.integers(8, 19)), rng.uniform(0.38, 0.6)
    kind = str(rng.choice(["points", "waves", "bars", "two"]))
    for index in range(rays):
        _ray(pen, kind, index, rays, core)
    if kind != "bars" or rng.random() < 0.7:
        pen.disc((0, 0), core)
    look = rng.random()
    if look < 0.35:
        pen.disc((0, 0), core * rng.uniform(0.6, 0.85), 0)
    elif look < 0.5:
        pen.disc((0, 0), core * 0.9, 0)
        pen.disc((0, 0), core * rng.uniform(0.5, 0.75))
    elif look < 0.65:
        pen.disc((-core * 0.35, core * 0.2), core * 0.13, 0)
        pen.disc((core * 0.35, core * 0.2), core * 0.13, 0)
        pen.stroke(curve([[-core * 0.45, -core * 0.25], [0, -core * 0.5], [core * 0.45, -core * 0.25]]), core * 0.13, 0)


def _ray(pen: Pen, kind: str, index: int, rays: int, core: float) -> None:
    angle = 2 * math.pi * index / rays
    reach = 0.98 if kind != "two" or index % 2 == 0 else 0.75
    along, across = polar(angle), polar(angle + math.pi / 2)
    if kind == "bars":
        pen.stroke([along * core * 1.25, along * 0.92], 0.09)
        return
    foot = core * math.sin(math.pi / rays) * 1.05
    outline = np.stack([along * core * 0.8 + across * foot, along * reach, along * core * 0.8 - across * foot])
    if kind == "waves":
        bend = np.array([
            [core * 0.9, foot], [core * 0.5 + 0.4, foot * 0.2], [reach, foot * 0.9],
            [core * 0.5 + 0.45, -foot * 0.9], [core * 0.9, -foot],
        ])  # fmt: skip
        outline = curve(bend)[:, :1] * along + curve(bend)[:, 1:] * across
    pen.fill(outline)


def moon(pen: Pen, rng: Random) -> None:
    """A crescent, thin or fat, either way round, sometimes with a star."""
    angle = float(rng.choice([0.0, math.pi])) + rng.uniform(-0.6, 0.6)
    bite = rng.uniform(0.3, 0.62)
    pen.disc((0, 0), 0.95)
    pen.disc(polar(angle, bite), rng.uniform(0.98 - bite * 0.35, 0.93), 0)
    if rng.random() < 0.15:
        pen.fill(star(polar(angle, 0.45), 0.28, 5))


def crown(pen: Pen, rng: Random) -> None:
    """A band with three to seven points, straight or bulging, tipped with balls or not."""
    points = int(rng.choice([3, 3, 5, 5, 4, 7]))
    flare, deep = rng.uniform(0.0, 0.25), rng.uniform(0.25, 0.55)
    base = rng.uniform(-0.8, -0.6)
    x = np.linspace(-0.88, 0.88, points)
    arch = rng.uniform(-0.25, 0.35) * (1 - np.abs(x))
    tips = np.stack([x, 0.5 + arch - flare * 0.4], 1)
    ridge = np.empty((2 * points - 1, 2))
    ridge[0::2] = tips
    ridge[1::2] = np.stack([(x[:-1] + x[1:]) / 2, np.full(points - 1, tips[:, 1].min() - deep)], 1)
    foot = 0.9 - flare
    pen.fill([[-foot, base], *ridge, [foot, base]])
    if rng.random() < 0.6:
        for tip in tips:
            pen.disc((tip[0] * 0.97, tip[1]), rng.uniform(0.08, 0.14))
    kind = rng.random()
    if kind < 0.4:
        pen.beam(base + 0.25, foot, 0.08, 0)
    elif kind < 0.6:
        for spot in np.linspace(-foot * 0.6, foot * 0.6, 3):
            pen.disc((spot, base + 0.2), 0.1, 0)
    elif kind < 0.75:
        pen.beam(base - 0.12, foot, 0.12)


def lily(pen: Pen, rng: Random) -> None:
    """A fleur-de-lis."""
    width, curl = rng.uniform(0.16, 0.28), rng.uniform(0.6, 0.85)
    middle = [[0, 0.97], [width, 0.45], [width * 0.85, 0.1], [0.08, -0.25], [0.06, -0.95], [0, -0.98]]
    pen.fill(mirrored(curve(middle)))
    side = np.array([
        [0.1, -0.25], [0.25, 0.25], [curl * 0.75, 0.5], [curl, 0.2], [curl * 0.85, -0.08], [curl * 0.62, 0.0],
        [curl * 0.6, 0.18], [0.42, 0.12], [0.3, -0.3],
    ])  # fmt: skip
    pen.fill_twice(curve(side))
    pen.fill_twice(curve([[0.05, -0.35], [0.2, -0.5], [0.42, -0.75], [0.25, -0.72], [0.1, -0.6]]))
    pen.beam(-0.32, 0.38, rng.uniform(0.1, 0.18))


def anchor(pen: Pen, rng: Random) -> None:
    thick = rng.uniform(0.11, 0.2)
    pen.disc((0, 0.75), 0.22)
    pen.disc((0, 0.75), 0.22 - thick * 0.75, 0)
    pen.stroke([[0, 0.55], [0, -0.85]], thick)
    pen.beam(0.38, rng.uniform(0.35, 0.55), thick)
    pen.stroke(polar(np.linspace(np.pi * 1.05, np.pi * 1.95, 24)) * (0.75, 0.7) - (0, 0.15), thick * 1.1)
    pen.fill_twice([[0.95, -0.2], [0.62, 0.1], [0.5, -0.38]])


def shield(pen: Pen, rng: Random) -> None:
    """A heraldic shield, plain, with a cross or a border."""
    half = np.array([[0, 0.85], [0.78, 0.85], [0.78, 0.1], [0.5, -0.55], [0, -0.97]])
    outline = mirrored(np.concatenate([half[:2], curve(half[1:])]))
    pen.fill(outline)
    kind = rng.random()
    if kind < 0.4:
        pen.fill(outline * 0.8 + (0, 0.02), 0)
        pen.fill(outline * 0.6 + (0, 0.03))
    elif kind < 0.8:
        pen.stroke([[0, 0.8], [0, -0.9]], 0.16, 0)
        pen.beam(0.2, 0.75, 0.16, 0)


SUIT_DRAWINGS: dict[str, tuple[Drawing, ...]] = {
    "suns": (sun,), "moons": (moon,), "crowns": (crown,), "arms": (lily, lily, anchor, anchor, shield),
}  # fmt: skip


def numeral(digit: str, rng: Random) -> Mask:
    """A numeral 2..5 drawn with a round pen, or with a slanted one that is thick one way and thin the other."""
    pen = Pen()
    weight, broad = rng.uniform(0.13, 0.34), rng.random() < 0.4
    wide = rng.uniform(0.8, 1.15)
    nib = polar(math.radians(25), weight / 2)
    for line in _numeral_lines(digit, rng):
        if not broad:
            pen.stroke(line * (wide, 1.0), weight)
        for offset in np.linspace(-1, 1, 7) if broad else ():
            pen.stroke(line * (wide, 1.0) + nib * offset, weight * 0.35)
    return pen.mask()


def _numeral_lines(digit: str, rng: Random) -> list[Doubles]:
    """Centre lines of a numeral in -0.6..0.6 by -0.95..0.95."""
    lean = rng.uniform(-0.06, 0.06)
    other = digit in "34" and rng.random() < 0.25
    lower = _arc(-0.02, -0.38, 0.5, 0.44, 85, -155)
    lines: list[list[Point]]
    if digit == "2":
        lines = [[*_arc(0.0, 0.42, 0.5, 0.42, 165, -25), (0.25, -0.05), (-0.5, -0.82), (0.55, -0.82)]]
    elif digit == "3" and other:
        lines = [[(-0.45, 0.82), (0.42, 0.82), (-0.08, 0.12), *lower]]
    elif digit == "3":
        lines = [[*_arc(-0.02, 0.42, 0.42, 0.4, 150, -85), *lower]]
    elif digit == "4" and other:
        lines = [[(-0.35, 0.82), (-0.5, -0.2), (0.55, -0.2)], [(0.25, 0.3), (0.25, -0.85)]]
    elif digit == "4":
        lines = [[(0.2, -0.85), (0.2, 0.82), (-0.55, -0.3), (0.58, -0.3)]]
    else:
        lines = [[(0.5, 0.82), (-0.38, 0.82), (-0.44, 0.08), *_arc(-0.03, -0.3, 0.52, 0.5, 125, -155)]]
    return [np.array(line) @ [[1.0, 0.0], [lean, 1.0]] for line in lines]


def _arc(x: float, y: float, wide: float, high: float, start: float, end: float) -> Doubles:
    return polar(np.radians(np.linspace(start, end, 24))) * (wide, high) + (x, y)


def spiral(pen: Pen, rng: Random) -> None:
    """A spiral, the standard ace of coins."""
    turns = rng.uniform(1.4, 3.0)
    t = np.linspace(0.08, 1, 120)
    angles = t * turns * 2 * np.pi * float(rng.choice([-1, 1])) + rng.uniform(0, 6.28)
    pen.stroke(polar(angles, t) * 0.85, rng.uniform(0.1, 0.2))


def spade(pen: Pen, rng: Random) -> None:
    """A spade, the ace of playing cards."""
    half = [[0, 0.95], [0.25, 0.55], [0.78, 0.1], [0.75, -0.35], [0.4, -0.5], [0.05, -0.2]]
    pen.fill_twice([*curve(half), [0, -0.2], [0, 0.95]])
    stem = rng.uniform(0.25, 0.42)
    pen.fill([[0, 0.0], [stem, -0.95], [-stem, -0.95]])


def letter_a(pen: Pen, rng: Random) -> None:
    weight = rng.uniform(0.14, 0.28)
    pen.stroke([[-0.6, -0.85], [0, 0.85], [0.6, -0.85]], weight)
    pen.beam(-0.25, 0.36, weight)


def figure_one(pen: Pen, rng: Random) -> None:
    weight = rng.uniform(0.16, 0.28)
    pen.stroke([[-0.35, 0.5], [0.05, 0.85], [0.05, -0.85]], weight)
    if rng.random() < 0.5:
        pen.stroke([[-0.35, -0.85], [0.45, -0.85]], weight)


def blank(pen: Pen, rng: Random) -> None:
    """Nothing."""


def open_ring(pen: Pen, rng: Random) -> None:
    """A circle for null."""
    outer = rng.uniform(0.55, 0.9)
    pen.disc((0, 0), outer)
    pen.disc((0, 0), outer - rng.uniform(0.12, 0.24), 0)


def dot(pen: Pen, rng: Random) -> None:
    """A dot for null."""
    pen.disc((0, 0), rng.uniform(0.15, 0.35))


def figure_nought(pen: Pen, rng: Random) -> None:
    pen.stroke(polar(np.linspace(0, 2 * np.pi, 48)) * (rng.uniform(0.4, 0.6), 0.8), rng.uniform(0.14, 0.3))


def pips(count: int) -> Mask:
    """Pips of ordinary dice."""
    pen = Pen()
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
    for spot in spots[count]:
        pen.disc((-0.6 + 0.6 * (spot % 3), 0.6 - 0.6 * (spot // 3)), 0.2)
    return pen.mask()
