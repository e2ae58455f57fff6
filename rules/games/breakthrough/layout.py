"""Layout: tile backs, the coins on them, and beside each player what that player captured."""

from __future__ import annotations

from rules.games.breakthrough.opening import BOARD, SIZE, State, opening_state
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(SIZE, SIZE)
    BOARD.lay_coins(build, state, opening_state(state.options).coins)
    return build.layout()
