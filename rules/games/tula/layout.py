"""Layout: the temple, and beside it the stack (or before it the line)."""

from __future__ import annotations

from rules.engine import Spot
from rules.games.tula.opening import State
from rules.games.tula.temple import bits
from rules.pieces import Face, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout

STACK = "stack"


def stack_spot(state: State, index: int) -> Spot:
    """Spot of the tile with that number in the stack (or in the line)."""
    if state.options.line:
        return Spot(STACK, 4 + 2 * (index - state.left), -2)
    return Spot(STACK, max(spot.x for spot in state.temple.spots) + 4, 4)


def temple_spot(state: State, place: int) -> Spot:
    spot = state.temple.spots[place]
    return Spot(spot.name, spot.x, spot.y)


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for place, spot in enumerate(state.temple.spots):
        build.place(spot.name, spot.x, spot.y, 2.0, 2.0)
        if state.present >> place & 1:
            number = state.lies[place]
            up = state.face_up >> place & 1 or place == state.pending
            face, piece = Face.FRONT if up else Face.BACK, state.tiles[number] or tile()
            build.put(piece, spot.x, spot.y, key=key(number), face=face, level=spot.layer - 1, place=spot.name)
    rest = stack_spot(state, 0)
    build.place(STACK, rest.x or 0.0, rest.y or 0.0, 2.0, 2.0)
    for index, number in enumerate(state.stack):
        on_stack = stack_spot(state, index)
        x, y = on_stack.x or 0.0, on_stack.y or 0.0
        level = 0 if state.options.line else index
        build.put(state.tiles[number] or tile(), x, y, key=key(number), face=Face.FRONT, level=level, place=STACK)
    return build.layout()


def key(number: int) -> str:
    """Key of a tile: its place at the start, which reveals nothing."""
    return f"tile{number}"


def sketch(state: State) -> str:
    """The temple layer by layer from the top, each drawn without the others."""
    built = state.temple
    widest = max(spot.x for spot in built.spots)
    lines = ["y \\ x" + "".join(f"{x:>3}" for x in range(1, widest + 1))]
    for layer in range(built.layers, 0, -1):
        places = built.layer(layer)
        lines += [f"layer {layer}", *_rows(state, places)] if places & state.present else []
    stack = [_short(state, number) for number in state.stack]
    return "\n".join([*lines, f"stack: {' '.join(stack) or '-'}"])


def _rows(state: State, places: int) -> list[str]:
    """One line per row of tiles; a space of the table is three characters wide."""
    rows: dict[int, str] = {}
    for place in bits(places):
        spot = state.temple.spots[place]
        text = _tile_label(state, place) if state.present >> place & 1 else "."
        rows[spot.y] = f"{rows.get(spot.y, ''):<{3 * spot.x}}{text}"
    return [f"{y:>3} {line}" for y, line in rows.items()]


def _tile_label(state: State, place: int) -> str:
    if state.face_up >> place & 1:
        return _short(state, state.lies[place])
    return "??" if place == state.pending else "##"


def _short(state: State, number: int) -> str:
    piece = state.tiles[number]
    return "??" if piece is None or piece.suit is None or piece.rank is None else piece.suit.letter + piece.rank.letter
