"""Shapes of pawns: turned figures and figures sawn from a board, in families with random proportions, and plain ones.

A figure is named "family:seed"; its lengths are shares of its height, which is one. Other turned pawns are named
"turned:seed", plain ones by a word; these are stretched to the width and height of their set.
"""

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from models.render import mesh
from models.render.edition import Sizes
from models.render.glyphs import Random
from models.render.mesh import Mesh
from models.render.raster import Doubles

_QUARTER = np.linspace(0, np.pi / 2, 6)
Rows = list[tuple[float, float]]
"""Radius and height of a profile from the foot upwards, or x and height of the right half of an outline downwards."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A turned figure has a profile (radius, height), a sawn one an outline (x, height; counter-clockwise seen from the
    front) and a thickness. `sides` of a turned one: 0 for round, else so many flat ones. `foot`: half the width and the
    thickness of a round plate below a sawn one."""

    profile: Doubles | None = None
    outline: Doubles | None = None
    thick: float = 0.0
    sides: int = 0
    foot: tuple[float, float] | None = None

    @property
    def wide(self) -> float:
        """Its largest width."""
        if self.profile is not None:
            return 2 * float(self.profile[:, 0].max())
        assert self.outline is not None
        return max(float(np.ptp(self.outline[:, 0])), 2 * self.foot[0] if self.foot else 0.0)


def _ball(middle: float, radius: float, neck: float, steps: int = 8) -> Rows:
    """Profile of a ball from where a neck of that radius enters it to its top."""
    begin = -np.arccos(min(neck / radius, 0.98))
    return _dome(radius, middle, radius, np.linspace(begin, np.pi / 2, steps))


def _dome(wide: float, low: float, rise: float, angles: Iterable[float], inner: float = 0.0) -> Rows:
    """Profile of an elliptic arc around a core of radius `inner`, upwards from the height `low`."""
    return [(inner + wide * max(float(np.cos(a)), 0.0), low + rise * float(np.sin(a))) for a in angles]


def _head(radius: float) -> Rows:
    """Right half of the outline of a head that ends at height one, from the top down."""
    return [(radius * float(np.sin(a)), 1 - radius + radius * float(np.cos(a))) for a in np.linspace(0, 2.5, 6)]


def _curve(low: tuple[float, float], high: tuple[float, float], bend: float, steps: int = 5) -> Rows:
    """Profile between two radii; `bend` above one narrows early, below one late."""
    (wide, start), (narrow, end) = low, high
    shares = np.linspace(0, 1, steps).tolist()
    return [(narrow + (wide - narrow) * (1 - s) ** bend, start + (end - start) * s) for s in shares]


def _foot(rng: Random, radius: float, most: float = 0.12) -> Rows:
    """The lower edge: sharp, bevelled or a plate."""
    kind = rng.random()
    if kind < 0.3:
        return [(0.0, 0.0), (radius, 0.0)]
    edge = rng.uniform(0.02, most)
    if kind < 0.6:
        return [(0.0, 0.0), (radius - edge * 0.6, 0.0), (radius, edge * 0.6)]
    return [(0.0, 0.0), (radius, 0.0), (radius, edge)]


def _under(head: float, neck: float) -> float:
    """Height at which a neck enters a ball of radius `head` that ends at height one."""
    return 1 - head - math.sqrt(max(head**2 - neck**2, 0.0))


def _ball_peg(rng: Random) -> Rows:
    """A peg, straight or conical, with a ball for a head."""
    foot, head = rng.uniform(0.15, 0.3), rng.uniform(0.13, 0.24)
    neck = min(foot * rng.uniform(0.45, 1.0), head * 0.9)
    rows = _foot(rng, foot)
    rows += _curve((foot, rows[-1][1] + 0.02), (neck, _under(head, neck) - 0.01), rng.uniform(0.6, 1.8))
    return rows + _ball(1 - head, head, neck)


