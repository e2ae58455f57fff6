"""The truth fits the picture: to the pixel, and back to the layout it was drawn from."""

from itertools import islice
from typing import Any

import cv2
import numpy as np
import pytest

from models.render import TEST_SCENES, random_scene, render, tables
from models.render.camera import Viewpoint, camera_at
from models.render.layout_scene import layout_scene
from models.render.renderer import Rendered
from models.render.scene import Body, Film, Scene, Table
from models.render.styles import lamp_light, plain_edition, style
from rules.engine.playout import walk
from rules.games import game
from rules.pieces import Face, Kind, Rank, Suit, coin, pawn, tile
from rules.referee.likelihood import unstated_nats
from rules.table.layout import Layout, Placed
from tests.tiers import GAMES, full

LENS = (-0.12, 0.02, 0.0005, -0.0008, 0.0)
VIEW = Viewpoint(480, 360, 62, 20, 15, 0, 12, distortion=LENS)


def scene_of(*bodies: Body, view: Viewpoint = VIEW) -> Scene:
    edition = plain_edition("plain", 4)
    edition.body = edition.back_body = (250, 250, 250)
    edition.grain, edition.material = 0.0, "plastic"
    table = Table("plain", (20.0, 20.0, 20.0), 1, gloss=0.0)
    film = Film(exposure=1.0, noise=0.0, blur=0.3, jpeg=100, vignette=0.0)
    return Scene(edition, list(bodies), table, lamp_light(0.3), camera_at(view), film)


def a_tile(x: float = 0.0, y: float = 0.0, z: float = 0.0, value: str = "null", angle: float = 0.0) -> Body:
    return Body("tile", x, y, z, angle, "suns", value, "front")


def piece(drawn: Rendered, index: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = drawn.truth["pieces"][index]
    return found


def test_outline_is_where_opencv_projects_the_corners() -> None:
    drawn = render(scene_of(a_tile(1.0, 0.5, angle=30.0)))
    eye = drawn.truth["camera"]
    turn = np.radians(30.0)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1.0]]) @ axes + (1.0, 0.5)
    world = np.concatenate([corners, np.full((4, 1), 0.25)], 1)
    seen = cv2.projectPoints(
        world, cv2.Rodrigues(np.array(eye["R"]))[0], np.array(eye["t"]), np.array(eye["K"]), np.array(eye["dist"])
    )
    assert np.allclose(seen[0][:, 0], piece(drawn)["outline_px"], atol=0.02)


