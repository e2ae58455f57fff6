"""Further drawings of suits, for the training stratum only (the test stratum has `held_out_drawings`)."""

import math
from collections.abc import Callable

import numpy as np

from models.render.glyphs import Mask, Pen, Random, curve, mirrored, one_of, outlined, random_seed, star
from models.render.raster import Doubles


def _turned(points: Doubles, angle: float) -> Doubles:
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(points @ np.array([[c, s], [-s, c]]))


def _ring(radius: float, start: float = 0.0, end: float = 2 * math.pi, middle: tuple[float, float] = (0, 0)) -> Doubles:
    angles = np.linspace(start, end, 36)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], 1) * radius + np.array(middle))


def _contour(mask: Mask, rng: Random) -> Mask:
    return outlined(mask, int(rng.integers(9, 16)))


# ---------------------------------------------------------------------------------------------------------------- suns


def starry_sun(rng: Random) -> Mask:
    """A star of many points, one piece, with an eye or a smaller star in it."""
    pen = Pen()
    points, deep = int(rng.integers(7, 17)), rng.uniform(0.5, 0.78)
    angles = np.arange(2 * points) * math.pi / points + rng.uniform(0, 1)
    radii = np.where(np.arange(2 * points) % 2 == 0, 0.98, deep)[:, None]
    outline = np.stack([np.cos(angles), np.sin(angles)], 1) * radii
    pen.fill(outline)
    look = rng.random()
    if look < 0.3:
        pen.disc((0, 0), deep * rng.uniform(0.4, 0.8), 0)
    elif look < 0.45:
        pen.fill(outline * 0.72, 0)
        pen.fill(outline * 0.5)
    elif look < 0.6:
        pen.stroke(_ring(deep * 0.7), 0.08, 0)
    return pen.mask()


def burning_sun(rng: Random) -> Mask:
    """Flames that all bend one way, around a ring, a disc or a spiral."""
    pen = Pen()
    rays, core, bend = int(rng.integers(6, 14)), rng.uniform(0.34, 0.5), rng.uniform(0.2, 0.6) * rng.choice([-1, 1])
    half = 0.8 * math.pi / rays
    for angle in np.arange(rays) * 2 * math.pi / rays:
        flame = np.array(
            [
                [core * math.cos(half), core * math.sin(half)],
                [0.7, 0.2 * bend + 0.08],
                [0.97, bend * 0.6],
                [0.68, 0.1 * bend - 0.08],
                [core * math.cos(half), -core * math.sin(half)],
            ]
        )
        pen.fill(_turned(curve(flame), float(angle)))
    pen.disc((0, 0), core)
    look = rng.random()
    if look < 0.35:
        pen.disc((0, 0), core * 0.72, 0)
    elif look < 0.6:
        turns = np.linspace(0, 4 * math.pi, 60)
        pen.stroke(np.stack([np.cos(turns), np.sin(turns)], 1) * (turns / turns[-1] * core * 0.75)[:, None], 0.09, 0)
    return pen.mask()


def rayed_sun(rng: Random) -> Mask:
    """A small disc or ring with lines, dots or short bars around it."""
    pen = Pen()
    rays, core = int(rng.choice([6, 8, 8, 8, 10, 12, 12, 16])), rng.uniform(0.28, 0.5)
    width = rng.uniform(0.08, 0.2) * 10 / max(rays, 8)
    pen.disc((0, 0), core)
    if rng.random() < 0.5:
        pen.disc((0, 0), core - rng.uniform(0.08, 0.16), 0)
        if rng.random() < 0.3:
            pen.disc((0, 0), core * 0.25)
    kind, gap = rng.random(), core + rng.uniform(0.08, 0.2)
    for number, angle in enumerate(np.arange(rays) * 2 * math.pi / rays + rng.choice([0, math.pi / rays])):
        along = np.array([math.cos(angle), math.sin(angle)])
        reach = 0.95 if kind > 0.25 or number % 2 == 0 else (0.95 + gap) / 2
        if kind > 0.85:
            pen.disc((float(along[0] * 0.82), float(along[1] * 0.82)), width * 0.8)
        else:
            pen.stroke(np.stack([along * gap, along * reach]), width)
    return pen.mask()


