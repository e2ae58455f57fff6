import numpy as np

from rules.pieces import Kind
from vision.identify.rivals import without_rivals
from vision.piece import DetectedPiece


def small(kind: str, x: float, certainty: float) -> DetectedPiece:
    square = 10 * np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    return DetectedPiece(Kind(kind), np.array([x, 0.0]), square + np.array([x, 0.0]), certainty)


def pawn(x: float, y: float, reach: float, certainty: float) -> DetectedPiece:
    around = reach * np.array([[np.cos(a), np.sin(a)] for a in np.arange(8) * np.pi / 4])
    return DetectedPiece(Kind.PAWN, np.array([x, y]), around + np.array([x, y]), certainty)


def test_the_head_of_a_pawn_is_no_pawn_of_its_own() -> None:
    seen = without_rivals([pawn(0, 0, 20, 0.9), pawn(4, -10, 9, 0.5)])
    assert [piece.certainty for piece in seen] == [0.9]


def test_a_head_that_is_surer_than_its_pawn_lends_it_its_certainty() -> None:
    (seen,) = without_rivals([pawn(0, 0, 20, 0.4), pawn(4, -10, 9, 0.9)])
    assert seen.certainty == 0.9
    assert seen.center.tolist() == [0, 0]


def test_a_faint_pawn_around_a_sure_one_is_none() -> None:
    (seen,) = without_rivals([pawn(0, 0, 20, 0.2), pawn(4, -10, 9, 0.9)])
    assert seen.center.tolist() == [4, -10]


def test_a_pawn_around_two_sure_ones_is_none() -> None:
    seen = without_rivals([pawn(0, 0, 30, 0.5), pawn(-14, 0, 9, 0.9), pawn(14, 0, 9, 0.8)])
    assert [piece.certainty for piece in seen] == [0.9, 0.8]


def test_a_pawn_half_behind_another_stays() -> None:
    assert len(without_rivals([pawn(0, 0, 20, 0.9), pawn(16, -16, 18, 0.5)])) == 2


def test_no_tile_lies_on_a_card() -> None:
    drawing = small("tile", 0, 0.5)
    card = small("card", 0, 0.9)
    card = DetectedPiece(card.kind, card.center, 2 * card.outline, card.certainty)
    assert [piece.kind for piece in without_rivals([drawing, card])] == ["card"]
    assert [piece.kind for piece in without_rivals([drawing, small("card", 60, 0.9)])] == ["card", "tile"]
