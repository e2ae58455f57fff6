"""Layout: tile backs, the coins on them, and beside each player the coins that the other has lost."""

from __future__ import annotations

from rules.games.konane.opening import BOARD, FILES, RANKS, State, opening_state
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(FILES, RANKS)
    BOARD.lay_coins(build, state, opening_state(state.options).coins)
    return build.layout()
