"""What a change on the table means: a deal and a roll are read from it; there are too many to try."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine import Action
from rules.engine.dice import write_dice
from rules.games.fuji_san.mountain import NAMES, coin_at, write_layout
from rules.pieces import SUITS, Kind
from rules.table.change import Change
from rules.table.layout import Placed


def chance_seen(phase: str, change: Change) -> list[Action]:
    seen = [*change.added, *(move.after for move in change.moved)]
    read = _dealt(seen) if phase == "deal" else _rolled(seen)
    return [] if read is None else [Action(phase, read)]


def _dealt(seen: Iterable[Placed]) -> tuple[str] | None:
    """The deal that these coins are, if all 24 show their values."""
    ranks = {placed.place: placed.piece.rank for placed in seen if placed.piece.kind is Kind.COIN}
    values = [ranks.get(name) for name in NAMES if coin_at(name) is not None]
    known = tuple(int(rank) for rank in values if rank is not None)
    return (write_layout(known),) if len(known) == len(values) else None


def _rolled(seen: Iterable[Placed]) -> tuple[str] | None:
    """What the four dice show, if all four are there."""
    tops = {p.piece.suit: p.piece.rank for p in seen if p.piece.kind is Kind.DIE and p.piece.rank is not None}
    return (write_dice((suit, tops[suit]) for suit in SUITS),) if set(tops) == set(SUITS) else None
