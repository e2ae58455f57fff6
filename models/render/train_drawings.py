"""Further drawings of suits, for the training stratum only (the test stratum has `held_out_drawings`)."""

import math

import numpy as np

from models.render.glyphs import Drawing, Pen, Random, curve, mirrored, one_of, polar, random_seed, star, turned
from models.render.raster import Doubles


def _ring(radius: float, start: float = 0.0, end: float = 2 * math.pi) -> Doubles:
    return polar(np.linspace(start, end, 36), radius)


def starry_sun(pen: Pen, rng: Random) -> None:
    """A star of many points, one piece, with an eye or a smaller star in it."""
    points, deep = int(rng.integers(7, 17)), rng.uniform(0.5, 0.78)
    angles = np.arange(2 * points) * math.pi / points + rng.uniform(0, 1)
    outline = polar(angles, np.where(np.arange(2 * points) % 2 == 0, 0.98, deep))
    pen.fill(outline)
    look = rng.random()
    if look < 0.3:
        pen.disc((0, 0), deep * rng.uniform(0.4, 0.8), 0)
    elif look < 0.45:
        pen.fill(outline * 0.72, 0)
        pen.fill(outline * 0.5)
    elif look < 0.6:
        pen.stroke(_ring(deep * 0.7), 0.08, 0)


def burning_sun(pen: Pen, rng: Random) -> None:
    """Flames that all bend one way, around a ring, a disc or a spiral."""
    rays, core, bend = int(rng.integers(6, 14)), rng.uniform(0.34, 0.5), rng.uniform(0.2, 0.6) * rng.choice([-1, 1])
    x, y = core * polar(0.8 * math.pi / rays)
    flame = curve([[x, y], [0.7, 0.2 * bend + 0.08], [0.97, bend * 0.6], [0.68, 0.1 * bend - 0.08], [x, -y]])
    for angle in np.arange(rays) * 2 * math.pi / rays:
        pen.fill(turned(flame, angle))
    pen.disc((0, 0), core)
    look = rng.random()
    if look < 0.35:
        pen.disc((0, 0), core * 0.72, 0)
    elif look < 0.6:
        turns = np.linspace(0, 4 * math.pi, 60)
        pen.stroke(polar(turns, turns / turns[-1] * core * 0.75), 0.09, 0)


def rayed_sun(pen: Pen, rng: Random) -> None:
    """A small disc or ring with lines, dots or short bars around it."""
    rays, core = int(rng.choice([6, 8, 8, 8, 10, 12, 12, 16])), rng.uniform(0.28, 0.5)
    width = rng.uniform(0.08, 0.2) * 10 / max(rays, 8)
    pen.disc((0, 0), core)
    if rng.random() < 0.5:
        pen.disc((0, 0), core - rng.uniform(0.08, 0.16), 0)
        if rng.random() < 0.3:
            pen.disc((0, 0), core * 0.25)
    kind, gap = rng.random(), core + rng.uniform(0.08, 0.2)
    for number, angle in enumerate(np.arange(rays) * 2 * math.pi / rays + rng.choice([0, math.pi / rays])):
        along = polar(angle)
        reach = 0.95 if kind > 0.25 or number % 2 == 0 else (0.95 + gap) / 2
        if kind > 0.85:
            pen.disc(along * 0.82, width * 0.8)
        else:
            pen.stroke([along * gap, along * reach], width)


def rising_sun(pen: Pen, rng: Random) -> None:
    """Half a disc with rays over a line."""
    rays, core = int(rng.integers(5, 10)), rng.uniform(0.4, 0.6)
    pen.fill(_ring(core, 0, math.pi) - (0, 0.4))
    for along in polar(np.linspace(0.06, math.pi - 0.06, rays)):
        pen.stroke(np.stack([along * (core + 0.15), along * 0.98]) - (0, 0.4), rng.uniform(0.09, 0.13))
    pen.beam(-0.5, 0.95, rng.uniform(0.08, 0.16))


def compass_sun(pen: Pen, rng: Random) -> None:
    """Four or eight long points and as many short ones."""
    points, slim = int(rng.choice([4, 6, 8])), rng.uniform(0.1, 0.2)
    for number, angle in enumerate(np.arange(2 * points) * math.pi / points):
        reach = 0.98 if number % 2 == 0 else rng.uniform(0.5, 0.75)
        pen.fill(turned([[0, slim], [reach, 0], [0, -slim], [-0.1, 0]], angle))
    pen.disc((0, 0), rng.uniform(0.2, 0.42))
    if rng.random() < 0.4:
        pen.disc((0, 0), 0.16, 0)