def _halma(rng: Random) -> Rows:
    """A hollow cone on a broad foot, perhaps with a collar, a ball on its tip."""
    foot, neck, head = rng.uniform(0.27, 0.42), rng.uniform(0.06, 0.13), rng.uniform(0.13, 0.2)
    rows = _foot(rng, foot)
    low = foot * rng.uniform(0.8, 1.0), rows[-1][1] + 0.02
    rows += _curve(low, (neck, _under(head, neck)), rng.uniform(1.0, 2.4))
    if rng.random() <= 0.3:
        at = rows[-1][1]
        out, thick = neck + rng.uniform(0.05, 0.12), rng.uniform(0.02, 0.05)
        rows[-1:] = [(neck, at - thick), (out, at - thick * 0.8), (out, at - thick * 0.1), (neck, at)]
    return rows + _ball(1 - head, head, neck)


def _cone(rng: Random) -> Rows:
    """A cone with a rounded or a cut tip."""
    foot, tip = rng.uniform(0.22, 0.45), rng.uniform(0.02, 0.12)
    rows = _foot(rng, foot, 0.08)
    rows += _curve((foot, rows[-1][1] + 0.01), (tip, 1 - tip), rng.uniform(0.8, 1.15))
    return rows + ([(tip * 0.7, 1 - tip * 0.25), (0.0, 1.0)] if rng.random() < 0.6 else [(0.0, 1 - tip)])


def _cylinder(rng: Random) -> Rows:
    """A peg cut from a rod, its top flat, bevelled or round."""
    radius, top = rng.uniform(0.15, 0.42), rng.random()
    rows = _foot(rng, radius, 0.06)
    waist = radius * rng.uniform(0.85, 1.0)
    rows += [(waist, 0.45)] if rng.random() < 0.25 else []
    if top < 0.35:
        return [*rows, (radius, 0.97), (radius - 0.03, 1.0), (0.0, 1.0)]
    if top < 0.6:
        edge = rng.uniform(0.05, 0.13)
        return [*rows, (radius, 1 - edge), (radius - edge, 1.0), (0.0, 1.0)]
    dome = min(radius, 0.4) * rng.uniform(0.4, 1.0)
    return rows + _dome(radius, 1 - dome, dome, _QUARTER)


def _bottle(rng: Random) -> Rows:
    """A belly, shoulders, a neck with a lip."""
    belly, neck = rng.uniform(0.19, 0.32), rng.uniform(0.07, 0.13)
    low, high = rng.uniform(0.35, 0.55), rng.uniform(0.62, 0.75)
    lip = neck + rng.uniform(0.0, 0.05)
    rows = [*_foot(rng, belly, 0.06), (belly, low)]
    rows += _dome(belly - neck, low, high - low, (0.5, 1.0, 1.4), neck)
    return [*rows, (neck, 0.9), (lip, 0.92), (lip, 0.98), (lip * 0.6, 1.0), (0.0, 1.0)]


def _chess_pawn(rng: Random) -> Rows:
    """A moulded base, a hollow body, a collar, a ball."""
    foot, neck, head = rng.uniform(0.25, 0.36), rng.uniform(0.08, 0.13), rng.uniform(0.13, 0.19)
    step, collar = rng.uniform(0.05, 0.1), rng.uniform(0.15, 0.24)
    at, middle = 1 - 2 * head - 0.02, 1 - head
    rows: Rows = [(0.0, 0.0), (foot, 0.0), (foot, step), (foot * 0.82, step * 1.2)]
    if rng.random() < 0.6:
        rows += [(foot * 0.85, step * 1.7), (foot * 0.66, step * 2.1)]
    rows += _curve((foot * 0.62, rows[-1][1] + 0.03), (neck, at - 0.04), rng.uniform(1.3, 2.4))
    return [*rows, (collar, at - 0.02), (collar, at + 0.015), (neck, at + 0.04), *_ball(middle, head, neck)]


def _bell(rng: Random) -> Rows:
    """A bell with a knob."""
    lip, waist, knob = rng.uniform(0.32, 0.48), rng.uniform(0.17, 0.26), rng.uniform(0.06, 0.12)
    dome = 1 - 2 * knob
    rows: Rows = [(0.0, 0.0), (lip, 0.0), (lip * 0.97, 0.05), *_curve((lip * 0.9, 0.09), (waist, 0.5 * dome), 1.7, 4)]
    rows += [(waist * math.cos(a), dome * (0.5 + 0.5 * math.sin(a))) for a in (0.5, 0.9, 1.2)]
    return rows + _ball(1 - knob, knob, knob * 0.7, 6)


