"""Pyramids that accuse nobody: of a colour that nobody plays with, and a little beside their row."""

from __future__ import annotations

from dataclasses import replace

from rules.pieces import Kind, Pose, Size, Suit
from rules.pieces.piece import pyramid
from rules.referee.accusation import Case
from rules.referee.detection_rates import DetectionRates
from rules.referee.fit import BoardSighting
from rules.referee.hypothesis import HypothesisSearch
from rules.referee.likelihood import TableLikelihood, surprise_of_extra
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.table.build import LayoutBuilder
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import ObservedTable, Sighting
from tests.games.dectana.test_dectana import GAME, position


def test_a_pyramid_of_a_colour_that_nobody_plays_with_surprises_less() -> None:
    green = Sighting(Kind.PYRAMID, 0.0, 0.0, identities={(Suit.CROWNS, None): 0.95, (Suit.SUNS, None): 0.05})
    surprise, alone = (
        surprise_of_extra(BoardSighting(0, green, 0.0, 0.0, None), TUNING.likelihood, played)
        for played in ({Suit.SUNS, Suit.MOONS}, ())
    )
    assert surprise < 1.0 < alone
    red = Sighting(Kind.PYRAMID, 0.0, 0.0, identities={(Suit.SUNS, None): 1.0})
    assert surprise_of_extra(BoardSighting(0, red, 0.0, 0.0, None), TUNING.likelihood, {Suit.SUNS, Suit.MOONS}) == alone


def test_a_pyramid_a_little_beside_its_row_was_not_played() -> None:
    """Rows of pyramids stand where the board may grow: who sees one there has seen nothing done."""
    state = position(pyramids=["R1E@(0,0)"])
    table = GAME.layout(state)
    view = TableLikelihood(ObservedTable(()), Registration(), table)
    judged = Case(GAME, view, HypothesisSearch(GAME, view).search(state))
    waiting = next(p for p in table.zone(Zone.SUPPLY) if p.piece.kind is Kind.PYRAMID)

    def put(beside: float) -> Change:
        there = Placed(waiting.piece, waiting.key, waiting.x + beside, waiting.y, pose=Pose.UPRIGHT, place="x-1y0")
        return Change(moved=(MovedPiece(waiting, there),))

    assert [judged._may_be_in_row(put(far).moved[0]) for far in (1.4, 4.0)] == [True, False]


def lying(angle: float) -> Layout:
    build = LayoutBuilder()
    build.put(pyramid(Suit.SUNS, Size.SMALL), 0.0, 0.0, key="p", pose=Pose.FLAT, angle=angle, place="x0y0")
    return build.layout()


def test_a_pyramid_that_is_hardly_ever_detected_was_not_overlooked_where_one_is_seen() -> None:
    """Otherwise the way it points would tell nothing: unseen, it may point anywhere."""
    seen = Sighting(Kind.PYRAMID, 0.1, 0.1, identities={(Suit.SUNS, None): 0.4, (Suit.MOONS, None): 0.6}, certainty=0.7)
    seen = replace(seen, pose=Pose.FLAT, angle=270.0, lying=0.9, sizes={Size.SMALL: 0.1, Size.MEDIUM: 0.9})
    seen = replace(seen, size=Size.MEDIUM)
    hardly = DetectionRates(kinds={(Kind.PYRAMID, Suit.SUNS): 0.1})

    def nats(angle: float, *sightings: Sighting) -> float:
        layout = lying(angle)
        return TableLikelihood(ObservedTable(sightings), Registration(), layout, hardly).fit(layout).cost

    assert nats(90.0) == nats(270.0) < 1.0
    assert nats(270.0, seen) + TUNING.decision.margin_nats < nats(90.0, seen)
