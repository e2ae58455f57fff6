"""Described positions and shorthands (last section of rulebook.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine import Action, Seat, fields
from rules.engine.action import parse_action
from rules.games.zombie import house
from rules.games.zombie.night import DICE, next_key
from rules.games.zombie.opening import (
    DINING,
    FOYER,
    HOUR,
    INTENSITY,
    LARDER,
    PATIO,
    ROOMS,
    STACKS,
    TEMPLE,
    Options,
    Pair,
    Phase,
    Room,
    State,
    TileToDraw,
    Totem,
    cell_name,
    opening_state,
)

FIELDS = (
    "rooms", "doors", "holes", "place", "previous", "visited", "hand", "intensity", "health", "weapon", "totem",
    "phase", "moon", "breaking", "stayed", "retreated", "done", "opening", "dice",
)  # fmt: skip


def read_position(data: Mapping[str, object], options: Options, _seats: tuple[Seat, ...]) -> State:
    fields.refuse_unknown("zombie", data, FIELDS)
    state = opening_state(options)
    if "rooms" in data:
        state = _with_rooms(state, data["rooms"])
    doors = _pairs(data, "doors", state) if "doors" in data else state.doors
    state = replace(state, doors=doors, holes=_pairs(data, "holes", state))
    place = _laid_code(data.get("place", FOYER), state)
    visited = fields.a_list("visited", data.get("visited", [room.code for room in state.rooms]), '["S0", "A4"]')
    codes = tuple(dict.fromkeys([*(_laid_code(code, state) for code in visited), place]))
    state = replace(state, place=place, previous=_laid_code(data.get("previous", place), state), visited=codes)
    state = _with_meters(state, data)
    return _with_turn(state, data)


def _code(given: object) -> str:
    text = str(given).strip().upper().removeprefix("T")
    if text not in ROOMS:
        raise fields.no_such("room", given, "S0, S1, M0, M1, A0 to A5, C0 to C5")
    return text


def _laid_code(given: object, state: State) -> str:
    code = _code(given)
    if not house.is_laid(state, code):
        raise ValueError(f"room {code} is not among the rooms of the position")
    return code


def _with_rooms(state: State, given: object) -> State:
    """Rooms laid one after the other, each joined to those it touches; the Foyer lies at 0:0 unless it is named."""
    rooms = fields.an_object("rooms", given, '{"0:0": "S0", "1:0": "A4"}')
    laid = [(_cell(place), _code(code)) for place, code in rooms.items()]
    if FOYER not in [code for _, code in laid]:
        laid.insert(0, ((0, 0), FOYER))
    fields.apart("rooms", (cell_name(cell) for cell, _ in laid))
    fields.each_once("rooms", (code for _, code in laid))
    foyer = next(cell for cell, code in laid if code == FOYER)
    state = replace(state, rooms=(Room(FOYER, foyer, "foyer"),))
    for cell, code in laid:
        if code != FOYER:
            doors = house.new_doorways(replace(state, options=Options()), code, cell, "", hole=True)
            dining = house.room_of(state, DINING if code == PATIO else PATIO if code == DINING else "")
            if dining and dining.cell in house.around(cell):
                doors = (*doors, (dining.code, code))
            zone = next((zone for zone, codes in STACKS.items() if code in codes), None)
            key = next_key(state, zone) if zone else "patio"
            state = replace(state, rooms=(*state.rooms, Room(code, cell, key)), doors=doors)
    return state


def _cell(given: object) -> tuple[int, int]:
    parts = str(given).strip("() ").replace(",", ":").split(":")
    try:
        x, y = (int(part) for part in parts)
    except ValueError:
        raise fields.no_such("place", given, "east:north of the Foyer, 1:-2") from None
    if max(abs(x), abs(y)) > 99:
        raise ValueError(f"{str(given)[:20]!r} is too far away")
    return x, y


def _pairs(data: Mapping[str, object], name: str, state: State) -> tuple[Pair, ...]:
    given = fields.pairs(name, data.get(name, []), '["S0", "A4"]')
    return tuple((_laid_code(one, state), _laid_code(other, state)) for one, other in given)


def _with_meters(state: State, data: Mapping[str, object]) -> State:
    intensity = data.get("intensity", list(INTENSITY))
    if not isinstance(intensity, (list, tuple)) or tuple(intensity) not in (INTENSITY, INTENSITY[1:], INTENSITY[2:]):
        raise fields.unfit("intensity", "[0, 3, 5], [3, 5] or [5]", intensity)
    default = Totem.TEMPLE if house.is_laid(state, TEMPLE) else Totem.HIDDEN
    totem = fields.one_of("totem", str(data.get("totem", default)).lower(), Totem)
    if totem is not Totem.HIDDEN and totem is not Totem.CARRIED and default is Totem.HIDDEN:
        raise ValueError("the totem is hidden until the Evil Temple (S1) is laid")
    return replace(
        state,
        hand=fields.a_number("hand", data.get("hand", 0), 0, HOUR - 1),
        intensity=tuple(intensity),
        health=fields.a_number("health", data.get("health", 5), 1, LARDER),
        weapon=fields.a_number("weapon", data.get("weapon", 1), 0, LARDER),
        totem=totem,
    )


def _with_turn(state: State, data: Mapping[str, object]) -> State:
    default = Phase.ATTACK if "moon" in data else state.phase
    phase = fields.one_of("phase", str(data.get("phase", default)).lower(), Phase)
    if phase is Phase.DRAW and "opening" not in data:
        raise ValueError('in the phase draw, "opening" says where: {"cell": "1:0", "room": "S0", "hole": false}')
    if phase is Phase.OVER and state.totem is not Totem.BURIED:
        raise ValueError('nothing has ended this game; a position that is over has "totem": "buried"')
    suns, moons, arms = fields.numbers("dice", data.get("dice", [0, 0, 0]), 3, 5, "[2, 4, 4]")
    return replace(
        state,
        phase=phase,
        opening=_opening(data["opening"], state) if phase is Phase.DRAW else None,
        moon=fields.a_number("moon", data.get("moon", 0), 0, 5) if phase is Phase.ATTACK else 0,
        dice=(suns, moons, arms),
        breaking=phase in (Phase.MOON, Phase.ATTACK) and fields.a_flag("breaking", data.get("breaking", False)),
        stayed=fields.a_flag("stayed", data.get("stayed", False)),
        retreated=fields.a_flag("retreated", data.get("retreated", False)),
        done=fields.a_flag("done", data.get("done", False)),
    )


def _opening(given: object, state: State) -> TileToDraw:
    example = '{"cell": "1:0", "room": "S0", "hole": false}'
    opening = fields.an_object("opening", given, example, ("cell", "room", "hole"))
    room = _laid_code(opening.get("room", state.place), state)
    return TileToDraw(_cell(opening.get("cell")), room, opening.get("hole") is True)


def read_shorthand(state: State, text: str) -> Action | None:
    """ "S2 M4 A4" are dice, "open N" or "open N patio" is a door to the north, "walk A3" goes to a room."""
    words = text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    if not words:
        return None
    if state.phase in DICE and all(len(w) == 2 and w[0] in "SMA" and w[1].isdecimal() for w in words):
        return Action("roll", ("+".join(words),))
    if words[0] in ("open", "break_wall") and len(words) > 1 and words[1] in house.DIRECTIONS:
        dx, dy = house.DIRECTIONS[words[1]]
        x, y = house.cell_of(state, state.place)
        return Action(words[0], (cell_name((x + dx, y + dy)), *words[2:]))
    if words[0] in ("walk", "retreat", "draw") and len(words) == 2 and words[1] in ROOMS:
        return Action(words[0], (f"t{words[1]}",))
    if not text.startswith("open(") or "," in text:
        return None
    # An open door without a choice: draw, or the Patio where it is forced.
    try:
        action = parse_action(text)
    except ValueError:
        return None
    found = house.open_choices(state, state.place)
    return Action("open", (*action.args, found[0] if len(found) == 1 else "draw"))
