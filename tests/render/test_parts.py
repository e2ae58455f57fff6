"""The parts of the renderer on their own."""

import tracemalloc
from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render import film, fonts, hands, mesh, tables
from models.render.camera import Viewpoint, camera_at
from models.render.random_scene import random_scene
from models.render.raster import NO_TRIANGLE, affine_coefficients, rasterise
from models.render.renderer import ideal_window
from models.render.scene import Body
from models.render.scene_file import SceneError, scene_from_json
from models.render.shapes import piece, resting_height
from models.render.styles import NAMES, plain_edition, style


def square_at(x: float, y: float, side: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    a, b, c, d = (x, y), (x + side, y), (x + side, y + side), (x, y + side)
    return np.array([[a, b, c], [a, c, d]], float)


def test_square_covers_its_pixels_once() -> None:
    xy = square_at(2, 3, 5)
    hits = rasterise(xy, np.full((2, 3), 0.5), 12, 12)
    assert (hits != NO_TRIANGLE).sum() == 25
    assert (hits[3:8, 2:7] != NO_TRIANGLE).all()


def test_nearer_triangle_wins() -> None:
    xy = np.concatenate([square_at(0, 0, 8), square_at(2, 2, 4)])
    near = np.array([0.2, 0.2, 0.4, 0.4])[:, None] * np.ones(3)
    hits = rasterise(xy, near, 8, 8)
    assert (hits[2:6, 2:6] >= 2).all()
    assert (hits[0] < 2).all()


def test_affine_coefficients_reproduce_the_corners() -> None:
    rng = np.random.default_rng(0)
    xy, values = rng.uniform(0, 50, (6, 3, 2)), rng.uniform(-1, 1, (6, 3, 4))
    plane = affine_coefficients(xy, values)
    again = np.einsum("tvk,tkc->tvc", np.concatenate([xy, np.ones((6, 3, 1))], 2), plane)
    assert np.allclose(again, values)


@pytest.mark.parametrize("kind", ["tile", "coin", "die", "pawn", "pyramid", "card"])
def test_meshes_face_outwards(kind: str) -> None:
    body = piece(kind, plain_edition("p", 1).sizes, "small" if kind == "pyramid" else "halma")
    across = np.cross(body.points[:, 1] - body.points[:, 0], body.points[:, 2] - body.points[:, 0])
    volume = (body.points[:, 0] * across).sum() / 6
    assert volume > 0
    assert ((across * body.normals.mean(1)).sum(1) >= -1e-6).mean() > 0.97


@pytest.mark.parametrize("shape", ["cone", "peg", "meeple", "cylinder", "halma", "standee", "saucer"])
def test_fallen_pawns_lie_on_their_side_with_the_top_to_the_north(shape: str) -> None:
    sizes = plain_edition("p", 1).sizes
    standing, lying = (piece("pawn", sizes, shape, pose).points.reshape(-1, 3) for pose in ("upright", "flat"))
    assert lying[:, 2].min() == pytest.approx(0, abs=1e-6)
    assert (lying[:, 2] < 0.02).sum() >= 2
    assert np.ptp(lying[:, 2]) < max(np.ptp(standing[:, 0]), np.ptp(standing[:, 1])) * 1.05
    assert lying[standing[:, 2].argmax(), 1] > lying[standing[:, 2].argmin(), 1]


def test_piecepack_pyramids_have_six_sizes_of_their_own() -> None:
    sizes = plain_edition("p", 1).sizes
    spikes = [piece("pyramid", sizes, letter).points.reshape(-1, 3) for letter in "ABCDEF"]
    bases = [np.ptp(points[:, 0]) for points in spikes]
    assert np.allclose(bases, [0.5, 0.569, 0.638, 0.706, 0.775, 0.844], atol=0.001)
    slants = [np.hypot(points[:, 2].max(), base / 2) for points, base in zip(spikes, bases, strict=True)]
    assert np.allclose(slants, np.multiply(bases, 1.5388), rtol=1e-3)


def test_video_leaves_blocks_and_is_coarser_where_asked() -> None:
    y, x = np.mgrid[0:90, 0:130]
    picture = np.stack([x + y, 2 * x, 255 - y], 2).astype(np.uint8)
    picture[30:60, 40:90] = (20, 30, 200)
    fine, coarse = (film.video_compressed(picture, step, np.random.default_rng(1)) for step in (4.0, 36.0))
    assert fine.shape == picture.shape
    assert 45 > cv2.PSNR(picture, fine) > cv2.PSNR(picture, coarse) + 2 > 24
    assert np.array_equal(coarse, film.video_compressed(picture, 36.0, np.random.default_rng(1)))


def test_hand_is_closed_and_faces_outwards() -> None:
    field = np.linalg.norm(np.mgrid[0:12, 0:12, 0:12] - 5.4, axis=0).astype(np.float32) - 4
    points, quads = hands.surface_net(field)
    first, second = points[quads[:, 2]] - points[quads[:, 0]], points[quads[:, 3]] - points[quads[:, 1]]
    outwards = np.cross(first, second) * (points[quads].mean(1) - 5.4)
    assert (outwards.sum(1) > 0).all()
    assert np.allclose(np.linalg.norm(points - 5.4, axis=1), 4, atol=0.12)


def test_finger_tips_reach_the_point_asked_for() -> None:
    body = hands.reaching((2.0, 1.0, 0.5), 90.0, "pinch")
    placed = mesh.moved(hands.shape(body), np.eye(3), np.zeros(3))
    assert len(placed) > 5000
    assert np.hypot(body.x - 2.0, body.y - 1.0) > 2


def test_lens_is_undone_exactly() -> None:
    camera = camera_at(Viewpoint(1280, 720, 80, 30, distortion=(-0.2, 0.05, 0.001, -0.001, 0.0)))
    pixels = np.random.default_rng(1).uniform((0, 0), (1280, 720), (50, 2))
    assert np.allclose(camera.distort(camera.undistort(pixels)), pixels, atol=1e-3)


def test_beyond_the_corners_of_a_strong_lens_all_stays_finite() -> None:
    camera = replace(
        camera_at(Viewpoint(1280, 720, 80, 30, distortion=(-0.103, -0.0397, 0.0, -0.0009, 0.0))), focal=770.0
    )
    assert np.isfinite(camera.undistort(np.array([[-400.0, -400.0], [1700.0, 1100.0]]))).all()


@pytest.mark.parametrize("seed", [146, 206, 339])
def test_every_lens_that_is_drawn_shows_something_in_the_corners(seed: int) -> None:
    camera = random_scene(seed).camera
    width, height = ideal_window(camera, (0, 0, camera.width, camera.height))[2:]
    assert camera.shows_corners
    assert width < 1.5 * camera.width
    assert height < 1.5 * camera.width


def test_things_rest_on_what_is_below() -> None:
    sizes = plain_edition("p", 1).sizes
    floor = Body("tile", 0, 0)
    coin = Body("coin", 0.5, 0.5, resting_height(Body("coin", 0.5, 0.5), [floor], sizes))
    assert coin.z == pytest.approx(sizes.tile_thick)
    upper = resting_height(Body("coin", 0.5, 0.5), [floor, coin], sizes)
    assert upper == pytest.approx(sizes.tile_thick + sizes.coin_thick)
    assert resting_height(Body("coin", 3, 3), [floor, coin], sizes) == 0


def test_test_stratum_shares_no_font_and_no_table_with_training() -> None:
    assert not set(tables.TEST_KINDS) & set(tables.TRAIN_KINDS)
    assert not set(fonts.numeral_fonts(True)) & set(fonts.numeral_fonts(False))


@pytest.mark.parametrize("name", NAMES)
def test_named_styles_are_complete(name: str) -> None:
    edition = style(name).edition
    assert set(edition.pawn_colours) == set(edition.inks) == {"suns", "moons", "crowns", "arms"}


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ({"pieces": 3}, "list"),
        ({"pieces": [4]}, "pieces[0]"),
        ({"pieces": [{"kind": "boat", "position": [0, 0]}]}, "tile"),
        ({"pieces": [{"kind": "tile", "position": [0]}]}, "position"),
        ({"style": "no such"}, "classic"),
        ({"camera": {"tilt_deg": 200}}, "tilt_deg"),
        ({"clutter": [{"position": [0, 0]}]}, "shape"),
    ],
)
def test_bad_scenes_are_explained_in_one_line(data: dict[str, object], word: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene_from_json(data)
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_scene_file_stacks_what_is_listed_later() -> None:
    tile = {"kind": "tile", "suit": "suns", "value": "3", "face": "front", "position": [0, 0]}
    scene = scene_from_json({"pieces": [tile, tile | {"position": [1, 0]}], "hands": [{"position": [4, 0]}]})
    assert [round(b.z, 3) for b in scene.bodies[:2]] == [0.0, 0.25]
    assert scene.bodies[2].kind == "hand"


def test_the_sleeves_of_all_tables_that_were_ever_drawn_are_not_kept() -> None:
    """Every new table has players with sleeves of their own: kept were 64 hands of 2 MB each."""
    for pose in ("flat", "pinch"):
        hands.bare_hand(pose, 0)
    tracemalloc.start()
    try:
        for table in range(20):
            for pose in ("flat", "pinch"):
                hands.hand_mesh(pose, 1.0 + 0.1 * table, 0)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 25e6
