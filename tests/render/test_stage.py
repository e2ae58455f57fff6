"""A table of which only the changed part is drawn again looks like one that was drawn whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.render.camera import Viewpoint
from models.render.layout_scene import layout_scene
from models.render.stage import Stage
from models.render.styles import style
from rules.games import game


def test_no_seam_is_left_around_what_was_put_down() -> None:
    rules = game("dodgem")
    scene = layout_scene(rules.layout(rules.start()), style("classic"), Viewpoint(640, 360, tilt_deg=18), seed=3)
    bodies = [replace(body, name=str(index)) for index, body in enumerate(scene.bodies)]
    put_down = next(body for body in bodies if body.kind == "coin")
    before = replace(scene, bodies=[body for body in bodies if body is not put_down])
    stage, whole = Stage(before), Stage(replace(scene, bodies=list(bodies)))
    stage.set_bodies(bodies)
    drawn, wanted = (each.frame([], 0)[0].astype(np.int16) for each in (stage, whole))
    assert np.abs(drawn - wanted).max() <= 2
