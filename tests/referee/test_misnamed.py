"""What is seen as a piece that the game does not have is taken for what it has; and what pyramids accuse nobody."""

from __future__ import annotations

import pytest

from rules.pieces import Kind, Pose, Size, Suit, card, die, pawn, pyramid
from rules.referee.accusation import Case
from rules.referee.fit import Located
from rules.referee.hypothesis import Seeker
from rules.referee.likelihood import View, surprise_of_extra
from rules.referee.misnamed import rightly_named
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting
from tests.games.dectana.test_dectana import GAME, position

NAMING = TUNING.naming


def layout(*pieces: Placed) -> Layout:
    return Layout((Placed(card("AM"), "first", 0.0, 0.0), *pieces))


PYRAMIDS = layout(Placed(pyramid(Suit.SUNS, Size.SMALL), "p", 3.0, 0.0))
DIE = Sighting(Kind.DIE, 3.1, 0.2, identities={(Suit.SUNS, None): 0.7, (Suit.ARMS, None): 0.3}, certainty=0.9)


def test_a_die_where_only_pyramids_are_played_with_is_one_seen_badly() -> None:
    (seen,) = rightly_named(ObservedTable((DIE,)), PYRAMIDS, NAMING).sightings
    assert (seen.kind, seen.pose, seen.size) == (Kind.PYRAMID, None, None)
    assert seen.certainty == pytest.approx(0.9 * NAMING.misnamed)
    assert seen.best == (Suit.SUNS, None)


def test_where_one_is_seen_anyway_or_dice_are_played_with_nothing_is_renamed() -> None:
    there = Sighting(Kind.PYRAMID, 3.0, 0.0, pose=Pose.UPRIGHT)
    assert rightly_named(ObservedTable((DIE, there)), PYRAMIDS, NAMING).sightings == (there,)
    with_dice = layout(*PYRAMIDS.pieces[1:], Placed(die(Suit.SUNS, None), "d", 5.0, 0.0))
    assert rightly_named(ObservedTable((DIE,)), with_dice, NAMING).sightings == (DIE,)


def test_a_pyramid_where_only_pawns_are_played_with_is_a_pawn() -> None:
    pawns = layout(Placed(pawn(Suit.ARMS), "p", 3.0, 0.0))
    seen = Sighting(Kind.PYRAMID, 3.0, 0.0, identities={(Suit.ARMS, None): 1.0}, pose=Pose.FLAT)
    assert [s.kind for s in rightly_named(ObservedTable((seen,)), pawns, NAMING).sightings] == [Kind.PAWN]


def test_a_pyramid_of_a_colour_that_nobody_plays_with_surprises_less() -> None:
    green = Sighting(Kind.PYRAMID, 0.0, 0.0, identities={(Suit.CROWNS, None): 0.95, (Suit.SUNS, None): 0.05})
    surprise, alone = (
        surprise_of_extra(Located(0, green, 0.0, 0.0, None), TUNING.fitting, played)
        for played in ({Suit.SUNS, Suit.MOONS}, ())
    )
    assert surprise < 1.0 < alone
    red = Sighting(Kind.PYRAMID, 0.0, 0.0, identities={(Suit.SUNS, None): 1.0})
    assert surprise_of_extra(Located(0, red, 0.0, 0.0, None), TUNING.fitting, {Suit.SUNS, Suit.MOONS}) == alone


def test_a_pyramid_a_little_beside_its_row_was_not_played() -> None:
    """Rows of pyramids stand where the board may grow: who sees one there has seen nothing done."""
    state = position(pyramids=["R1E@(0,0)"])
    table = GAME.layout(state)
    view = View(ObservedTable(()), Registration(), table)
    judged = Case(GAME, view, Seeker(GAME, view).search(state))
    waiting = next(p for p in table.zone(Zone.SUPPLY) if p.piece.kind is Kind.PYRAMID)

    def put(beside: float) -> Change:
        there = Placed(waiting.piece, waiting.key, waiting.x + beside, waiting.y, pose=Pose.UPRIGHT, place="x-1y0")
        return Change(moved=(MovedPiece(waiting, there),))

    assert [judged._waits_still(put(far).moved[0]) for far in (1.4, 4.0)] == [True, False]
