"""What games have shown of a set: kept and read back, weighed with the reading, and no judge of what it never saw."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.custom_set import TaughtSet
from calibration.learned_appearance import faces_of, from_json, reweighted, to_json, without_ambiguous
from calibration.profile import Profile, load
from rules.pieces import Face, Kind, Rank, Suit
from tests.vision.test_appearance import row
from vision.piece import DetectedPiece
from vision.witness.appearance import Appearances

TILE = (Kind.TILE, Face.FRONT)
THREE, FOUR = (Suit.SUNS, Rank.THREE), (Suit.MOONS, Rank.FOUR)
SHOWN = Appearances().taught(
    [(TILE, THREE, row(1)), (TILE, THREE, row(2)), ((Kind.PAWN, None), (Suit.ARMS, None), row(3))]
)
DOUBTED = DetectedPiece(
    Kind.TILE,
    np.zeros(2),
    np.zeros((4, 2)),
    0.9,
    Face.FRONT,
    {Suit.SUNS: 0.4, Suit.MOONS: 0.6},
    {Rank.THREE: 0.4, Rank.FOUR: 0.6},
)


def test_what_was_shown_is_kept_with_the_set() -> None:
    again = from_json(to_json(SHOWN))
    assert faces_of(again) == faces_of(SHOWN)
    assert np.allclose(again.rows[TILE][THREE], SHOWN.rows[TILE][THREE])


def test_a_profile_holds_it_and_goes_on_growing(tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    Profile().with_set(TaughtSet("oak", "abc").with_appearances(SHOWN)).save(file)
    oak = load(file).set_named("oak")
    assert oak.faces == 2
    assert oak.with_appearances(Appearances().taught([(TILE, FOUR, row(4))])).faces == 3


def test_a_face_that_was_shown_is_told_by_its_look() -> None:
    told = reweighted(SHOWN, replace(DOUBTED, embedding=row(9, like=row(1))))
    assert (told.suit, told.rank) == THREE
    assert sum(told.suits.values()) == pytest.approx(1)


def test_what_looks_like_nothing_that_was_shown_is_left_to_the_reader() -> None:
    """A face that was never turned up, or another set on the table."""
    strange = replace(DOUBTED, embedding=row(7))
    assert reweighted(SHOWN, strange) is strange
    assert reweighted(SHOWN, DOUBTED) is DOUBTED, "without a look nothing can be likened"
    coin = replace(strange, kind=Kind.COIN)
    assert reweighted(SHOWN, coin) is coin


def test_a_look_of_two_names_is_kept_under_neither() -> None:
    """Once it was taken for a three and once for a four: one of them is wrong, and nobody knows which."""
    doubtful = SHOWN.taught([(TILE, FOUR, row(9, like=row(1)))])
    left = without_ambiguous(doubtful)
    assert FOUR not in left.rows[TILE]
    assert len(left.rows[TILE][THREE]) == 1, "its other look is not in doubt"
    assert without_ambiguous(SHOWN).rows == SHOWN.rows
