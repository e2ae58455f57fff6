"""What waits beside the board tells which piece was laid when the eyes do not see it."""

from __future__ import annotations

import pytest

from rules.games import game
from rules.pieces import Kind, Piece, Suit
from rules.referee.likelihood import View
from rules.referee.register import Registration
from rules.referee.tuning import TUNING
from rules.referee.waiting import BesideTheBoard
from rules.table.layout import Layout, Placed, Zone
from rules.table.observed import Beliefs, ObservedTable, Sighting

PAWNS = tuple(
    Placed(Piece(Kind.PAWN, suit), f"pawn {suit.value}", 9.0, 2.0 * i, zone=Zone.SUPPLY) for i, suit in enumerate(Suit)
)
BESIDE = TUNING.beside


def table(on_board: Suit | None = None) -> Layout:
    return Layout(tuple(Placed(p.piece, p.key, 3.0, 3.0) if p.piece.suit is on_board else p for p in PAWNS))


def waiting(gone: Suit | None, unclear: Suit | None = None) -> BesideTheBoard:
    """All four were seen clearly; of one the place looks otherwise now, another is not seen clearly any more."""
    now = [p for p in PAWNS if p.piece.suit not in (gone, unclear)]
    seen = [p for p in PAWNS if p.piece.suit is not gone]
    return BesideTheBoard(table(), PAWNS, now, seen, lambda p: 0.98 if p.piece.suit is gone else 0.02, TUNING)


def test_the_pawn_that_is_gone_is_the_one_that_was_laid() -> None:
    known = waiting(gone=Suit.MOONS)
    assert known.surprise(table(on_board=Suit.MOONS)) == 0.0
    assert known.surprise(table(on_board=Suit.SUNS)) >= BESIDE.lies_still


def test_a_pawn_that_nobody_touched_was_not_laid() -> None:
    known = waiting(gone=None, unclear=Suit.ARMS)
    assert known.surprise(table(on_board=Suit.ARMS)) == BESIDE.lies_still
    assert known.surprise(table()) == 0.0


def test_one_never_seen_clearly_is_not_the_one_that_was_seen_to_go() -> None:
    clear = [p for p in PAWNS if p.piece.suit is not Suit.SUNS]
    now = [p for p in clear if p.piece.suit is not Suit.MOONS]
    known = BesideTheBoard(table(), clear, now, now, lambda p: 0.98 if p.piece.suit is Suit.MOONS else 0.02, TUNING)
    assert known.surprise(table(on_board=Suit.SUNS)) == BESIDE.gone
    assert known.surprise(table(on_board=Suit.MOONS)) == 0.0


def test_whoever_tidies_up_says_nothing() -> None:
    known = BesideTheBoard(table(), PAWNS, (), (), lambda _: 0.98, TUNING)
    assert all(known.surprise(table(on_board=suit)) == 0.0 for suit in Suit)


def test_where_the_picture_cannot_tell_nothing_is_said() -> None:
    known = BesideTheBoard(table(), PAWNS, PAWNS, PAWNS, lambda _: None, TUNING)
    assert known.surprise(table(on_board=Suit.CROWNS)) == 0.0


LAID_OUT = game("san_andreas").layout(game("san_andreas").start())
PAWN = next(p for p in LAID_OUT if p.piece.kind is Kind.PAWN and p.piece.suit is Suit.CROWNS)


def faint(suit: Suit, sure: float, away: float = 0.0, zone: Zone | None = None) -> Sighting:
    """A pawn that is too faint to be anything by itself, so far from where one of crowns is drawn."""
    told: Beliefs = {(suit, None): sure, (Suit.ARMS if suit is not Suit.ARMS else Suit.SUNS, None): 1 - sure}
    return Sighting(Kind.PAWN, PAWN.x + away, PAWN.y, identities=told, certainty=0.14, zone=zone)


@pytest.mark.parametrize(
    ("seen", "waits"),
    [
        (faint(Suit.CROWNS, 0.7), True),
        (faint(Suit.CROWNS, 0.5), False),
        (faint(Suit.CROWNS, 0.7, away=6.0), False),
        (faint(Suit.CROWNS, 0.7, away=6.0, zone=PAWN.zone), True),
        (faint(Suit.CROWNS, 0.7, zone=Zone.HAND), False),
    ],
)
def test_a_faint_pawn_waits_where_the_layout_has_the_very_one_that_it_seems(seen: Sighting, waits: bool) -> None:
    view = View(ObservedTable((), faint=(seen,)), Registration(), LAID_OUT)
    assert [(p.piece.kind, p.piece.suit) for p in view.waiting] == [(Kind.PAWN, Suit.CROWNS)] * waits
