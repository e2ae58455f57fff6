"""What the path tracer is told agrees with the rasteriser. Needs no path tracer."""

import math
from dataclasses import replace

import numpy as np
import pytest

from models.render import mesh, random_scene, shapes, tables
from models.render.art import Surface
from models.render.camera import Viewpoint, camera_at
from models.render.edition import Sizes
from models.render.light import surroundings
from models.render.mesh import Mesh
from models.render.pawns import FAMILIES
from models.render.random_sets import DIE_KINDS
from models.render.raster import affine_coefficients, signed_area
from models.render.renderer import ideal_window, owners_of, visible_world
from models.render.scene import Body, Illumination, Lamp, Pane, Scene, Table
from models.render.styles import plain_edition
from models.render.world import placed
from models.training.traced import solids
from models.training.traced.render import SMALL_WIDTH, smaller, with_exposure
from models.training.traced.scenery import disk_lamp, environment, pinhole, scenery, slope_map, table_uv
from models.training.traced.shot import MIN_TRANSPARENT, Pinhole, of_body, of_table
from tests.tiers import first

SIZES = Sizes()
PAWNS = ("cone", "peg", "cylinder", "halma", "saucer", "meeple", "standee", "turned:5", "turned:6")
FIGURES = tuple(f"{family}:5" for family in FAMILIES)


def pieces() -> list[Body]:
    return [
        Body("tile", 0, 0, angle=20, suit="suns", value="2", face="front"),
        Body("coin", 0.3, 0.4, 0.25, 70, "moons", "3", "back"),
        Body("die", 2, 1, 0, 33, "arms", "4"),
        Body("pyramid", -2, 1, 0, 50, "crowns", size="large", pose="upright"),
        Body("pyramid", -2, -1.5, 0, 50, "crowns", size="small", pose="flat"),
        Body("pawn", 2, -1.5, 0, 10, "suns", pose="upright"),
        Body("pawn", 0.5, -2, 0, 10, "suns", pose="flat"),
    ]


def scene(tilt: float = 35, shape: str = "peg") -> Scene:
    edition = plain_edition("plain", 4)
    edition.pawn_shape = shape
    drawn = random_scene(3)
    view = Viewpoint(640, 360, 62, tilt, 15, 3, 12, distortion=(-0.1, 0.02, 0.001, 0.0, 0.0))
    return replace(drawn, edition=edition, bodies=pieces(), camera=camera_at(view), tilt_deg=tilt)


def volume(body: Mesh) -> float:
    return float(np.einsum("nc,nc->n", body.points[:, 0], np.cross(body.points[:, 1], body.points[:, 2])).sum() / 6)


EACH = [(body, "cone") for body in pieces()] + [
    (body, shape) for body in pieces()[-2:] for shape in (*PAWNS[1:], *FIGURES)
]


@pytest.mark.full
@pytest.mark.parametrize(("body", "shape"), EACH, ids=lambda each: each if isinstance(each, str) else each.kind)
def test_solids_are_as_large_as_the_rasterisers_and_look_outwards(body: Body, shape: str) -> None:
    edition = plain_edition("plain", 4)
    edition.pawn_shape = shape
    fine, coarse = placed(body, edition, solids.MAKERS), placed(body, edition)
    for end in (np.min, np.max):
        gap = end(fine.points, axis=(0, 1)) - end(coarse.points, axis=(0, 1))
        assert np.abs(gap).max() < 0.06
    assert set(fine.slot) <= set(coarse.slot) | {mesh.BOTTOM}
    if shape != "standee" and body.kind != "die":  # their parts lie within one another
        assert 0.8 * volume(coarse) < volume(fine) < 1.15 * volume(coarse)
    across = np.cross(fine.points[:, 1] - fine.points[:, 0], fine.points[:, 2] - fine.points[:, 0])
    outward = np.einsum("nkc,nc->n", fine.normals, across)
    assert -outward[outward < 0].sum() < 1e-3 * outward.sum()  # a meeple's armpits fold a little


def test_a_die_shows_its_faces_where_the_rasteriser_does() -> None:
    fine, coarse = solids.die(SIZES.die, 0.1), shapes.die(SIZES)
    for slot in (mesh.TOP, *range(shapes.FIRST_FACE, shapes.FIRST_FACE + 4)):
        one, other = (middle_of(body, slot) for body in (fine, coarse))
        assert np.allclose(one, other, atol=0.02)


