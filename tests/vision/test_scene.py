"""What the scene net sees, and what it makes of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.pieces import Face, Kind, Suit
from vision.detect.shape import Floats
from vision.nets import open_session
from vision.piece import DetectedPiece
from vision.scene import FEATURES, RELATIONS, Candidate, SceneNet, features, relations, support_certainties

SIZE = (800, 600)
SIDE = 100.0


def square(x: float, y: float, side: float) -> Floats:
    half = side / 2
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


def piece(kind: Kind, x: float, y: float, side: float, certainty: float = 0.9) -> DetectedPiece:
    face = Face.BACK if kind is Kind.TILE else None
    embedding = np.full(64, 0.125, np.float32)
    return DetectedPiece(kind, np.array([x, y]), square(x, y, side), certainty, face, embedding=embedding)


def seen(one: DetectedPiece, score: float = 0.9) -> Candidate:
    labels = {Kind.TILE: 2, Kind.COIN: 4, Kind.DIE: 5, Kind.PAWN: 6}
    return Candidate(one, score, 0.95, 0.95, 0.0, 0.0, np.eye(9)[labels[one.kind]], 0.0)


def board(columns: int = 3, rows: int = 3) -> list[Candidate]:
    return [seen(piece(Kind.TILE, 150 + SIDE * x, 150 + SIDE * y, SIDE)) for y in range(rows) for x in range(columns)]


def scene_net() -> SceneNet:
    return SceneNet(lambda: open_session("scene", 1))


def test_every_candidate_has_its_features_and_its_relations_to_all_others() -> None:
    candidates = [*board(), seen(piece(Kind.PAWN, 150, 150, 30))]
    assert features(candidates, SIZE).shape == (10, FEATURES)
    assert relations(candidates).shape == (10, 10, RELATIONS)
    assert np.isfinite(features(candidates, SIZE)).all()
    assert np.isfinite(relations(candidates)).all()


def test_a_piece_stands_on_the_tile_beneath_it() -> None:
    pieces = [piece(Kind.TILE, 150, 150, SIDE, 0.8), piece(Kind.PAWN, 160, 140, 30), piece(Kind.PAWN, 400, 140, 30)]
    assert support_certainties(pieces).tolist() == [0.0, 0.8, 0.0]


def test_outlines_without_area_are_borne() -> None:
    flat = replace(piece(Kind.DIE, 300, 300, 20), outline=np.full((4, 2), 300.0))
    candidates = [*board(), seen(flat)]
    assert np.isfinite(relations(candidates)).all()
    assert np.isfinite([each.certainty for each in scene_net()(candidates, SIZE)]).all()


def test_an_empty_table_has_no_pieces() -> None:
    assert scene_net()([], SIZE) == []


def test_a_tile_across_the_borders_of_others_is_doubted_and_those_are_not() -> None:
    *tiles, across = scene_net()([*board(), seen(piece(Kind.TILE, 200, 200, SIDE, 0.7), 0.7)], SIZE)
    assert min(tile.certainty for tile in tiles) > 0.8
    assert across.certainty < 0.3


@pytest.mark.parametrize(("side", "low", "high"), [(27.0, 0.5, 1.0), (8.0, 0.0, 0.4)])
def test_a_die_has_the_size_of_a_die(side: float, low: float, high: float) -> None:
    die = replace(piece(Kind.DIE, 550, 200, side), suits={Suit.SUNS: 0.9})
    assert low <= scene_net()([*board(), seen(die)], SIZE)[-1].certainty <= high


def test_the_order_of_the_candidates_does_not_matter() -> None:
    candidates = [*board(), seen(piece(Kind.PAWN, 150, 150, 30)), seen(piece(Kind.COIN, 250, 250, 35), 0.5)]
    forth = [each.certainty for each in scene_net()(candidates, SIZE)]
    back = [each.certainty for each in scene_net()(candidates[::-1], SIZE)]
    assert back[::-1] == pytest.approx(forth, abs=1e-4)
