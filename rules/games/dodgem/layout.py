"""Layout: tile backs, the coins on them, and beside each player the coins that have left the board."""

from __future__ import annotations

from rules.games.dodgem.opening import SUITS, State, names
from rules.pieces import Face, coin
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    size = state.options.size
    build.grid_of_backs(size + size % 2, size + size % 2)
    for player, suit in enumerate(SUITS):
        for bit, name in enumerate(names(size)):
            if state.coins[player] >> bit & 1:
                x, y = bit % size + 1, bit // size + 1
                build.put(coin(suit), x, y, key=f"{suit}@{name}", face=Face.BACK, place=name)
        for index in range(state.off[player]):
            build.aside(Zone.SPENT, coin(suit), key=f"{suit}-off{index}", seat=player, face=Face.BACK)
    return build.layout()
