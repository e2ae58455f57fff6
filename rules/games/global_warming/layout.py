"""What lies on the table. A cell is two spaces wide; the line of coins lies to the south of the island."""

from __future__ import annotations

from rules.engine import Spot
from rules.games.global_warming.cells import cell, island, point, shore
from rules.games.global_warming.coins import shown, shows_suit
from rules.games.global_warming.opening import COINS, LINE_LENGTH, TILES, State
from rules.games.global_warming.turns import FACES
from rules.pieces import RANKS, Face, coin, die, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

LINE_Y = -5.0


def centre(place: str) -> tuple[float, float]:
    x, y = point(place)
    return 2.0 * x + 1, 2.0 * y + 1


def cell_at(x: float, y: float) -> str:
    """The cell in which a point of the table lies."""
    return cell(round((x - 1) / 2), round((y - 1) / 2))


def spot(place: str) -> Spot:
    return Spot(place, *centre(place))


def line_spot(drawn: int) -> Spot:
    """Where the coin of that number lies. The line is not pushed together: it wanders to the right."""
    return Spot(f"line{drawn + 1}", 1.0 + drawn, LINE_Y)


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    _put_tiles(build, state)
    _put_pawns(build, state)
    _put_dice(build, state)
    _put_coins(build, state)
    return build.layout()


def _put_tiles(build: LayoutBuilder, state: State) -> None:
    if not state.tiles:
        for number, place in enumerate(island(state.options.setup)):
            build.put(tile(), *centre(place), key=f"tile{number}", face=Face.BACK, place=place)
            build.place(place, *centre(place), 2.0, 2.0)
        return
    for piece, place in zip(TILES, state.tiles, strict=True):
        if place:
            build.put(piece, *centre(place), key=piece.code, face=Face.FRONT, place=place)
            build.place(place, *centre(place), 2.0, 2.0)
    for index in state.sunk:
        build.aside(Zone.SPENT, TILES[index], key=TILES[index].code, face=Face.FRONT)
    for place in shore([place for place in state.tiles if place]):
        build.place(place, *centre(place), 2.0, 2.0)


def _put_pawns(build: LayoutBuilder, state: State) -> None:
    waiting = set(state.alive)
    for index, (suit, place) in enumerate(zip(state.suits, state.pawns, strict=True)):
        piece, owner = pawn(suit), state.owners[index]
        if place:
            build.put(piece, *centre(place), key=piece.code, level=1, place=place, seat=owner)
        else:
            zone = Zone.HAND if index in waiting else Zone.SPENT
            build.aside(zone, piece, key=piece.code, seat=owner)


def _put_dice(build: LayoutBuilder, state: State) -> None:
    """As they were uncovered last: what is chosen since is covered, or on a phone."""
    playing = set(state.alive)
    for index, (suit, face) in enumerate(zip(state.suits, state.shown, strict=True)):
        top = RANKS[FACES.index(face)] if face else None
        zone = Zone.HAND if index in playing else Zone.SPENT
        build.aside(zone, die(suit, top), key=f"d{suit.letter}", seat=state.owners[index])


def _put_coins(build: LayoutBuilder, state: State) -> None:
    """A coin is called by the number of its drawing: nobody knows more of it before it is turned over."""
    for number, index in enumerate(state.sunk):
        build.aside(Zone.SPENT, COINS[index], key=f"coin{number}", face=Face.FRONT)
    first, end = len(state.sunk), len(state.sunk) + len(state.line)
    for number in range(first, max(end, LINE_LENGTH) + (1 if state.bag else 0)):
        build.place(line_spot(number).name, 1.0 + number, LINE_Y)
    for number, side in enumerate(state.line, first):
        face = Face.BACK if shows_suit(side) else Face.FRONT
        where = line_spot(number)
        build.put(shown(side), 1.0 + number, LINE_Y, key=f"coin{number}", face=face, place=where.name)
    for number in range(end, len(COINS)):
        build.aside(Zone.SUPPLY, coin(), key=f"coin{number}")
