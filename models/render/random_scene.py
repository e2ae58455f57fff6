"""A new scene for every seed: set, table, light, camera, clutter and an arrangement of pieces."""

import math
from dataclasses import replace

import numpy as np

from models.render import hands, other_games, placements, tables
from models.render.camera import PinholeCamera, Viewpoint, camera_at
from models.render.edition import PaintedSet
from models.render.glyphs import Random, one_of, random_seed
from models.render.random_sets import bgr, wild_edition
from models.render.scene import Body, Film, Illumination, Lamp, Pane, Scene, Table, clutter_body

_KIND_WEIGHTS = {
    "scatter": 0.44, "island": 0.13, "board": 0.13, "mountain": 0.08, "freeform": 0.12, "spread": 0.04, "clutter": 0.06,
}  # fmt: skip
_TABLE_WEIGHTS = {"printed": 0.35, "checked": 0.6, "wood": 2.0, "planks": 1.6, "terrazzo": 0.5}
_STONES = ("marble", "granite", "slate", "terrazzo")  # never as colourful as cloth or paint
_OTHER_PIECES = (
    "chip", "token", "token", "money", "go", "chess", "chessman", "chessman", "draught", "draught", "marble", "pips",
    "domino", "playing", "counter", "chocolate",
)  # fmt: skip
_THINGS = ("mug", "glass", "pencil", "paper", "note", "phone", "book", "coaster", "box")
_MOODS = {
    "soft": (0.75, 0.3, 0.8), "lamp": (0.4, 0.05, 0.25), "hard": (0.2, 0.005, 0.03), "mixed": (0.4, 0.03, 0.3),
    "window": (0.3, 0.01, 0.06),
}  # fmt: skip
"""Share of ambient light, and least and greatest diameter of a lamp as a share of its distance."""
TEST_SCENES = range(300)
"""Seeds of the stratum "test" that figures are given for."""
GUESTS = 6
"""Further sets whose pieces lie in a scene of some kinds."""
WINDOW_SHARE = 0.35
"""Share of scenes with a window that glossy pieces reflect."""
CLOTH_SHARE = 0.25
"""Share of tables under a cloth: some of oilcloth, which is glossy."""
FAR_TILE_PX = (10.0, 45.0)
"""Width in pixels of a tile that is seen from far away."""
THROWN_FAR = (0.6, 1.8)
"""Distance of the camera from thrown dice, as a multiple of the usual one."""
_WITH_GUESTS = {"crowd": placements.crowd, "carried": placements.carried, "throws": placements.throws}
SPECIAL = ("alone", "carried", "crowd", "occupied", "rivals", "territory", "throws")
"""Kinds of scenes that are drawn on request only."""


def random_scene(seed: int, stratum: str = "train", of: str = "", edition: PaintedSet | None = None) -> Scene:
    """The scene of a seed. Strata: "train", and "test" with fonts, sets and tables that training never draws. `of`: one
    of SPECIAL instead of a random kind: a "crowd" has pawns and pyramids of several sets, "rivals" are other games, a
    "territory" is a table of cards and pyramids, "throws" are dice of several sets, seen from near and far, "carried"
    are pieces on pieces, "occupied" are boards with pieces on most tiles, "alone" are single pieces seen from far away.
    `edition`: the set, instead of a random one."""
    rng = np.random.default_rng([seed, {"train": 1, "test": 2}.get(stratum, 3)])
    drawn = int(rng.integers(1 << 40))
    edition = edition or wild_edition(drawn, stratum)
    kind = str(rng.choice(list(_KIND_WEIGHTS), p=list(_KIND_WEIGHTS.values())))
    kind = of if of in SPECIAL else kind
    bodies = _turned(rng, _arranged(rng, kind, edition, stratum))
    table, light = table_with_cloth(rng, stratum), random_light(rng)
    view = random_view(rng, bodies)
    if of == "throws":
        view = replace(view, distance=min(48.0, view.distance * rng.uniform(*THROWN_FAR)))
    if of == "alone":
        tile_px = math.exp(rng.uniform(math.log(FAR_TILE_PX[0]), math.log(FAR_TILE_PX[1])))
        view = replace(view, distance=2 * view.focal / tile_px)
    bodies += random_clutter(rng, bodies, view, busy=kind == "clutter")
    bodies += random_hands(rng, bodies, view)
    film, camera = random_film(rng, table, light), camera_at(view)
    light = with_window(light, camera, bodies)
    return Scene(edition, bodies, table, light, camera, film, seed, stratum, kind, view.tilt_deg)


