"""When a believed table counts as the one that lies there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.pieces import Face, Kind, Piece, Rank, Suit
from rules.table.layout import Layout, Placed
from tests.bench.trials.alike import same_by_hand

DIE = Placed(Piece(Kind.DIE, Suit.SUNS, Rank.THREE), "die", 0.0, 0.0)
COIN = Placed(Piece(Kind.COIN, Suit.ARMS, Rank.TWO), "coin", 3.0, 1.0, Face.FRONT)


def table(*placed: Placed) -> Layout:
    return Layout(placed)


def test_what_a_hand_places_a_little_off_is_the_same() -> None:
    assert same_by_hand(table(DIE, COIN), table(DIE, replace(COIN, x=3.3, angle=350.0)))


@pytest.mark.parametrize(
    "other",
    [
        replace(DIE, piece=Piece(Kind.DIE, Suit.SUNS, Rank.FOUR)),
        replace(DIE, x=1.0),
        replace(DIE, angle=90.0),
        replace(DIE, seat=1),
    ],
    ids=["another throw", "elsewhere", "turned", "somebody else's"],
)
def test_another_throw_place_turn_or_owner_is_not(other: Placed) -> None:
    assert not same_by_hand(table(DIE, COIN), table(other, COIN))


def test_a_coin_turned_over_where_it_lies_is_not_the_same() -> None:
    assert not same_by_hand(table(COIN), table(replace(COIN, face=Face.BACK)))
    assert not same_by_hand(table(COIN), table())
