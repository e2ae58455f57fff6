"""Of each tile there is one: what one of them surely is, no other one is."""

from __future__ import annotations

import pytest

from rules.pieces import Face, Kind, Rank, Suit
from rules.referee.one_of_each import one_of_each
from rules.referee.tuning import TUNING
from rules.table.observed import Beliefs, Identity, ObservedTable, Sighting

TWO: Identity = (Suit.ARMS, Rank.TWO)
THREE: Identity = (Suit.ARMS, Rank.THREE)


def read(kind: Kind, x: float, chances: Beliefs, certainty: float = 1.0) -> Sighting:
    face = None if kind is Kind.PAWN else Face.FRONT
    return Sighting(kind, x, 0.0, face, identities=chances, certainty=certainty)


def told(*seen: Sighting) -> list[Beliefs]:
    return [one.identities for one in one_of_each(ObservedTable(seen), TUNING.naming).sightings]


def test_a_tile_beside_the_one_it_is_taken_for_is_another() -> None:
    half_hidden = read(Kind.TILE, 2.0, {TWO: 0.8, THREE: 0.15})
    sure, other = told(read(Kind.TILE, 0.0, {TWO: 0.98, THREE: 0.01}), half_hidden)
    assert max(other, key=other.__getitem__) == THREE
    assert max(sure, key=sure.__getitem__) == TWO
    assert sum(other.values()) == pytest.approx(sum(half_hidden.identities.values()))


def test_two_that_may_be_either_are_left_to_whoever_weighs_both() -> None:
    either: Beliefs = {TWO: 0.8, THREE: 0.2}
    assert told(read(Kind.TILE, 0.0, either), read(Kind.TILE, 2.0, either)) == [either, either]


def test_what_is_hardly_there_takes_nothing_from_what_is() -> None:
    sure, _ = told(read(Kind.TILE, 0.0, {TWO: 0.7, THREE: 0.3}), read(Kind.TILE, 2.0, {TWO: 1.0}, certainty=0.1))
    assert sure[TWO] > sure[THREE]


def test_a_second_look_at_a_tile_is_the_same_tile() -> None:
    chances: Beliefs = {TWO: 0.9, THREE: 0.1}
    assert told(read(Kind.TILE, 0.0, chances), read(Kind.TILE, 0.2, chances)) == [chances, chances]


@pytest.mark.parametrize("kind", [Kind.PAWN, Kind.COIN])
def test_only_tiles_show_all_that_they_are(kind: Kind) -> None:
    """Of coins of a value there are four; and a pawn that is taken for another is taken so on both their places."""
    doubt: Beliefs = {TWO: 0.7, THREE: 0.3}
    assert told(read(kind, 0.0, {TWO: 1.0}), read(kind, 3.0, doubt))[1] == doubt
