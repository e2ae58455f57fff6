"""Positions of games as scenes to learn from: any set, table, light and camera, clutter beside it and hands over it.

What lies here lies as people play it: stacks, staggered rows, boards with gaps, coins on tiles of their own suit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.camera import Viewpoint, camera_at
from models.render.glyphs import Random
from models.render.layout_scene import bodies_of, fitting_view
from models.render.random_scene import laid_table, mirroring, random_clutter, random_film, random_hands, random_light
from models.render.scene import Scene
from models.render.zoo import wild_edition
from rules.table.layout import Layout

JITTER = (0.0, 0.008, 0.02, 0.04)
"""How carelessly people lay things, in inches."""
NEARER = 0.4
"""The share of the pictures that do not show the whole table."""


def played_scene(layout: Layout, seed: int) -> Scene:
    """The layout as the scene of a seed, of the stratum `train`."""
    rng = np.random.default_rng([seed, 4])
    edition = wild_edition(int(rng.integers(1 << 40)), "train")
    bodies = bodies_of(layout, edition.sizes, seed, float(rng.choice(JITTER)))
    table, light = laid_table(rng, "train"), random_light(rng)
    view = fitting_view(bodies, edition.sizes, _anywhere(rng), margin=rng.uniform(0.02, 0.15))
    if rng.random() < NEARER:
        view = replace(view, distance=view.distance * rng.uniform(0.55, 1.0))
    bodies = bodies + random_clutter(rng, bodies, view)
    bodies += random_hands(rng, bodies, view)
    film, camera = random_film(rng, table, light), camera_at(view)
    light = mirroring(light, camera, bodies)
    return Scene(edition, bodies, table, light, camera, film, seed, "train", "played", view.tilt_deg)


def _anywhere(rng: Random) -> Viewpoint:
    """A camera that is often nearly above the table and sometimes far to its side."""
    width, height = (1920, 1080) if rng.random() < 0.35 else (1280, 720)
    tilt = float(abs(rng.normal(0, 22))) if rng.random() < 0.6 else rng.uniform(0, 62)
    fov, turn, roll = rng.uniform(50, 85), rng.uniform(0, 360), rng.normal(0, 3)
    return Viewpoint(width, height, fov, min(tilt, 62.0), turn, roll)
