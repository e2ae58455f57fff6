"""A look that is like one that was shown tells which face it is, and one that is like none tells nothing."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.learned_appearance import reweighted_sighting
from rules.pieces import Face, Kind, Rank, Suit
from rules.table.observed import Identity, Sighting
from tests.vision.test_appearance import FOUR, SIDE, THREE, row
from vision.witness.appearance import Appearances, Row

FIVE = (None, Rank.FIVE)


def read(**doubts: float) -> Sighting:
    """A coin that the net takes for a three or a four."""
    return Sighting(Kind.COIN, 0.0, 0.0, Face.FRONT, identities={THREE: doubts["three"], FOUR: doubts["four"]})


def test_a_face_that_was_shown_is_known_again() -> None:
    known = Appearances().taught([(SIDE, THREE, row(1)), (SIDE, FOUR, row(2))])
    told = reweighted_sighting(known, read(three=0.2, four=0.8), row(9, like=row(1)))
    assert told.best == THREE
    assert told.chance_of(*THREE) > 0.95


def test_what_was_never_shown_is_left_to_the_net() -> None:
    known = Appearances().taught([(SIDE, FIVE, row(1))])
    told = reweighted_sighting(known, read(three=0.2, four=0.8), row(2))
    assert told.chance_of(*FOUR) == pytest.approx(0.8, abs=0.01)
    assert reweighted_sighting(Appearances(), read(three=0.2, four=0.8), row(2)).chance_of(*FOUR) == pytest.approx(0.8)


def test_what_the_net_did_not_think_of_may_still_be_known_by_its_look() -> None:
    known = Appearances().taught([(SIDE, FIVE, row(1)), (SIDE, THREE, row(2)), (SIDE, FOUR, row(3))])
    assert reweighted_sighting(known, read(three=0.5, four=0.5), row(9, like=row(1))).best == FIVE


TILE = (Kind.TILE, Face.FRONT)
ACE_OF_CROWNS, TWO_OF_SUNS = (Suit.CROWNS, Rank.ACE), (Suit.SUNS, Rank.TWO)
ACE_OF_SUNS, FIVE_OF_SUNS = (Suit.SUNS, Rank.ACE), (Suit.SUNS, Rank.FIVE)


def drawn(identity: Identity) -> Row:
    """What is of one suit or of one value is alike in part."""
    suit, rank = identity
    assert suit is not None
    assert rank is not None
    found = row(ord(suit.value[0])) + row(1000 + rank)
    return np.asarray(found / np.linalg.norm(found), np.float32)


@pytest.mark.parametrize(("true", "chances"), [(FIVE_OF_SUNS, (0.6, 0.4)), (ACE_OF_SUNS, (0.8, 0.2))])
def test_a_face_that_was_never_shown_is_told_by_its_kin(true: Identity, chances: tuple[float, float]) -> None:
    """A five or an ace, the net wavers: it is drawn like the ace of crowns, or it is not."""
    doubtful = Sighting(
        Kind.TILE, 0.0, 0.0, Face.FRONT, identities=dict(zip((FIVE_OF_SUNS, ACE_OF_SUNS), chances, strict=True))
    )
    known = Appearances().taught([(TILE, ACE_OF_CROWNS, drawn(ACE_OF_CROWNS)), (TILE, TWO_OF_SUNS, drawn(TWO_OF_SUNS))])
    before = doubtful.chance_of(*true)
    told = reweighted_sighting(known, doubtful, drawn(true))
    assert told.best == true
    assert told.chance_of(*true) > before


def test_no_kin_is_surer_than_one_in_ten() -> None:
    doubtful = Sighting(Kind.TILE, 0.0, 0.0, Face.FRONT, identities={FIVE_OF_SUNS: 0.999, ACE_OF_SUNS: 0.001})
    known = Appearances().taught([(TILE, ACE_OF_CROWNS, drawn(ACE_OF_CROWNS))])
    assert reweighted_sighting(known, doubtful, drawn(ACE_OF_SUNS)).best == FIVE_OF_SUNS


def test_a_coin_that_looks_like_the_other_side_shows_that_side() -> None:
    back, suns = (Kind.COIN, Face.BACK), (Suit.SUNS, None)
    doubtful = read(three=0.6, four=0.4)
    known = Appearances().taught([(back, suns, row(1)), (back, (Suit.ARMS, None), row(3))])
    told = reweighted_sighting(known, doubtful, row(9, like=row(1)))
    assert told.face is Face.BACK
    assert told.best == suns
    assert reweighted_sighting(known, doubtful, row(2)).face is Face.FRONT, "it looks like nothing that was shown"
    both = known.taught([(SIDE, THREE, row(8, like=row(1)))])
    assert reweighted_sighting(both, doubtful, row(9, like=row(1))).face is Face.FRONT, "this set's sides are alike"


@pytest.mark.parametrize("kind", [Kind.PYRAMID, Kind.CARD])
def test_what_was_never_learnt_to_be_told_by_its_look_is_not(kind: Kind) -> None:
    known = Appearances().taught([((kind, None), (Suit.ARMS, None), row(1))])
    seen = Sighting(kind, 0, 0, identities={(Suit.CROWNS, None): 0.9, (Suit.ARMS, None): 0.1})
    assert reweighted_sighting(known, seen, row(1)) == seen