def _arranged(rng: Random, kind: str, edition: PaintedSet, stratum: str) -> list[Body]:
    box = placements.Box(rng, edition)
    if kind in _WITH_GUESTS:
        return _WITH_GUESTS[kind](rng, box, [wild_edition(int(rng.integers(1 << 40)), stratum) for _ in range(GUESTS)])
    if kind == "rivals":
        return other_games.random_games(rng)
    return [] if kind == "clutter" else placements.KINDS[kind](rng, box)


def _turned(rng: Random, bodies: list[Body]) -> list[Body]:
    """The whole arrangement rotated and shifted."""
    angle = rng.normal(0, 12) + float(rng.integers(4)) * 90
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    dx, dy = rng.normal(0, 0.6, 2)
    turned = [replace(b, angle=b.angle + angle, lean=(b.lean[0], b.lean[1] + angle)) for b in bodies]
    return [replace(b, x=b.x * c - b.y * s + dx, y=b.x * s + b.y * c + dy) for b in turned]


def random_table(rng: Random, stratum: str) -> Table:
    kinds = tables.TEST_KINDS if stratum == "test" else tables.TRAIN_KINDS
    common = np.array([_TABLE_WEIGHTS.get(kind, 1.0) for kind in kinds])
    kind = str(rng.choice(list(kinds), p=common / common.sum()))
    if kind in ("wood", "planks", "bamboo", "parquet") and rng.random() < 0.85:
        base = bgr(rng.uniform(0.04, 0.11), rng.uniform(0.25, 0.75), rng.uniform(0.2, 0.85))
    else:
        base = bgr(rng.random(), rng.random() ** 1.5 * (0.2 if kind in _STONES else 0.8), rng.uniform(0.08, 0.95))
    glossy = rng.random() < 0.35
    half = (rng.uniform(9, 26), rng.uniform(8, 20)) if rng.random() < 0.25 else (200.0, 200.0)
    seed, span, turn = random_seed(rng), rng.uniform(12, 34), rng.uniform(0, 360)
    gloss = rng.uniform(0.5, 1.0) if glossy else rng.uniform(0, 0.3)
    roughness = rng.uniform(0.08, 0.3) if glossy else rng.uniform(0.35, 0.8)
    floor = bgr(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.1, 0.6))
    return Table(kind, base, seed, span, turn, gloss, roughness, half, floor)


def table_with_cloth(rng: Random, stratum: str) -> Table:
    """A table top, one in four under a patterned cloth or a rug, drawn from the table's own seed."""
    table = random_table(rng, stratum)
    own = np.random.default_rng([table.seed, 67])
    if own.random() >= CLOTH_SHARE:
        return table
    kinds = tables.TEST_CLOTHS if stratum == "test" else tables.TRAIN_CLOTHS
    base = bgr(own.random(), own.uniform(0.2, 0.95), own.uniform(0.15, 0.9))
    gloss, roughness = (own.uniform(0.4, 0.8), own.uniform(0.15, 0.35)) if own.random() < 0.15 else (0.05, 0.8)
    kind = str(own.choice(list(kinds)))
    return replace(table, kind=kind, base=base, span=own.uniform(8, 40), gloss=float(gloss), roughness=float(roughness))


def _warmth(rng: Random) -> tuple[float, float, float]:
    """Colour of a lamp from candle to daylight, linear BGR."""
    warm = rng.uniform(-0.25, 0.5)
    return (1 - warm * 0.75, 1 - abs(warm) * 0.2, 1 + warm * 0.5)


def random_light(rng: Random) -> Illumination:
    """One or two lamps and ambient light, from diffuse daylight to one hard lamp."""
    mood = str(rng.choice(["soft", "lamp", "hard", "mixed", "window"], p=[0.25, 0.3, 0.15, 0.2, 0.1]))
    share = _MOODS[mood][0]
    count = 2 if mood == "mixed" else 1
    lamps = tuple(_lamp(rng, mood, (1 - share) / count) for _ in range(count))
    return Illumination(lamps, _warmth(rng), share, random_seed(rng))


