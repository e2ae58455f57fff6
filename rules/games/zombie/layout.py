"""Layout: the map, and west of it the status chart (ZOMB-2.6, ZOMB-2.7)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.zombie import house
from rules.games.zombie.opening import (
    GRAVEYARD,
    HOUR,
    IN,
    INTENSITY,
    LARDER,
    OUT,
    ROOMS,
    STACKS,
    TEMPLE,
    Cell,
    State,
    Totem,
    cell_name,
)
from rules.pieces import Face, Rank, Suit, coin, die, parse_piece, pawn, tile
from rules.table.build import LayoutBuilder
from rules.table.layout import Layout, Zone

_ROOM = 2
_TOP = 3.0
_CLEAR = 4
"""Where the map comes near the chart, the chart moves this many rooms farther west."""


def middle(cell: Cell) -> tuple[float, float]:
    """The centre of a room, in spaces."""
    return _ROOM * cell[0] + 1.5, _ROOM * cell[1] + 1.5


def chart_east(state: State) -> float:
    """Column of the intensity coins; it moves in large steps, so that the chart mostly stays in place."""
    west = min(room.cell[0] for room in state.rooms)
    leaps = max(0, -1 - west) // _CLEAR
    return -_ROOM * _CLEAR * (1.0 + leaps)


def clock_spot(state: State, step: int) -> tuple[float, float]:
    """Spot of the clock: down the right column, up the left one."""
    x = chart_east(state) - 1.5
    return (x, _TOP - step) if step < HOUR // 2 else (x - 1, _TOP - (HOUR - 1 - step))


def meter_spot(state: State, name: str, number: int) -> tuple[float, float]:
    """Spot of a coin of the meter "health" or "weapon"."""
    return chart_east(state) - (4 if name == "health" else 5.5), _TOP - number


def intensity_spot(state: State, rank: int) -> tuple[float, float]:
    return chart_east(state), _TOP - INTENSITY.index(rank)


def pile_spot(state: State, name: str) -> tuple[float, float]:
    """Spots of the indoor and outdoor stacks and of the Patio."""
    return chart_east(state) - 7.5, _TOP - {"indoor": 0.5, "outdoor": 2.75, "patio": 5.0}[name]


def layout_of(state: State) -> Layout:
    build = LayoutBuilder()
    _lay_map(build, state)
    east = chart_east(state)
    for number, y in enumerate((_TOP - 0.5, _TOP - 2.5)):
        build.put(tile(), east - 2, y, key=f"clock{number}", face=Face.BACK)
    for step in range(HOUR):
        build.place(f"clock{step}", *clock_spot(state, step))
    x, y = clock_spot(state, state.hand)
    build.put(pawn(Suit.MOONS), x, y, key="hand", level=1, place=f"clock{state.hand}")
    _lay_meters(build, state)
    laid = {room.key for room in state.rooms}
    for name, zone in (("indoor", IN), ("outdoor", OUT)):
        x, y = pile_spot(state, name)
        build.place(name, x, y, _ROOM, _ROOM)
        left = [key for number in range(len(STACKS[zone])) if (key := f"{name}{number}") not in laid]
        for level, key in enumerate(reversed(left)):
            build.put(tile(), x, y, key=key, face=Face.BACK, level=level, place=name)
    x, y = pile_spot(state, "patio")
    build.place("patio", x, y, _ROOM, _ROOM)
    if "patio" not in laid:
        build.put(parse_piece("tM0"), x, y, key="patio", face=Face.FRONT, place="patio")
    _lay_pawns(build, state)
    for suit, number in zip((Suit.SUNS, Suit.MOONS, Suit.ARMS), state.dice, strict=True):
        build.aside(Zone.SUPPLY, die(suit, Rank(number)), key=f"die-{suit}")
    return build.layout()


def _lay_map(build: LayoutBuilder, state: State) -> None:
    for room in state.rooms:
        x, y = middle(room.cell)
        build.put(parse_piece(f"t{room.code}"), x, y, key=room.key, face=Face.FRONT, place=cell_name(room.cell))
        build.place(cell_name(room.cell), x, y, _ROOM, _ROOM)
    taken = {room.cell for room in state.rooms}
    for cell in sorted({near for room in state.rooms for near in house.around(room.cell)} - taken):
        build.place(cell_name(cell), *middle(cell), _ROOM, _ROOM)
    for wall in _walls(state):
        build.border(*wall)


def _walls(state: State) -> Iterator[tuple[float, float, float, float]]:
    """Walls between rooms that touch without being joined (ZOMB-7.6)."""
    for index, one in enumerate(state.rooms):
        for other in state.rooms[:index]:
            if other.cell in house.around(one.cell) and other.code not in house.beside(state, one.code):
                (x1, y1), (x2, y2) = middle(one.cell), middle(other.cell)
                x, y, across = (x1 + x2) / 2, (y1 + y2) / 2, y1 == y2
                yield (x, y - 1, x, y + 1) if across else (x - 1, y, x + 1, y)


def _lay_meters(build: LayoutBuilder, state: State) -> None:
    for name, suit, level in (("health", Suit.SUNS, state.health), ("weapon", Suit.ARMS, state.weapon)):
        for number in range(LARDER):
            x, y = meter_spot(state, name, number)
            build.place(f"{name}{number + 1}", x, y)
            if number < level:
                build.put(coin(suit), x, y, key=f"{name}{number}", face=Face.BACK, place=f"{name}{number + 1}")
            else:
                build.aside(Zone.SUPPLY, coin(suit), key=f"{name}{number}", face=Face.BACK)
    for rank in INTENSITY:
        piece, key = coin(None, Rank(rank)), f"intensity{rank}"
        if rank in state.intensity:
            build.put(piece, *intensity_spot(state, rank), key=key, face=Face.FRONT, place=key)
        else:
            build.aside(Zone.SPENT, piece, key=key, face=Face.FRONT)


def _lay_pawns(build: LayoutBuilder, state: State) -> None:
    cell = house.cell_of(state, state.place)
    x, y = middle(cell)
    build.put(pawn(Suit.ARMS), x, y - 0.4, key="you", level=1, place=cell_name(cell))
    where = {Totem.TEMPLE: TEMPLE, Totem.CARRIED: state.place, Totem.BURIED: GRAVEYARD}.get(state.totem)
    if where is None:
        build.aside(Zone.SUPPLY, pawn(Suit.SUNS), key="totem")
        return
    cell = house.cell_of(state, where)
    x, y = middle(cell)
    build.put(pawn(Suit.SUNS), x + 0.5, y + 0.3, key="totem", level=1, place=cell_name(cell))


def meters(state: State) -> list[str]:
    """Connections of the rooms and meters, for the text diagram."""
    joined = [
        f"{name}: {', '.join(f'{one}-{other}' for one, other in pairs)}"
        for name, pairs in (("doors", state.doors), ("holes", state.holes))
        if pairs
    ]
    intensity = state.intensity[0] if state.intensity else "none"
    piles = [f"{len(house.stack(state, zone))} {zone}doors" for zone in STACKS]
    return [
        *joined,
        f"still to be drawn: {', '.join(piles)}",
        f"in the {ROOMS[state.place].name}, health {state.health}, weapon {state.weapon}, "
        f"clock {state.hand}, intensity {intensity}, totem {state.totem.value}",
    ]
