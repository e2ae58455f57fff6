"""What a change on the table means: the dice are read from it, and a quake from the tile that moved."""

from __future__ import annotations

from rules.engine import Action
from rules.engine.dice import write_dice
from rules.games.san_andreas.opening import State
from rules.pieces import SUITS, Kind
from rules.table.change import Change


def roll_seen(state: State, change: Change) -> tuple[Action, ...]:
    tops = dict(zip(SUITS, state.dice, strict=True))
    seen = [move.after.piece for move in change.moved] + [placed.piece for placed in change.added]
    tops |= {piece.suit: piece.rank for piece in seen if piece.kind is Kind.DIE and piece.suit}
    dice = [(suit, top) for suit in SUITS if (top := tops[suit]) is not None]
    return (Action("roll", (write_dice(dice),)),) if len(dice) == len(SUITS) else ()


def shakers(state: State, change: Change) -> list[Action]:
    """The dice whose tile lies elsewhere now; all that are left if none does."""
    moved = {move.before.key for move in change.moved}
    stands = dict(zip(SUITS, state.pawns, strict=True))
    acting = [suit for suit in state.remaining if (pawn := stands[suit]) and pawn.tile in moved]
    return [Action("resolve", (suit.value,)) for suit in acting or state.remaining]