def with_window(light: Illumination, camera: PinholeCamera, bodies: list[Body]) -> Illumination:
    """The light, in a share of scenes with a window placed so that the camera sees its reflection on some piece."""
    rng = np.random.default_rng([light.seed, 79])
    if not bodies or rng.random() >= WINDOW_SHARE:
        return light
    piece = one_of(rng, bodies)
    away = camera.place - (piece.x, piece.y, piece.z)
    back = -away[:2] / np.linalg.norm(away) + rng.normal(0, 0.06, 2)
    bright = math.exp(rng.uniform(math.log(4), math.log(40)))
    return replace(light, window=Pane((float(back[0]), float(back[1])), bright))


def _lamp(rng: Random, mood: str, power: float) -> Lamp:
    height = math.radians(rng.uniform(25, 85))
    azimuth, far = rng.uniform(0, 2 * math.pi), rng.uniform(25, 110)
    out = far * math.cos(height)
    place = (out * math.cos(azimuth), out * math.sin(azimuth), far * math.sin(height))
    pattern = str(rng.choice(["window", "blind", "leaves"])) if mood == "window" else ""
    colour, diameter = _warmth(rng), far * rng.uniform(*_MOODS[mood][1:])
    return Lamp(place, colour, power / max(math.sin(height), 0.3), diameter, pattern, random_seed(rng))


def random_view(rng: Random, bodies: list[Body]) -> Viewpoint:
    """A camera tilted by 0 to 70 degrees, at a distance that makes tiles 40 to 200 pixels wide."""
    big = rng.random() < 0.35
    width, height = (1920, 1080) if big else (1280, 720)
    fov = rng.uniform(50, 85)
    tilt = float(abs(rng.normal(0, 22))) if rng.random() < 0.6 else rng.uniform(0, 60)
    tilt = rng.uniform(50, 70) if rng.random() < 0.08 else min(tilt, 60.0)
    focal = width / 2 / math.tan(math.radians(fov) / 2)
    wanted = math.exp(rng.uniform(math.log(45), math.log(190))) * (1.3 if big else 1.0)
    distance = float(np.clip(2 * focal / wanted, 7, 48))
    x, y = np.mean([(b.x, b.y) for b in bodies], axis=0) if bodies else (0.0, 0.0)
    spill = distance * 0.12
    lens = (rng.normal(0, 0.07), rng.normal(0, 0.02), rng.normal(0, 0.0006), rng.normal(0, 0.0006), 0.0)
    straight = rng.random() < 0.3
    turn, roll = rng.uniform(0, 360), rng.normal(0, 3)
    aim = (float(x + rng.normal(0, spill)), float(y + rng.normal(0, spill)))
    distortion, off_centre = (0.0, 0.0, 0.0, 0.0, 0.0) if straight else lens, (rng.normal(0, 8), rng.normal(0, 8))
    return with_corners(Viewpoint(width, height, fov, tilt, turn, roll, distance, aim, distortion, off_centre))


def with_corners(view: Viewpoint) -> Viewpoint:
    """The view, with its lens weakened until something is seen in the corners of the picture."""
    while not camera_at(view).shows_corners:
        k1, k2, p1, p2, k3 = view.distortion
        view = replace(view, distortion=(k1 / 2, k2 / 2, p1 / 2, p2 / 2, k3 / 2))
    return view


def random_film(rng: Random, table: Table, light: Illumination) -> Film:
    """Sensor and file, good and bad. The exposure roughly follows the table, as an automatic one would."""
    base = float(np.mean(np.power(np.array(table.base) / 255, 2.2)))
    level = light.sky_power + sum(lamp.power * lamp.place[2] / math.hypot(*lamp.place) for lamp in light.lamps)
    meter = 0.4 * base + 0.6 * 0.33
    white = np.array(light.sky) * 0.5 + np.array(light.lamps[0].colour) * 0.5
    balance = (white.mean() / white) ** rng.uniform(0.3, 1.1) * np.exp(rng.normal(0, 0.04, 3))
    shake = rng.normal(0, 2.5, 2) if rng.random() < 0.12 else (0.0, 0.0)
    return Film(
        exposure=float(0.22 / (meter * level) * math.exp(rng.normal(0.1, 0.25))),
        white=(float(balance[0]), float(balance[1]), float(balance[2])),
        contrast=rng.uniform(0.0, 0.6),
        saturation=rng.uniform(0.7, 1.25),
        noise=float(rng.choice([0.006, 0.015, 0.03, 0.06]) * rng.uniform(0.6, 1.4)),
        blur=float(np.clip(rng.gamma(3.0, 0.25), 0.25, 2.0)),
        motion=(float(shake[0]), float(shake[1])),
        sharpen=float(max(0.0, rng.normal(0.2, 0.4))),
        vignette=rng.uniform(0, 0.3),
        jpeg=int(rng.integers(55, 98)),
        seed=random_seed(rng),
        flicker=rng.uniform(0.01, 0.06) if rng.random() < 0.1 else 0.0,
        video=math.exp(rng.uniform(math.log(6), math.log(36))) if rng.random() < 0.25 else 0.0,
    )