def _hourglass(rng: Random) -> Rows:
    """Wide at both ends."""
    foot, waist = rng.uniform(0.2, 0.38), rng.uniform(0.07, 0.15)
    head, at = foot * rng.uniform(0.7, 1.1), rng.uniform(0.4, 0.62)
    edge = rng.uniform(0.02, 0.1)
    rows = [(0.0, 0.0), (foot, 0.0), (foot, edge), *_curve((foot * 0.95, edge + 0.01), (waist, at), 1.6, 5)]
    rows += [(r, 1 - z) for r, z in _curve((head, edge + 0.03), (waist, 1 - at), 1.6, 5)[-2::-1]]
    return [*rows, (head, 1 - 0.02), (head * rng.uniform(0.6, 0.95), 1.0), (0.0, 1.0)]


def _discs(rng: Random) -> Rows:
    """A stack of discs or rings."""
    count = int(rng.integers(2, 6))
    radius = rng.uniform(0.14, 0.4, count)
    if rng.random() < 0.6:
        radius = np.sort(radius)[::-1]
    edges = np.cumsum(np.append(0.0, rng.uniform(0.6, 1.4, count)))
    edges /= edges[-1]
    rows: Rows = [(0.0, 0.0)]
    for wide, low, high in zip(radius, edges[:-1], edges[1:], strict=True):
        broken = (high - low) * 0.22
        rows += [(wide * 0.85, low), (wide, low + broken), (wide, high - broken), (wide * 0.85, high)]
    return [*rows, (0.0, 1.0)]


def _egg(rng: Random) -> Rows:
    """An egg or a bullet with a flat foot."""
    wide, cut, blunt = rng.uniform(0.26, 0.44), rng.uniform(0.1, 0.4), rng.uniform(0.5, 1.0)
    turn = np.linspace(-np.arccos(cut), np.pi / 2, 10)
    heights = (np.sin(turn) - np.sin(turn[0])) / (1 - np.sin(turn[0]))
    return [(0.0, 0.0), *zip(wide * np.maximum(np.cos(turn), 0) ** blunt, heights, strict=True)]


def _doll(rng: Random) -> Rows:
    """A peg doll: a body with round shoulders, a head nearly as wide."""
    body, head = rng.uniform(0.19, 0.31), rng.uniform(0.15, 0.22)
    neck = min(head, body) * rng.uniform(0.6, 0.85)
    at, shoulder = _under(head, neck), rng.uniform(0.04, 0.12)
    rows = [*_foot(rng, body * rng.uniform(0.85, 1.05), 0.06), (body, at - shoulder - 0.02)]
    rows += _dome(body - neck, at - shoulder, shoulder, (0.5, 1.0, 1.4), neck)
    return rows + _ball(1 - head, head, neck)


def _mushroom(rng: Random) -> Rows:
    cap, stem, at = rng.uniform(0.28, 0.45), rng.uniform(0.1, 0.2), rng.uniform(0.4, 0.65)
    foot = stem * rng.uniform(1.0, 1.7)
    rows = [(0.0, 0.0), (foot, 0.0), *_curve((foot, 0.03), (stem, at), 1.5, 4), (cap, at + 0.02)]
    return rows + _dome(cap, at + 0.05, 0.95 - at, _QUARTER)


def _bead(rng: Random) -> Rows:
    """A large ball on a low stand."""
    head, stand = rng.uniform(0.3, 0.42), rng.uniform(0.2, 0.36)
    neck = head * rng.uniform(0.35, 0.6)
    at = _under(head, neck)
    rows = _foot(rng, stand, 0.1) + _curve((stand * 0.95, at * 0.5), (neck, at), 1.4, 3)
    return rows + _ball(1 - head, head, neck, 9)


