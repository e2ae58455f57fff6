"""Layout: tiles where they are, pawns and dice on them, coins in hands and among the spent; also as text."""

from __future__ import annotations

from dataclasses import replace

from rules.engine import Spot
from rules.games.decay.geometry import Tiles, on_table
from rules.games.decay.opening import NAMES, PER_SUIT, Phase, State, piece_of, suit_of
from rules.pieces import RANKS, SUITS, Face, Kind, Piece, coin, die, pawn
from rules.table.build import LayoutBuilder
from rules.table.diagram import Canvas, draw, short
from rules.table.layout import Layout, Zone, bounds

U_PER_SPACE = 8
OUT = Spot(zone=Zone.SUPPLY)


def spot_of(tiles: Tiles, tile: int) -> Spot:
    place = tiles[tile]
    if place is None:
        return Spot(NAMES[tile])
    return Spot(NAMES[tile], place[0] / U_PER_SPACE, place[1] / U_PER_SPACE)


_SIDE_STEP = 0.45  # a pawn and a die on one tile stand beside each other


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    for tile, x, y in on_table(state.tiles):
        name = NAMES[tile]
        east, north = x / U_PER_SPACE, y / U_PER_SPACE
        build.put(piece_of(tile), east, north, key=f"tile-{name}", face=Face.FRONT, place=name)
        build.place(name, east, north, 2.0, 2.0)
    building = state.phase in (Phase.ROLL, Phase.CREATE)
    for tile, spot in enumerate(state.tiles):
        seat = state.seat_of(suit_of(tile))
        if spot is None and seat is not None:
            zone, owner = (Zone.HAND, seat) if building else (Zone.SUPPLY, None)
            build.aside(zone, piece_of(tile), key=f"tile-{NAMES[tile]}", seat=owner, face=Face.FRONT)
    # The last throw decides, so it stays visible until the first tile is laid.
    rolling = state.phase is Phase.ROLL or (state.phase is Phase.CREATE and not any(state.tiles))
    for seat, index in enumerate(state.suits):
        suit, stands = SUITS[index], state.pawns[seat]
        shift = state.pawns[:seat].count(stands) - (stands in state.dice)
        _put_on_tile(build, state, seat, pawn(suit), f"pawn-{suit}", stands, shift)
        rolled = state.rolls[seat] if rolling else None
        top = die(suit, None if rolled is None else RANKS[rolled])
        _put_on_tile(build, state, seat, top, f"die-{suit}", state.dice[seat], 1)
    _put_coins(build, state)
    return build.layout()


def _put_on_tile(
    build: LayoutBuilder, state: State, seat: int, piece: Piece, key: str, tile: int | None, shift: int
) -> None:
    """A pawn or a die on its tile, that many steps east of the middle; without a tile beside the board."""
    where = state.tiles[tile] if tile is not None else None
    if tile is not None and where is not None:
        x, y = where[0] / U_PER_SPACE + _SIDE_STEP * shift, where[1] / U_PER_SPACE
        build.put(piece, x, y, key=key, level=1, place=NAMES[tile], seat=seat)
    elif state.living[seat]:
        build.aside(Zone.HAND, piece, key=key, seat=seat)
    else:
        build.aside(Zone.SUPPLY, piece, key=key)


def _put_coins(build: LayoutBuilder, state: State) -> None:
    """Coins of one suit are alike: a key says in which pile a coin lies and which one of it."""
    left = [PER_SUIT if state.seat_of(suit) is not None else 0 for suit in range(len(SUITS))]
    piles = [(Zone.HAND, purse, coins) for purse, coins in enumerate(state.hands)]
    piles.append((Zone.SPENT, state.purse(state.to_act), state.spent))
    unknown = any(len(coins) > len(SUITS) for coins in state.hands)
    for zone, seat, coins in piles:
        for suit, count in enumerate(coins[: len(SUITS)]):
            left[suit] -= count
            _pile(build, zone, seat, suit, count)
        for index in range(sum(coins[len(SUITS) :])):
            build.aside(zone, coin(), key=f"hidden-{zone.value}{seat}-{index}", seat=seat)
    if not unknown:
        for suit, count in enumerate(left):
            _pile(build, Zone.SUPPLY, None, suit, count)


def _pile(build: LayoutBuilder, zone: Zone, seat: int | None, suit: int, count: int) -> None:
    where = f"{zone.value}{'' if seat is None else seat}"
    for index in range(count):
        build.aside(zone, coin(SUITS[suit]), key=f"{SUITS[suit]}-{where}-{index}", seat=seat, face=Face.BACK)


_WIDE, _HIGH = 8, 4  # characters and lines of a tile


def drawing_of(state: State) -> str:
    layout = layout_of(state)
    aside = tuple(placed for placed in layout if placed.zone is not Zone.BOARD)
    rest = draw(replace(layout, pieces=aside, places=()))
    places = [f"{name}@({spot[0]},{spot[1]})" for name, spot in zip(NAMES, state.tiles, strict=True) if spot]
    rows = [" ".join(places[start : start + 8]) for start in range(0, len(places), 8)]
    return "\n".join(part for part in (_board(layout), *rows, rest) if part)


def _board(layout: Layout) -> str:
    tiles = [placed for placed in layout.board if placed.piece.kind is Kind.TILE]
    if not tiles:
        return ""
    canvas = Canvas(*bounds(tiles))
    for placed in tiles:
        left, top = canvas.column(placed.x - 1), canvas.row(placed.y + 1)
        on_it = "".join(short(other) for other in layout.at(placed.place)[1:])
        _draw_box(canvas, left, top, short(placed), on_it)
    return str(canvas).rstrip()


def _draw_box(canvas: Canvas, left: int, top: int, name: str, on_it: str) -> None:
    """One line and one column less than the tile is wide, so that neighbours never share a border."""
    inner = _WIDE - 2
    canvas.text(left, top, "┌" + "─" * inner + "┐")
    canvas.text(left, top + 1, "│" + name.ljust(inner) + "│")
    canvas.text(left, top + 2, "│" + on_it.ljust(inner)[:inner] + "│")
    canvas.text(left, top + _HIGH - 1, "└" + "─" * inner + "┘")
