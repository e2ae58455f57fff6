import numpy as np
import pytest

from rules.pieces import Kind
from vision import assemble, plane
from vision.detect import shape
from vision.piece import DetectedPiece
from vision.rectify import apply


def camera(tilt: float, distance: float = 25.0, focal: float = 900.0) -> np.ndarray:
    t = np.deg2rad(tilt)
    turn = np.array([[1, 0, 0], [0, -np.cos(t), np.sin(t)], [0, -np.sin(t), -np.cos(t)]]).T
    pose = np.column_stack([turn.T[:, 0], turn.T[:, 1], [0, 0, distance]])
    out: np.ndarray = np.array([[focal, 0, 640], [0, focal, 360], [0, 0, 1]]) @ pose
    return out


def tiles(count: int, seed: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    spots = [(x, y) for x in range(-3, 4) for y in range(-1, 2)]
    out = []
    for x, y in rng.permutation(spots)[:count]:
        a = rng.uniform(0, 2 * np.pi)
        spin = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        out.append(np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) @ spin.T + [3 * x, 3 * y])
    return out


@pytest.mark.parametrize("tilt", [0, 20, 45])
@pytest.mark.parametrize(("count", "noise", "loose"), [(8, 0.0, 0.02), (16, 0.5, 0.12), (24, 1.0, 0.2)])
def test_distances_on_the_table_come_back(tilt: float, count: int, noise: float, loose: float) -> None:
    """Between any two tiles, in inches, whatever the tilt."""
    truth = tiles(count, 1)
    rng = np.random.default_rng(2)
    seen = [apply(camera(tilt), quad) + rng.normal(0, noise, (4, 2)) for quad in truth]
    found = plane.fit(seen, (1280, 720))
    assert found is not None
    real = np.array([quad.mean(axis=0) for quad in truth])
    back = found.to_table(apply(camera(tilt), real))
    near = np.linalg.norm(real[:, None] - real[None], axis=2)
    got = np.linalg.norm(back[:, None] - back[None], axis=2)
    close = (near > 0) & (near < 8)
    assert np.abs(got - near)[close].max() < loose * 4
    assert np.median(np.abs(got - near)[close]) < loose


def test_to_picture_is_the_inverse_of_to_table() -> None:
    found = plane.fit([apply(camera(30), quad) for quad in tiles(9, 3)], (1280, 720))
    assert found is not None
    points = np.array([[100.0, 200], [900, 500]])
    assert found.to_picture(found.to_table(points)) == pytest.approx(points)


def test_one_tile_is_enough_near_itself() -> None:
    quad = tiles(1, 4)[0]
    found = plane.fit([apply(camera(35), quad)], (1280, 720))
    assert found is not None
    sides = np.linalg.norm(np.diff(found.to_table(apply(camera(35), quad)), axis=0), axis=1)
    assert sides == pytest.approx([2.0] * 3, rel=0.02)


def test_no_tile_no_plane() -> None:
    assert plane.fit([], (1280, 720)) is None


def test_table_is_not_mirrored() -> None:
    """y points up in the picture, so a table seen from above keeps its handedness."""
    found = plane.fit([apply(camera(10), quad) for quad in tiles(12, 5)], (1280, 720))
    assert found is not None
    low, right, high = found.to_table(np.array([[640.0, 500], [800, 500], [640, 300]]))
    assert right[0] > low[0]
    assert high[1] > low[1]


@pytest.mark.parametrize("tilt", [0, 5, 25, 50])
def test_the_place_below_the_camera_is_known(tilt: float) -> None:
    found = plane.below_camera(plane.Plane(camera(tilt), 0.0), (1280, 720))
    assert found == pytest.approx([0, 25 * np.sin(np.deg2rad(tilt))], abs=0.6 if tilt < 10 else 0.01)


