"""Drawings of suits and numerals for the test stratum only; no net is trained on them."""

from collections.abc import Callable

import numpy as np

from models.render.glyphs import Mask, Pen, Random, curve, mirrored, outlined


def wheel_sun(rng: Random) -> Mask:
    """A disc in a ring of loose triangles."""
    pen = Pen()
    rays, core = int(rng.integers(6, 13)), rng.uniform(0.34, 0.5)
    pen.disc((0, 0), core)
    for angle in np.arange(rays) * 2 * np.pi / rays:
        along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        foot = core * 1.25
        pen.fill(np.stack([along * foot + across * 0.14, along * 0.97, along * foot - across * 0.14]))
    return pen.mask()


def half_sun_moon(rng: Random) -> Mask:
    """A crescent as a contour, or one with a sleeping face."""
    pen = Pen()
    pen.disc((0.1, 0), 0.88)
    pen.disc((0.1 + rng.uniform(0.4, 0.6), 0.12), 0.75, 0)
    if rng.random() < 0.5:
        return outlined(pen.mask(), 11)
    pen.stroke(curve(np.array([[-0.55, 0.2], [-0.42, 0.12], [-0.3, 0.18]])), 0.07, 0)
    pen.stroke(curve(np.array([[-0.5, -0.3], [-0.35, -0.36], [-0.25, -0.28]])), 0.07, 0)
    return pen.mask()


def arched_crown(rng: Random) -> Mask:
    """A closed crown with arches and an orb."""
    pen = Pen()
    pen.stroke(np.array([[-0.75, -0.7], [0.75, -0.7]]), 0.22)
    for reach in (0.75, 0.3):
        arch = np.array([[0.0, 0.5], [reach * 0.8, 0.45], [reach, 0.0], [reach * 0.95, -0.6]])
        for sign in (1, -1):
            pen.stroke(curve(arch) * (sign, 1), rng.uniform(0.12, 0.18))
    pen.disc((0, 0.72), 0.17)
    return pen.mask()


def coronet(_: Random) -> Mask:
    """A ring of small leaves on a band."""
    pen = Pen()
    pen.fill(np.array([[-0.85, -0.25], [0.85, -0.25], [0.75, -0.75], [-0.75, -0.75]]))
    for x in np.linspace(-0.72, 0.72, 4):
        leaf = mirrored(np.array([[0, 0.65], [0.2, 0.2], [0.08, -0.25], [0, -0.3]]))
        pen.fill(leaf + np.array([x, 0.0]))
    return pen.mask()


def trefoil_arms(rng: Random) -> Mask:
    """A plain lily of three petals, or a shield as a contour with a bend."""
    pen = Pen()
    if rng.random() < 0.5:
        pen.fill(mirrored(np.array([[0, 0.95], [0.3, 0.3], [0.12, -0.3], [0.2, -0.95], [0, -0.95]])))
        for sign in (1, -1):
            petal = np.array([[0.1, -0.2], [0.6, 0.5], [0.9, 0.25], [0.8, -0.15], [0.5, -0.05]])
            pen.fill(curve(petal) * (sign, 1))
        return pen.mask()
    half = curve(np.array([[0.0, 0.8], [0.45, 0.9], [0.8, 0.75], [0.75, 0.0], [0.4, -0.6], [0, -0.95]]))
    pen.fill(mirrored(half))
    hollow = outlined(pen.mask(), 17)
    bend = Pen()
    bend.stroke(np.array([[-0.55, 0.55], [0.4, -0.45]]), 0.3)
    return np.maximum(hollow, bend.mask())


def hooked_anchor(rng: Random) -> Mask:
    """An anchor of one even line."""
    pen = Pen()
    width = rng.uniform(0.09, 0.15)
    pen.stroke(np.array([[0, 0.6], [0, -0.8]]), width)
    pen.stroke(np.array([[-0.5, 0.3], [0.5, 0.3]]), width)
    circle = np.linspace(0, 2 * np.pi, 30)
    pen.stroke(np.stack([np.cos(circle), np.sin(circle)], 1) * 0.17 + (0, 0.77), width)
    pen.stroke(curve(np.array([[-0.85, -0.05], [-0.7, -0.55], [0, -0.85], [0.7, -0.55], [0.85, -0.05]])), width)
    return pen.mask()


DRAWINGS: dict[str, tuple[Callable[[Random], Mask], ...]] = {
    "suns": (wheel_sun,),
    "moons": (half_sun_moon,),
    "crowns": (arched_crown, coronet),
    "arms": (trefoil_arms, hooked_anchor),
}

_SEGMENTS = {"2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd"}
_LINES = {
    "a": ((-0.5, 0.85), (0.5, 0.85)), "b": ((0.5, 0.85), (0.5, 0.0)), "c": ((0.5, 0.0), (0.5, -0.85)),
    "d": ((-0.5, -0.85), (0.5, -0.85)), "e": ((-0.5, 0.0), (-0.5, -0.85)), "f": ((-0.5, 0.85), (-0.5, 0.0)),
    "g": ((-0.5, 0.0), (0.5, 0.0)),
}  # fmt: skip


def angular_numeral(digit: str, rng: Random) -> Mask:
    """A numeral of straight strokes, leaning a little."""
    pen = Pen()
    lean, width = rng.uniform(-0.05, 0.2), rng.uniform(0.14, 0.26)
    for name in _SEGMENTS[digit]:
        line = np.array(_LINES[name])
        pen.stroke(line + np.stack([line[:, 1] * lean, np.zeros(2)], 1), width)
    return pen.mask()
