"""Map of house and garden: connections, free doorways, places of new rooms (ZOMB-2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.games.zombie.opening import DINING, IN, PATIO, ROOMS, STACKS, Cell, Pair, Room, State

DIRECTIONS: dict[str, Cell] = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}


def around(cell: Cell) -> Iterator[Cell]:
    """Neighbouring cells: north, east, south, west."""
    return ((cell[0] + dx, cell[1] + dy) for dx, dy in DIRECTIONS.values())


def room_of(state: State, code: str) -> Room | None:
    return next((room for room in state.rooms if room.code == code), None)


def cell_of(state: State, code: str) -> Cell:
    return next(room.cell for room in state.rooms if room.code == code)


def is_laid(state: State, code: str) -> bool:
    return room_of(state, code) is not None


def empty_around(state: State, code: str) -> list[Cell]:
    taken = {room.cell for room in state.rooms}
    return [cell for cell in around(cell_of(state, code)) if cell not in taken]


def used_doorways(state: State, code: str, doors: Iterable[Pair] | None = None) -> int:
    """Doorways in use, by these doors or else those of the state, and by holes where they count (ZOMB-8.6)."""
    pairs = [*(state.doors if doors is None else doors), *(state.holes if state.options.break_uses_door else ())]
    return sum(code in pair for pair in pairs)


def stack(state: State, zone: str) -> list[str]:
    """Rooms left in a stack, in no order, since it is unknown."""
    laid = {room.code for room in state.rooms}
    return [code for code in STACKS[zone] if code not in laid]


def beside(state: State, code: str) -> list[str]:
    """Rooms joined to this one by a doorway or a hole."""
    return [pair[1 - pair.index(code)] for pair in (*state.doors, *state.holes) if code in pair]


def reachable(state: State) -> list[str]:
    found = [state.place]
    for code in found:
        found += [other for other in beside(state, code) if other not in found]
    return found


def reserves_patio_door(state: State, code: str) -> bool:
    """Whether the room is the Dining Room, which keeps a doorway until the Patio is laid (ZOMB-4.4b)."""
    return code == DINING and not is_laid(state, PATIO)


def open_choices(state: State, code: str) -> tuple[str, ...]:
    """Choices for a doorway of this room: draw, patio, or none."""
    free = ROOMS[code].doorways - used_doorways(state, code)
    if free <= 0:
        return ()
    can_draw = bool(stack(state, ROOMS[code].zone))
    if reserves_patio_door(state, code):
        return ("patio", "draw") if free > 1 and can_draw else ("patio",)
    return ("draw",) if can_draw else ()


def open_cells(state: State, code: str, choice: str) -> list[Cell]:
    """Cells for the new room."""
    cells = empty_around(state, code)
    if cells or choice != "patio" or not state.options.relocate_patio:
        return cells
    indoors = [room.code for room in state.rooms if ROOMS[room.code].zone == IN]
    return sorted({cell for other in indoors for cell in empty_around(state, other)})


def openable_rooms(state: State) -> list[str]:
    """Rooms with a door that can be opened, as far as the rules look (ZOMB-8.4)."""
    scope = state.options.break_scope
    zone = ROOMS[state.place].zone
    looked = [state.place] if scope == "room" else reachable(state)
    rooms = [code for code in looked if scope != "zone" or ROOMS[code].zone == zone]
    return [room for room in rooms if any(open_cells(state, room, choice) for choice in open_choices(state, room))]


def breakable(state: State) -> list[tuple[Cell, str]]:
    """Breakable walls, each as the cell behind and the room before it."""
    if openable_rooms(state):
        return []
    rooms = [state.place] if state.options.break_where == "room" else [room.code for room in state.rooms]
    return [(cell, code) for code in rooms if stack(state, ROOMS[code].zone) for cell in empty_around(state, code)]


def new_doorways(state: State, code: str, cell: Cell, origin: str, *, hole: bool) -> tuple[Pair, ...]:
    """Doorways of a new room: the one opened, then those to rooms that it touches (ZOMB-2.4)."""
    doors = list(state.doors)
    if hole:
        state = replace(state, holes=(*state.holes, (origin, code)))
    else:
        doors.append((origin, code))
    if state.options.auto_connect:
        at = {room.cell: room.code for room in state.rooms}
        for other in (at[near] for near in around(cell) if near in at):
            if other != origin and _can_join(state, doors, code, other):
                doors.append((other, code))
    return tuple(doors)


def _can_join(state: State, doors: list[Pair], code: str, other: str) -> bool:
    if ROOMS[code].zone != ROOMS[other].zone:
        return False
    return all(
        used_doorways(state, room, doors) < ROOMS[room].doorways - reserves_patio_door(state, room)
        for room in (code, other)
    )


def retreats(state: State) -> list[str]:
    """Rooms for a retreat from an attack (ZOMB-8.9)."""
    near = state.visited if state.options.retreat == "visited" else beside(state, state.place)
    return [code for code in dict.fromkeys(near) if code in state.visited and code != state.place]


def walks(state: State) -> list[str]:
    """Rooms for a walk (ZOMB-8.13): with `walk` "any" all adjoining ones, else the previous and unvisited ones."""
    near = list(dict.fromkeys(beside(state, state.place)))
    if state.options.walk == "any":
        return near
    return [code for code in near if code == state.previous or code not in state.visited]