@pytest.mark.parametrize(("corner", "ball"), [(0.35, 0.0), (0.6, 0.0), (0.1, 0.58), (0.1, 0.75)])
def test_round_dice_are_as_round_as_the_rasterisers(corner: float, ball: float) -> None:
    coarse = shapes.die(Sizes(die_round=corner, die_ball=ball))
    fine = solids.die(SIZES.die, corner, ball)
    assert volume(fine) == pytest.approx(volume(coarse), rel=0.05)
    assert volume(fine) < 0.99 * SIZES.die**3
    for slot in (mesh.TOP, *range(shapes.FIRST_FACE, shapes.FIRST_FACE + 4)):
        assert np.allclose(middle_of(fine, slot), middle_of(coarse, slot), atol=0.02)


def middle_of(body: Mesh, slot: int) -> np.ndarray:
    """Where the middle of a slot's picture is in space."""
    part = mesh.picked(body, body.slot == slot)
    area = signed_area(part.uv)
    part = mesh.picked(part, np.abs(area) > 1e-9)
    planes = affine_coefficients(part.uv, part.points)
    spots = planes[:, 0] * 0.5 + planes[:, 1] * 0.5 + planes[:, 2]
    inside = np.abs(part.uv.mean(1) - 0.5).sum(1).argmin()
    return np.asarray(spots[inside])


@pytest.mark.parametrize("tilt", first([35, 0, 60]))
@pytest.mark.parametrize("shape", ["peg", "meeple", "turned:5", "man:5", "slab:4", "faceted:5", "chesspawn:5"])
def test_the_same_pixels_belong_to_the_same_pieces(tilt: float, shape: str) -> None:
    table = scene(tilt, shape)
    window = ideal_window(table.camera, (0, 0, 640, 360))
    fine, coarse = (visible_world(table, window, makers=makers) for makers in (solids.MAKERS, shapes.MAKERS))
    one, other = (owners_of(table.camera, world, window) for world in (fine, coarse))
    for index in range(len(table.bodies)):
        both, either = ((one == index) & (other == index)).sum(), ((one == index) | (other == index)).sum()
        rim = 4 * math.sqrt(either) * 1.5  # a pixel and a half round its edge
        assert either - both < rim


def looked_at(sight: Pinhole, point: np.ndarray) -> np.ndarray:
    """A pixel by the rule that Blender's documents give for lens and shift."""
    x, y, depth = sight.axes @ (point - sight.place)
    shift_x = (sight.width / 2 - sight.centre[0]) / sight.width
    shift_y = (sight.centre[1] - sight.height / 2) / sight.width
    across = sight.focal * x / depth / sight.width - shift_x
    up = -sight.focal * y / depth / sight.width - shift_y
    return np.array([(across + 0.5) * sight.width, sight.height / 2 - up * sight.width])


def test_the_eye_sees_points_where_the_camera_does() -> None:
    table = scene()
    window = (40, 30, 500, 280)
    sight = pinhole(table, window)
    for point in np.array([[0.0, 0, 0], [2, 1, 0.5], [-1, 2, 0.2]]):
        wanted = table.camera.pinhole(point[None])[0] - window[:2]
        assert np.allclose(looked_at(sight, point), wanted, atol=1e-6)


def test_the_table_lies_as_the_rasteriser_lays_it() -> None:
    table = Table("wood", (90, 120, 160), 4, 20.0, 33.0)
    wide = tables.top(table).shape[1]
    assert np.allclose(table_uv(table, np.array([0.0, 0, 0])), 0.5)
    c, s = math.cos(math.radians(33)), math.sin(math.radians(33))
    along = table_uv(table, np.array([c, -s, 0])) - 0.5  # an inch along the picture's own rows
    assert np.allclose(along * wide, [wide / 20.0, 0], atol=1e-6)


def test_a_lamp_gives_the_table_the_scenes_light() -> None:
    lamp = Lamp((10.0, 0.0, 30.0), (0.7, 0.9, 1.2), 0.6, 5.0)
    made = disk_lamp(lamp)
    away = float(np.linalg.norm(lamp.place))
    assert made.watts / (math.pi * away) ** 2 == pytest.approx(0.6)
    assert made.colour == (1.2, 0.9, 0.7)
    assert made.mask is None
    assert disk_lamp(replace(lamp, pattern="blind")).mask is not None


def test_the_room_is_as_bright_as_the_scenes_sky() -> None:
    light = Illumination((), (0.8, 0.9, 1.1), 0.5, seed=9)
    around = environment(light)
    polar = (np.arange(len(around)) + 0.5) / len(around) * np.pi
    falling = np.maximum(np.cos(polar), 0) * np.sin(polar)
    mean = (around.mean(1) * falling[:, None]).sum(0) / falling.sum()
    assert mean == pytest.approx([0.55, 0.45, 0.4], rel=1e-3)
    assert around.std() > 0.02 * surroundings(light)[0].std()


