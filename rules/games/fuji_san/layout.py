"""Layout: the mountain of tiles, the coins on it, the priests on the coins."""

from __future__ import annotations

from rules.games.fuji_san.mountain import HEIGHTS, INDEX, LAYERS, NAMES, STEP_SUITS, STEPS, SUMMIT, WIDTH, coin_at
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, Face, Rank, coin, die, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone


def spot(place: str) -> tuple[int, int]:
    return INDEX[place] % WIDTH + 1, int(place[1])


def height(place: str) -> int:
    """Number of tiles beneath a place."""
    file = INDEX[place] % WIDTH
    return HEIGHTS[file - 1] if file in STEPS else 0


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for level, columns in enumerate(LAYERS):
        for column in columns:
            build.put(tile(), column + 1.5, 1.5, key=f"tile{level + 1}-{column}", face=Face.BACK, level=level)
    for name in NAMES:
        build.place(name, *spot(name))
    coins = _coins(state, build)
    for suit, number in zip(SUITS, state.priests, strict=True):
        if number < 0:
            build.aside(Zone.SPENT, pawn(suit), key=f"priest-{suit}", seat=0)
            continue
        name = NAMES[number]
        level = height(name) + (name in coins)
        build.put(pawn(suit), *spot(name), key=f"priest-{suit}", level=level, place=name)
    for seat, suit in enumerate(SUITS):
        top = Rank(state.dice[seat]) if state.dice else None
        build.aside(Zone.SUPPLY, die(suit, top), key=f"die-{suit}")
    return build.layout()


def _coins(state: State, build: LayoutBuilder) -> set[str]:
    """Put the coins, by suit before the deal; returns the places with a coin."""
    places = set()
    for name in NAMES:
        number = coin_at(name)
        if number is None:
            continue
        rank = Rank(state.values[number]) if state.values else None
        where = state.foot[SUMMIT.index(name)] if state.foot and name in SUMMIT else name
        places.add(where)
        piece = coin(STEP_SUITS[number % 12], rank)
        face = Face.BACK if rank is None else Face.FRONT
        build.put(piece, *spot(where), key=f"coin-{name}", face=face, level=height(where), place=where)
    return places
