"""Several looks at one still table (`fuse`)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.pieces import Face, Kind, Rank, Suit
from rules.table.observed import Beliefs, ObservedTable, Sighting
from vision.sightings import fuse

SUNS, MOONS = (Suit.SUNS, None), (Suit.MOONS, None)


def coin(x: float, suns: float = 1.0, certainty: float = 1.0, face: Face = Face.BACK) -> Sighting:
    return Sighting(Kind.COIN, x, 0.0, face, identities={SUNS: suns, MOONS: 1.0 - suns}, certainty=certainty)


def looks(*tables: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    return fuse([ObservedTable(table, time=float(at)) for at, table in enumerate(tables)]).sightings


def test_one_look_stays_as_it_is() -> None:
    assert looks((coin(1.0, 0.7),)) == (coin(1.0, 0.7),)


def test_places_are_averaged_and_the_newest_time_counts() -> None:
    table = fuse([ObservedTable((coin(1.0),), time=1.0), ObservedTable((coin(1.2),), time=2.0)])
    assert table.time == 2.0
    assert [s.x for s in table.sightings] == [pytest.approx(1.1)]


def test_what_one_look_in_four_saw_is_left_out() -> None:
    plain = (coin(1.0),)
    assert len(looks(plain, (coin(1.0), coin(5.0)), plain, plain)) == 1


def test_what_two_looks_in_three_saw_is_there_so_certainly() -> None:
    far = [s for s in looks((coin(1.0), coin(5.0)), (coin(1.0), coin(5.0)), (coin(1.0),)) if s.x > 3]
    assert [s.certainty for s in far] == [pytest.approx(2 / 3)]


def test_doubts_are_agreed_on_and_never_become_surer_than_the_surest_look() -> None:
    (both,) = looks((coin(1.0, 0.6),), (coin(1.0, 0.9),))
    assert 0.6 < both.identities[SUNS] < 0.9


def test_a_look_at_the_other_side_names_nothing() -> None:
    (one,) = looks((coin(1.0, 0.1, 0.5, Face.FRONT),), (coin(1.0, 0.9, 0.9),))
    assert one.face is Face.BACK
    assert one.identities[SUNS] == pytest.approx(0.9)


def test_other_kinds_and_places_stay_apart() -> None:
    pawn = Sighting(Kind.PAWN, 1.0, 0.0, identities={SUNS: 1.0})
    assert len(looks((coin(1.0), pawn), (coin(1.0), pawn))) == 2
    assert len(looks((coin(1.0), coin(1.5)), (coin(1.0), coin(1.5)))) == 2


def test_what_is_seen_in_one_look_and_hardly_in_others_is_faint_or_seen_by_their_mean() -> None:
    sure, hardly = coin(1.0, certainty=0.9), coin(1.0, certainty=0.15)
    fused = fuse([ObservedTable((sure,)), ObservedTable((), faint=(hardly,))])
    assert [round(one.certainty, 3) for one in fused.sightings] == [0.525]
    fused = fuse([ObservedTable((), faint=(hardly,)), ObservedTable((), faint=(hardly,))])
    assert not fused.sightings
    assert [round(one.certainty, 3) for one in fused.faint] == [0.15]
    fused = fuse([ObservedTable(()), ObservedTable((), faint=(hardly,))])
    assert not fused.sightings
    assert not fused.faint


def test_looks_that_doubt_which_side_is_up_agree_on_one() -> None:
    value: Beliefs = {(None, Rank.THREE): 1.0}
    suit = replace(coin(1.0, certainty=0.99), other_side=0.45, other_identities=value)
    number = Sighting(Kind.COIN, 1.0, 0.0, Face.FRONT, identities=value, certainty=0.98)
    number = replace(number, other_side=0.1, other_identities=suit.identities)
    (one,) = looks((number,), (number,), (suit,))
    assert one.face is Face.FRONT
    assert one.best == (None, Rank.THREE)
    assert one.other_side == pytest.approx((0.1 + 0.1 + 0.55) / 3)
    assert one.certainty == pytest.approx((0.98 + 0.98 + 0.99) / 3)
