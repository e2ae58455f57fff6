"""Vector drawings of suits and other marks as white-on-black masks.

Every drawing is randomised by a generator: the same state gives the same drawing. Coordinates are -1..1, y upwards.
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

T = TypeVar("T")


def one_of(rng: Random, things: Sequence[T]) -> T:
    """A random element."""
    return things[int(rng.integers(len(things)))]


def random_seed(rng: Random) -> int:
    """A seed below 2**30."""
    return int(rng.integers(1 << 30))


SIZE = 160
_OVER = 2
_SHIFT = 5


class Pen:
    """Draws shapes on a mask at twice the final size."""

    def __init__(self) -> None:
        self.sheet: Mask = np.zeros((SIZE * _OVER, SIZE * _OVER), np.uint8)

    def _pixels(self, points: Doubles) -> NDArray[np.int32]:
        scaled = (points * (1, -1) * 0.94 + 1) / 2 * SIZE * _OVER
        return np.round(scaled * (1 << _SHIFT)).astype(np.int32)

    def fill(self, points: Doubles, ink: int = 255) -> None:
        """A filled outline; ink 0 cuts a hole."""
        cv2.fillPoly(self.sheet, [self._pixels(points)], ink, cv2.LINE_8, _SHIFT)

    def disc(self, centre: tuple[float, float], radius: float, ink: int = 255) -> None:
        """A filled circle."""
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        self.fill(np.stack([np.cos(angles), np.sin(angles)], 1) * radius + np.array(centre), ink)

    def stroke(self, points: Doubles, width: float, ink: int = 255) -> None:
        """A line with round ends."""
        thick = max(1, round(width * 0.94 / 2 * SIZE * _OVER))
        cv2.polylines(self.sheet, [self._pixels(points)], False, ink, thick, cv2.LINE_8, _SHIFT)

    def mask(self) -> Mask:
        """The finished drawing."""
        return np.asarray(cv2.resize(self.sheet, (SIZE, SIZE), interpolation=cv2.INTER_AREA), np.uint8)


def curve(points: Doubles, steps: int = 12) -> Doubles:
    """A smooth open curve (Catmull-Rom) through the points."""
    padded = np.concatenate([points[:1] * 2 - points[1:2], points, points[-1:] * 2 - points[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    pieces = []
    for a, b, c, d in zip(padded[:-3], padded[1:-2], padded[2:-1], padded[3:], strict=True):
        pieces.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.concatenate([*pieces, points[-1:]])


def outlined(mask: Mask, width: int) -> Mask:
    """The contour of a drawing, `width` pixels wide."""
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((width, width), np.uint8)), np.uint8)


def mirrored(points: Doubles) -> Doubles:
    """A closed outline from its right half, top to bottom."""
    return np.concatenate([points, points[::-1] * (-1, 1)])


def sun(rng: Random) -> Mask:
    """A disc or ring with pointed, wavy or straight rays, sometimes with a face."""
    pen = Pen()
    rays, core = int(rng.integers(8, 19)), rng.uniform(0.38, 0.6)
    kind = rng.choice(["points", "waves", "bars", "two"])
    for index in range(rays):
        _ray(pen, str(kind), index, rays, core)
    if kind != "bars" or rng.random() < 0.7:
        pen.disc((0, 0), core)
    look = rng.random()
    if look < 0.35:
        pen.disc((0, 0), core * rng.uniform(0.6, 0.85), 0)
    elif look < 0.5:
        pen.disc((0, 0), core * 0.9, 0)
        pen.disc((0, 0), core * rng.uniform(0.5, 0.75))
    elif look < 0.65:
        _face(pen, core)
    return pen.mask()


def _ray(pen: Pen, kind: str, index: int, rays: int, core: float) -> None:
    angle = 2 * math.pi * index / rays
    half = math.pi / rays
    reach = 0.98 if kind != "two" or index % 2 == 0 else 0.75
    along, across = _polar(angle, 1.0), _polar(angle + math.pi / 2, 1.0)
    if kind == "bars":
        pen.stroke(np.stack([along * core * 1.25, along * 0.92]), 0.09)
        return
    foot = core * math.sin(half) * 1.05
    outline = np.stack([along * core * 0.8 + across * foot, along * reach, along * core * 0.8 - across * foot])
    if kind == "waves":
        bend = np.array([
            [core * 0.9, foot], [core * 0.5 + 0.4, foot * 0.2], [reach, foot * 0.9],
            [core * 0.5 + 0.45, -foot * 0.9], [core * 0.9, -foot],
        ])  # fmt: skip
        outline = curve(bend)[:, :1] * along + curve(bend)[:, 1:] * across
    pen.fill(outline)


def _face(pen: Pen, core: float) -> None:
    pen.disc((-core * 0.35, core * 0.2), core * 0.13, 0)
    pen.disc((core * 0.35, core * 0.2), core * 0.13, 0)
    smile = np.array([[-core * 0.45, -core * 0.25], [0, -core * 0.5], [core * 0.45, -core * 0.25]])
    pen.stroke(curve(smile), core * 0.13, 0)


def _polar(angle: float, radius: float) -> Doubles:
    return np.array([math.cos(angle), math.sin(angle)]) * radius


def moon(rng: Random) -> Mask:
    """A crescent, thin or fat, either way round, sometimes with a star."""
    pen = Pen()
    angle = float(rng.choice([0.0, math.pi])) + rng.uniform(-0.6, 0.6)
    bite = rng.uniform(0.3, 0.62)
    pen.disc((0, 0), 0.95)
    cut = _polar(angle, bite)
    pen.disc((float(cut[0]), float(cut[1])), rng.uniform(0.98 - bite * 0.35, 0.93), 0)
    if rng.random() < 0.15:
        pen.fill(star(_polar(angle, 0.45), 0.28, 5))
    return pen.mask()


def star(centre: Doubles, radius: float, points: int) -> Doubles:
    """Outline of a star, one point up."""
    angles = np.pi / 2 + np.arange(2 * points) * np.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, radius, radius * 0.42)[:, None]
    return np.asarray(centre + np.stack([np.cos(angles), np.sin(angles)], 1) * radii)


def crown(rng: Random) -> Mask:
    """A band with three to seven points, straight or bulging, tipped with balls or not."""
    pen = Pen()
    points = int(rng.choice([3, 3, 5, 5, 4, 7]))
    flare, deep = rng.uniform(0.0, 0.25), rng.uniform(0.25, 0.55)
    base = rng.uniform(-0.8, -0.6)
    tips = _crown_tips(points, flare, rng)
    valleys = np.stack([(tips[:-1, 0] + tips[1:, 0]) / 2, np.full(points - 1, tips[:, 1].min() - deep)], 1)
    ridge = np.empty((2 * points - 1, 2))
    ridge[0::2], ridge[1::2] = tips, valleys
    foot = 0.9 - flare
    pen.fill(np.concatenate([[[-foot, base]], ridge, [[foot, base]]]))
    if rng.random() < 0.6:
        for tip in tips:
            pen.disc((float(tip[0]) * 0.97, float(tip[1])), rng.uniform(0.08, 0.14))
    _crown_band(pen, foot, base, rng)
    return pen.mask()


def _crown_tips(points: int, flare: float, rng: Random) -> Doubles:
    x = np.linspace(-0.88, 0.88, points)
    arch = rng.uniform(-0.25, 0.35) * (1 - np.abs(x))
    return np.stack([x, 0.5 + arch - flare * 0.4], 1)


def _crown_band(pen: Pen, foot: float, base: float, rng: Random) -> None:
    kind = rng.random()
    if kind < 0.4:
        pen.stroke(np.array([[-foot, base + 0.25], [foot, base + 0.25]]), 0.08, 0)
    elif kind < 0.6:
        for x in np.linspace(-foot * 0.6, foot * 0.6, 3):
            pen.disc((float(x), base + 0.2), 0.1, 0)
    elif kind < 0.75:
        pen.stroke(np.array([[-foot, base - 0.12], [foot, base - 0.12]]), 0.12)


def lily(rng: Random) -> Mask:
    """A fleur-de-lis."""
    pen = Pen()
    width, curl = rng.uniform(0.16, 0.28), rng.uniform(0.6, 0.85)
    middle = np.array([[0, 0.97], [width, 0.45], [width * 0.85, 0.1], [0.08, -0.25], [0.06, -0.95], [0, -0.98]])
    pen.fill(mirrored(curve(middle)))
    side = np.array([
        [0.1, -0.25], [0.25, 0.25], [curl * 0.75, 0.5], [curl, 0.2], [curl * 0.85, -0.08], [curl * 0.62, 0.0],
        [curl * 0.6, 0.18], [0.42, 0.12], [0.3, -0.3],
    ])  # fmt: skip
    foot = np.array([[0.05, -0.35], [0.2, -0.5], [0.42, -0.75], [0.25, -0.72], [0.1, -0.6]])
    for sign in (1, -1):
        pen.fill(curve(side) * (sign, 1))
        pen.fill(curve(foot) * (sign, 1))
    pen.stroke(np.array([[-0.38, -0.32], [0.38, -0.32]]), rng.uniform(0.1, 0.18))
    return pen.mask()


def anchor(rng: Random) -> Mask:
    """A ship's anchor."""
    pen = Pen()
    thick = rng.uniform(0.11, 0.2)
    pen.disc((0, 0.75), 0.22)
    pen.disc((0, 0.75), 0.22 - thick * 0.75, 0)
    pen.stroke(np.array([[0, 0.55], [0, -0.85]]), thick)
    stock = rng.uniform(0.35, 0.55)
    pen.stroke(np.array([[-stock, 0.38], [stock, 0.38]]), thick)
    angles = np.linspace(np.pi * 1.05, np.pi * 1.95, 24)
    pen.stroke(np.stack([np.cos(angles) * 0.75, np.sin(angles) * 0.7 - 0.15], 1), thick * 1.1)
    for sign in (1, -1):
        pen.fill(np.array([[0.95, -0.2], [0.62, 0.1], [0.5, -0.38]]) * (sign, 1))
    return pen.mask()


def shield(rng: Random) -> Mask:
    """A heraldic shield, plain, with a cross or a border."""
    pen = Pen()
    half = np.array([[0, 0.85], [0.78, 0.85], [0.78, 0.1], [0.5, -0.55], [0, -0.97]])
    outline = mirrored(np.concatenate([half[:2], curve(half[1:])]))
    pen.fill(outline)
    kind = rng.random()
    if kind < 0.4:
        pen.fill(outline * 0.8 + np.array([0, 0.02]), 0)
        pen.fill(outline * 0.6 + np.array([0, 0.03]))
    elif kind < 0.8:
        pen.stroke(np.array([[0, 0.8], [0, -0.9]]), 0.16, 0)
        pen.stroke(np.array([[-0.75, 0.2], [0.75, 0.2]]), 0.16, 0)
    return pen.mask()


SUIT_DRAWINGS: dict[str, tuple[Callable[[Random], Mask], ...]] = {
    "suns": (sun,), "moons": (moon,), "crowns": (crown,), "arms": (lily, lily, anchor, anchor, shield),
}  # fmt: skip