def random_clutter(rng: Random, bodies: list[Body], view: Viewpoint, busy: bool = False) -> list[Body]:
    """Clutter around the pieces and seldom over them."""
    count = int(rng.integers(3, 14)) if busy else int(rng.choice([0, 0, 1, 2, 3, 5]))
    reach = 2.0 + 0.45 * view.distance
    found: list[Body] = []
    for _ in range(count * 4):
        if len(found) >= count:
            break
        pool = _OTHER_PIECES if rng.random() < 0.55 else _THINGS
        shape = str(rng.choice(list(pool)))
        x, y = view.aim[0] + rng.uniform(-reach, reach), view.aim[1] + rng.uniform(-reach, reach) * 0.7
        if _is_free(x, y, shape, bodies + found):
            found.append(clutter_body(x, y, shape, angle=rng.uniform(0, 360), seed=random_seed(rng)))
    if bodies and rng.random() < 0.12:
        found += _clutter_on_pieces(rng, bodies)
    return found


def _clutter_on_pieces(rng: Random, bodies: list[Body]) -> list[Body]:
    """A pencil, a note or a chip on the pieces."""
    under = one_of(rng, bodies)
    shape = str(rng.choice(["pencil", "note", "chip", "counter", "playing"]))
    near = [b.z for b in bodies if math.hypot(b.x - under.x, b.y - under.y) < 3]
    x, y = under.x + rng.normal(0, 0.8), under.y + rng.normal(0, 0.8)
    return [clutter_body(x, y, shape, z=max(near) + 0.28, angle=rng.uniform(0, 360), seed=random_seed(rng))]


def random_hands(rng: Random, bodies: list[Body], view: Viewpoint) -> list[Body]:
    """Hands that reach in, rest on the table, or hold a piece in the air."""
    found: list[Body] = []
    count = int(rng.choice([0, 1, 2], p=[0.72, 0.2, 0.08]))
    pieces = [b for b in bodies if b.kind in ("tile", "coin", "pawn", "die")]
    for _ in range(count):
        reach = 0.3 * view.distance
        x, y = view.aim[0] + rng.uniform(-reach, reach), view.aim[1] + rng.uniform(-reach, reach) * 0.7
        if pieces and rng.random() < 0.6:
            target = one_of(rng, pieces)
            x, y = target.x + rng.normal(0, 0.5), target.y + rng.normal(0, 0.5)
        height = float(rng.choice([0.35, 0.8, 2.0]) * rng.uniform(0.8, 1.4))
        angle = math.degrees(math.atan2(-(view.aim[0] - x), view.aim[1] - y)) + 180
        angle = rng.uniform(0, 360) if rng.random() < 0.4 else angle + 180 + rng.normal(0, 40)
        pose = str(rng.choice(list(hands.POSES)))
        tilt, seed, left = rng.uniform(6, 28), random_seed(rng), rng.random() < 0.5
        bare = float(rng.choice([0.5, 2.0, 4.0]))
        found.append(hands.with_clothes(hands.reaching((x, y, height), float(angle), pose, tilt, seed, left, bare)))
        if pieces and pose in ("pinch", "grip") and rng.random() < 0.5:
            held, lean = one_of(rng, pieces), (rng.uniform(0, 25), rng.uniform(0, 360))
            found.append(replace(held, x=x, y=y, z=height - 0.15, name="held", lean=lean, seed=random_seed(rng)))
    return found


def _is_free(x: float, y: float, shape: str, others: list[Body]) -> bool:
    own = _RADIUS.get(shape, 0.7)
    return all(
        math.hypot(o.x - x, o.y - y) > own + (_RADIUS.get(o.shape, 0.7) if o.kind == "clutter" else 1.1) for o in others
    )


_RADIUS = {
    "mug": 2.2, "glass": 1.4, "pencil": 1.8, "paper": 6.0, "note": 2.0, "phone": 3.0, "book": 4.6, "coaster": 1.9,
    "box": 2.0, "playing": 2.0,
}  # fmt: skip
"""Inches that a thing keeps free around its middle; others 0.7."""
