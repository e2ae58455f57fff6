"""Layout: tile backs, and the coins on them."""

from __future__ import annotations

from rules.games.quatri.opening import STEPS, State
from rules.table.layout import Layout


def layout_of(state: State) -> Layout:
    return STEPS.layout_builder(state).layout()
