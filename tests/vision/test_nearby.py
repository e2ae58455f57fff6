"""What a cloth hides from the finder it sees in the part where the pieces lie."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.render.layout_scene import render_layout
from models.render.simulated import SimulatedTable
from rules.games import game
from rules.pieces import Kind
from rules.table.layout import bounds
from tests.bench.ground.capture import Shooting
from tests.bench.trials.stills import acts, sequence
from tests.tiers import first
from vision.adaptive_reader import AdaptiveReader
from vision.detect import nearby
from vision.frame import Frame
from vision.identify.deck import FoundCard
from vision.identify.found_cards import MIN_CARDS_PLAYED, is_played
from vision.piece import DetectedPiece
from vision.table_reader import FrameResult, TableReader

FRAME = (1280, 720)


def tile(x: float, y: float) -> DetectedPiece:
    box = np.array([[x, y], [x + 50, y], [x + 50, y + 50], [x, y + 50]])
    return DetectedPiece(Kind.TILE, box.mean(axis=0), box, 0.9)


def test_the_part_has_room_for_one_more_tile_around() -> None:
    left, top, right, bottom = nearby.region_of_pieces([tile(400, 200), tile(600, 300)], FRAME) or (0, 0, 0, 0)
    assert 400 - 70 <= left <= 400 - 50
    assert 200 - 70 <= top <= 200 - 50
    assert 650 + 50 <= right <= 650 + 70
    assert 350 + 50 <= bottom <= 350 + 70


def test_no_part_is_most_of_the_frame_nor_told_by_one_piece() -> None:
    assert nearby.region_of_pieces([tile(400, 200)], FRAME) is None
    assert nearby.region_of_pieces([tile(10, 10), tile(1200, 650)], FRAME) is None


def test_a_deck_that_is_known_tells_where_the_game_is() -> None:
    """Whatever was made up all over the frame."""
    cards = [FoundCard("XS", tile(300 + 60 * i, 250).outline, np.zeros((9, 2))) for i in range(MIN_CARDS_PLAYED)]
    assert is_played(cards)
    assert not is_played(cards[1:])
    lie = [card.corners for card in cards]
    box = nearby.region_of_cards(lie, FRAME, ())
    assert box is not None
    assert box[0] < 300 < 300 + 60 * MIN_CARDS_PLAYED < box[2]
    assert nearby.area(box) < 0.3 * FRAME[0] * FRAME[1]
    assert nearby.region_of_cards(lie, FRAME, [nearby.Region(box, 1.0)]) is None
    assert nearby.region_of_cards(lie, FRAME, [nearby.Region((0, 0, 1200, 700), 1.0)]) == box


def test_a_region_is_enlarged_for_small_tiles_within_the_budget() -> None:
    small, large, whole = (0, 0, 400, 400), (0, 0, 1000, 800), (0, 0, 1920, 1080)
    assert nearby.enlarged(small, nearby.TILE_PX / 40, 1.0) == pytest.approx(2.0)
    assert nearby.enlarged(small, nearby.TILE_PX / 10, 1.0) == nearby.MAX_ENLARGED
    assert nearby.enlarged(small, nearby.TILE_PX / 160, 1.0) == 1.0
    allowed = nearby.enlarged(large, nearby.TILE_PX / 40, 1.0)
    assert allowed**2 * nearby.area(large) == pytest.approx(nearby.MAX_INPUT_PX)
    assert nearby.enlarged(whole, nearby.TILE_PX / 40, 0.67) == pytest.approx(0.79, abs=0.01)
    assert nearby.grown(nearby.Region(small, 2.0), large) == nearby.Region(large, allowed)


@pytest.fixture(scope="module")
def on_checks() -> Frame:
    """A board of backs on a dim cloth that is chequered all over, as a table cloth is."""
    rules = game("dodgem")
    layout = rules.layout(rules.start())
    picture = render_layout(layout)
    small = cv2.resize(np.asarray(picture.image), None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA)
    rows, columns = np.mgrid[0:720, 0:1280]
    checks = 60 + 60 * ((rows // 24 + columns // 24) % 2)
    cloth = np.stack([checks, checks * 0.9, checks * 0.5], axis=-1).astype(np.uint8)
    height, width = small.shape[:2]
    cloth[240 : 240 + height, 420 : 420 + width] = small
    return Frame(cloth, source="checks", at=0.0)


def sure(look: FrameResult) -> int:
    """Number of the pieces that are hardly doubted: on such a cloth some are seen between tiles."""
    return sum(piece.certainty > 0.6 for piece in look.pieces)


def test_a_first_look_tells_which_part_showed_more_and_the_next_looks_there(
    on_checks: Frame, eyes: TableReader
) -> None:
    gaze = AdaptiveReader(eyes)
    first_look, again = gaze.look(on_checks), gaze.look(on_checks)
    whole = eyes.look(on_checks, zooms=first_look.zooms)
    assert first_look.region is not None
    assert again.region == first_look.region
    assert sure(whole) < sure(first_look) <= sure(again) + 1


@pytest.fixture(scope="module")
def rows_apart() -> Frame:
    """A small table: four rows of tiles far from each other on a mottled ground, nothing between them."""
    shooting = Shooting("decay", 3003)
    _, layout, _ = sequence(game("decay"), shooting.seed, 1)
    filming = replace(shooting.filming(), fps=1.0, pause=0.0, ground=bounds(layout))
    shot = next(iter(SimulatedTable(acts(layout, []), filming).shots()))
    return Frame(shot.image, source="rows", at=0.0)


def tiles_in(look: FrameResult) -> int:
    return sum(piece.kind == Kind.TILE for piece in look.pieces)


@pytest.mark.full
def test_what_a_part_shows_at_its_edge_tells_of_a_larger_one(rows_apart: Frame, eyes: TableReader) -> None:
    assert tiles_in(eyes.look(rows_apart)) == 24


@pytest.mark.parametrize("share", first([0.5, 0.65, 0.8]))
def test_a_table_far_from_the_camera_is_searched_enlarged(rows_apart: Frame, eyes: TableReader, share: float) -> None:
    """Of tiles of 20 to 32 pixels the finder sees few or none in a picture that is not."""
    far = cv2.resize(rows_apart.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    image = np.empty_like(rows_apart.image)
    image[:] = rows_apart.image[-60:].mean(axis=(0, 1))
    top, left = (image.shape[0] - far.shape[0]) // 2, (image.shape[1] - far.shape[1]) // 2
    image[top : top + far.shape[0], left : left + far.shape[1]] = far
    look = eyes.look(replace(rows_apart, image=image))
    assert look.region is not None
    assert look.region.scale > 1.0
    assert tiles_in(look) >= 22


@pytest.mark.full
def test_a_row_that_is_laid_outside_of_the_part_is_seen_at_once(rows_apart: Frame, eyes: TableReader) -> None:
    before = rows_apart.image.copy()
    before[:220] = before[-60:].mean(axis=(0, 1))
    gaze = AdaptiveReader(eyes)
    before_it = gaze.look(replace(rows_apart, image=before))
    assert before_it.region is not None
    assert tiles_in(gaze.look(replace(rows_apart, at=1.0))) > tiles_in(before_it) + 3
