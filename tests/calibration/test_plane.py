"""The table plane against known truth. The figures over many more tables are in calibration/README.md."""

import numpy as np
import pytest

from calibration import lens, plane
from calibration.plane import PlaneError
from tests.calibration.scenes import INCH, THICK, Tiles, apart, grid, random_camera, tiles
from tests.tiers import first
from vision.detect import shape


def found(table: Tiles, known: lens.Lens | None = None) -> plane.TablePlane:
    return plane.from_tiles(table.quads, known or lens.assumed(table.size), height=THICK * INCH)


def error(table: Tiles, fitted: plane.TablePlane) -> float:
    """Of the tiles as they were read, in millimetres (middle of all)."""
    middles = np.array([shape.crossing(quad) for quad in table.quads])
    return float(np.median(apart(fitted.to_table(middles), table.places)))


@pytest.mark.parametrize(("tilt", "most"), first([(30.0, 2.0), (8.0, 1.0), (45.0, 2.0), (58.0, 2.0)]))
def test_tiles_give_the_plane_whatever_the_tilt(tilt: float, most: float) -> None:
    tables = [tiles(seed, tilt) for seed in range(3)]
    assert max(error(table, found(table)) for table in tables) < most


@pytest.mark.full
def test_the_reported_error_is_honest() -> None:
    """Within a factor of two of the true one, nineteen times in twenty."""
    ratios = []
    for seed in range(24):
        table = tiles(seed, 2.5 * seed, count=9 + seed % 12, noise=(0.3, 0.7, 1.0)[seed % 3])
        fitted = found(table)
        ratios.append(error(table, fitted) / fitted.accuracy.typical)
    within = [0.5 < ratio < 2 for ratio in ratios]
    assert np.mean(within) >= 0.95
    assert 0.7 < np.median(ratios) < 1.4


@pytest.mark.parametrize("tilt", [5.0, 40.0])
def test_plainly_wrong_outlines_are_left_out(tilt: float) -> None:
    table = tiles(3, tilt, count=16, wild=2)
    fitted = found(table)
    assert fitted.accuracy.left_out >= 1
    assert np.median(apart(fitted.to_table(table.exact()), table.places)) < 1.0


@pytest.mark.full
def test_tiles_on_tiles_do_not_tilt_the_plane() -> None:
    """A quarter of all tiles lie on another one; the plane is that of the others, nearly as if there were none."""
    errors = []
    for raised in (0, 4):
        tables = [tiles(seed, 4.0 * seed, 16, raised=raised) for seed in range(12)]
        errors.append(np.median([np.median(apart(found(t).to_table(t.exact()), t.places)) for t in tables]))
    assert errors[1] < errors[0] + 0.1


def test_one_tile_tells_which_way_the_table_tilts() -> None:
    """Seen from opposite sides it has nearly the same sides and diagonals; the perspective tells the two apart."""
    errors = [
        abs(found(table).tilt_deg - tilt)
        for tilt in (20.0, 35.0)
        for seed in range(10)
        if (table := tiles(seed, tilt, 1, noise=0.3)).quads
    ]
    assert np.mean(np.array(errors) > 8) < 0.08


def test_one_tile_is_enough_for_its_own_place() -> None:
    table = tiles(5, 25, count=1, noise=0.3)
    fitted = found(table)
    corners = fitted.to_table(table.quads[0])
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    assert sides == pytest.approx([50.8] * 4, rel=0.03)


def test_no_tiles_is_said() -> None:
    with pytest.raises(PlaneError, match="lay a few tiles"):
        plane.from_tiles([], lens.assumed((1280, 720)))


def test_there_and_back() -> None:
    fitted = found(tiles(7, 35))
    points = np.array([[100.0, 200.0], [900.0, 500.0], [640.0, 360.0]])
    assert fitted.to_picture(fitted.to_table(points)) == pytest.approx(points, abs=0.02)
    assert fitted.to_picture(fitted.to_table(points, 0.0), 0.0) == pytest.approx(points, abs=0.02)


