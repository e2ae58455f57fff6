"""Layout: the ice, the coins on it in their stacks, the penguins."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.penguin.ice import coin_piece, loose_coins
from rules.games.penguin.opening import LAYING, PLACING, State
from rules.pieces import Face, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    _lay_ice(build, state)
    _lay_coins(build, state)
    waiting = Zone.HAND if state.phase in PLACING else Zone.SPENT
    for seat, (suit, cell) in enumerate(zip(state.pawns, state.penguins, strict=True)):
        spot = None if cell is None else state.board.spots[cell]
        if cell is None or spot is None:
            build.aside(waiting, pawn(suit), key=f"penguin{seat}", seat=seat)
        else:
            x, y, level = spot[0] + 1, spot[1] + 1, len(state.stacks[cell]) + 1
            build.put(pawn(suit), x, y, key=f"penguin{seat}", level=level, place=state.board.names[cell], seat=seat)
    return build.layout()


def buried(state: State) -> Iterator[str]:
    """The coins that are covered, for the text diagram."""
    for name, stack in sorted(zip(state.board.names, state.stacks, strict=True)):
        if len(stack) > 1:
            yield f"{name} {''.join(state.suits[number] for number in stack[:-1])}"


def _lay_ice(build: LayoutBuilder, state: State) -> None:
    for index, corner in enumerate(state.tiles):
        key = f"tile{index}"
        if corner is None:
            build.aside(Zone.SPENT, tile(), key=key, face=Face.BACK)
        else:
            place = state.board.names[4 * index]
            build.put(tile(), corner[0] + 1.5, corner[1] + 1.5, key=key, face=Face.BACK, place=place)


def _lay_coins(build: LayoutBuilder, state: State) -> None:
    for name, spot, stack in zip(state.board.names, state.board.spots, state.stacks, strict=True):
        if spot:
            x, y = spot[0] + 1, spot[1] + 1
            build.place(name, x, y)
            for level, number in enumerate(stack, 1):
                piece = coin_piece(state, number)
                build.put(piece, x, y, key=f"coin{number}", face=Face.BACK, level=level, place=name)
    zone = Zone.SUPPLY if state.phase in LAYING else Zone.SPENT
    for number in loose_coins(state):
        build.aside(zone, coin_piece(state, number), key=f"coin{number}", face=Face.BACK)
