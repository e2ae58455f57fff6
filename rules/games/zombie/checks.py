"""Why something may not be done, in words with the facts in them."""

from __future__ import annotations

import re

from rules.engine import Action, Code, Refusal
from rules.engine.refusal import Facts
from rules.games.zombie import actions, choices, house
from rules.games.zombie.opening import (
    GRAVEYARD,
    PATIO,
    ROOMS,
    STORAGES,
    TEMPLE,
    Cell,
    Phase,
    State,
    Totem,
    cell_name,
)

_SPECIALS = ("take_totem", "bury", "search")
# Which actions belong to a phase, and what to say to all others.
_PHASES: dict[Phase, tuple[tuple[str, ...], str, str]] = {
    Phase.CLOCK: (("clock",), "ZOMB-4.1", "first the hand of the clock moves one step"),
    Phase.MOVE: (
        ("stay", "walk", "open", "break_wall"),
        "ZOMB-4.2",
        "now you stay, walk, open a door or a wall breaks",
    ),
    Phase.DRAW: (("draw",), "ZOMB-4.4", "first say which room was drawn"),
    Phase.MOON: (("roll",), "ZOMB-4.7", "first the moons die is rolled for the attack"),
    Phase.EVENT: (("roll",), "ZOMB-4.6", "now the three dice are rolled"),
    Phase.ATTACK: (("fight", "retreat"), "ZOMB-4.7", "zombies attack: fight or retreat"),
    Phase.SPECIAL: (
        (*_SPECIALS, "cower", "end_turn"),
        "ZOMB-4.8",
        "now a special action, cowering or the end of the turn",
    ),
    Phase.SEARCH: (("roll",), "ZOMB-4.10", "first the arms die is rolled for the search"),
    Phase.COWER: (("roll",), "ZOMB-4.11", "first the suns die is rolled for cowering"),
}
_MAX_ECHO = 20
_CELL = re.compile(r"-?\d{1,3}:-?\d{1,3}\Z", re.ASCII)


def check(state: State, action: Action) -> Refusal | None:
    verbs, clause, text = _PHASES[state.phase]
    if action.verb not in verbs:
        return Refusal(Code.WRONG_PHASE, clause, text, {"phase": state.phase.value, "now": list(verbs)})
    return _CHECKS[action.verb](state, action)


def _name(code: str) -> str:
    return f"the {ROOMS[code].name} (t{code})"


def _room(text: str, clause: str) -> str | Refusal:
    code = text[1:]
    if text[:1] == "t" and code in ROOMS:
        return code
    words = f"there is no room {text[:_MAX_ECHO]!r}; rooms are tiles, for example tA3"
    return Refusal(Code.NO_SUCH_PIECE, clause, words, {"room": text[:_MAX_ECHO]})


def _cell(text: str, clause: str) -> Cell | Refusal:
    if _CELL.match(text):
        cell = actions.cell_from(text)
        if cell_name(cell) == text:
            return cell
    words = f"{text[:_MAX_ECHO]!r} is no place; write how far east and north of the Foyer, for example 1:-2"
    return Refusal(Code.NO_SUCH_PLACE, clause, words, {"place": text[:_MAX_ECHO]})


def _check_walk(state: State, action: Action) -> Refusal | None:
    code = _room(action[0], "ZOMB-4.3b")
    if isinstance(code, Refusal):
        return code
    if code in house.walks(state):
        return None
    facts: Facts = {"from": state.place, "to": code, "connected": house.beside(state, state.place)}
    if not house.is_laid(state, code):
        return Refusal(Code.NO_SUCH_PLACE, "ZOMB-4.3b", f"{_name(code)} is not on the map yet", facts)
    if code in house.beside(state, state.place):
        text = f"only the room you came from may be entered again: {_name(state.previous)}"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-8.13", text, facts)
    text = f"{_name(code)} is not connected to {_name(state.place)}"
    return Refusal(Code.NOT_ADJACENT, "ZOMB-4.3b", text, facts)


def _check_open(state: State, action: Action) -> Refusal | None:
    cell = _cell(action[0], "ZOMB-4.4")
    if isinstance(cell, Refusal):
        return cell
    choice = actions.choice_of(action)
    if choice not in ("draw", "patio"):
        text = f"a door leads to draw or to patio, not to {choice[:_MAX_ECHO]!r}"
        return Refusal(Code.BAD_ARGUMENT, "ZOMB-4.4", text, {"choice": choice[:_MAX_ECHO]})
    if choice not in house.open_choices(state, state.place):
        return _why_no_door(state, choice)
    if cell in house.open_cells(state, state.place, choice):
        return None
    return _why_not_there(state, cell, state.place, "ZOMB-4.4")


def _why_no_door(state: State, choice: str) -> Refusal:
    room = ROOMS[state.place]
    used = house.used_doorways(state, state.place)
    facts: Facts = {"room": state.place, "doorways": room.doorways, "used": used}
    if used >= room.doorways:
        text = f"all {room.doorways} doorways of {_name(state.place)} are used"
        if room.doorways == 1:
            text = f"{_name(state.place)} has one doorway, and it is used"
        return Refusal(Code.LIMIT, "ZOMB-2.3", text, facts)
    if choice == "patio":
        laid = house.is_laid(state, PATIO)
        text = "the Patio lies on the map already" if laid else "only the Dining Room leads to the Patio"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.4b", text, facts)
    if house.owes_patio(state, state.place) and room.doorways - used == 1:
        text = "the Dining Room has one doorway left; it must lead to the Patio"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.4b", text, facts)
    where = "indoor" if room.zone == "in" else "outdoor"
    return Refusal(Code.EMPTY, "ZOMB-4.4a", f"the {where} stack is empty", facts)