def rising_sun(rng: Random) -> Mask:
    """Half a disc with rays over a line."""
    pen = Pen()
    rays, core = int(rng.integers(5, 10)), rng.uniform(0.4, 0.6)
    pen.fill(_ring(core, 0, math.pi, (0, -0.4)))
    for angle in np.linspace(0.06, math.pi - 0.06, rays):
        along = np.array([math.cos(angle), math.sin(angle)])
        pen.stroke(np.stack([along * (core + 0.15), along * 0.98]) + np.array([0, -0.4]), rng.uniform(0.09, 0.13))
    pen.stroke(np.array([[-0.95, -0.5], [0.95, -0.5]]), rng.uniform(0.08, 0.16))
    return pen.mask()


def compass_sun(rng: Random) -> Mask:
    """Four or eight long points and as many short ones."""
    pen = Pen()
    points, slim = int(rng.choice([4, 6, 8])), rng.uniform(0.1, 0.2)
    for number, angle in enumerate(np.arange(2 * points) * math.pi / points):
        reach = 0.98 if number % 2 == 0 else rng.uniform(0.5, 0.75)
        pen.fill(_turned(np.array([[0, slim], [reach, 0], [0, -slim], [-0.1, 0]]), float(angle)))
    pen.disc((0, 0), rng.uniform(0.2, 0.42))
    if rng.random() < 0.4:
        pen.disc((0, 0), 0.16, 0)
    return pen.mask()


# --------------------------------------------------------------------------------------------------------------- moons


def profile_moon(rng: Random) -> Mask:
    """A crescent with a nose, as in old almanacs."""
    pen, side = Pen(), float(rng.choice([-1, 1]))
    pen.fill(_ring(0.93, 0.5 * math.pi, 1.5 * math.pi) * (0.95, 1) * (side, 1))
    brow, chin = [[0, 0.93], [-0.3, 0.6], [-0.38, 0.3]], [[-0.34, -0.32], [-0.22, -0.55], [0, -0.93]]
    inner = np.array([*brow, [-0.12, 0.05], [-0.33, -0.08], [-0.24, -0.2], *chin])
    pen.fill(np.concatenate([curve(inner), [[0.6, -0.93], [0.6, 0.93]]]) * (side, 1), 0)
    if rng.random() < 0.7:
        pen.disc((-0.45 * side, 0.32), 0.07, 0)
    return pen.mask()


def slender_moon(rng: Random) -> Mask:
    """A thin crescent, its horns any way."""
    pen, angle, thin = Pen(), rng.uniform(0, 2 * math.pi), rng.uniform(0.12, 0.35)
    pen.disc((0, 0), 0.95)
    pen.disc((thin * 1.1 * math.cos(angle), thin * 1.1 * math.sin(angle)), 0.95 - thin * 0.55, 0)
    return pen.mask() if rng.random() < 0.8 else _contour(pen.mask(), rng)


def starlit_moon(rng: Random) -> Mask:
    """A crescent that holds one star or several dots."""
    pen, side, bite = Pen(), float(rng.choice([-1, 1])), rng.uniform(0.35, 0.55)
    pen.disc((0, 0), 0.93)
    pen.disc((bite * side, 0.05), 0.76, 0)
    if rng.random() < 0.6:
        pen.fill(star(np.array([0.45 * side, 0.05]), rng.uniform(0.25, 0.4), int(rng.integers(4, 7))))
    else:
        for at in ((0.3, 0.3), (0.6, 0.0), (0.3, -0.3)):
            pen.disc((at[0] * side, at[1]), 0.09)
    return pen.mask()


def clear_moon(rng: Random) -> Mask:
    """The crescent as a contour of two arcs, one line thick."""
    pen, side, width = Pen(), float(rng.choice([-1, 1])), rng.uniform(0.09, 0.18)
    opening = rng.uniform(0.8, 1.1)
    pen.stroke(_ring(0.85, opening, 2 * math.pi - opening) * (side, 1), width)
    tip = 0.85 * np.array([math.cos(opening), math.sin(opening)])
    depth = rng.uniform(-0.25, 0.15)
    inner = np.array([tip, [depth, tip[1] * 0.55], [depth - 0.1, 0.0], [depth, -tip[1] * 0.55], tip * (1, -1)])
    pen.stroke(curve(inner) * (side, 1), width)
    return pen.mask()


