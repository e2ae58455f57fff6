"""What a change on the table means: a roll is read from the dice, a walk from where the pawn stands."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.engine.dice import write_dice
from rules.games.zombie.night import DICE, tile_code
from rules.games.zombie.opening import State, cell_name
from rules.pieces import Kind
from rules.table.change import Change


def roll_seen(state: State, change: Change) -> Iterator[Action]:
    """What the dice show; nothing as long as one of those that are thrown is not seen."""
    seen = [*change.added, *(move.after for move in change.moved)]
    tops = {p.piece.suit: p.piece.rank for p in seen if p.piece.kind is Kind.DIE}
    suits = DICE[state.phase]
    dice = [(suit, top) for suit in suits if (top := tops.get(suit)) is not None]
    if len(dice) == len(suits):
        yield Action("roll", (write_dice(dice),))


def attempts(state: State, change: Change) -> Iterator[Action]:
    """What somebody may have tried, legal or not: the room that the pawn stands in now."""
    rooms = {cell_name(room.cell): room.code for room in state.rooms}
    for move in change.moved:
        room = rooms.get(move.after.place)
        if move.before.key == "you" and room is not None:
            yield from (Action(verb, (tile_code(room),)) for verb in ("walk", "retreat"))