def profile_moon(pen: Pen, rng: Random) -> None:
    """A crescent with a nose, as in old almanacs."""
    side = float(rng.choice([-1, 1]))
    pen.fill(_ring(0.93, 0.5 * math.pi, 1.5 * math.pi) * (0.95, 1) * (side, 1))
    brow, chin = [[0, 0.93], [-0.3, 0.6], [-0.38, 0.3]], [[-0.34, -0.32], [-0.22, -0.55], [0, -0.93]]
    inner = curve([*brow, [-0.12, 0.05], [-0.33, -0.08], [-0.24, -0.2], *chin])
    pen.fill(np.array([*inner, [0.6, -0.93], [0.6, 0.93]]) * (side, 1), 0)
    if rng.random() < 0.7:
        pen.disc((-0.45 * side, 0.32), 0.07, 0)


def slender_moon(pen: Pen, rng: Random) -> None:
    """A thin crescent, its horns any way."""
    angle, thin = rng.uniform(0, 2 * math.pi), rng.uniform(0.12, 0.35)
    pen.disc((0, 0), 0.95)
    pen.disc(polar(angle, thin * 1.1), 0.95 - thin * 0.55, 0)
    if rng.random() >= 0.8:
        pen.hollow(int(rng.integers(9, 16)))


def starlit_moon(pen: Pen, rng: Random) -> None:
    """A crescent that holds one star or several dots."""
    side, bite = float(rng.choice([-1, 1])), rng.uniform(0.35, 0.55)
    pen.disc((0, 0), 0.93)
    pen.disc((bite * side, 0.05), 0.76, 0)
    if rng.random() < 0.6:
        pen.fill(star((0.45 * side, 0.05), rng.uniform(0.25, 0.4), int(rng.integers(4, 7))))
    else:
        for x, y in ((0.3, 0.3), (0.6, 0.0), (0.3, -0.3)):
            pen.disc((x * side, y), 0.09)


def clear_moon(pen: Pen, rng: Random) -> None:
    """The crescent as a contour of two arcs, one line thick."""
    side, width = float(rng.choice([-1, 1])), rng.uniform(0.09, 0.18)
    opening = rng.uniform(0.8, 1.1)
    pen.stroke(_ring(0.85, opening, 2 * math.pi - opening) * (side, 1), width)
    x, y = 0.85 * polar(opening)
    depth = rng.uniform(-0.25, 0.15)
    inner = curve([[x, y], [depth, y * 0.55], [depth - 0.1, 0.0], [depth, -y * 0.55], [x, -y]])
    pen.stroke(inner * (side, 1), width)


def fat_moon(pen: Pen, rng: Random) -> None:
    """More than half a disc, with craters or a band."""
    angle = rng.choice([0.0, math.pi]) + rng.uniform(-0.5, 0.5)
    pen.disc((0, 0), 0.92)
    pen.disc(polar(angle, 0.95), rng.uniform(0.55, 0.8), 0)
    if rng.random() < 0.5:
        for _ in range(int(rng.integers(2, 5))):
            crater = polar(angle + math.pi + rng.uniform(-0.9, 0.9), rng.uniform(0.3, 0.7))
            pen.disc(crater, rng.uniform(0.07, 0.14), 0)


def zigzag_crown(pen: Pen, rng: Random) -> None:
    """Three to six points as a child draws them, filled or as a line."""
    points, height, low = int(rng.integers(3, 7)), rng.uniform(0.5, 0.9), rng.uniform(-0.3, 0.1)
    xs = np.linspace(-0.9, 0.9, 2 * points - 1)
    ys = np.where(np.arange(2 * points - 1) % 2 == 0, height, low)
    foot = rng.uniform(0.6, 0.9)
    outline = [[-foot, -0.75], *np.stack([xs, ys], 1), [foot, -0.75], [-foot, -0.75]]
    if rng.random() < 0.6:
        pen.fill(outline)
        if rng.random() < 0.4:
            pen.beam(-0.5, foot, 0.08, 0)
    else:
        pen.stroke(outline, rng.uniform(0.1, 0.17))


