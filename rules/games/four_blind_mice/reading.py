"""What somebody may have tried where the verb alone does not tell: a mouse that lies elsewhere ran there."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Action
from rules.games.four_blind_mice.geometry import CELL_OF, DIRECTIONS
from rules.games.four_blind_mice.opening import Phase, State
from rules.games.four_blind_mice.slides import slide, slide_action
from rules.pieces import SUITS, Kind
from rules.table.change import Change


def attempts(state: State, change: Change) -> Iterator[Action]:
    """Every run that ends where a mouse lies now, legal or not."""
    if state.phase is not Phase.ATTEMPT:
        return
    for move in change.moved:
        piece = move.before.piece
        if piece.kind is not Kind.PAWN or piece.suit is None:
            continue
        mouse, cell = SUITS.index(piece.suit), CELL_OF.get(move.after.place)
        if state.mice[mouse] not in (None, cell):
            for direction in DIRECTIONS:
                if slide(state, mouse, direction).stop == cell:
                    yield slide_action(mouse, direction)
