"""Path-traced pictures: light where the scene has it, pieces where the truth says. Needs `traced` and `training`."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("bpy")

from models.render import random_scene
from models.render import render as rasterised
from models.render.camera import Viewpoint, camera_at
from models.render.film import Window
from models.render.renderer import Rendered
from models.render.scene import Body, Film, Illumination, Lamp, Scene, Table
from models.render.styles import plain_edition
from models.training import __main__ as command
from models.training.pool import grow, pictures
from models.training.traced import cycles
from models.training.traced import render as tracing
from models.training.traced.render import render, smaller
from models.training.traced.scenery import scenery
from models.training.truth import read_truth

QUICK = cycles.RenderEffort(samples=4, denoised=False)
GREY = (128.0, 128.0, 128.0)
GREY_LIGHT = (128 / 255) ** 2.2


def scene_of(*bodies: Body, tilt: float = 25.0, lamp: float = 0.6, sky: float = 0.4) -> Scene:
    edition = plain_edition("plain", 4)
    edition.body = edition.back_body = (250, 250, 250)
    edition.grain, edition.material, edition.gloss = 0.0, "card", 0.0
    light = Illumination((Lamp((0.0, 0.0, 40.0), (1.0, 1.0, 1.0), lamp, 4.0),), (1.0, 1.0, 1.0), sky, 3)
    view = Viewpoint(240, 160, 62, tilt, 15, 0, 12, distortion=(-0.12, 0.02, 0.0005, -0.0008, 0.0))
    film = Film(noise=0.0, blur=0.0, jpeg=100, vignette=0.0)
    table = Table("plain", (20.0, 20.0, 20.0), 1, gloss=0.0, roughness=0.9)
    return Scene(edition, list(bodies), table, light, camera_at(view), film, seed=4, tilt_deg=tilt)


def a_tile(x: float = 0.0, z: float = 0.0, angle: float = 25.0) -> Body:
    return Body("tile", x, 0.0, z, angle, "suns", "null", "front")


def light_of(scene: Scene) -> np.ndarray:
    window = (0, 0, scene.camera.width, scene.camera.height)
    return np.asarray(cycles.trace(scenery(scene, window)[0], QUICK))


@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_what_is_bright_lies_in_the_outline(tilt: float) -> None:
    taken = render(scene_of(a_tile(), tilt=tilt), effort=QUICK)
    ring = np.array(taken.truth["pieces"][0]["outline_px"])
    inside = np.zeros(taken.image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [np.round(ring).astype(np.int32)], 1)
    bright = taken.image.min(axis=2) > 110
    sure = cv2.erode(inside, np.ones((5, 5), np.uint8)) > 0
    assert bright[sure].mean() > 0.85  # the mark is dark
    assert (taken.owners[sure] == 0).all()
    around = cv2.dilate((taken.owners == 0).astype(np.uint8), np.ones((5, 5), np.uint8)) == 0
    assert not bright[around].any()


@pytest.mark.parametrize(("lamp", "sky"), [(0.9, 0.0), (0.0, 0.8), (0.5, 0.4)])
def test_a_level_table_is_as_bright_as_the_scene_says(lamp: float, sky: float) -> None:
    scene = scene_of(tilt=0.0, lamp=lamp, sky=sky)
    scene.table = Table("plain", GREY, 1, gloss=0.0, roughness=1.0)
    light = light_of(scene)
    assert np.median(light) == pytest.approx(GREY_LIGHT * (lamp + sky), rel=0.12)


def test_what_stands_casts_a_shadow_away_from_the_lamp() -> None:
    scene = scene_of(Body("die", 0, 0, 0, 0, "suns", "2"), tilt=0.0, lamp=1.0, sky=0.1)
    scene.table = Table("plain", GREY, 1, gloss=0.0, roughness=1.0)
    scene.light = replace(scene.light, lamps=(replace(scene.light.lamps[0], place=(40.0, 0.0, 30.0)),))
    light = light_of(scene).mean(axis=2)
    dark, bright = (scene.camera.pinhole(np.array([[x, 0.0, 0.0]]))[0].astype(int) for x in (-0.5, 0.6))
    assert light[dark[1], dark[0]] < 0.5 * light[bright[1], bright[0]]


def test_crossing_cards_in_one_plane_stay_bright() -> None:
    cards = [Body("card", x, 0.0, 0.0, angle, None, "", "front") for x, angle in ((0.0, 0.0), (0.4, 90.0))]
    light = light_of(scene_of(*cards, tilt=0.0))
    middle = light[60:100, 100:140].mean(axis=2)
    assert np.median(middle) > 0.1
    assert (middle > 0.02).mean() > 0.98


def test_a_folder_grows_once_in_the_pools_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def small(scene: Scene, crop: Window | None) -> Rendered:
        asked.append(scene.seed)
        return render(scene, (200, 120, 160, 120), cycles.RenderEffort(samples=1, denoised=False))

    for _ in range(2):
        grow(tmp_path, "train", 7, 2, add=partial(tracing.add_picture, draw=small))
    assert asked == [7, 8]
    assert [path.name for path in pictures(tmp_path)] == ["0000007.jpg", "0000008.jpg"]
    known = json.loads((tmp_path / "0000007.json").read_text())
    drawn = rasterised(smaller(random_scene(7), near=True), (200, 120, 160, 120)).truth
    assert known.keys() - {"image"} == drawn.keys()
    for mine, his in zip(known["pieces"], drawn["pieces"], strict=True):
        assert mine["outline_px"] == his["outline_px"]
        assert mine["visible"] == pytest.approx(his["visible"], abs=0.15)
    read_truth(tmp_path / "0000007.json")


def test_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def absent() -> None:
        raise ImportError("No module named 'bpy'")

    monkeypatch.setattr(tracing, "blender", absent)
    with pytest.raises(SystemExit, match="install the extra `traced`"):
        command.main(["traced", "--pool", str(tmp_path / "none"), "--count", "1"])
    assert not (tmp_path / "none").exists()
