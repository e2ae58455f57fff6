"""Random sets come with pawns and dice of many makes, and the truth fits them."""

from dataclasses import replace
from functools import cache
from itertools import pairwise, product

import cv2
import numpy as np
import pytest

from models.render import Illumination, Rendered, Viewpoint, hands, mesh, random_scene, render, tables
from models.render.art import Sheets, tile_back
from models.render.camera import camera_at
from models.render.edition import DieArt, PaintedSet
from models.render.pawns import FAMILIES, TEST_FAMILIES, figure
from models.render.random_scene import random_table, table_with_cloth
from models.render.random_sets import DIE_KINDS, random_edition, wild_edition
from models.render.raster import Doubles
from models.render.scene import Body, Film, Pane, Scene, Table
from models.render.shapes import piece
from models.render.styles import lamp_light, plain_edition
from rules.pieces.sizes import TILE
from tests.tiers import few

SETS = 300
POSES = ("upright", "flat")


@cache
def sets(stratum: str = "train", count: int = SETS) -> list[PaintedSet]:
    return [wild_edition(seed, stratum) for seed in range(count)]


def seen_from_the_front(edition: PaintedSet) -> np.ndarray:
    """The silhouette of a set's pawn, two inches to a side."""
    body = piece("pawn", edition.sizes, edition.pawn_shape)
    flat = body.points[:, :, ::2] * (1, -1) + (1.0, 2.8)
    sheet = np.zeros((84, 60), np.uint8)
    for corners in np.round(flat * 30 * 16).astype(np.int32):
        cv2.fillConvexPoly(sheet, corners, 1, cv2.LINE_8, 4)
    return sheet > 0


@pytest.mark.full
def test_three_hundred_sets_have_at_least_forty_silhouettes_that_differ_plainly() -> None:
    """Any two share less than .8 of what either covers."""
    kept: list[np.ndarray] = []
    for edition in sets():
        shape = seen_from_the_front(edition)
        if all((shape & other).sum() < 0.8 * (shape | other).sum() for other in kept):
            kept.append(shape)
    assert len(kept) >= 40


@pytest.mark.full
def test_all_families_and_all_kinds_of_dice_are_drawn() -> None:
    editions = sets()
    families = {edition.pawn_shape.partition(":")[0] for edition in editions}
    assert set(FAMILIES) - families == set(TEST_FAMILIES)
    assert len(DIE_KINDS) >= 15
    looks = {
        (
            look.material,
            look.shows_suit,
            look.engraved > 0,
            look.burnt,
            look.label is None,
            look.frame > 0,
            look.ink_strength,
        )
        for edition in editions
        if (look := edition.die_art)
    }
    assert len(looks) >= 12
    sides = [edition.sizes.die / TILE for edition in editions if edition.die_art]
    assert min(sides) < 0.19
    assert max(sides) > 0.33


def test_dice_are_also_sharp_cubes_faintly_marked_or_of_the_tiles_material() -> None:
    """Sawn or printed cubes look like small tiles, and what is burnt into painted wood can hardly be read."""
    editions = [edition for edition in sets() if edition.die_art]
    sharp = [edition for edition in editions if edition.sizes.die_round <= 0.05 and not edition.sizes.die_ball]
    faint = [edition for edition in editions if edition.die_art and is_faint(edition.die_art)]
    like_tiles = [
        edition
        for edition in editions
        if edition.die_art and edition.die_art.material == edition.material and edition.die_art.inks == edition.inks
    ]
    for found, least, most in ((sharp, 0.3, 0.5), (faint, 0.12, 0.3), (like_tiles, 0.12, 0.3)):
        assert least < len(found) / len(editions) < most


def is_faint(look: DieArt) -> bool:
    """Whether the marks have the hue of their body and are darker."""
    shades = [np.divide(look.inks[suit], look.bodies[suit]) for suit in look.bodies]
    return all(np.ptp(shade) < 0.01 and shade.max() < 0.9 for shade in shades)


def test_nothing_learns_from_what_is_kept_for_tests() -> None:
    shapes = {edition.pawn_shape.partition(":")[0] for edition in sets("test", 80)}
    assert set(TEST_FAMILIES) <= shapes


