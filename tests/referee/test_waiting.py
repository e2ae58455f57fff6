"""What waits beside the board tells which piece was laid when the eyes do not see it."""

from __future__ import annotations

from rules.pieces import Kind, Piece, Suit
from rules.referee.tuning import TUNING
from rules.referee.waiting import BesideTheBoard
from rules.table.layout import Layout, Placed, Zone

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