def fat_moon(rng: Random) -> Mask:
    """More than half a disc, with craters or a band."""
    pen, angle = Pen(), rng.choice([0.0, math.pi]) + rng.uniform(-0.5, 0.5)
    pen.disc((0, 0), 0.92)
    pen.disc((0.95 * math.cos(angle), 0.95 * math.sin(angle)), rng.uniform(0.55, 0.8), 0)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(2, 5))):
            at, out = angle + math.pi + rng.uniform(-0.9, 0.9), rng.uniform(0.3, 0.7)
            pen.disc((out * math.cos(at), out * math.sin(at)), rng.uniform(0.07, 0.14), 0)
    return pen.mask()


# -------------------------------------------------------------------------------------------------------------- crowns


def zigzag_crown(rng: Random) -> Mask:
    """Three to six points as a child draws them, filled or as a line."""
    pen = Pen()
    points, height, low = int(rng.integers(3, 7)), rng.uniform(0.5, 0.9), rng.uniform(-0.3, 0.1)
    xs = np.linspace(-0.9, 0.9, 2 * points - 1)
    ys = np.where(np.arange(2 * points - 1) % 2 == 0, height, low)
    foot = rng.uniform(0.6, 0.9)
    outline = np.concatenate([[[-foot, -0.75]], np.stack([xs, ys], 1), [[foot, -0.75]], [[-foot, -0.75]]])
    if rng.random() < 0.6:
        pen.fill(outline)
        if rng.random() < 0.4:
            pen.stroke(np.array([[-foot, -0.5], [foot, -0.5]]), 0.08, 0)
    else:
        pen.stroke(outline, rng.uniform(0.1, 0.17))
    return pen.mask()


def royal_crown(rng: Random) -> Mask:
    """A closed crown: two bellied sides, a cross or a ball on top, a band below."""
    pen = Pen()
    belly = np.array([[0, 0.45], [0.45, 0.55], [0.85, 0.3], [0.8, -0.15], [0.6, -0.5]])
    pen.fill(mirrored(curve(belly)))
    for x in (-0.34, 0.34) if rng.random() < 0.7 else (-0.5, 0.0, 0.5):
        hole = np.array([[x, 0.3], [x + 0.17, 0.1], [x + 0.1, -0.32], [x - 0.1, -0.32], [x - 0.17, 0.1]])
        pen.fill(hole, 0)
    pen.fill(np.array([[-0.65, -0.5], [0.65, -0.5], [0.65, -0.85], [-0.65, -0.85]]))
    if rng.random() < 0.6:
        pen.stroke(np.array([[0, 0.45], [0, 0.97]]), 0.13)
        pen.stroke(np.array([[-0.17, 0.75], [0.17, 0.75]]), 0.13)
    else:
        pen.disc((0, 0.65), 0.2)
    if rng.random() < 0.5:
        for x in np.linspace(-0.4, 0.4, 3):
            pen.disc((float(x), -0.67), 0.09, 0)
    return pen.mask()


def leafy_crown(rng: Random) -> Mask:
    """Leaves, spades or balls on stalks over a band that bends."""
    pen, points = Pen(), int(rng.choice([3, 3, 4, 5]))
    sag = rng.uniform(-0.1, 0.2)
    band = curve(np.array([[-0.8, -0.4], [0, -0.4 - sag], [0.8, -0.4], [0.7, -0.8], [0, -0.8 - sag], [-0.7, -0.8]]))
    pen.fill(band)
    kind = rng.random()
    for x in np.linspace(-0.75, 0.75, points):
        top = 0.7 - 0.25 * abs(x)
        pen.stroke(np.array([[x * 0.92, -0.4], [x, top - 0.2]]), rng.uniform(0.12, 0.2))
        if kind < 0.4:
            pen.disc((float(x), top), rng.uniform(0.13, 0.2))
        elif kind < 0.75:
            leaf = np.array([[0, 0.27], [0.2, 0.0], [0.1, -0.2], [0, -0.25]])
            pen.fill(mirrored(leaf) + np.array([x, top]))
        else:
            for sign in (-1, 0, 1):
                pen.disc((float(x + sign * 0.12), float(top + (0.13 if sign == 0 else 0))), 0.1)
    return pen.mask()


