"""Of two readings of a board, the one that fits together."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind
from vision.identify.mosaic import line_evidence, middle_line_contrast, tile_support
from vision.odds import sigmoids
from vision.piece import DetectedPiece

CLOTH = np.full((420, 420), 128, np.uint8)
BOX = np.array([[0.0, 0], [100, 0], [100, 100], [0, 100]])


def tile(x: float, y: float, certainty: float) -> DetectedPiece:
    at = np.array([x, y])
    return DetectedPiece(Kind.TILE, at + 50, BOX + at, certainty, Face.BACK)


def supported(grey: NDArray[np.uint8], pieces: list[DetectedPiece]) -> list[float]:
    """Certainty of each piece by the other tiles."""
    log_odds, _ = tile_support(pieces, middle_line_contrast(grey, [piece.outline for piece in pieces]).tolist())
    certainties: list[float] = sigmoids(log_odds).tolist()
    return certainties


def test_a_pattern_across_a_border_gives_way() -> None:
    true = [tile(0, 0, 0.9), tile(100, 0, 0.6), tile(0, 100, 0.8), tile(100, 100, 0.8)]
    across = tile(50, 0, 0.75)
    *kept, doubted = supported(CLOTH, [*true, across])
    assert min(kept) > 0.5
    assert doubted < 0.4


def test_tiles_that_overlap_by_a_quarter_may_both_be_there() -> None:
    assert min(supported(CLOTH, [tile(0, 0, 0.9), tile(60, 40, 0.9)])) > 0.7


def test_one_tile_and_small_pieces_are_left_as_they_are() -> None:
    alone = [tile(0, 0, 0.6), DetectedPiece(Kind.COIN, np.array([50.0, 50]), BOX / 3, 0.7)]
    assert np.allclose(supported(CLOTH, alone), [0.6, 0.7])


def board() -> NDArray[np.uint8]:
    """Four by four backs of 100 pixels: black crosses, and hardly visible seams."""
    image = np.full((420, 420), 200, np.uint8)
    for at in range(0, 401, 50):
        grey = 20 if at % 100 else 185
        cv2.line(image, (at, 0), (at, 400), grey, 2)
        cv2.line(image, (0, at), (400, at), grey, 2)
    return image


def test_the_lines_of_the_sure_tiles_tell_the_doubtful_ones_from_patterns_across_their_borders() -> None:
    places = [(100.0 * column, 100.0 * row) for row in range(4) for column in range(4)]
    true = [tile(x, y, 0.95 if y == 300 else 0.5) for x, y in places]
    across = [tile(x + 50, y, 0.55) for x, y in places if x < 300 and y < 300]
    by_eye = supported(board(), [*true, *across])
    assert min(by_eye[:16]) > 0.8
    assert max(by_eye[16:]) < 0.1
    blindly = supported(CLOTH, [*true, *across])
    doubt = [blind - sight for blind, sight in zip(blindly[16:], by_eye[16:], strict=True)]
    assert min(doubt) > 0.02


def test_lines_that_all_look_alike_say_nothing() -> None:
    chances = np.array([0.9, 0.8, 0.7, 0.2, 0.3, 0.1])
    assert np.abs(line_evidence(np.full(6, 0.4), chances)).max() < 1e-9
    parted = line_evidence(np.array([0.5, 0.45, 0.5, -0.3, -0.2, -0.3]), chances)
    assert (parted[:3] > 1).all()
    assert (parted[3:] < -1).all()
