"""Layout: the board, the cheeses, the mice and the markers."""

from __future__ import annotations

from rules.games.four_blind_mice.opening import NAMES, Cheese, Phase, State, Where, position_of
from rules.pieces import SUITS, Face, coin, die, pawn
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

_ZONES = {Where.SUPPLY: Zone.SUPPLY, Where.HAND: Zone.HAND, Where.GONE: Zone.SPENT}


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    build.grid_of_backs(8, 8)
    for number, cheese in enumerate(state.cheeses):
        _lay_cheese(build, number, cheese, uncovered=number == state.target and state.phase is not Phase.REVEAL)
    if state.options.markers:
        for suit, cell, home in zip(SUITS, state.mice, state.home, strict=True):
            if state.phase is Phase.ATTEMPT and home is not None and cell != home:
                x, y = position_of(home)
                build.put(die(suit), x, y, key=f"die-{suit}", level=1, place=NAMES[home])
            else:
                build.aside(Zone.SUPPLY, die(suit), key=f"die-{suit}")
    for suit, cell in zip(SUITS, state.mice, strict=True):
        key = f"mouse-{suit}"
        if cell is None:
            build.aside(Zone.SUPPLY, pawn(suit), key=key)
            continue
        x, y = position_of(cell)
        on_coin = any(cheese.cell == cell and cheese.where is Where.BOARD for cheese in state.cheeses)
        build.put(pawn(suit), x, y, key=key, level=2 if on_coin else 1, place=NAMES[cell])
    return build.layout()


def _lay_cheese(build: LayoutBuilder, number: int, cheese: Cheese, *, uncovered: bool) -> None:
    """Covered cheese shows its value, uncovered and won cheese its suit. A turned coin counts as covered until its suit
    has been told: then a change of the table means both the turn and the suit."""
    piece = coin(cheese.suit, cheese.rank)
    key = f"cheese{number}"
    if cheese.where is Where.BOARD and cheese.cell is not None:
        x, y = position_of(cheese.cell)
        face = Face.BACK if uncovered else Face.FRONT
        build.put(piece, x, y, key=key, face=face, level=1, place=NAMES[cheese.cell])
        return
    face = Face.FRONT if cheese.where is Where.SUPPLY or cheese.suit is None else Face.BACK
    build.aside(_ZONES[cheese.where], piece, key=key, seat=cheese.owner, face=face)