def _skittle(rng: Random) -> Rows:
    """A bowling pin."""
    foot, belly, neck, head = (rng.uniform(*span) for span in ((0.11, 0.15), (0.2, 0.25), (0.09, 0.11), (0.12, 0.14)))
    heights = np.linspace(0, 0.87, 9)
    wide = np.interp(heights, (0.0, 0.33, 0.7, 0.87), (foot, belly, neck, head))
    wide[1:-1] = (wide[:-2] + 2 * wide[1:-1] + wide[2:]) / 4
    return [(0.0, 0.0), *zip(wide, heights, strict=True)] + _dome(head, 0.87, 0.13, (0.5, 1.0, np.pi / 2))


def _faceted(rng: Random) -> Rows:
    """A prism or a blunt pyramid of several sides, its top flat or pointed."""
    foot = rng.uniform(0.18, 0.36)
    top, roof = foot * rng.uniform(0.5, 1.0), float(rng.choice([0.0, 0.05, 0.2, 0.35]))
    return [(0.0, 0.0), (foot, 0.0), (top, 1 - roof), *([] if roof else [(top * 0.9, 1.0)]), (0.0, 1.0)]


def _obelisk(rng: Random) -> Rows:
    """A slender pillar of four sides with a point."""
    foot = rng.uniform(0.16, 0.22)
    return [(0.0, 0.0), (foot, 0.0), (foot * 0.7, 0.8), (0.0, 1.0)]


def _meeple(rng: Random) -> Rows:
    """A meeple: head, arms, legs."""
    head, arm = rng.uniform(0.12, 0.18), rng.uniform(0.3, 0.5)
    shoulder, low = rng.uniform(0.6, 0.68), rng.uniform(0.38, 0.5)
    waist, leg = rng.uniform(0.16, 0.26), rng.uniform(0.28, 0.46)
    notch, gap = float(rng.choice([0.0, 0.12, 0.2, 0.28])), rng.uniform(0.06, 0.16)
    drop = rng.uniform(-0.12, 0.06)
    half = [*_head(head), (arm, shoulder + drop)]
    half += [(arm + 0.02, shoulder + drop - 0.1), (waist, low), (leg, 0.05), (leg - 0.02, 0.0)]
    return half + ([(gap, 0.0), (0.0, notch)] if notch else [(0.0, 0.0)])


def _bust(rng: Random) -> Rows:
    """Head and shoulders."""
    head, wide = rng.uniform(0.16, 0.24), rng.uniform(0.26, 0.4)
    high, foot = rng.uniform(0.45, 0.58), rng.uniform(0.24, 0.42)
    return [*_head(head), (wide * 0.8, high), (wide, high - 0.12), (foot, 0.0), (0.0, 0.0)]


def _disc_on_edge(rng: Random) -> Rows:
    """A disc that stands on a flat cut."""
    cut = rng.uniform(0.15, 0.5)
    turn = np.linspace(0, np.pi - cut, 12)
    x, heights = 0.5 * np.sin(turn) * (2 / (1 + np.cos(cut))), np.cos(turn)
    return [*zip(x, (heights - heights[-1]) / (1 - heights[-1]), strict=True), (0.0, 0.0)]


def _slab(rng: Random) -> Rows:
    """A plate with a round, a pointed or a straight top."""
    wide, top = rng.uniform(0.22, 0.42), str(rng.choice(["round", "point", "straight", "cut"]))
    if top == "round":
        rise = min(wide, 0.4) * rng.uniform(0.4, 1.0)
        half = [(wide * float(np.sin(a)), 1 - rise + rise * float(np.cos(a))) for a in np.linspace(0, np.pi / 2, 6)]
    elif top == "point":
        half = [(0.0, 1.0), (wide, 1 - rng.uniform(0.15, 0.45))]
    else:
        edge = 0.02 if top == "straight" else rng.uniform(0.08, 0.2)
        half = [(0.0, 1.0), (wide - edge, 1.0), (wide, 1 - edge)]
    return [*half, (wide * rng.uniform(0.8, 1.2), 0.0), (0.0, 0.0)]