def test_a_window_is_the_brightest_part_of_a_room_that_stays_as_bright() -> None:
    light = Illumination((), (1.0, 1.0, 1.0), 0.5, seed=9)
    bare, lit = (environment(replace(light, window=pane)) for pane in (None, Pane((0.3, 0.2), 20.0)))
    assert lit.max() > 3 * bare.max()
    polar = (np.arange(len(lit)) + 0.5) / len(lit) * np.pi
    falling = np.maximum(np.cos(polar), 0) * np.sin(polar)
    assert (lit.mean(1) * falling[:, None]).sum(0) == pytest.approx((bare.mean(1) * falling[:, None]).sum(0), rel=1e-3)


def test_dice_of_their_own_make_have_their_own_matter() -> None:
    edition, gloss = plain_edition("plain", 4), Surface(0.9, 0.2)
    for kind, metal, coat in (("brass", True, False), ("wood, burnt", False, True), ("moulded", False, False)):
        edition.die_art = DIE_KINDS[kind](np.random.default_rng(1), edition)
        made = of_body(pieces()[2], edition, gloss, "pieces")
        assert (made.metal > 0, made.coat > 0) == (metal, coat)


def test_flat_ground_has_a_straight_normal() -> None:
    flat = slope_map(np.full((4, 4, 3), 128, np.uint8))
    assert (flat == [255, 128, 128]).all()


def test_matters_follow_kind_and_set() -> None:
    edition, gloss = plain_edition("plain", 4), Surface(0.9, 0.2)
    edition.material = "wood"
    lacquered = of_body(pieces()[0], edition, gloss, "pieces")
    edition.material = "card"
    assert lacquered.coat > of_body(pieces()[0], edition, gloss, "pieces").coat
    edition.pawn_gloss = 0.9
    shining = of_body(pieces()[5], edition, gloss, "pieces")
    edition.pawn_gloss = 0.1
    assert shining.coat > of_body(pieces()[5], edition, gloss, "pieces").coat == 0
    assert of_body(pieces()[3], edition, Surface(0.8, 0.2, 0.55), "pieces").clear > MIN_TRANSPARENT
    assert of_body(pieces()[3], edition, Surface(0.8, 0.2, 0.0), "pieces").clear == 0
    assert of_table(Table("wood", (1, 1, 1), 1, gloss=0.8), "table").coat > 0
    assert of_table(Table("felt", (1, 1, 1), 1, gloss=0.1), "table").coat == 0


def test_a_table_that_ends_has_sides_and_a_floor_below() -> None:
    table = scene()
    window = ideal_window(table.camera, (0, 0, 640, 360))
    endless = scenery(replace(table, table=replace(table.table, half=(200.0, 200.0))), window)[0]
    ending, world = scenery(replace(table, table=replace(table.table, half=(10.0, 8.0))), window)
    assert len(endless.soups) == 2
    assert len(ending.soups) == 4
    assert ending.soups[3].points[..., 2].max() < ending.soups[2].points[..., 2].min() < 0
    assert len(ending.soups[0].points) == len(world)
    for soup in ending.soups:
        assert soup.material.max() < len(ending.materials)
        assert {ending.materials[number].sheet for number in soup.material} <= set(ending.sheets)


def test_a_table_without_pieces_is_a_shot_too() -> None:
    table = replace(scene(), bodies=[])
    shot, world = scenery(table, ideal_window(table.camera, (0, 0, 640, 360)))
    assert len(world) == 0
    assert all(len(soup.points) for soup in shot.soups)


def test_fewer_pixels_show_the_same() -> None:
    whole = scene()
    whole.camera = camera_at(Viewpoint(1280, 720, 62, 35, 15, 3, 12, distortion=(-0.1, 0.02, 0.001, 0.0, 0.0)))
    small = smaller(whole)
    assert (small.camera.width, small.camera.height) == (SMALL_WIDTH, 450)
    point = np.array([[1.0, -0.5, 0.2]])
    assert small.camera.project(point) / SMALL_WIDTH == pytest.approx(whole.camera.project(point) / 1280, abs=1e-6)
    assert small.film.blur == pytest.approx(whole.film.blur * SMALL_WIDTH / 1280)
    far = replace(whole, bodies=[replace(body, x=body.x * 0.2, y=body.y * 0.2) for body in whole.bodies])
    assert smaller(far, near=True).camera.width == 1280
    assert smaller(replace(whole, bodies=[]), near=True).camera.width == SMALL_WIDTH


def test_no_picture_is_black_or_white() -> None:
    table = scene()
    for level in (1e-3, 50.0):
        light = np.full((4, 4, 3), level, np.float32)
        assert 0.03 < with_exposure(table, light).film.exposure * level < 0.45
    fair = np.full((4, 4, 3), 0.2 / table.film.exposure, np.float32)
    assert with_exposure(table, fair).film.exposure == pytest.approx(table.film.exposure)
