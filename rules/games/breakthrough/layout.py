"""What lies on the table: tile backs, the coins on them, and beside each player what that player captured."""

from __future__ import annotations

from rules.games.breakthrough.opening import BIT, SIZE, SUITS, State, opening_state
from rules.pieces import Face, coin
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(SIZE, SIZE)
    armies = zip(SUITS, state.coins, opening_state(state.options).coins, strict=True)
    for number, (suit, mask, at_first) in enumerate(armies):
        for index, (name, bit) in enumerate(BIT.items()):
            if mask & bit:
                x, y = index % SIZE + 1, index // SIZE + 1
                build.put(coin(suit), x, y, key=f"{suit}@{name}", face=Face.BACK, place=name)
        for index in range(at_first.bit_count() - mask.bit_count()):
            build.aside(Zone.SPENT, coin(suit), key=f"{suit}-taken{index}", seat=1 - number // 2, face=Face.BACK)
    return build.layout()
