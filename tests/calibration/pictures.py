"""Pictures of one and the same unseen set: laid out for teaching, and lying about on other tables in other light."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.render import Body, Scene, Viewpoint, placements
from models.render.camera import camera_at
from models.render.edition import SUITS, VALUES, PaintedSet
from models.render.layout_scene import fitting_view
from models.render.random_scene import random_film, random_light, random_table, random_view
from models.render.random_sets import random_edition
from models.render.shapes import resting_height

PAIRS = [(suit, value) for suit in SUITS for value in VALUES]
KINDS = ("scatter", "island", "board", "freeform", "spread")


def unseen_set(seed: int) -> PaintedSet:
    """A set of the stratum that training never draws."""
    return random_edition(700_000 + seed, "test")


def teaching_scene(edition: PaintedSet, step: str, seed: int) -> Scene:
    """What a person lays out for one step of the lesson, and photographs from about straight above."""
    side = step.removesuffix(" suits").removesuffix(" values")  # coins are turned over in their places
    rng = np.random.default_rng([seed, 21, len(side)])
    bodies = grid(rng, laid_for(rng, step), 2.5 if step.startswith("tiles") else 1.3)
    view = Viewpoint(tilt_deg=float(rng.uniform(5, 22)), turn_deg=float(rng.uniform(0, 360)))
    return scene(edition, bodies, view, seed)


def laid_for(rng: np.random.Generator, step: str) -> list[Body]:
    small = {"dice": dice, "pawns": pawns, "pyramids": pyramids}.get(step)
    if small is not None:
        return small(rng)
    kind, face = {
        "tiles": ("tile", "front"),
        "tile backs": ("tile", "back"),
        "coin values": ("coin", "front"),
        "coin suits": ("coin", "back"),
    }.get(step, ("", None))
    if kind:
        return [Body(kind, 0, 0, suit=s, value=v, face=face, seed=int(rng.integers(1 << 30))) for s, v in PAIRS]
    return dice(rng) + pawns(rng)


def dice(rng: np.random.Generator) -> list[Body]:
    thrown = rng.integers(6, size=4)
    return [
        Body("die", 0, 0, suit=s, value=VALUES[n], seed=int(rng.integers(1 << 30)))
        for s, n in zip(SUITS, thrown, strict=True)
    ]


def pawns(rng: np.random.Generator) -> list[Body]:
    return [Body("pawn", 0, 0, suit=s, pose="upright", seed=int(rng.integers(1 << 30))) for s in SUITS]


def pyramids(rng: np.random.Generator) -> list[Body]:
    return [
        Body("pyramid", 0, 0, suit=s, size=size, pose="upright", seed=int(rng.integers(1 << 30)))
        for s in SUITS
        for size in ("small", "medium", "large")
    ]


def grid(rng: np.random.Generator, bodies: Sequence[Body], pitch: float) -> list[Body]:
    """In rows of six, in any order, as carelessly as people lay things."""
    out = []
    for place, index in enumerate(rng.permutation(len(bodies))):
        x, y = (place % 6 - 2.5) * pitch, (place // 6 - 1.5) * pitch
        dx, dy, turn = rng.normal(0, (0.05, 0.05, 6.0))
        turn += 90.0 * float(rng.integers(4))
        out.append(replace(bodies[int(index)], x=x + float(dx), y=y + float(dy), angle=float(turn)))
    return out


def scene(edition: PaintedSet, bodies: list[Body], view: Viewpoint, seed: int) -> Scene:
    rng = np.random.default_rng([seed, 22])
    table, light = random_table(rng, "test"), random_light(rng)
    film = replace(random_film(rng, table, light), motion=(0.0, 0.0))
    table = replace(table, half=(200.0, 200.0))
    camera = camera_at(fitting_view(bodies, edition.sizes, view))
    return Scene(edition, resting(bodies, edition), table, light, camera, film, seed, "test", "lesson", view.tilt_deg)


def resting(bodies: Sequence[Body], edition: PaintedSet) -> list[Body]:
    out: list[Body] = []
    for body in bodies:
        out.append(replace(body, z=resting_height(body, out, edition.sizes)))
    return out


def everyday_scene(edition: PaintedSet, seed: int) -> Scene:
    """The same set on another table, in another light, before another camera (to 45 degrees)."""
    rng = np.random.default_rng([seed, 23])
    return photographed(rng, edition, placements.KINDS[str(rng.choice(KINDS))](rng, placements.Box(rng, edition)), seed)


def small_scene(edition: PaintedSet, seed: int) -> Scene:
    """So also, but mostly dice, pawns and pyramids, more of them than one set has: each counts as often as it is
    seen."""
    rng = np.random.default_rng([seed, 25])
    spots = [(2.2 * i, 2.2 * j) for i in range(-3, 4) for j in range(-2, 3)]
    bodies = []
    for place, pick in enumerate(rng.permutation(len(spots))[:26]):
        x, y = (float(v + rng.normal(0, 0.25)) for v in spots[int(pick)])
        box = placements.Box(rng, edition)  # a new one each time, so that suits repeat
        make = (box.die, box.pawn, box.pyramid)[place % 3]
        under = list(box.tile(x, y, float(rng.uniform(0, 360)), "back")) if rng.random() < 0.3 else []
        height = edition.sizes.tile_thick if under else 0.0
        bodies += [*under, *make(x, y, height)]
    return photographed(rng, edition, bodies, seed)


def photographed(rng: np.random.Generator, edition: PaintedSet, bodies: list[Body], seed: int) -> Scene:
    table, light = random_table(rng, "test"), random_light(rng)
    view = random_view(rng, bodies)
    view = replace(view, tilt_deg=min(view.tilt_deg, 45.0))
    film = random_film(rng, table, light)
    return Scene(edition, bodies, table, light, camera_at(view), film, seed, "test", "everyday", view.tilt_deg)