def test_a_set_of_any_make_keeps_its_drawings() -> None:
    for seed in range(12):
        tame, wild = random_edition(seed), wild_edition(seed)
        assert wild.name == tame.name
        assert wild.inks == tame.inks
        for suit, mark in tame.suit_marks.items():
            assert np.array_equal(mark, wild.suit_marks[suit])


@pytest.mark.parametrize("family", FAMILIES)
def test_figures_are_closed_and_as_high_as_they_say(family: str) -> None:
    for seed in range(8):
        made = figure(f"{family}:{seed}")
        assert 0.15 < made.wide < 2.2
        if made.profile is not None:
            radius, height = made.profile.T
            assert height[0] == 0
            assert height[-1] == pytest.approx(1)
            assert (np.diff(height) >= 0).all()
            assert radius.min() >= 0
            assert radius[0] == 0
            assert radius[-1] < 0.1
        else:
            assert made.outline is not None
            assert made.outline[:, 1].min() == pytest.approx(made.foot[1] if made.foot else 0, abs=1e-9)
            assert made.outline[:, 1].max() == pytest.approx(1)
            assert signed(made.outline) > 0.1
            assert not crossings(made.outline)


def signed(outline: Doubles) -> float:
    x, y = outline.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def crossings(outline: Doubles) -> int:
    """How often the outline crosses itself."""
    edges = [*pairwise(outline), (outline[-1], outline[0])]

    def side(a: Doubles, b: Doubles, c: Doubles) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    return sum(
        side(a, b, c) * side(a, b, d) < -1e-12 and side(c, d, a) * side(c, d, b) < -1e-12
        for index, (a, b) in enumerate(edges)
        for c, d in edges[index + 2 :]
    )


def alone(edition: PaintedSet, body: Body) -> Rendered:
    """A piece on a dark table, drawn without noise."""
    view = Viewpoint(320, 320, 40, 40, 10, 0, 7, (0.0, 0.4))
    film = Film(exposure=1.0, noise=0.0, blur=0.3, jpeg=100, vignette=0.0)
    table = Table("plain", (20.0, 20.0, 20.0), 1, gloss=0.0)
    return render(Scene(edition, [body], table, lamp_light(0.3), camera_at(view), film, tilt_deg=40))


@pytest.mark.parametrize(
    ("family", "pose"),
    few(product(FAMILIES, POSES), [(family, POSES[n % 2]) for n, family in enumerate(FAMILIES)]),
)
def test_the_outline_of_a_pawn_is_the_hull_of_what_is_drawn(family: str, pose: str) -> None:
    edition = plain_edition("plain", 4)
    edition.pawn_shape = f"{family}:5"
    edition.sizes.pawn_high = 1.4
    drawn = alone(edition, Body("pawn", 0, 0, 0, 25, "suns", pose=pose))
    truth = drawn.truth["pieces"][0]
    wanted = np.zeros(drawn.owners.shape, np.uint8)
    cv2.fillPoly(wanted, [np.round(np.array(truth["outline_px"]) - 0.5).astype(np.int32)], 1)
    spots = np.argwhere(drawn.owners == truth["body"])[:, ::-1].astype(np.int32)
    covered = cv2.fillConvexPoly(np.zeros(wanted.shape, np.uint8), cv2.convexHull(spots), 1)
    assert np.logical_and(covered, wanted).sum() > 0.93 * np.logical_or(covered, wanted).sum()
    assert truth["visible"] > 0.93


