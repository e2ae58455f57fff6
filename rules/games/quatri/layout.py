"""Layout: tile backs, and the coins on them."""

from __future__ import annotations

from rules.games.quatri.opening import BOARD, State
from rules.table.layout import Layout


def layout_of(state: State) -> Layout:
    return BOARD.layout_builder(state).layout()
