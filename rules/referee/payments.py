"""Pieces laid down beside the board: whose they were, and what they may have been paid for.

A coin that is paid, or a vote that is supported, leaves its owner's hand and lies before somebody. The table shows
the coin, seldom the purpose: the game is asked for all that it may have meant.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rules.pieces import Kind
from rules.referee.observed_change import with_known_identity
from rules.referee.record_evidence import Agreement, RecordedPiece, placed_as
from rules.table.change import Change, MovedPiece
from rules.table.layout import Layout, Placed, Zone, appearance_of

_PERSONAL_KINDS = (Kind.PAWN, Kind.DIE)
"""Pieces that show who sits where."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A piece that is new beside the board, and the pieces in hands that it may be."""

    seen: RecordedPiece
    owned: tuple[Placed, ...]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(placed.key for placed in self.owned)

    def is_still_in(self, layout: Layout) -> bool:
        return self.keys <= _in_hands(layout)


def payments_between(layout: Layout, agreement: Agreement, known_ids: frozenset[str]) -> list[Payment]:
    """What is new beside the board and was in a hand; nothing if the whole table is new."""
    if not known_ids:
        return []
    hands, known_base_ids = layout.zone(Zone.HAND), {_base_id(id) for id in known_ids}
    seats = [
        (placed.seat, seen.x, seen.y)
        for seen, placed in agreement.off_board
        if placed and placed.piece.kind in _PERSONAL_KINDS and placed.seat is not None
    ]
    return [
        Payment(seen, owned)
        for seen, placed in agreement.off_board
        if placed is not None and placed.zone is Zone.HAND and _base_id(seen.id) not in known_base_ids
        if (owned := _nearest_owner(seen, [p for p in hands if appearance_of(p).may_be(seen.look)], seats))
    ]


def _base_id(id: str) -> str:
    """The id without the suffix that a turned or rolled piece gets: it is no new piece."""
    return id.partition(".")[0]


def _nearest_owner(
    seen: RecordedPiece, candidates: list[Placed], seats: list[tuple[int, float, float]]
) -> tuple[Placed, ...]:
    """The candidates of the nearest player, where the table shows who sits where; else all of them."""
    near = sorted(seats, key=lambda side: math.dist((seen.x, seen.y), side[1:]))
    for seat, _, _ in near:
        if own := tuple(placed for placed in candidates if placed.seat == seat):
            return own
    return tuple(candidates)


def payment_change(payments: Iterable[Payment]) -> Change:
    """The change that the game is asked about: every piece that it may be has left its hand."""
    empty = Layout()
    moves = (
        MovedPiece(of, with_known_identity(of, placed_as(piece.seen, of.key, empty)))
        for piece in payments
        for of in piece.owned
    )
    return Change(moved=tuple(moves))


def all_left_hands(payments: Iterable[Payment], layout: Layout) -> bool:
    """Whether as many pieces have left the hands as lie there."""
    hands = _in_hands(layout)
    wanted = Counter(piece.keys for piece in payments)
    return all(len(keys - hands) >= count for keys, count in wanted.items())


def _in_hands(layout: Layout) -> frozenset[str]:
    return frozenset(placed.key for placed in layout.zone(Zone.HAND))
