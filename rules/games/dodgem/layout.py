"""Layout: tile backs, the coins on them, and beside each player the coins that have left the board."""

from __future__ import annotations

from rules.games.dodgem.opening import SUITS, State
from rules.pieces import Face, coin
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = state.board.layout_builder(state)
    for player, suit in enumerate(SUITS):
        for index in range(state.off[player]):
            build.aside(Zone.SPENT, coin(suit), key=f"{suit}-off{index}", seat=player, face=Face.BACK)
    return build.layout()
