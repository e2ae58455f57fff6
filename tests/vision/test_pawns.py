"""Where pawns stand, from their outlines and the table plane."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render.camera import Viewpoint, camera_at
from rules.pieces import Kind
from vision.detect.shape import Floats
from vision.piece import DetectedPiece
from vision.plane import Plane, fit
from vision.standing import with_feet

SIZE = 1280, 720
CAMERA = camera_at(Viewpoint(1280, 720, 40.0, 35.0, 20.0, 0.0))
SQUARE = np.array([[0.0, 0], [2, 0], [2, 2], [0, 2]])
AROUND = np.linspace(0, 2 * np.pi, 24, endpoint=False)
RADIUS, HEIGHT = 0.3, 1.1


def on_table(points: Floats) -> Floats:
    return np.asarray(CAMERA.project(points), np.float64)


@pytest.fixture(scope="module")
def plane() -> Plane:
    tiles = [SQUARE + (2.0 * x, 2.0 * y) for x in range(-2, 2) for y in range(-2, 2)]
    found = fit([on_table(np.column_stack([tile, np.zeros(4)])) for tile in tiles], SIZE)
    assert found is not None
    return found


def foot(x: float, y: float) -> Floats:
    return np.asarray(on_table(np.array([[x, y, 0.0]]))[0])


def pawn(x: float, y: float, shown_from: float = 0.0) -> DetectedPiece:
    """A post that shows what is higher than `shown_from`, with its foot seen in the middle of that."""
    ring = np.column_stack([x + RADIUS * np.cos(AROUND), y + RADIUS * np.sin(AROUND)])
    ends = [np.column_stack([ring, np.full(len(ring), height)]) for height in (shown_from, HEIGHT)]
    hull = cv2.convexHull(on_table(np.concatenate(ends)).astype(np.float32))[:, 0].astype(np.float64)
    return DetectedPiece(Kind.PAWN, hull.mean(axis=0), hull, 0.9)


def size(piece: DetectedPiece) -> float:
    return float(np.sqrt(cv2.contourArea(piece.outline.astype(np.float32))))


def off(piece: DetectedPiece, x: float, y: float) -> float:
    """How far its foot is from there, in shares of a whole pawn's size."""
    return float(np.linalg.norm(piece.center - foot(x, y))) / size(pawn(x, y))


def test_a_foot_seen_in_the_middle_of_a_pawn_is_moved_towards_its_lower_end(plane: Plane) -> None:
    alone = pawn(1.0, -1.0)
    moved = with_feet([alone], plane, SIZE)[0]
    assert off(alone, 1.0, -1.0) > 0.35
    assert off(moved, 1.0, -1.0) < 0.6 * off(alone, 1.0, -1.0)


def test_a_foot_that_was_seen_in_its_place_stays_there(plane: Plane) -> None:
    seen = replace(pawn(1.0, -1.0), center=foot(1.0, -1.0))
    assert off(with_feet([seen], plane, SIZE)[0], 1.0, -1.0) < 0.06


def hiding(x: float, y: float) -> DetectedPiece:
    """A pawn whose outline covers the foot of one that stands there."""
    return pawn(x, y - 0.7)


def test_a_pawn_of_which_another_hides_the_lower_part_stands_its_fellows_height_below_its_head(plane: Plane) -> None:
    head = pawn(1.0, 1.0, shown_from=0.7)
    assert off(head, 1.0, 1.0) > 0.6
    moved = with_feet([head, hiding(1.0, 1.0), pawn(-1.5, 0.5)], plane, SIZE)[0]
    assert off(moved, 1.0, 1.0) < 0.15


def test_a_short_pawn_that_nothing_hides_is_short(plane: Plane) -> None:
    short, *fellows = pawn(1.0, 1.0, shown_from=0.7), pawn(-1.5, 0.5), pawn(-1.5, -1.5)
    assert np.array_equal(
        with_feet([short, *fellows], plane, SIZE)[0].center, with_feet([short], plane, SIZE)[0].center
    )


def test_a_pawn_exactly_below_the_camera_stands_in_the_middle_of_its_outline() -> None:
    from_above = Plane(np.array([[40.0, 0, 640], [0, -40, 360], [0, 0, 1]]), 0.0)
    below = np.array([640.0, 360.0])
    disc = below + 20 * np.column_stack([np.cos(AROUND), np.sin(AROUND)])
    told = with_feet([DetectedPiece(Kind.PAWN, below, disc, 0.9)], from_above, SIZE)[0]
    assert told.center == pytest.approx(below, abs=2.0)


def test_without_a_plane_and_for_other_kinds_nothing_changes(plane: Plane) -> None:
    coin = replace(pawn(0.0, 0.0), kind=Kind.COIN)
    assert with_feet([coin], plane, SIZE) == [coin]
    assert with_feet([pawn(0.0, 0.0)], None, SIZE)[0].center.tolist() == pawn(0.0, 0.0).center.tolist()