@pytest.mark.parametrize("tilt", [0, 20, 40])
def test_what_stands_leans_away_from_the_place_below_the_camera(tilt: float) -> None:
    """Also on a table seen from straight above, where all squares of the picture are squares of the table."""
    t = np.deg2rad(tilt)
    turn = np.array([[1, 0, 0], [0, -np.cos(t), np.sin(t)], [0, -np.sin(t), -np.cos(t)]])
    ends = np.array([[7.0, 3, 0], [7, 3, 0.5]])
    seen = (turn @ ends.T + [[0], [0], [25]]).T @ np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]]).T
    foot, head = seen[:, :2] / seen[:, 2:]
    _, up = plane.local_projection(plane.Plane(camera(tilt), 0.0), foot, (1280, 720))
    assert np.linalg.norm(up - 2 * (head - foot)) < 0.2 * np.linalg.norm(2 * (head - foot))


@pytest.mark.parametrize("tilt", [0, 20, 40])
def test_the_top_of_a_pile_is_placed_where_the_pile_stands(tilt: float) -> None:
    t = np.deg2rad(tilt)
    turn = np.array([[1, 0, 0], [0, -np.cos(t), np.sin(t)], [0, -np.sin(t), -np.cos(t)]])
    pile = np.array([[8.0, -3, 3], [10, -3, 3], [10, -1, 3], [8, -1, 3]])  # twelve tiles high, by itself
    seen = (turn @ pile.T + [[0], [0], [25]]).T @ np.array([[900.0, 0, 640], [0, 900, 360], [0, 0, 1]]).T
    outline = seen[:, :2] / seen[:, 2:]
    flat = [apply(camera(tilt), quad) for quad in tiles(9, 3)]
    pieces = [DetectedPiece(Kind.TILE, shape.crossing(quad), quad, 0.9) for quad in (*flat, outline)]
    found = plane.Plane(camera(tilt), 0.0)
    placed = assemble.with_positions(pieces, found, (1280, 720))
    assert placed[-1].position == pytest.approx((9, -2), abs=0.2)
    assert found.to_table(placed[-1].center[None])[0] != pytest.approx((9, -2), abs=0.5)
    for piece, quad in zip(placed, tiles(9, 3), strict=False):
        assert piece.position == pytest.approx(tuple(quad.mean(axis=0)), abs=0.05)


def test_tiles_that_agree_on_a_slope_on_which_no_coin_is_round_are_none() -> None:
    """Half hidden tiles of a mountain, outlined wrongly but all alike."""
    seen = camera(20)
    ring = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    round_ones = [
        apply(seen, np.array([x, y]) + 0.375 * np.column_stack([np.cos(ring), np.sin(ring)]))
        for x in range(-3, 4, 2)
        for y in (-2, 0, 2)
    ]
    long = [np.array([[0.0, 0], [9, 1], [9, 2], [0, 1]]) + [x, y] for x in (-6, 2) for y in (-3, 0, 3)]
    coins = [DetectedPiece(Kind.COIN, shape.crossing(each[::3]), each, 0.9) for each in round_ones]
    wrong = [DetectedPiece(Kind.TILE, shape.crossing(quad), quad, 0.9) for quad in (apply(seen, each) for each in long)]
    found = assemble.table_plane([*wrong, *coins], (1280, 720))
    assert found is not None
    assert plane.coin_aspect(round_ones, found) < 1.05
    alone = assemble.table_plane(wrong, (1280, 720))
    assert alone is not None
    assert plane.coin_aspect(round_ones, alone) > 2


def test_a_piece_keeps_its_place_whichever_others_are_seen() -> None:
    quads = [apply(camera(30), quad) for quad in tiles(12, 6)]
    some, all_of_them = (plane.fit(seen, (1280, 720)) for seen in (quads[:7], quads))
    assert some is not None
    assert all_of_them is not None
    places = [found.to_table(np.array([quad.mean(axis=0) for quad in quads])) for found in (some, all_of_them)]
    assert places[0] == pytest.approx(places[1], abs=0.02)


def test_where_the_middle_of_the_picture_is_far_away_the_tiles_tell_the_origin() -> None:
    view = camera(80, distance=12.0)
    view[1] -= 140 * view[2]  # the lens looks over the table: the horizon is near the middle of the picture
    quads = [apply(view, quad) for quad in tiles(6, 4)]
    found = plane.fit(quads, (1280, 720))
    assert found is not None
    assert np.abs(found.to_table(np.array([quad.mean(axis=0) for quad in quads]))).max() < 30