@pytest.mark.parametrize("tilt", [0.0, 35.0, 55.0])
def test_outline_encloses_what_is_bright(tilt: float) -> None:
    view = Viewpoint(480, 360, 62, tilt, 15, 0, 12, distortion=LENS)
    drawn = render(scene_of(a_tile(), view=view))
    ring = np.round(np.array(piece(drawn)["outline_px"]) * 16).astype(np.int32)
    inside = np.zeros(drawn.image.shape[:2], np.uint8)
    cv2.fillPoly(inside, [ring], 255, shift=4)
    bright = drawn.image.min(axis=2) > 90
    rim = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    sides = cv2.dilate(((drawn.owners == 0) & (inside == 0)).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    blank = ~_mark_of(drawn)
    assert not ((bright != (inside > 0)) & ~rim & ~sides & blank).any()


def _mark_of(drawn: Rendered) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The quarter of the tile with the corner mark, which is printed and not bright."""
    ring = np.array(piece(drawn)["outline_px"])
    quarter = np.stack([ring[0], (ring[0] + ring[1]) / 2, ring.mean(0), (ring[0] + ring[3]) / 2])
    mask = np.zeros(drawn.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(quarter).astype(np.int32)], 1)
    return mask > 0


def test_window_of_a_frame_is_the_frame_moved() -> None:
    scene = scene_of(a_tile(), Body("coin", 0.2, 0.1, 0.25, 0, "moons", "3", "front"))
    whole, part = render(scene), render(scene, (120, 60, 200, 180))
    shift = np.array(piece(whole)["center_px"]) - np.array(piece(part)["center_px"])
    assert np.allclose(shift, (120, 60))
    assert (whole.owners[60:240, 120:320] == part.owners).mean() > 0.995


def test_coin_hides_the_numeral_but_not_the_mark() -> None:
    covered = render(scene_of(a_tile(value="3"), Body("coin", 0.0, 0.0, 0.25, 0, "moons", "3", "front")))
    art = piece(covered)["art_visible"]
    assert isinstance(art, dict)
    assert art["value"] < 0.7
    assert art["suit"] == 1.0
    assert piece(covered)["visible"] == pytest.approx(0.9, abs=0.05)


def test_nothing_is_visible_of_a_tile_under_another() -> None:
    view = Viewpoint(480, 360, 62, 0, 0, 0, 12)
    drawn = render(scene_of(a_tile(), a_tile(z=0.25), view=view))
    assert piece(drawn, 0)["visible"] < 0.12
    assert piece(drawn, 1)["visible"] > 0.9


def test_pieces_beyond_the_window_are_not_visible() -> None:
    drawn = render(scene_of(a_tile(3.0, 0.0)), (0, 0, 120, 120))
    assert piece(drawn)["visible"] == 0.0
    assert piece(drawn)["in_frame"] == 0.0


@pytest.mark.parametrize("tilt", [0.0, 45.0])
@pytest.mark.parametrize("shape", ["halma", "meeple", "standee"])
def test_whole_pieces_are_wholly_visible(shape: str, tilt: float) -> None:
    pawn_ = Body("pawn", 0, 0, suit="suns", pose="upright")
    die = Body("die", -2, 0, suit="moons", value="3")
    spike = Body("pyramid", 2, 0, suit="arms", size="large", pose="upright")
    scene = scene_of(pawn_, die, spike, a_tile(0, 2.5), view=Viewpoint(640, 480, 62, tilt, 15, 0, 12, distortion=LENS))
    scene.edition.pawn_shape = shape
    assert min(p["visible"] for p in render(scene).truth["pieces"]) > 0.97


def test_layout_comes_back_from_the_truth() -> None:
    pieces = (
        Placed(tile(Suit.SUNS, Rank.THREE), "t1", 0, 0, Face.FRONT, 90),
        Placed(tile(Suit.ARMS, Rank.ACE), "t2", 2, 0, Face.BACK),
        Placed(tile(Suit.MOONS, Rank.TWO), "t3", 1, 0, Face.FRONT, level=1),
        Placed(coin(Suit.CROWNS, Rank.FIVE), "c1", 1, 0.5, Face.BACK, level=2),
        Placed(pawn(Suit.ARMS), "p1", -2, 0),
    )
    scene = layout_scene(Layout(pieces), style("classic"), Viewpoint(480, 360), jitter=0.0)
    found = {p["id"]: p for p in render(scene).truth["pieces"]}
    for placed in pieces:
        assert found[placed.key]["position_in"] == [placed.x, placed.y]
        assert found[placed.key]["suit"] == (placed.shown.suit and placed.shown.suit.value)
        assert found[placed.key]["value"] == (placed.shown.rank.word if placed.shown.rank is not None else None)
    assert [found[k]["level"] for k in ("t1", "t3", "c1")] == [0.0, 0.25, 0.5]
    assert all(p["in_frame"] > 0.999 for p in found.values())


def laid(placed: Placed) -> tuple[object, ...]:
    """What a picture can tell of a piece on the board."""
    shown = placed.shown
    value = shown.rank.word if shown.rank is not None else shown.mark if shown.kind is Kind.CARD else None
    suit, size = shown.suit.value if shown.suit else None, shown.size.look.value if shown.size else None
    return shown.kind.value, suit, value, placed.face.value if placed.face else None, size


@pytest.mark.parametrize("name", GAMES)
def test_every_game_comes_back_from_the_truth_of_its_picture(name: str) -> None:
    rules = game(name)
    layout = rules.layout(list(islice(walk(rules, 4), 13))[-1][0])
    scene = layout_scene(layout, style("classic"), Viewpoint(640, 360, tilt_deg=12), jitter=0.0)
    found = {p["id"]: p for p in render(scene).truth["pieces"]}
    assert len(found) == len(layout)
    for placed in layout:
        seen = found[placed.key]
        assert seen["position_in"] == pytest.approx([placed.x, placed.y], abs=1e-3)
        assert abs((seen["angle_deg"] - placed.angle + 180) % 360 - 180) < 0.02
        side_unknown = placed.face is None and placed.shown.kind in (Kind.TILE, Kind.COIN)
        card_unknown = placed.face is Face.FRONT and placed.shown.kind is Kind.CARD and placed.shown.mark is None
        if not (unstated_nats(placed) or side_unknown or card_unknown):  # what nobody knows is drawn as anything
            assert tuple(seen[part] for part in ("kind", "suit", "value", "face", "size")) == laid(placed)


@pytest.mark.parametrize("count", [40, full(300)])
def test_test_scenes_share_nothing_with_training(count: int) -> None:
    scenes = [random_scene(seed, "test") for seed in TEST_SCENES[:count]]
    assert len({scene.edition.name for scene in scenes}) == len(scenes) == count
    assert {scene.stratum for scene in scenes} == {"test"}
    assert not {scene.table.kind for scene in scenes} & {*tables.TRAIN_KINDS, *tables.TRAIN_CLOTHS}


@pytest.mark.parametrize("stratum", ["train", "test"])
def test_same_seed_same_picture(stratum: str) -> None:
    window = (400, 250, 160, 160)
    first, second = (render(random_scene(11, stratum), window) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.truth == second.truth


def test_a_crowd_stands_in_many_colours_and_its_truth_fits() -> None:
    scene = random_scene(6, of="crowd")
    guests = [body for body in scene.bodies if body.guest]
    assert len(guests) >= 6
    assert len({body.guest.name for body in guests if body.guest}) >= 3
    facts = render(scene, (300, 200, 320, 240)).truth
    assert [p["kind"] for p in facts["pieces"]].count("pawn") >= 3


@pytest.mark.parametrize("seed", [3, 6])
def test_coins_carry_what_stands_on_them_and_nothing_hangs_in_the_air(seed: int) -> None:
    scene = random_scene(seed, of="carried")
    sizes = scene.edition.sizes
    coins = [body for body in scene.bodies if body.kind == "coin"]
    upon = [body for body in scene.bodies if body.guest]
    tops = [0.0, sizes.tile_thick, *(coin.z + sizes.coin_thick for coin in coins)]
    assert all(min(abs(body.z - top) for top in tops) < 1e-6 for body in upon)
    carried = [(c, b) for c in coins for b in upon if np.hypot(c.x - b.x, c.y - b.y) < 0.3 and b.z > c.z]
    assert len(carried) >= 2


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_single_pieces_lie_apart_and_far_away(seed: int) -> None:
    scene = random_scene(seed, of="alone")
    spots = np.array([(body.x, body.y) for body in scene.bodies if body.kind in set(Kind)])
    gaps = np.linalg.norm(spots[:, None] - spots, axis=2) + 1e3 * np.eye(len(spots))
    assert gaps.min() > 4.9
    seen = scene.camera.project(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]))
    assert 6 < np.linalg.norm(seen[1] - seen[0]) < 55, "pixels of a tile"


def test_random_scenes_say_only_possible_things() -> None:
    for seed in range(12):
        facts = render(random_scene(seed), (300, 200, 96, 96)).truth
        for p in facts["pieces"]:
            assert 0 <= p["visible"] <= 1
            assert p["level"] >= 0
            assert (p["kind"] != "tile") or (p["face"] == "front") == (p["suit"] is not None)


def test_pawns_that_crowd_stand_beside_each_other() -> None:
    """None on the head of another, though all stand on the tile."""
    below = Placed(tile(), "tile", 0.0, 0.0, Face.BACK)
    crowd = [Placed(pawn(suit), suit.value, 0.3 * n, 0.0, level=1) for n, suit in enumerate(Suit)]
    scene = layout_scene(Layout((below, *crowd)), style("classic"), Viewpoint(480, 360), jitter=0.0)
    heights = {body.z for body in scene.bodies if body.kind == "pawn"}
    assert heights == {scene.edition.sizes.tile_thick}
