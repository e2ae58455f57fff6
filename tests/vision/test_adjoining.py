"""Where one tile lies another may lie beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.pieces import Face, Kind
from vision.detect.adjoining import MOST, WARM, confirmed, places
from vision.detect.decode import Detection
from vision.detect.finder import Glance
from vision.piece import Seen

SIDE = 40.0
BOX = np.array([[0.0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]])
FRAME = (400, 400)


def tile(x: float, y: float, certainty: float = 0.9) -> Seen:
    at = np.array([x, y])
    return Seen(Kind.TILE, at + SIDE / 2, BOX + at, certainty, Face.BACK)


def glance(chance: float = 0.1) -> Glance:
    return Glance([], np.zeros((1, 1), np.bool_), np.full((100, 100), chance, np.float32), 1.0)


def middles(found: list[Detection]) -> set[tuple[float, float]]:
    return {(round(float(each.center[0]), 3), round(float(each.center[1]), 3)) for each in found}


def test_four_neighbours_and_eight_shifted_by_half() -> None:
    found = middles(places([tile(180, 180)], [glance()], FRAME))
    assert len(found) == 12
    assert {(160, 200), (240, 200), (200, 160), (220, 240), (180, 160)} <= found
    assert (240, 240) not in found  # touches only the corner: it lies beside another


def test_nothing_is_sought_where_something_was_read_or_the_table_is_bare() -> None:
    read = [tile(180, 180), tile(220, 181, certainty=0.1)]
    assert (240, 200) not in middles(places(read, [glance()], FRAME))
    cold = glance()
    cold.tiles[:, 50:] = WARM / 2
    assert all(x < 200 for x, _ in middles(places([tile(180, 180)], [cold], FRAME)))
    assert (240, 200) in middles(places([tile(180, 180)], [cold, glance()], FRAME))  # another zoom shows it


def test_only_sure_tiles_have_neighbours_and_only_inside_the_picture() -> None:
    assert places([tile(180, 180, certainty=0.3)], [glance()], FRAME) == []
    assert places([], [glance()], FRAME) == []
    found = middles(places([tile(0, 0)], [glance()], FRAME))
    assert found == {(60, 20), (20, 60), (60, 40), (40, 60)}


def test_the_warmest_come_first_and_each_place_once() -> None:
    many = [tile(40.0 * column, 40.0 * row) for column in range(0, 9, 2) for row in range(0, 9, 2)]
    shown = glance()
    shown.tiles[5:25, 25:35] = 0.4
    found = places(many, [shown], FRAME)
    assert len(found) == MOST
    assert found[0].score > 0.35
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    gaps = np.linalg.norm(spots(found)[:, None] - spots(found), axis=2) + 1e3 * np.eye(len(found))
    assert gaps.min() > 0.2 * SIDE - 1e-6


def spots(found: list[Detection]) -> NDArray[np.float64]:
    return np.array([each.center for each in found])


def test_what_the_closer_look_moves_away_was_not_there() -> None:
    asked = places([tile(180, 180)], [glance()], FRAME)
    stays, moves = asked[0], asked[1]
    away = Detection("tile", moves.score, moves.center + 15, moves.outline + 15)
    other = Detection("coin", asked[2].score, asked[2].center, asked[2].outline)
    assert confirmed(asked[:3], [stays, away, other]) == [stays]