def _why_not_there(state: State, cell: Cell, room: str, clause: str) -> Refusal:
    facts: Facts = {"place": cell_name(cell), "room": room}
    taken = next((other.code for other in state.rooms if other.cell == cell), None)
    if taken:
        return Refusal(Code.OCCUPIED, clause, f"{_name(taken)} lies at {cell_name(cell)}", facts)
    text = f"{cell_name(cell)} is not beside {_name(room)}"
    return Refusal(Code.NOT_ADJACENT, clause, text, facts)


def _check_break(state: State, action: Action) -> Refusal | None:
    cell = _cell(action[0], "ZOMB-4.5")
    if isinstance(cell, Refusal):
        return cell
    room = _room(action[1], "ZOMB-4.5") if len(action.args) > 1 and action[1] else state.place
    if isinstance(room, Refusal):
        return room
    if (cell, room) in house.breakable(state):
        return None
    return _why_no_break(state, cell, room)


def _why_no_break(state: State, cell: Cell, room: str) -> Refusal:
    opening = house.rooms_that_open(state)
    if opening:
        text = f"a door can still be opened in {', '.join(map(_name, opening))}; no wall breaks before that"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.5", text, {"rooms": opening})
    if room != state.place and (state.options.break_where == "room" or not house.is_laid(state, room)):
        text = f"zombies break a wall of the room you are in, {_name(state.place)}"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-8.5", text, {"room": room})
    if cell not in house.empty_around(state, room):
        return _why_not_there(state, cell, room, "ZOMB-4.5")
    return Refusal(Code.EMPTY, "ZOMB-4.5", f"the stack for {_name(room)} is empty", {"room": room})


def _check_draw(state: State, action: Action) -> Refusal | None:
    code = _room(action[0], "ZOMB-4.4a")
    if isinstance(code, Refusal):
        return code
    assert state.opening is not None
    left = choices.stack_of(state, state.opening)
    if code in left:
        return None
    text = f"{_name(code)} cannot be drawn here; still in the stack: {', '.join(map(choices.tile_code, left))}"
    return Refusal(Code.CONTRADICTS, "ZOMB-4.4a", text, {"room": code, "stack": left})


def _check_roll(state: State, action: Action) -> Refusal | None:
    letters = choices.DICE[state.phase]
    parts = action[0].split("+")
    fits = len(parts) == len(letters) and all(
        len(part) == 2 and part[0] == letter and part[1] in "012345"
        for part, letter in zip(parts, letters, strict=True)
    )
    if fits:
        return None
    example = "+".join(f"{letter}{number}" for letter, number in zip(letters, "240", strict=False))
    text = f"write the dice as {example}: a suit letter and 0 to 5 for each"
    return Refusal(Code.BAD_ARGUMENT, _PHASES[state.phase][1], text, {"dice": list(letters)})


def _check_retreat(state: State, action: Action) -> Refusal | None:
    code = _room(action[0], "ZOMB-8.9")
    if isinstance(code, Refusal):
        return code
    found = house.retreats(state)
    if code in found:
        return None
    facts: Facts = {"room": code, "possible": found}
    if not found:
        text = "there is no room to retreat to: none that you have been in is connected"
        return Refusal(Code.NOT_ALLOWED, "ZOMB-8.9", text, facts)
    text = f"you can retreat to {', '.join(map(_name, found))}, not to {_name(code)}"
    return Refusal(Code.NOT_ALLOWED, "ZOMB-8.9", text, facts)


def _check_special(state: State, action: Action) -> Refusal | None:
    if choices.special(state) == action.verb:
        return None
    clause = "ZOMB-4.10" if action.verb == "search" else "ZOMB-4.9"
    facts: Facts = {"room": state.place, "stayed": state.stayed, "retreated": state.retreated}
    if state.done:
        return Refusal(Code.LIMIT, "ZOMB-4.8", "there is one special action a turn", facts)
    if state.retreated:
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.8", "after a retreat there is no special action in this turn", facts)
    places = {"take_totem": (TEMPLE,), "bury": (GRAVEYARD,), "search": STORAGES}[action.verb]
    if state.place not in places:
        text = f"that is done in {' or '.join(map(_name, places))}; you are in {_name(state.place)}"
        return Refusal(Code.NOT_ALLOWED, clause, text, facts)
    if state.totem is not (Totem.TEMPLE if action.verb == "take_totem" else Totem.CARRIED):
        text = "you do not have the totem" if action.verb == "bury" else "the totem is not here any more"
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {**facts, "totem": state.totem.value})
    text = f"you have only just come to {_name(state.place)}; stay there for a turn first"
    return Refusal(Code.NOT_ALLOWED, clause, text, facts)


def _always(_state: State, _action: Action) -> Refusal | None:
    return None


_CHECKS = {
    "clock": _always,
    "stay": _always,
    "walk": _check_walk,
    "open": _check_open,
    "break_wall": _check_break,
    "draw": _check_draw,
    "roll": _check_roll,
    "fight": _always,
    "retreat": _check_retreat,
    "take_totem": _check_special,
    "bury": _check_special,
    "search": _check_special,
    "cower": _always,
    "end_turn": _always,
}
