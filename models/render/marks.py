"""Vector drawings of numerals and other marks of values."""

import math

import numpy as np

from models.render.glyphs import Mask, Pen, Random, curve
from models.render.raster import Doubles


def _numeral_lines(digit: str, rng: Random) -> list[Doubles]:
    """Centre lines of a numeral in -0.6..0.6 by -0.95..0.95."""
    lean = rng.uniform(-0.06, 0.06)
    if digit == "2":
        arc = _arc(0.0, 0.42, 0.5, 0.42, 165, -25)
        line = np.concatenate([arc, [[0.25, -0.05], [-0.5, -0.82], [0.55, -0.82]]])
        lines = [line]
    elif digit == "3":
        upper, lower = _arc(-0.02, 0.42, 0.42, 0.4, 150, -85), _arc(-0.02, -0.38, 0.5, 0.44, 85, -155)
        lines = [np.concatenate([upper, lower])]
        if rng.random() < 0.25:
            lines = [np.concatenate([[[-0.45, 0.82], [0.42, 0.82], [-0.08, 0.12]], lower])]
    elif digit == "4":
        lines = [np.array([[0.2, -0.85], [0.2, 0.82], [-0.55, -0.3], [0.58, -0.3]])]
        if rng.random() < 0.25:
            lines = [np.array([[-0.35, 0.82], [-0.5, -0.2], [0.55, -0.2]]), np.array([[0.25, 0.3], [0.25, -0.85]])]
    else:
        bowl = _arc(-0.03, -0.3, 0.52, 0.5, 125, -155)
        lines = [np.concatenate([[[0.5, 0.82], [-0.38, 0.82], [-0.44, 0.08]], bowl])]
    return [line + np.stack([line[:, 1] * lean, np.zeros(len(line))], 1) for line in lines]


def _arc(x: float, y: float, wide: float, high: float, start: float, end: float) -> Doubles:
    angles = np.radians(np.linspace(start, end, 24))
    return np.stack([x + np.cos(angles) * wide, y + np.sin(angles) * high], 1)


def numeral(digit: str, rng: Random) -> Mask:
    """A numeral 2..5 drawn with a round or a broad pen."""
    pen = Pen()
    weight, broad = rng.uniform(0.13, 0.34), rng.random() < 0.4
    wide = rng.uniform(0.8, 1.15)
    for line in _numeral_lines(digit, rng):
        shaped = line * (wide, 1.0)
        if broad:
            _broad_stroke(pen, shaped, weight)
        else:
            pen.stroke(shaped, weight)
    return pen.mask()


def _broad_stroke(pen: Pen, line: Doubles, weight: float) -> None:
    """A pen with a slanted edge: thick one way, thin the other."""
    angle = math.radians(25)
    nib = np.array([math.cos(angle), math.sin(angle)]) * weight / 2
    for offset in np.linspace(-1, 1, 7):
        pen.stroke(line + nib * offset, weight * 0.35)


def spiral(rng: Random) -> Mask:
    """A spiral, the standard ace of coins."""
    pen = Pen()
    turns = rng.uniform(1.4, 3.0)
    t = np.linspace(0.08, 1, 120)
    angles = t * turns * 2 * np.pi * float(rng.choice([-1, 1])) + rng.uniform(0, 6.28)
    pen.stroke(np.stack([np.cos(angles), np.sin(angles)], 1) * t[:, None] * 0.85, rng.uniform(0.1, 0.2))
    return pen.mask()


def spade(rng: Random) -> Mask:
    """A spade, the ace of playing cards."""
    pen = Pen()
    half = np.array([[0, 0.95], [0.25, 0.55], [0.78, 0.1], [0.75, -0.35], [0.4, -0.5], [0.05, -0.2]])
    for sign in (1, -1):
        pen.fill(np.concatenate([curve(half), [[0, -0.2], [0, 0.95]]]) * (sign, 1))
    stem = rng.uniform(0.25, 0.42)
    pen.fill(np.array([[0, 0.0], [stem, -0.95], [-stem, -0.95]]))
    return pen.mask()


def letter_a(rng: Random) -> Mask:
    """A capital A."""
    pen = Pen()
    weight = rng.uniform(0.14, 0.28)
    pen.stroke(np.array([[-0.6, -0.85], [0, 0.85], [0.6, -0.85]]), weight)
    pen.stroke(np.array([[-0.36, -0.25], [0.36, -0.25]]), weight)
    return pen.mask()


def figure_one(rng: Random) -> Mask:
    """A numeral 1."""
    pen = Pen()
    weight = rng.uniform(0.16, 0.28)
    pen.stroke(np.array([[-0.35, 0.5], [0.05, 0.85], [0.05, -0.85]]), weight)
    if rng.random() < 0.5:
        pen.stroke(np.array([[-0.35, -0.85], [0.45, -0.85]]), weight)
    return pen.mask()


def blank(_: Random) -> Mask:
    """An empty mask."""
    return Pen().mask()


def open_ring(rng: Random) -> Mask:
    """A circle for null."""
    pen = Pen()
    outer = rng.uniform(0.55, 0.9)
    pen.disc((0, 0), outer)
    pen.disc((0, 0), outer - rng.uniform(0.12, 0.24), 0)
    return pen.mask()


def dot(rng: Random) -> Mask:
    """A dot for null."""
    pen = Pen()
    pen.disc((0, 0), rng.uniform(0.15, 0.35))
    return pen.mask()


def figure_nought(rng: Random) -> Mask:
    """A numeral 0."""
    pen = Pen()
    angles = np.linspace(0, 2 * np.pi, 48)
    pen.stroke(np.stack([np.cos(angles) * rng.uniform(0.4, 0.6), np.sin(angles) * 0.8], 1), rng.uniform(0.14, 0.3))
    return pen.mask()


def pips(count: int) -> Mask:
    """Pips of ordinary dice."""
    pen = Pen()
    spots = {1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8]}
    for spot in spots[count]:
        pen.disc((-0.6 + 0.6 * (spot % 3), 0.6 - 0.6 * (spot // 3)), 0.2)
    return pen.mask()