def royal_crown(pen: Pen, rng: Random) -> None:
    """A closed crown: two bellied sides, a cross or a ball on top, a band below."""
    pen.fill(mirrored(curve([[0, 0.45], [0.45, 0.55], [0.85, 0.3], [0.8, -0.15], [0.6, -0.5]])))
    for x in (-0.34, 0.34) if rng.random() < 0.7 else (-0.5, 0.0, 0.5):
        pen.fill([[x, 0.3], [x + 0.17, 0.1], [x + 0.1, -0.32], [x - 0.1, -0.32], [x - 0.17, 0.1]], 0)
    pen.fill([[-0.65, -0.5], [0.65, -0.5], [0.65, -0.85], [-0.65, -0.85]])
    if rng.random() < 0.6:
        pen.stroke([[0, 0.45], [0, 0.97]], 0.13)
        pen.beam(0.75, 0.17, 0.13)
    else:
        pen.disc((0, 0.65), 0.2)
    if rng.random() < 0.5:
        for x in np.linspace(-0.4, 0.4, 3):
            pen.disc((x, -0.67), 0.09, 0)


def leafy_crown(pen: Pen, rng: Random) -> None:
    """Leaves, spades or balls on stalks over a band that bends."""
    points, sag = int(rng.choice([3, 3, 4, 5])), rng.uniform(-0.1, 0.2)
    pen.fill(curve([[-0.8, -0.4], [0, -0.4 - sag], [0.8, -0.4], [0.7, -0.8], [0, -0.8 - sag], [-0.7, -0.8]]))
    kind = rng.random()
    for x in np.linspace(-0.75, 0.75, points):
        top = 0.7 - 0.25 * abs(x)
        pen.stroke([[x * 0.92, -0.4], [x, top - 0.2]], rng.uniform(0.12, 0.2))
        if kind < 0.4:
            pen.disc((x, top), rng.uniform(0.13, 0.2))
        elif kind < 0.75:
            pen.fill(mirrored([[0, 0.27], [0.2, 0.0], [0.1, -0.2], [0, -0.25]]) + (x, top))
        else:
            for aside, up in ((-0.12, 0), (0, 0.13), (0.12, 0)):
                pen.disc((x + aside, top + up), 0.1)


def tall_crown(pen: Pen, rng: Random) -> None:
    """Straight sides and deep, slim notches."""
    points = int(rng.choice([3, 4, 5]))
    wide, base = rng.uniform(0.55, 0.9), rng.uniform(-0.9, -0.6)
    pen.fill([[-wide, 0.75], [wide, 0.75], [wide * 0.9, base], [-wide * 0.9, base]])
    for at in range(points - 1):
        x = -wide + (at + 1) * 2 * wide / points
        reach = rng.uniform(0.2, 0.32) * 3 / points
        pen.fill([[x - reach * 1.5, 0.8], [x + reach * 1.5, 0.8], [x, -0.15]], 0)
    if rng.random() < 0.5:
        pen.beam(base + 0.3, wide, 0.1, 0)


def _sword(pen: Pen, angle: float, rng: Random) -> None:
    half, guard = rng.uniform(0.1, 0.18) / 2, rng.uniform(0.22, 0.35)
    pen.fill(turned([[0, 0.97], [half + 0.02, 0.75], [half, -0.35], [-half, -0.35], [-half - 0.02, 0.75]], angle))
    pen.stroke(turned([[-guard, -0.4], [guard, -0.4]], angle), 0.13)
    pen.stroke(turned([[0, -0.4], [0, -0.85]], angle), 0.11)
    pen.disc(turned((0, -0.88), angle), 0.1)


def swords(pen: Pen, rng: Random) -> None:
    """One sword, upright or aslant, or two crossed."""
    kind = rng.random()
    if kind < 0.6:
        lean = rng.uniform(0.6, 0.9)
        state = random_seed(rng)
        for sign in (1, -1):
            _sword(pen, lean * sign, np.random.default_rng(state))
    else:
        _sword(pen, 0.0 if kind < 0.8 else math.pi if kind < 0.9 else rng.uniform(-0.8, 0.8), rng)


def axes(pen: Pen, rng: Random) -> None:
    """An axe with one blade or two, or two axes crossed."""
    both = rng.random() < 0.4
    blade = curve([[0.0, 0.75], [0.4, 0.9], [0.55, 0.45], [0.4, 0.0], [0.0, 0.3]])
    leans = (0.65, -0.65) if rng.random() < 0.45 else (rng.uniform(-0.5, 0.5),)
    for lean in leans:
        pen.stroke(turned([[0, 0.9], [0, -0.95]], lean), rng.uniform(0.1, 0.15))
        outward = -1 if lean > 0 else 1
        for side in (1, -1) if both else (outward,):
            pen.fill(turned(blade * (side, 1), lean))


