"""What a change on the table means: the dice are read from it, and a quake from the tile that moved."""

from __future__ import annotations

from rules.engine import Action
from rules.games.san_andreas.dice import roll_action
from rules.games.san_andreas.opening import State
from rules.pieces import SUITS, Kind
from rules.table.change import Change


def roll_seen(state: State, change: Change) -> tuple[Action, ...]:
    tops = dict(zip(SUITS, state.dice, strict=True))
    seen = [move.after.piece for move in change.moved] + [placed.piece for placed in change.added]
    tops |= {piece.suit: piece.rank for piece in seen if piece.kind is Kind.DIE and piece.suit}
    return () if None in tops.values() else (roll_action(tuple(tops[suit] for suit in SUITS)),)


def shakers(state: State, change: Change) -> list[Action]:
    """The dice whose tile lies elsewhere now; all that are left if none does."""
    moved = {move.before.key for move in change.moved}
    stands = dict(zip(SUITS, state.pawns, strict=True))
    acting = [suit for suit in state.remaining if (pawn := stands[suit]) and pawn.tile in moved]
    return [Action("resolve", (suit.value,)) for suit in acting or state.remaining]
