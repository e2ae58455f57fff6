"""Layout: tile backs, the coins on them, and beside each player what was captured."""

from __future__ import annotations

from rules.games.jul_gonu.opening import BOARD, State
from rules.pieces import Face, coin
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = BOARD.layout_builder(state)
    for seat, suit in enumerate(state.suits):
        for index in range(state.captured[1 - seat]):
            build.aside(Zone.SPENT, coin(suit), key=f"{suit}-taken{index}", seat=1 - seat, face=Face.BACK)
    return build.layout()
