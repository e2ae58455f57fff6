"""From readings to pieces."""

from dataclasses import replace

import numpy as np
import pytest

from rules.pieces import Face, Kind, Rank, Suit
from tests.vision.readings import SQUARE, reading
from vision.detect import shape
from vision.identify.heads import CROP, SUITS, VALUES
from vision.identify.name import name
from vision.piece import DetectedPiece, angle_of


def test_a_tile_face_gets_suit_value_and_its_own_first_corner() -> None:
    seen = name(reading("tile", SQUARE, "tile front", suit_tile=2, value_tile=5, turn_tile=1), {})
    assert (seen.face, seen.suit, seen.value) == ("front", SUITS[2], VALUES[5])
    assert seen.outline[0] == pytest.approx([180, 100])
    assert seen.angle == pytest.approx(-90)
    assert seen.center == pytest.approx([140, 140])


def test_a_tile_back_shows_nothing() -> None:
    seen = name(reading("tile", SQUARE, "tile back"), {})
    assert (seen.face, seen.suit, seen.value, seen.angle) == ("back", None, None, None)


def test_a_coin_shows_either_suit_or_value() -> None:
    disc = shape.disc(np.array([50.0, 60.0]), np.diag([18.0, 12.0]))
    front = name(reading("coin", disc, "coin front", value_coin=3), {})
    back = name(reading("coin", disc, "coin back", suit_coin=0), {})
    assert (front.face, front.suit, front.value) == ("front", None, "3")
    assert (back.face, back.suit, back.value) == ("back", "suns", None)
    assert front.angle == pytest.approx(0, abs=1e-6)


def test_refining_moves_the_corners() -> None:
    read = reading("tile", SQUARE, "tile back")
    read.numbers["refine"][0] = 2 / (CROP / 2)  # the first corner two crop pixels to the right
    seen = name(read, {})
    assert seen.outline[0, 0] > 101
    assert seen.outline[1:] == pytest.approx(SQUARE[1:], abs=1e-3)


def test_what_the_reader_calls_nothing_is_hardly_certain() -> None:
    sure = name(reading("tile", SQUARE, "tile front"), {})
    doubted = name(reading("tile", SQUARE, "nothing"), {})
    assert sure.certainty > 0.9
    assert doubted.certainty < 0.7 * sure.certainty


def test_confidence_is_the_chance_of_all_of_it() -> None:
    suits = {Suit.SUNS: 0.8, Suit.MOONS: 0.2}
    seen = DetectedPiece(Kind.TILE, np.zeros(2), SQUARE, 0.9, Face.FRONT, suits, {Rank.TWO: 0.5, Rank.THREE: 0.5})
    assert seen.confidence == pytest.approx(0.9 * 0.8 * 0.5)
    assert sum(p for _, _, p in seen.identities(0)) == pytest.approx(1)


@pytest.mark.parametrize(("up", "angle"), [((0, -1), 0), ((-1, 0), 90), ((1, 0), -90), ((-1, -1), 45)])
def test_angles_are_counter_clockwise_from_the_top(up: tuple[float, float], angle: float) -> None:
    assert angle_of(np.array(up, dtype=np.float64)) == pytest.approx(angle)


@pytest.mark.parametrize(("outliner", "label", "kind"), [(0.9, "pyramid", "pyramid"), (0.1, "pawn", "pawn")])
def test_pawn_or_pyramid_is_decided_by_both_nets(outliner: float, label: str, kind: str) -> None:
    read = reading("pawn", SQUARE, label)
    seen = name(replace(read, found=replace(read.found, pyramid=outliner)), {})
    assert seen.kind == kind
    assert (seen.size is not None) == (kind == "pyramid")