def _crest(rng: Random) -> Rows:
    """A crown: points over a band."""
    wide, valley = rng.uniform(0.35, 0.5), rng.uniform(0.45, 0.7)
    foot = wide * rng.uniform(0.7, 1.0)
    return [(0.0, 1.0), (wide * 0.45, valley), (wide, rng.uniform(0.8, 1.0)), (foot, 0.0), (0.0, 0.0)]


def _star(rng: Random) -> Rows:
    """A star on two of its points."""
    inner = rng.uniform(0.42, 0.6)
    turn = np.arange(6) * np.pi / 5
    reach = np.where(np.arange(6) % 2 == 0, 1.0, inner)
    x, heights = np.abs(np.sin(turn) * reach / 1.81), np.cos(turn) * reach / 1.81
    return list(zip(x, np.maximum(heights - heights[4], 0.0), strict=True))


def _tree(rng: Random) -> Rows:
    """A fir."""
    tiers, wide, trunk = int(rng.integers(2, 4)), rng.uniform(0.3, 0.42), rng.uniform(0.06, 0.12)
    half: Rows = [(0.0, 1.0)]
    for tier in range(1, tiers + 1):
        low, reach = 1 - 0.85 * tier / tiers, wide * (0.55 + 0.45 * tier / tiers)
        half += [(reach, low), (reach * 0.55, low + 0.02) if tier < tiers else (trunk, low)]
    return [*half, (trunk, 0.0), (0.0, 0.0)]


_TURNED: Mapping[str, Callable[[Random], Rows]] = MappingProxyType({
    "ballpeg": _ball_peg, "halmacone": _halma, "plaincone": _cone, "rod": _cylinder, "bottle": _bottle,
    "chesspawn": _chess_pawn, "bell": _bell, "hourglass": _hourglass, "discs": _discs, "egg": _egg, "doll": _doll,
    "mushroom": _mushroom, "bead": _bead, "faceted": _faceted, "skittle": _skittle, "obelisk": _obelisk,
})  # fmt: skip
_SAWN: Mapping[str, tuple[Callable[[Random], Rows], tuple[float, float], float]] = MappingProxyType({
    "man": (_meeple, (0.22, 0.55), 0.0), "bust": (_bust, (0.12, 0.4), 0.3),
    "edgewise": (_disc_on_edge, (0.1, 0.35), 0.35), "slab": (_slab, (0.05, 0.3), 0.5),
    "crest": (_crest, (0.12, 0.4), 0.1), "star": (_star, (0.15, 0.4), 0.0), "tree": (_tree, (0.12, 0.4), 0.2),
})  # fmt: skip
"""Right half of the outline, range of the thickness, and share of figures that stand on a plate."""

TEST_FAMILIES = ("skittle", "obelisk", "tree")
"""Families of the test stratum only."""
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"ballpeg": 4, "halmacone": 3, "chesspawn": 2, "doll": 2, "man": 4, "rod": 1.5, "plaincone": 1.5}
)
"""Relative frequency of families; 1 for the others."""
FAMILIES = (*_TURNED, *_SAWN)
_GIVEN, _GIVEN_SAWN = "given", "given-sawn"
"""Families of turned figures whose name holds the profile, and of sawn ones whose name holds thickness and outline."""


def is_figure(shape: str) -> bool:
    return shape.partition(":")[0] in (*FAMILIES, _GIVEN, _GIVEN_SAWN)


def given(profile: Doubles) -> str:
    """Name of the turned figure with this profile (radius and height, from the foot upwards)."""
    return f"{_GIVEN}:" + " ".join(f"{number:.4g}" for number in profile.ravel())


def given_sawn(outline: Doubles, thick: float) -> str:
    """Name of the sawn figure with this outline (x and height, counter-clockwise) and thickness."""
    return f"{_GIVEN_SAWN}:" + " ".join(f"{number:.4g}" for number in (thick, *outline.ravel()))


