"""Layout: tile backs, the coins on their points, and beside each player what that player captured."""

from __future__ import annotations

from rules.games.alquerque.opening import BOARD, State, opening_state
from rules.pieces import Face, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for row in range(3):
        for column in range(3):
            build.put(tile(), 2 * column + 1.5, 2 * row + 1.5, key=f"board{column}{row}", face=Face.BACK)
    for name in BOARD.names:
        build.place(name, *BOARD.at(name))
    BOARD.lay_coins(build, state, opening_state(state.options).coins)
    return build.layout()
