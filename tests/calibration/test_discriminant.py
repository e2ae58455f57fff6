"""What a lesson says of a piece: told by its numbers whatever the reader says, with the right side up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.corner_signs import CornerSigns
from calibration.discriminant import (
    NO_TRUST,
    Discriminant,
    Shown,
    VoteWeight,
    fitted_discriminant,
    scores_by_aspect,
    with_probabilities,
)
from calibration.lesson import Example, complete_sides
from rules.pieces import RANKS, SUITS, Face, Kind
from vision.detect.shape import Floats
from vision.identify.read import Array
from vision.inventory import assign_identities
from vision.piece import DetectedPiece, Signs

FRONTS = [Shown(Face.FRONT, suit, rank) for suit in SUITS for rank in RANKS]
BACK = Shown(Face.BACK, None, None)
SQUARE = np.array([[0.0, 0], [9, 0], [9, 9], [0, 9]])
DECEIVED = dict(zip(SUITS, (0.7, 0.1, 0.1, 0.1), strict=True))
UNSURE = dict.fromkeys(RANKS, 1 / 6)


def lesson(faces: list[Shown], numbers: int = 40) -> tuple[np.ndarray, Discriminant]:
    """The middle of each face, and what a lesson with noisy views of them makes."""
    rng = np.random.default_rng(0)
    middles = rng.normal(0, 1, (len(faces), numbers))
    rows = [middle + rng.normal(0, 0.4, (60, numbers)) for middle in middles]
    return middles, fitted_discriminant(faces, rows)


def tile(numbers: np.ndarray, up: Face = Face.FRONT, turn: int = 0) -> DetectedPiece:
    read = {Face.FRONT: 0.3, Face.BACK: 0.7} if up is Face.BACK else {Face.FRONT: 0.7, Face.BACK: 0.3}
    signs = Signs(numbers.astype(np.float32), read, DECEIVED, UNSURE, turn)
    front = up is Face.FRONT
    return DetectedPiece(
        Kind.TILE,
        np.zeros(2),
        SQUARE,
        0.9,
        up,
        DECEIVED if front else {},
        UNSURE if front else {},
        signs=signs,
        angle=0.0 if front else None,
    )


def test_a_face_is_known_again_whatever_the_reader_says() -> None:
    middles, known = lesson(FRONTS)
    rng = np.random.default_rng(1)
    for face, middle in zip(FRONTS, middles, strict=True):
        piece = known.weigh(tile(middle + rng.normal(0, 0.4, len(middle))))
        assert (piece.suit, piece.rank) == (face.suit, face.rank)
        assert sum(piece.suits.values()) == pytest.approx(1)
        assert sum(piece.faces.values()) == pytest.approx(1)
        assert piece.identities()[0][:2] == (face.suit, face.rank)


def test_where_it_says_nothing_the_reader_decides() -> None:
    _, known = lesson(FRONTS)
    same = Discriminant(known.faces, np.zeros_like(known.weights))
    assert same.weigh(tile(np.zeros(40))).suit is SUITS[0]


def test_the_side_that_is_up_is_taught_too() -> None:
    middles, known = lesson([*FRONTS, BACK])
    back = known.weigh(tile(middles[24]))
    assert (back.face, back.suit, back.rank, back.angle) == (Face.BACK, None, None, None)
    front = known.weigh(tile(middles[9], Face.BACK, turn=1))
    assert (front.face, front.suit, front.rank) == FRONTS[9]
    assert front.outline[0] == pytest.approx(SQUARE[1]), "its own top left comes first"
    assert front.angle == pytest.approx(-90.0)


def test_a_coin_is_turned_over_with_what_its_other_side_shows() -> None:
    faces = [Shown(Face.FRONT, None, rank) for rank in RANKS] + [Shown(Face.BACK, suit, None) for suit in SUITS]
    middles, known = lesson(faces)
    coin = replace(tile(middles[7]), kind=Kind.COIN, suits={}, ranks=UNSURE)
    other = known.weigh(coin)
    assert (other.face, other.suit, other.rank) == (Face.BACK, SUITS[1], None)
    assert other.faces == {}


def test_a_side_that_was_not_taught_is_left_to_the_reader() -> None:
    middles, known = lesson(FRONTS)
    back = tile(middles[3], Face.BACK)
    assert known.weigh(back) is back
    other = tile(np.zeros(12))
    assert known.weigh(other) is other, "numbers of other nets"


def test_each_aspect_is_left_to_the_reader_where_the_lesson_is_not_trusted_with_it() -> None:
    """One number tells the suit, one the rank, one the side."""
    places = [(0.0, 0.0, 9.0), *((4.0 * k, 4.0 * n, 0.0) for k in range(4) for n in range(6))]
    rng = np.random.default_rng(0)
    known = fitted_discriminant([BACK, *FRONTS], [np.array(place) + rng.normal(0, 0.3, (60, 3)) for place in places])
    seen = tile(np.array(places[10]))
    assert replace(known, trust=NO_TRUST).weigh(seen) is seen
    by_rank = replace(known, trust=VoteWeight(0.0, 0.0, 1.0)).weigh(seen)
    assert (by_rank.suit, by_rank.rank) == (SUITS[0], FRONTS[9].rank)
    by_suit = replace(known, trust=VoteWeight(0.0, 1.0, 0.0)).weigh(seen)
    assert by_suit.suit == FRONTS[9].suit
    assert max(by_suit.ranks.values()) == pytest.approx(1 / 6)
    assert replace(known, trust=VoteWeight(0.0, 1.0, 1.0)).weigh(tile(np.array(places[0]))).face is Face.FRONT
    assert replace(known, trust=VoteWeight(1.0, 1.0, 1.0)).weigh(tile(np.array(places[0]))).face is Face.BACK


def test_the_aspects_are_all_of_the_scores() -> None:
    faces = (*FRONTS, BACK)
    scores = np.random.default_rng(0).normal(0, 1, (5, 25))
    votes = scores_by_aspect(faces, scores)
    assert sum(votes) == pytest.approx(scores)
    assert votes.side[:, 24] == pytest.approx(scores[:, 24])
    assert votes.side[:, 0] == pytest.approx(scores[:, :24].max(axis=1))


def test_a_source_with_many_looks_does_not_drown_the_other() -> None:
    faces, rng = FRONTS[:2], np.random.default_rng(0)
    few = [rng.normal(place, 0.1, (10, 3)) for place in (0.0, 4.0)]
    many = [rng.normal(place, 0.1, (500, 3)) for place in (2.0, 6.0)]
    known = fitted_discriminant(faces, few, many)
    even = np.array([[3.0, 3.0, 3.0]])
    scores = (even @ known.weights[:-1] + known.weights[-1])[0]
    assert scores[0] == pytest.approx(scores[1], abs=0.1 * np.ptp(known.weights[-1]))
    assert fitted_discriminant(faces, few, [many[0], np.zeros((0, 3))]).faces == tuple(faces), "it may lack a face"


def test_it_is_written_down_and_read_back() -> None:
    _, known = lesson([*FRONTS, BACK])
    back = Discriminant.from_json(known.to_json())
    assert back.faces == known.faces
    assert back.weights == pytest.approx(known.weights, rel=1e-6)
    assert Discriminant.from_json(replace(known, trust=VoteWeight(0, 0.25, 1)).to_json()).trust == (0, 0.25, 1)
    broken = known.to_json()
    broken["faces"] = broken["faces"][:-1]
    with pytest.raises(ValueError, match="weights"):
        Discriminant.from_json(broken)


def test_the_inventory_weighs_whole_faces() -> None:
    """Suit by suit and value by value two tiles would be taken for what neither of them is."""
    suns, moons = Shown(Face.FRONT, SUITS[0], RANKS[1]), Shown(Face.FRONT, SUITS[1], RANKS[2])
    first = with_probabilities(tile(np.zeros(3)), {suns: 0.52, moons: 0.48})
    second = replace(with_probabilities(first, {suns: 0.95, moons: 0.05}), outline=SQUARE + 20)
    given = [(piece.suit, piece.rank) for piece in assign_identities([first, second]).pieces]
    assert given == [(SUITS[1], RANKS[2]), (SUITS[0], RANKS[1])]


def test_a_side_counts_with_all_its_faces() -> None:
    """A tile is missing: then tiles are left to the reader. Of dice without all their values the suits are taught."""
    shown: dict[Shown, list[Example]] = {face: [] for face in FRONTS}
    assert len(complete_sides("tile", shown)) == 24
    assert complete_sides("tile", dict(list(shown.items())[1:])) == {}
    dice: dict[Shown, list[Example]] = {Shown(None, suit, RANKS[0]): [] for suit in SUITS}
    assert list(complete_sides("die", dice)) == [Shown(None, suit, None) for suit in SUITS]
    assert complete_sides("die", dict(list(dice.items())[1:])) == {}


class Sun(CornerSigns):
    """Sees a sun's sign in every picture."""

    def votes(self, picture: Array) -> Floats:
        assert picture.max() <= 1
        out: Floats = np.array([3.0, -3, -3, -3])
        return out


def test_what_the_corners_show_counts_beside_what_the_rest_says() -> None:
    """Of the suit alone: the rank and the side are told as without them, and nothing where there is no picture."""
    _, known = lesson([*FRONTS, BACK])
    silent = np.zeros(len(known.weights) - 1)
    heard = replace(known, trust=NO_TRUST, corners=Sun(np.zeros((0, 5))))
    assert heard.trusted
    piece = tile(silent)
    assert piece.signs is not None
    deceived = replace(piece.signs, suits=dict(zip(SUITS, (0.1, 0.7, 0.1, 0.1), strict=True)))
    pictured = replace(deceived, picture=np.full((4, 4, 3), 255, np.uint8))
    assert heard.weigh(replace(piece, signs=deceived)).suit == SUITS[1]
    assert heard.weigh(replace(piece, signs=pictured)).suit == SUITS[0]
    back = heard.weigh(replace(tile(silent, Face.BACK), signs=replace(pictured, sides={Face.BACK: 0.9})))
    assert (back.face, back.suits) == (Face.BACK, {})
    assert back.signs is not None
    assert back.signs.sides == {Face.BACK: 0.9}  # the side is not its matter: the reader's doubt stays