def heraldry(pen: Pen, rng: Random) -> None:
    """A shield of another outline, parted, barred, quartered or charged."""
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
    if rng.random() < 0.35:
        pen.outline(full, int(rng.integers(9, 16)))


def _charge(pen: Pen, outline: Doubles, rng: Random) -> None:
    kind = rng.random()
    if kind < 0.15:
        pen.fill([[-1, 1], [0, 1], [0, -1], [-1, -1]], 0)
    elif kind < 0.3:
        pen.fill([[-1, 1], [0, 1], [0, 0.1], [-1, 0.1]], 0)
        pen.fill([[1, -1], [0, -1], [0, 0.1], [1, 0.1]], 0)
    elif kind < 0.45:
        side = float(rng.choice([-1, 1]))
        pen.stroke([[-0.9 * side, 0.9], [0.9 * side, -0.6]], rng.uniform(0.2, 0.35), 0)
    elif kind < 0.6:
        pen.stroke([[-0.9, -0.5], [0, 0.35], [0.9, -0.5]], rng.uniform(0.2, 0.3), 0)
    elif kind < 0.7:
        pen.fill(star((0.0, 0.05), 0.5, int(rng.integers(5, 7))), 0)
    elif kind < 0.8:
        pen.fill(outline * rng.uniform(0.65, 0.8), 0)
    elif kind < 0.9:
        pen.beam(0.4, 0.9, rng.uniform(0.14, 0.3), 0)


def cross_arms(pen: Pen, rng: Random) -> None:
    """A cross with broad or lilied ends."""
    slim, broad = rng.uniform(0.08, 0.16), rng.uniform(0.25, 0.5)
    for angle in np.arange(4) * math.pi / 2:
        if broad < 0.32:
            pen.stroke(turned([[0.0, 0.0], [0.0, 0.7]], angle), slim * 1.6)
            for knob in turned([[0.0, 0.85], [0.16, 0.7], [-0.16, 0.7]], angle):
                pen.disc(knob, 0.13)
        else:
            notch = rng.uniform(0.7, 0.95)
            pen.fill(turned([[-slim, 0], [-broad, 0.95], [0, notch], [broad, 0.95], [slim, 0]], angle))


def slim_lily(pen: Pen, rng: Random) -> None:
    """A fleur-de-lis of three strokes and a bar."""
    width, reach = rng.uniform(0.12, 0.22), rng.uniform(0.55, 0.85)
    petal = [[0, 0.97], [width * 1.6, 0.35], [width * 0.7, -0.25], [0, -0.35]]
    pen.fill(mirrored(curve(petal) if rng.random() < 0.6 else petal))
    side = curve([[0.05, -0.3], [0.2, 0.25], [reach * 0.8, 0.6], [reach, 0.25], [reach * 0.75, 0.02]])
    for sign in (1, -1):
        pen.stroke(side * (sign, 1), width)
    pen.beam(-0.32, 0.45, rng.uniform(0.1, 0.2))
    pen.fill(mirrored([[0, -0.35], [rng.uniform(0.15, 0.4), -0.9], [0, -0.75]]))


def stout_anchor(pen: Pen, rng: Random) -> None:
    """An anchor with filled flukes, with a bar across or without, its eye a disc or a ring."""
    width = rng.uniform(0.14, 0.24)
    pen.stroke([[0, 0.6], [0, -0.7]], width)
    pen.disc((0, 0.75), 0.2)
    if rng.random() < 0.6:
        pen.disc((0, 0.75), 0.09, 0)
    if rng.random() < 0.8:
        pen.beam(0.42, rng.uniform(0.3, 0.6), width * 0.9)
    deep = rng.uniform(0.3, 0.6)
    outer = [[-0.95, 0.0], [-0.7, -0.6], [0, -0.95], [0.7, -0.6], [0.95, 0.0]]
    low, lowest = -0.2 - deep * 0.6, -0.25 - deep * 0.7
    inner = [[0.6, -0.2], [0.4, low], [0, lowest], [-0.4, low], [-0.6, -0.2]]
    pen.fill(np.concatenate([curve(outer), curve(inner)]))


DRAWINGS: dict[str, tuple[Drawing, ...]] = {
    "suns": (starry_sun, burning_sun, rayed_sun, rayed_sun, rising_sun, compass_sun),
    "moons": (profile_moon, slender_moon, slender_moon, starlit_moon, clear_moon, fat_moon),
    "crowns": (zigzag_crown, zigzag_crown, royal_crown, leafy_crown, tall_crown),
    "arms": (swords, axes, heraldry, heraldry, cross_arms, slim_lily, stout_anchor),
}