def test_other_heights_come_out_in_their_places() -> None:
    """The bare table under a plane of tile tops: a quarter inch lower, seen aslant."""
    table = tiles(2, 45, count=20, noise=0.2)
    fitted = found(table)
    places, seen = grid(table.camera)
    flat, tall = apart(fitted.to_table(seen, 0.0), places), apart(fitted.to_table(seen), places)
    assert np.median(flat) < 1.0
    assert np.median(flat) < np.median(tall)


def test_y_points_up_and_nothing_is_mirrored() -> None:
    low, right, high = found(tiles(11, 20)).to_table(np.array([[640.0, 500], [800, 500], [640, 300]]))
    assert right[0] > low[0]
    assert high[1] > low[1]


def test_the_homography_agrees_with_the_plane() -> None:
    fitted = found(tiles(4, 30, bent=False), lens.assumed((1280, 720)))
    points = np.array([[2.0, 1.0], [-3.0, 2.5]])
    flat = fitted.homography(INCH) @ np.column_stack([points, np.ones(2)]).T
    straight = fitted.lens.straight(fitted.to_picture(points * INCH))
    assert np.abs((flat[:2] / flat[2]).T - straight).max() < 0.05


def test_a_lens_is_learnt_from_tiles_over_time() -> None:
    camera = random_camera(21, 50)
    known = lens.assumed((camera.width, camera.height))
    for seed in range(6):
        known = found(tiles(seed, 50, count=18, noise=0.5, camera=camera), known.aged()).lens
    assert known.focal == pytest.approx(camera.focal, rel=0.02)
    assert known.known < 0.02
    assert abs(known.focal / camera.focal - 1) < 3 * known.known
    assert known.source == "tiles"


def test_a_known_lens_helps_where_tiles_are_few() -> None:
    """Three tiles in one corner of a bent picture: a stored lens carries the plane to the other corner."""
    helped = []
    for seed in range(5):
        table = tiles(seed, 25, count=20, noise=0.5)
        exact = lens.Lens(table.size, truth_of(table), np.diag(lens.AGEING_SIGMA**2), "stored")
        few = Tiles(table.camera, table.quads[:3], table.places[:3])
        errors = [np.median(apart(found(few, known).to_table(table.exact()), table.places)) for known in (None, exact)]
        helped.append(errors[0] / errors[1])
    assert np.median(helped) > 1.5


def truth_of(table: Tiles) -> np.ndarray:
    camera, (width, height) = table.camera, table.size
    middle = (np.array(camera.centre) - (width / 2, height / 2)) / width
    return np.array([np.log(camera.focal / width), *middle, *camera.distortion[:4]])


def test_four_dragged_corners() -> None:
    camera = random_camera(9, 30, bent=False)
    paper = np.array([[-105.0, 148.5], [105, 148.5], [105, -148.5], [-105, -148.5]])
    seen = camera.project(np.column_stack([paper / INCH, np.zeros(4)])) + np.random.default_rng(1).normal(
        0, 1.5, (4, 2)
    )
    fitted = plane.from_corners(seen, 210, 297, lens.assumed((camera.width, camera.height)))
    places, pixels = grid(camera)
    assert np.median(apart(fitted.to_table(pixels, 0.0), places)) < 3 * fitted.accuracy.typical
    assert 0.3 < fitted.accuracy.typical < 2


@pytest.mark.parametrize("corners", [[[0, 0], [1, 1], [1, 0], [0, 1]], [[0, 0], [1, 0], [2, 0], [3, 0]], [[0, 0]] * 4])
def test_crossed_corners_are_refused(corners: list[list[float]]) -> None:
    with pytest.raises(PlaneError, match="clockwise"):
        plane.from_corners(np.array(corners) * 100.0, 210, 297, lens.assumed((1280, 720)))
