"""The lattice of a board is found in inexact outlines, and its cells tell where covered tiles lie."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from models.render import random_scene, render
from models.training.truth import labelled, match
from rules.pieces import Face, Kind
from vision import lattice
from vision.detect.shape import Floats
from vision.frame import Frame, Picture
from vision.lattice import CORNERS, cells_in_doubt, doubtful_cells, rough_lattice
from vision.piece import DetectedPiece
from vision.rectify import apply
from vision.table_reader import TableReader

SIZE = (1280, 720)
BOARD = np.array([[72.0, 18.0, 420.0], [-12.0, 60.0, 240.0], [0.0, 0.06, 1.0]])
"""From cells to pixels."""
CELLS = [(x, y) for x in range(5) for y in range(5) if (x, y) != (2, 2)]


def quad_of(cell: Sequence[float], side: float = 0.97) -> Floats:
    return apply(BOARD, np.array(cell) + side * CORNERS)


def piece(kind: Kind, outline: Floats, certainty: float = 0.9) -> DetectedPiece:
    return DetectedPiece(kind, outline.mean(axis=0), outline, certainty, Face.FRONT if kind is Kind.TILE else None)


def board(noise: float, cells: Sequence[tuple[int, int]] = CELLS) -> list[DetectedPiece]:
    """Tiles in these cells, their corners off by a share of a side."""
    rng = np.random.default_rng(1)
    return [piece(Kind.TILE, quad_of(cell) + rng.normal(0, noise * 70, (4, 2))) for cell in cells]


def drawn(cells: Sequence[tuple[int, int]]) -> Picture:
    """A picture of light tiles on a dark table."""
    picture = np.full((SIZE[1], SIZE[0]), 60, np.uint8)
    for cell in cells:
        cv2.fillPoly(picture, [np.round(quad_of(cell) * 16).astype(np.int32)], 210, cv2.LINE_AA, 4)
    return picture


def largest_error(found: lattice.Lattice) -> float:
    """Largest distance of a corner from that of the true cell, in sides."""
    errors = []
    for cell in CELLS:
        own = found.outline(np.round(found.place(apply(BOARD, np.array([cell], float)))[0]))
        true = quad_of(cell)
        errors.append(np.linalg.norm(own[:, None] - true, axis=2).min(axis=1).max() / 70)
    return float(max(errors))


def test_the_lattice_of_inexact_tiles_is_found_and_made_exact_by_the_picture() -> None:
    tiles = board(0.12)
    rough = rough_lattice(tiles, SIZE)
    assert rough is not None
    assert len(rough.cells) == len(CELLS)
    exact = lattice.fitted_to_sides(drawn(CELLS), rough, tiles)
    assert exact is not None
    assert largest_error(exact) < 0.05 < largest_error(rough)
    assert exact.side == pytest.approx(0.97, abs=0.02)


def test_tiles_that_lie_anywhere_have_no_lattice() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        places = rng.uniform(0, 5, (14, 2))
        tiles = [piece(Kind.TILE, quad_of(place)) for place in places]
        assert rough_lattice(tiles, SIZE) is None
    assert rough_lattice(board(0.0, CELLS[:5]), SIZE) is None, "too few"


def test_inexact_tiles_and_cells_under_standing_pieces_are_in_doubt() -> None:
    known = [cell for cell in CELLS if cell not in ((1, 1), (3, 0), (0, 3))]
    shrunk = piece(Kind.TILE, quad_of((1, 1), 0.6))
    cover = piece(Kind.PYRAMID, quad_of((3, 0), 0.4))
    pieces = [*board(0.02, known), shrunk, cover]
    found = doubtful_cells(drawn(CELLS), pieces)
    assert sorted((index is None, index) for index, _ in found) == [(False, len(known)), (True, None)]
    for cell, (_, outline) in zip(((1, 1), (3, 0)), sorted(found, key=lambda each: each[0] is None), strict=True):
        assert np.abs(outline.mean(axis=0) - quad_of(cell).mean(axis=0)).max() < 3
    rough = rough_lattice(board(0.02), SIZE)
    assert rough is not None
    assert cells_in_doubt(rough, board(0.02), 0.25) == []
    assert doubtful_cells(drawn(CELLS), [cover]) == []


@pytest.mark.full
def test_tiles_under_pyramids_are_found_by_their_board(eyes: TableReader, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = render(random_scene(90005, "test", "occupied"))
    truth = [labelled(each) for each in picture.truth["pieces"] if each["kind"] == "tile"]
    with_cells = match(truth, eyes.look(Frame(picture.image)).pieces)
    monkeypatch.setattr(lattice, "doubtful_cells", lambda *_: [])
    without = match(truth, eyes.look(Frame(picture.image)).pieces)
    assert len(with_cells.missed) < len(without.missed)
