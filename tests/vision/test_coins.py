"""Coins that look alike show the same."""

from __future__ import annotations

import numpy as np
import pytest

from rules.pieces import RANKS, SUITS, Face, Kind, Rank, Suit
from tests.vision.readings import SQUARE
from vision.identify.compared import jointly_shown, with_compared_coins
from vision.piece import DetectedPiece, Signs

LOOKS = np.eye(64, dtype=np.float32)


def coin(look: np.ndarray, front: float, rank: Rank = Rank.ACE, suit: Suit = Suit.ARMS) -> DetectedPiece:
    """A coin with this probability of its front and this embedding. `rank`, `suit`: answers for either side."""
    face = Face.FRONT if front > 0.5 else Face.BACK
    ranks = {each: 0.9 if each is rank else 0.02 for each in RANKS}
    suits = {each: 0.94 if each is suit else 0.02 for each in SUITS}
    return DetectedPiece(
        Kind.COIN,
        SQUARE.mean(axis=0),
        SQUARE,
        0.95,
        face=face,
        ranks=ranks if face is Face.FRONT else {},
        suits=suits if face is Face.BACK else {},
        embedding=look,
        signs=Signs(np.zeros(4, np.float32), {Face.FRONT: front, Face.BACK: 1 - front}, suits, ranks),
    )


def test_a_suit_taken_for_an_ace_is_read_as_on_the_coins_that_look_like_it() -> None:
    alike = [coin(LOOKS[0] + 0.2 * LOOKS[n], 0.1) for n in (1, 2, 3)]
    doubtful = coin(LOOKS[0] + 0.2 * LOOKS[4], 0.7)
    told = with_compared_coins([*alike, doubtful])[-1]
    assert (doubtful.face, told.face) == (Face.FRONT, Face.BACK)
    assert (told.suit, told.rank) == (Suit.ARMS, None)
    assert told.signs is not None
    assert told.signs.sides[Face.BACK] > 0.7


def test_one_that_looks_like_no_other_stays_as_it_was_read() -> None:
    shown = [coin(LOOKS[n], 0.1, suit=suit) for n, suit in enumerate(SUITS[:3])]
    told = with_compared_coins([*shown, coin(LOOKS[5], 0.7)])[-1]
    assert (told.face, told.rank) == (Face.FRONT, Rank.ACE)


@pytest.mark.parametrize(("looks", "certainty", "expected"), [((0, 1), 1.0, 5), ((0, 0), 1.0, 4), ((0, 0), 0.0, 5)])
def test_another_coin_counts_if_it_looks_alike_and_is_one(
    looks: tuple[int, int], certainty: float, expected: int
) -> None:
    shown = np.full((2, 10), 0.02)
    shown[0, 4], shown[1, 4], shown[1, 5] = 0.82, 0.4, 0.44
    joined = jointly_shown(shown, np.array([certainty, 1.0]), np.array([LOOKS[n] for n in looks], np.float64))
    assert joined[1].argmax() == expected
    assert np.allclose(joined.sum(axis=1), 1.0)


def test_a_single_coin_and_other_kinds_are_left_as_they_are() -> None:
    tile = DetectedPiece(Kind.TILE, SQUARE.mean(axis=0), SQUARE, 0.9, embedding=LOOKS[0])
    pieces = [coin(LOOKS[0], 0.6), tile]
    assert with_compared_coins(pieces) == pieces
