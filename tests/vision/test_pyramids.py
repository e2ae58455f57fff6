"""Pyramids of one table are measured side by side."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render.camera import Viewpoint, camera_at
from rules.pieces import Kind, Pose, Size
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.plane import Plane, fit
from vision.standing import SIZES_INCHES, bodies, with_poses, with_sizes

SIZE = 1280, 720
CAMERA = camera_at(Viewpoint(1280, 720, 60.0, 35.0, 20.0, 0.0))
SQUARE = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])


def on_table(points: Floats) -> Floats:
    return np.asarray(CAMERA.project(points), np.float64)


@pytest.fixture(scope="module")
def plane() -> Plane:
    tiles = [SQUARE + (2.0 * x, 2.0 * y) for x in range(-2, 2) for y in range(-2, 2)]
    found = fit([on_table(np.column_stack([tile, np.zeros(4)])) for tile in tiles], SIZE)
    assert found is not None
    return found


def pyramid(size: Size, x: float, y: float, larger: float) -> DetectedPiece:
    """As it is outlined where everything is outlined so many times too large, by a reader who cannot tell sizes."""
    body = bodies(size, "upright")[2] + (x, y, 0)
    hull = cv2.convexHull(on_table(body).astype(np.float32))[:, 0].astype(np.float64)
    middle = hull.mean(axis=0)
    foot = on_table(np.array([[x, y, 0.0]]))[0]
    sizes = dict.fromkeys(SIZES_INCHES, 1 / 3)
    return DetectedPiece(Kind.PYRAMID, foot, middle + larger * (hull - middle), 0.9, sizes=sizes, pose=Pose.UPRIGHT)


def told(pieces: list[DetectedPiece], plane: Plane) -> list[Size]:
    return [max(piece.sizes, key=piece.sizes.__getitem__) for piece in with_sizes(pieces, plane, SIZE)]


@pytest.mark.parametrize("larger", [0.97, 1.05, 1.16])
def test_three_sizes_side_by_side_are_told_apart_however_generous_the_outlines(plane: Plane, larger: float) -> None:
    truth = [Size.SMALL, Size.MEDIUM, Size.LARGE, Size.SMALL, Size.MEDIUM]
    pieces = [pyramid(size, 1.5 * index - 3, 0.7, larger) for index, size in enumerate(truth)]
    assert told(pieces, plane) == truth


def test_one_alone_is_measured_on_the_plane(plane: Plane) -> None:
    for size in SIZES_INCHES:
        assert told([pyramid(size, 0.5, 0.5, 1.05)], plane) == [size]


def test_a_figure_that_fits_no_size_leaves_it_to_the_reader(plane: Plane) -> None:
    read = {Size.SMALL: 0.9, Size.MEDIUM: 0.05, Size.LARGE: 0.05}
    far_too_large = replace(pyramid(Size.LARGE, 0.0, 0.0, 2.5), sizes=read)
    assert told([far_too_large], plane) == [Size.SMALL]


def test_other_pieces_stay_as_they_are(plane: Plane) -> None:
    coin = DetectedPiece(Kind.COIN, np.array([600.0, 300]), np.array([[0.0, 0], [9, 0], [9, 9]]) + 600, 0.7)
    assert with_sizes([coin], plane, SIZE) == [coin]


@pytest.mark.parametrize("turn", range(0, 24, 3))
@pytest.mark.parametrize("reader", [0.1, 0.4, 0.6, 0.9])
def test_the_figure_tells_whether_it_lies_where_the_reader_is_in_doubt(plane: Plane, turn: int, reader: float) -> None:
    lies, stands = (
        replace(figured(pose, turn % len(bodies(Size.MEDIUM, pose)), plane), lying=reader)
        for pose in (Pose.FLAT, Pose.UPRIGHT)
    )
    found_lying, found_standing = (piece.lying or 0.0 for piece in with_poses([lies, stands], plane, SIZE))
    assert found_lying > reader + 0.05
    assert found_lying > found_standing + 0.1
    if reader == 0.6:
        assert with_poses([lies], plane, SIZE)[0].pose is Pose.FLAT


def test_it_points_between_where_reader_and_figure_have_it_point(plane: Plane) -> None:
    lies = figured(Pose.FLAT, 7, plane)
    body = bodies(Size.MEDIUM, Pose.FLAT)[7]
    tip, back = on_table(np.array([body[4], body[:4].mean(axis=0)])) * (1, -1)
    true = float(np.degrees(np.arctan2(*(tip - back)[::-1]))) - 90.0
    told = with_poses([replace(lies, lying=0.9, aim=true + 30.0)], plane, SIZE)[0].angle
    assert told is not None
    assert abs((told - true + 180.0) % 360.0 - 180.0) < 20.0


def test_a_sure_reader_is_not_asked_again(plane: Plane) -> None:
    sure = replace(figured(Pose.FLAT, 3, plane), lying=0.01)
    assert with_poses([sure], plane, SIZE)[0] is sure


def figured(pose: Pose, turn: int, plane: Plane) -> DetectedPiece:
    """A medium pyramid as it is outlined."""
    hull = cv2.convexHull(on_table(bodies(Size.MEDIUM, pose)[turn]).astype(np.float32))[:, 0].astype(np.float64)
    return DetectedPiece(Kind.PYRAMID, hull.mean(axis=0), hull, 0.9, pose=Pose.UPRIGHT)