ROUND = ((0.05, 0.0, 0.9), (0.45, 0.0, 0.6), (0.1, 0.6, 0.55))
"""How much of a die's corners and of a ball about it is cut away, and what is left of its upper face."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("kind", "cut"), few(product(DIE_KINDS, ROUND), [(kind, ROUND[n % 3]) for n, kind in enumerate(DIE_KINDS)])
)
def test_a_die_of_any_kind_lies_within_its_outline_and_shows_its_mark(
    kind: str, cut: tuple[float, float, float]
) -> None:
    """The outline is that of the upper face before its corners were cut."""
    corner, ball, least = cut
    edition = plain_edition("plain", 4)
    edition.die_art = DIE_KINDS[kind](np.random.default_rng(3), edition)
    edition.sizes.die_round, edition.sizes.die_ball = corner, ball
    marked, blank = (alone(edition, Body("die", 0, 0, 0, 25, "arms", value)) for value in ("4", "null"))
    truth = marked.truth["pieces"][0]
    ring = np.array(truth["outline_px"], np.float32)
    top = cv2.fillConvexPoly(np.zeros(marked.owners.shape, np.uint8), np.round(ring).astype(np.int32), 1) > 0
    own = (marked.owners == truth["body"]) & top
    assert own.sum() > least * top.sum()
    change = np.abs(marked.image.astype(int) - blank.image).max(2)
    assert (change[own] > 12).mean() > 0.04
    says = truth["art_visible"]
    assert says["value"] > 0.9
    assert says["suit"] == (says["value"] if edition.dice_show_suit else 0.0)


def test_an_ace_with_its_suits_mark_tells_the_suit_of_dice_that_are_alike() -> None:
    edition = plain_edition("plain", 4)
    edition.die_art = DIE_KINDS["wood, burnt"](np.random.default_rng(3), edition)
    assert edition.die_values["ace"] is None
    facts = alone(edition, Body("die", 0, 0, 0, 25, "arms", "ace")).truth["pieces"][0]
    assert facts["art_visible"]["suit"] > 0.9


def test_dice_of_another_set_have_its_size_and_its_make_in_picture_and_truth() -> None:
    host, guest = plain_edition("host", 4), plain_edition("guest", 5)
    guest.sizes.die = 0.68
    guest.die_art = DIE_KINDS["black and white"](np.random.default_rng(3), guest)
    body = Body("die", 0, 0, 0, 25, "suns", "4")
    own, other = alone(host, body), alone(host, replace(body, guest=guest))
    small, large = (np.array(drawn.truth["pieces"][0]["outline_px"], np.float32) for drawn in (own, other))
    assert cv2.contourArea(large) > 1.4 * cv2.contourArea(small)
    red, black = (drawn.image[drawn.owners == drawn.truth["pieces"][0]["body"]].mean(0) for drawn in (own, other))
    assert red[2] > 3 * red[0]
    assert black[2] < 1.3 * black[0]


def test_the_same_seed_draws_the_same_sets() -> None:
    window = (400, 250, 200, 200)
    first, second = (render(random_scene(21), window) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.truth == second.truth


def test_tiles_are_from_two_to_twelve_millimetres_thick_with_all_sorts_of_backs() -> None:
    editions = sets()
    thick = [edition.sizes.tile_thick / TILE * 51 for edition in editions]
    assert min(thick) < 2.5
    assert 11 < max(thick) <= 12
    assert all(edition.sizes.tile_bevel < 0.5 * edition.sizes.tile_thick for edition in editions)
    backs = {(edition.tile_art.back, edition.tile_art.back_border) for edition in editions}
    assert {("none", False), ("none", True), ("cross", False), ("lines", False)} <= backs
    assert {edition.tile_art.back_pattern for edition in editions} == {
        "",
        "hatch",
        "dots",
        "marks",
        "rings",
        "chequers",
    }


@pytest.mark.parametrize("pattern", ["hatch", "dots", "marks", "rings", "chequers"])
def test_a_patterned_back_is_neither_bare_nor_full(pattern: str) -> None:
    edition = plain_edition("plain", 4)
    edition.grain, edition.material = 0.0, "plastic"
    edition.tile_art.back, edition.tile_art.back_pattern, edition.tile_art.back_cover = "none", pattern, 1.0
    side = tile_back(Sheets(edition, 1), 120, np.random.default_rng(0)).colours
    inked = np.abs(side.astype(int) - np.array(edition.body)).max(2) > 60
    assert 0.03 < inked.mean() < 0.75


@pytest.mark.parametrize("kind", [*tables.TRAIN_CLOTHS, *tables.TEST_CLOTHS])
def test_patterned_cloths_differ(kind: str) -> None:
    """Coarse parts of one differ from each other by more than a weave does, and two are never alike."""
    first, second = (tables.MAKERS[kind](np.random.default_rng(seed), (60.0, 90.0, 160.0)) for seed in (1, 2))
    assert first.shape == (tables.SIZE, tables.SIZE, 3)
    for sheet in (first, second):
        coarse = cv2.resize(sheet, (256, 256), interpolation=cv2.INTER_AREA).astype(float)
        assert coarse.std((0, 1)).max() > 10
    assert np.abs(first.astype(int) - second).mean() > 5


def test_some_tables_lie_under_a_cloth_of_their_own_stratum_and_all_else_stays() -> None:
    for stratum, kinds in (("train", tables.TRAIN_CLOTHS), ("test", tables.TEST_CLOTHS)):
        pairs = [
            tuple(draw(np.random.default_rng([seed, 5]), stratum) for draw in (table_with_cloth, random_table))
            for seed in range(120)
        ]
        under = [laid for laid, bare in pairs if laid != bare]
        assert {table.kind for table in under} == set(kinds)
        assert 15 < len(under) < 50
        assert all(laid.half == bare.half and laid.seed == bare.seed for laid, bare in pairs)


def test_a_window_shows_on_a_lacquered_tile_and_hardly_on_a_dull_one() -> None:
    """The tile lies right below the camera, and the window right above it."""
    view = Viewpoint(200, 200, 40, 0, 0, 0, 7)
    room = lamp_light(0.3)
    window = replace(room, window=Pane((0.0, 0.0), 20.0))
    edition = plain_edition("plain", 4)
    edition.body = (90.0, 90.0, 90.0)
    tile = Body("tile", 0, 0, 0, 0, "suns", "null", "back")

    def brightness(gloss: float, roughness: float, light: Illumination) -> float:
        edition.gloss, edition.roughness = gloss, roughness
        film = Film(exposure=0.8, noise=0.0, jpeg=100, vignette=0.0)
        drawn = render(Scene(edition, [tile], Table("plain", (20.0, 20.0, 20.0), 1), light, camera_at(view), film))
        return float(drawn.image[90:110, 90:110].mean())

    glare = brightness(1.0, 0.1, window) - brightness(1.0, 0.1, room)
    haze = brightness(0.1, 0.6, window) - brightness(0.1, 0.6, room)
    assert glare > 40
    assert abs(haze) < 10


def test_some_windows_of_random_scenes_are_where_a_piece_mirrors_them() -> None:
    scenes = [random_scene(seed) for seed in range(24)]
    panes = [scene.light.window for scene in scenes if scene.light.window]
    assert 3 < len(panes) < 16
    assert all(np.hypot(*pane.towards) < 1.2 for pane in panes)


def test_hands_of_random_scenes_are_dressed_in_many_ways() -> None:
    bodies = [Body("hand", 0, 0, 0.5, value="2.0", shape="flat", size="right", seed=seed) for seed in range(40)]
    worn = [hands.with_clothes(body) for body in bodies]
    assert {body.pose for body in worn} == {None, "watch"}
    assert {float(body.value or 0) for body in worn} == {2.0, hands.SHORT_SLEEVE}
    skins = [hands.clothed_sides(np.random.default_rng(seed))[mesh.SIDE].colours.mean((0, 1)) for seed in range(40)]
    assert np.std(skins, axis=0).min() > 20
    watch = hands.shape(next(body for body in worn if body.pose == "watch"))
    assert (watch.slot == hands.WATCH).any()
    outward = np.einsum("nkc,nc->n", watch.normals, np.cross(*np.diff(watch.points, axis=1).transpose(1, 0, 2)))
    assert (outward[watch.slot == hands.WATCH] > 0).mean() > 0.95


def test_hands_of_random_scenes_are_those() -> None:
    found = [body for seed in range(30) for body in random_scene(seed).bodies if body.kind == "hand"]
    assert len(found) > 3
    assert {body.face for body in found} == {"dressed"}