def tall_crown(rng: Random) -> Mask:
    """Straight sides and deep, slim notches."""
    pen, points = Pen(), int(rng.choice([3, 4, 5]))
    wide, base = rng.uniform(0.55, 0.9), rng.uniform(-0.9, -0.6)
    pen.fill(np.array([[-wide, 0.75], [wide, 0.75], [wide * 0.9, base], [-wide * 0.9, base]]))
    for at in range(points - 1):
        x = -wide + (at + 1) * 2 * wide / points
        reach = rng.uniform(0.2, 0.32) * 3 / points
        pen.fill(np.array([[x - reach * 1.5, 0.8], [x + reach * 1.5, 0.8], [x, -0.15]]), 0)
    if rng.random() < 0.5:
        pen.stroke(np.array([[-wide, base + 0.3], [wide, base + 0.3]]), 0.1, 0)
    return pen.mask()


# ---------------------------------------------------------------------------------------------------------------- arms


def _sword(pen: Pen, angle: float, rng: Random) -> None:
    blade, guard = rng.uniform(0.1, 0.18), rng.uniform(0.22, 0.35)
    point = np.array(
        [[0, 0.97], [blade / 2 + 0.02, 0.75], [blade / 2, -0.35], [-blade / 2, -0.35], [-blade / 2 - 0.02, 0.75]]
    )
    pen.fill(_turned(point, angle))
    pen.stroke(_turned(np.array([[-guard, -0.4], [guard, -0.4]]), angle), 0.13)
    pen.stroke(_turned(np.array([[0, -0.4], [0, -0.85]]), angle), 0.11)
    knob = _turned(np.array([[0, -0.88]]), angle)[0]
    pen.disc((float(knob[0]), float(knob[1])), 0.1)


def swords(rng: Random) -> Mask:
    """One sword, upright or aslant, or two crossed."""
    pen = Pen()
    draw = rng.random()
    if draw < 0.6:
        lean = rng.uniform(0.6, 0.9)
        state = random_seed(rng)
        for sign in (1, -1):
            _sword(pen, lean * sign, np.random.default_rng(state))
    else:
        _sword(pen, 0.0 if draw < 0.8 else math.pi if draw < 0.9 else rng.uniform(-0.8, 0.8), rng)
    return pen.mask()


def axes(rng: Random) -> Mask:
    """An axe with one blade or two, or two axes crossed."""
    pen, both = Pen(), rng.random() < 0.4
    blade = curve(np.array([[0.0, 0.75], [0.4, 0.9], [0.55, 0.45], [0.4, 0.0], [0.0, 0.3]]))
    leans = (0.65, -0.65) if rng.random() < 0.45 else (rng.uniform(-0.5, 0.5),)
    for lean in leans:
        pen.stroke(_turned(np.array([[0, 0.9], [0, -0.95]]), lean), rng.uniform(0.1, 0.15))
        outward = -1 if lean > 0 else 1
        for side in (1, -1) if both else (outward,):
            pen.fill(_turned(blade * (side, 1), lean))
    return pen.mask()


def heraldry(rng: Random) -> Mask:
    """A shield of another outline, parted, barred, quartered or charged."""
    pen = Pen()
    outlines = (
        [[0, 0.9], [0.75, 0.9], [0.8, 0.3], [0.7, -0.4], [0, -0.95]],
        [[0, 0.75], [0.35, 0.9], [0.8, 0.8], [0.72, 0.3], [0.8, -0.2], [0.5, -0.7], [0, -0.95]],
        [[0, 0.85], [0.8, 0.85], [0.8, -0.5], [0.45, -0.75], [0, -0.95]],
        [[0, 0.95], [0.6, 0.7], [0.8, 0.0], [0.55, -0.65], [0, -0.95]],
    )
    half = np.array(one_of(rng, outlines))
    outline = mirrored(half if rng.random() < 0.4 else np.concatenate([half[:2], curve(half[1:])]))
    pen.fill(outline)
    full = pen.mask()
    _charge(pen, outline, rng)
    inside = np.asarray(pen.mask(), np.uint8)
    if rng.random() < 0.35:
        return np.maximum(inside, _contour(full, rng))
    return inside


