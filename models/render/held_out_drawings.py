"""Drawings of suits and numerals for the test stratum only; no net is trained on them."""

import numpy as np

from models.render.glyphs import Drawing, Mask, Pen, Random, curve, mirrored, polar


def wheel_sun(pen: Pen, rng: Random) -> None:
    """A disc in a ring of loose triangles."""
    rays, core = int(rng.integers(6, 13)), rng.uniform(0.34, 0.5)
    pen.disc((0, 0), core)
    for along in polar(np.arange(rays) * 2 * np.pi / rays):
        foot, across = along * core * 1.25, np.array([-along[1], along[0]])
        pen.fill([foot + across * 0.14, along * 0.97, foot - across * 0.14])


def half_sun_moon(pen: Pen, rng: Random) -> None:
    """A crescent as a contour, or one with a sleeping face."""
    pen.disc((0.1, 0), 0.88)
    pen.disc((0.1 + rng.uniform(0.4, 0.6), 0.12), 0.75, 0)
    if rng.random() < 0.5:
        pen.hollow(11)
    else:
        pen.stroke(curve([[-0.55, 0.2], [-0.42, 0.12], [-0.3, 0.18]]), 0.07, 0)
        pen.stroke(curve([[-0.5, -0.3], [-0.35, -0.36], [-0.25, -0.28]]), 0.07, 0)


def arched_crown(pen: Pen, rng: Random) -> None:
    """A closed crown with arches and an orb."""
    pen.beam(-0.7, 0.75, 0.22)
    for reach in (0.75, 0.3):
        arch = curve([[0.0, 0.5], [reach * 0.8, 0.45], [reach, 0.0], [reach * 0.95, -0.6]])
        for sign in (1, -1):
            pen.stroke(arch * (sign, 1), rng.uniform(0.12, 0.18))
    pen.disc((0, 0.72), 0.17)


def coronet(pen: Pen, _: Random) -> None:
    """A ring of small leaves on a band."""
    pen.fill([[-0.85, -0.25], [0.85, -0.25], [0.75, -0.75], [-0.75, -0.75]])
    for x in np.linspace(-0.72, 0.72, 4):
        pen.fill(mirrored([[0, 0.65], [0.2, 0.2], [0.08, -0.25], [0, -0.3]]) + (x, 0.0))


def trefoil_arms(pen: Pen, rng: Random) -> None:
    """A plain lily of three petals, or a shield as a contour with a bend."""
    if rng.random() < 0.5:
        pen.fill(mirrored([[0, 0.95], [0.3, 0.3], [0.12, -0.3], [0.2, -0.95], [0, -0.95]]))
        pen.fill_twice(curve([[0.1, -0.2], [0.6, 0.5], [0.9, 0.25], [0.8, -0.15], [0.5, -0.05]]))
    else:
        pen.fill(mirrored(curve([[0.0, 0.8], [0.45, 0.9], [0.8, 0.75], [0.75, 0.0], [0.4, -0.6], [0, -0.95]])))
        pen.hollow(17)
        pen.stroke([[-0.55, 0.55], [0.4, -0.45]], 0.3)


def hooked_anchor(pen: Pen, rng: Random) -> None:
    """An anchor of one even line."""
    width = rng.uniform(0.09, 0.15)
    pen.stroke([[0, 0.6], [0, -0.8]], width)
    pen.beam(0.3, 0.5, width)
    pen.stroke(polar(np.linspace(0, 2 * np.pi, 30), 0.17) + (0, 0.77), width)
    pen.stroke(curve([[-0.85, -0.05], [-0.7, -0.55], [0, -0.85], [0.7, -0.55], [0.85, -0.05]]), width)


DRAWINGS: dict[str, tuple[Drawing, ...]] = {
    "suns": (wheel_sun,), "moons": (half_sun_moon,), "crowns": (arched_crown, coronet),
    "arms": (trefoil_arms, hooked_anchor),
}  # fmt: skip

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
        pen.stroke(np.array(_LINES[name]) @ [[1.0, 0.0], [lean, 1.0]], width)
    return pen.mask()
