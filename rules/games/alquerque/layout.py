"""What lies on the table: tile backs, the coins on their points, and beside each player what that player captured."""

from __future__ import annotations

from rules.games.alquerque.opening import BIT, SIZE, SUITS, State, opening_state
from rules.pieces import Face, coin, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for row in range(3):
        for column in range(3):
            build.put(tile(), 2 * column + 1.5, 2 * row + 1.5, key=f"board{column}{row}", face=Face.BACK)
    for index, name in enumerate(BIT):
        build.place(name, *_at(index))
    armies = zip(SUITS, state.coins, opening_state(state.options).coins, strict=True)
    for number, (suit, mask, at_first) in enumerate(armies):
        for index, (name, bit) in enumerate(BIT.items()):
            if mask & bit:
                build.put(coin(suit), *_at(index), key=f"{suit}@{name}", face=Face.BACK, place=name)
        for index in range(at_first.bit_count() - mask.bit_count()):
            build.aside(Zone.SPENT, coin(suit), key=f"{suit}-taken{index}", seat=1 - number // 2, face=Face.BACK)
    return build.layout()


def _at(index: int) -> tuple[float, float]:
    """Points are where four spaces meet: half a space off their centres."""
    return index % SIZE + 1.5, index // SIZE + 1.5