def _charge(pen: Pen, outline: Doubles, rng: Random) -> None:
    draw = rng.random()
    if draw < 0.15:
        pen.fill(np.array([[-1, 1], [0, 1], [0, -1], [-1, -1]]), 0)
    elif draw < 0.3:
        pen.fill(np.array([[-1, 1], [0, 1], [0, 0.1], [-1, 0.1]]), 0)
        pen.fill(np.array([[1, -1], [0, -1], [0, 0.1], [1, 0.1]]), 0)
    elif draw < 0.45:
        side = float(rng.choice([-1, 1]))
        pen.stroke(np.array([[-0.9 * side, 0.9], [0.9 * side, -0.6]]), rng.uniform(0.2, 0.35), 0)
    elif draw < 0.6:
        pen.stroke(np.array([[-0.9, -0.5], [0, 0.35], [0.9, -0.5]]), rng.uniform(0.2, 0.3), 0)
    elif draw < 0.7:
        pen.fill(star(np.array([0.0, 0.05]), 0.5, int(rng.integers(5, 7))), 0)
    elif draw < 0.8:
        pen.fill(outline * rng.uniform(0.65, 0.8), 0)
    elif draw < 0.9:
        pen.stroke(np.array([[-0.9, 0.4], [0.9, 0.4]]), rng.uniform(0.14, 0.3), 0)


def cross_arms(rng: Random) -> Mask:
    """A cross with broad or lilied ends."""
    pen, slim, broad = Pen(), rng.uniform(0.08, 0.16), rng.uniform(0.25, 0.5)
    for angle in np.arange(4) * math.pi / 2:
        if broad < 0.32:
            pen.stroke(_turned(np.array([[0, 0], [0, 0.7]]), float(angle)), slim * 1.6)
            for at in ((0.0, 0.85), (0.16, 0.7), (-0.16, 0.7)):
                knob = _turned(np.array([at]), float(angle))[0]
                pen.disc((float(knob[0]), float(knob[1])), 0.13)
        else:
            arm = np.array([[-slim, 0], [-broad, 0.95], [0, rng.uniform(0.7, 0.95)], [broad, 0.95], [slim, 0]])
            pen.fill(_turned(arm, float(angle)))
    return pen.mask()


def slim_lily(rng: Random) -> Mask:
    """A fleur-de-lis of three strokes and a bar."""
    pen, width, reach = Pen(), rng.uniform(0.12, 0.22), rng.uniform(0.55, 0.85)
    petal = np.array([[0, 0.97], [width * 1.6, 0.35], [width * 0.7, -0.25], [0, -0.35]])
    pen.fill(mirrored(curve(petal) if rng.random() < 0.6 else petal))
    side = np.array([[0.05, -0.3], [0.2, 0.25], [reach * 0.8, 0.6], [reach, 0.25], [reach * 0.75, 0.02]])
    for sign in (1, -1):
        pen.stroke(curve(side) * (sign, 1), width)
    pen.stroke(np.array([[-0.45, -0.32], [0.45, -0.32]]), rng.uniform(0.1, 0.2))
    foot = np.array([[0, -0.35], [rng.uniform(0.15, 0.4), -0.9], [0, -0.75]])
    pen.fill(mirrored(foot))
    return pen.mask()


def stout_anchor(rng: Random) -> Mask:
    """An anchor with filled flukes, with a bar across or without, its eye a disc or a ring."""
    pen, width = Pen(), rng.uniform(0.14, 0.24)
    pen.stroke(np.array([[0, 0.6], [0, -0.7]]), width)
    pen.disc((0, 0.75), 0.2)
    if rng.random() < 0.6:
        pen.disc((0, 0.75), 0.09, 0)
    if rng.random() < 0.8:
        reach = rng.uniform(0.3, 0.6)
        pen.stroke(np.array([[-reach, 0.42], [reach, 0.42]]), width * 0.9)
    deep = rng.uniform(0.3, 0.6)
    outer = np.array([[-0.95, 0.0], [-0.7, -0.6], [0, -0.95], [0.7, -0.6], [0.95, 0.0]])
    inner = np.array(
        [[0.6, -0.2], [0.4, -0.2 - deep * 0.6], [0, -0.25 - deep * 0.7], [-0.4, -0.2 - deep * 0.6], [-0.6, -0.2]]
    )
    pen.fill(np.concatenate([curve(outer), curve(inner)]))
    return pen.mask()


DRAWINGS: dict[str, tuple[Callable[[Random], Mask], ...]] = {
    "suns": (starry_sun, burning_sun, rayed_sun, rayed_sun, rising_sun, compass_sun),
    "moons": (profile_moon, slender_moon, slender_moon, starlit_moon, clear_moon, fat_moon),
    "crowns": (zigzag_crown, zigzag_crown, royal_crown, leafy_crown, tall_crown),
    "arms": (swords, axes, heraldry, heraldry, cross_arms, slim_lily, stout_anchor),
}