@functools.lru_cache(maxsize=256)
def figure(shape: str) -> Figure:
    """The figure of a name."""
    family, _, seed = shape.partition(":")
    if family == _GIVEN:
        return Figure(np.array(seed.split(), np.float64).reshape(-1, 2))
    if family == _GIVEN_SAWN:
        thick, *points = map(float, seed.split())
        return Figure(outline=np.array(points).reshape(-1, 2), thick=thick)
    rng = np.random.default_rng([int(seed), 37])
    return _turned_figure(rng, family) if family in _TURNED else _sawn_figure(rng, family)


def _turned_figure(rng: Random, family: str) -> Figure:
    sides = {"faceted": int(rng.choice([5, 6, 6, 8])), "obelisk": 4}.get(family, 0)
    rows = np.array(_TURNED[family](rng))
    rows[:, 1] = np.maximum.accumulate(rows[:, 1]) + np.arange(len(rows)) * 1e-4
    rows[:, 1] /= rows[-1, 1]
    return Figure(rows if sides else _blunted(rows), sides=sides)


def _sawn_figure(rng: Random, family: str) -> Figure:
    half, (least, most), plates = _SAWN[family]
    outline = _whole(half(rng))
    outline[:, 1] /= outline[:, 1].max()
    thick, plate = rng.uniform(least, most), rng.uniform(0.04, 0.12)
    if rng.random() >= plates:
        return Figure(outline=outline, thick=thick)
    outline[:, 1] = plate + outline[:, 1] * (1 - plate)
    radius = max(float(np.ptp(outline[:, 0])) * rng.uniform(0.42, 0.6), thick * 0.7)
    return Figure(outline=outline, thick=thick, foot=(radius, plate))


def _whole(half: Rows) -> Doubles:
    """The whole outline from its right half, which runs from the top to the foot."""
    return np.array([*half[::-1], *((-x, y) for x, y in half if x > 1e-6)])


def _blunted(profile: Doubles) -> Doubles:
    """The profile with sharp corners split into two points, so that shading turns over a short distance."""
    step = np.diff(profile, axis=0)
    length = np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-9)
    unit, cut = step / length, np.minimum(0.012, length * 0.3)
    rows = [profile[:1]]
    for index, here in enumerate(profile[1:-1]):
        before, after = unit[index : index + 2]
        is_smooth = float(before @ after) > 0.75
        rows.append(here[None] if is_smooth else np.stack([here - before * cut[index], here + after * cut[index + 1]]))
    return np.concatenate([*rows, profile[-1:]])


_PROFILES: Mapping[str, Rows] = MappingProxyType({
    "cone": [(0, 0), (0.5, 0), (0.5, 0.06), (0.42, 0.14), (0.2, 0.62), (0.17, 0.68), (0.27, 0.74), (0.3, 0.84),
             (0.24, 0.94), (0.1, 0.995), (0, 1)],
    "peg": [(0, 0), (0.42, 0), (0.44, 0.05), (0.36, 0.3), (0.33, 0.55), (0.3, 0.6), (0.42, 0.7), (0.45, 0.8),
            (0.38, 0.93), (0.2, 0.99), (0, 1)],
    "cylinder": [(0, 0), (0.48, 0), (0.5, 0.03), (0.5, 0.94), (0.46, 1), (0, 1)],
    "halma": [(0, 0), (0.5, 0), (0.5, 0.1), (0.3, 0.16), (0.18, 0.4), (0.15, 0.58), (0.3, 0.62), (0.3, 0.66),
              (0.18, 0.7), (0.28, 0.8), (0.28, 0.9), (0.15, 0.98), (0, 1)],
    "saucer": [(0, 0), (0.3, 0), (0.5, 0.4), (0.5, 0.55), (0.35, 0.75), (0.25, 0.85), (0.1, 1), (0, 1)],
})  # fmt: skip
"""Radius and height of turned pawns, from the foot upwards, as shares of width and height."""
MEEPLE = _whole([
    (0.0, 1.0), (0.14, 0.97), (0.19, 0.84), (0.15, 0.7), (0.48, 0.62), (0.5, 0.48), (0.22, 0.42), (0.42, 0.02),
    (0.4, 0.0), (0.12, 0.0), (0.0, 0.2),
])  # fmt: skip
"""A meeple seen from the front, one unit wide and high, counter-clockwise."""
_STANDEE = _whole([(0.0, 1.0), (0.3, 0.95), (0.45, 0.75), (0.45, 0.1), (0.0, 0.1)])


def pawn(sizes: Sizes, shape: str) -> Mesh:
    """A standing pawn."""
    wide, high = sizes.pawn, sizes.pawn_high
    if is_figure(shape):
        return _figure_mesh(figure(shape), high)
    if shape == "meeple":
        return mesh.sawn(MEEPLE * (wide * 1.15, high * 0.85), wide * 0.55)
    if shape == "standee":
        return mesh.join(mesh.box(wide * 1.1, wide * 0.8, 0.12), mesh.sawn(_STANDEE * (wide * 1.2, high), 0.08))
    return mesh.lathe(profile(sizes, shape), 20 if shape.startswith("turned:") else 18)


def _figure_mesh(made: Figure, high: float) -> Mesh:
    if made.profile is not None:
        line = made.profile * high
        return mesh.faceted(line, made.sides) if made.sides else mesh.lathe(line, 18)
    outline = np.asarray(made.outline) * high
    body = mesh.sawn(outline, made.thick * high)
    if made.foot is None:
        return body
    plate = mesh.prism(mesh.circle(made.foot[0] * 2 * high, 18), made.foot[1] * high, smooth=True)
    return mesh.facing(mesh.join(mesh.slotted(plate, mesh.SIDE), body), np.concatenate([outline, [[0.0, 0.0]]]))


def profile(sizes: Sizes, shape: str) -> Doubles:
    """Profile (radius, height) of a turned pawn from its foot to its top."""
    if shape.startswith("turned:"):
        return turned(int(shape[7:]), sizes.pawn / sizes.pawn_high) * (sizes.pawn, sizes.pawn_high)
    if is_figure(shape) and (line := figure(shape).profile) is not None:
        return np.asarray(line * sizes.pawn_high)
    height = sizes.pawn_high * {"saucer": 0.45, "cylinder": 0.8}.get(shape, 1.0)
    return np.array(_PROFILES.get(shape, _PROFILES["cone"])) * (sizes.pawn, height)


def turned(seed: int, stout: float) -> Doubles:
    """Random profile of a turned figure, from a ball on a peg to a chessman: foot, body, perhaps a collar, head.
    `stout`: width over height, so that balls are round."""
    rng = np.random.default_rng([seed, 31])
    foot = rng.uniform(0.36, 0.5)
    neck, head = rng.uniform(0.1, 0.32), rng.uniform(0.2, 0.42)
    kind = str(rng.choice(["ball", "ball", "ball", "dome", "tip", "knob"]))
    tall = min(head * stout * {"ball": 1.0, "dome": 0.7, "tip": 1.3, "knob": 0.5}[kind], 0.35)
    is_ball = kind in ("ball", "knob")
    shoulder = (1 - 2 * tall if is_ball else 1 - tall) + 0.25 * tall
    rows = [(0.0, 0.0), (0.5 if rng.random() < 0.7 else foot, 0.0)]
    if rng.random() < 0.6:
        edge = rng.uniform(0.03, 0.12)
        rows += [(0.5, edge), (foot, edge + 0.03)]
    low, bend = rows[-1][1] + 0.03, rng.uniform(0.4, 2.2)
    rows += _curve((foot, low), (neck, shoulder), bend, 6)[1:]
    if rng.random() < 0.35:
        collar = min(0.5, neck + rng.uniform(0.06, 0.18))
        rows += [(collar, shoulder + 0.005), (collar, shoulder + 0.035)]
    angles = np.linspace(-0.9 if is_ball else 0.0, np.pi / 2, 8)
    if kind == "tip":
        rows += [(head * (1 - angle / (np.pi / 2)), 1 - tall + tall * float(np.sin(angle))) for angle in angles]
    else:
        rows += _dome(head, 1 - tall, tall, angles)
    heights = np.maximum.accumulate([high for _, high in rows]) + np.arange(len(rows)) * 1e-4
    return np.stack([[wide for wide, _ in rows], heights / heights[-1]], axis=1)
