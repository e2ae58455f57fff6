"""What may be done (ZOMB-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from rules.engine import Action
from rules.games.zombie import house
from rules.games.zombie.opening import (
    GRAVEYARD,
    ROOMS,
    STORAGES,
    TEMPLE,
    Opening,
    Phase,
    State,
    Totem,
    cell_name,
)
from rules.pieces import Kind
from rules.table.change import Change

CLOCK = Action("clock")
STAY = Action("stay")
FIGHT = Action("fight")
COWER = Action("cower")
END_TURN = Action("end_turn")
DICE = {Phase.EVENT: "SMA", Phase.MOON: "M", Phase.SEARCH: "A", Phase.COWER: "S"}


def legal_actions(state: State) -> Iterable[Action]:
    return _LISTS[state.phase](state)


def tile_code(code: str) -> str:
    return f"t{code}"


def stack_of(state: State, opening: Opening) -> list[str]:
    return house.stack(state, ROOMS[opening.room].zone)


def special(state: State) -> str | None:
    """The special action that this place offers now (ZOMB-4.8 to 4.10)."""
    if state.done or state.retreated:
        return None
    if state.place in STORAGES:
        return "search"
    if not (state.stayed or state.options.temple == "on_arrival"):
        return None
    if state.place == TEMPLE and state.totem is Totem.TEMPLE:
        return "take_totem"
    return "bury" if state.place == GRAVEYARD and state.totem is Totem.CARRIED else None


def _clock(_state: State) -> Iterator[Action]:
    yield CLOCK


def _moves(state: State) -> Iterator[Action]:
    yield STAY
    for code in house.walks(state):
        yield Action("walk", (tile_code(code),))
    for choice in house.open_choices(state, state.place):
        for cell in house.open_cells(state, state.place, choice):
            yield Action("open", (cell_name(cell), choice))
    for cell, code in house.breakable(state):
        anywhere = state.options.break_where == "any"
        yield Action("break_wall", (cell_name(cell), tile_code(code)) if anywhere else (cell_name(cell),))


def _draws(state: State) -> Iterator[Action]:
    assert state.opening is not None
    for code in stack_of(state, state.opening):
        yield Action("draw", (tile_code(code),))


def _rolls(state: State) -> Iterator[Action]:
    letters = DICE[state.phase]
    for numbers in product("012345", repeat=len(letters)):
        yield Action("roll", ("+".join(map("".join, zip(letters, numbers, strict=True))),))


def roll_seen(state: State, change: Change) -> Iterator[Action]:
    """What the dice show; nothing as long as one of those that are thrown is not seen."""
    seen = [*change.added, *(move.after for move in change.moved)]
    tops = {p.piece.suit.letter: p.piece.rank for p in seen if p.piece.kind is Kind.DIE and p.piece.suit}
    letters = DICE[state.phase]
    if all(tops.get(letter) is not None for letter in letters):
        yield Action("roll", ("+".join(f"{letter}{int(tops[letter] or 0)}" for letter in letters),))


def _answers(state: State) -> Iterator[Action]:
    yield FIGHT
    for code in house.retreats(state):
        yield Action("retreat", (tile_code(code),))


def _specials(state: State) -> Iterator[Action]:
    found = special(state)
    if found:
        yield Action(found)
    yield COWER
    yield END_TURN


_LISTS: dict[Phase, Callable[[State], Iterable[Action]]] = {
    Phase.CLOCK: _clock,
    Phase.MOVE: _moves,
    Phase.DRAW: _draws,
    Phase.MOON: _rolls,
    Phase.EVENT: _rolls,
    Phase.ATTACK: _answers,
    Phase.SPECIAL: _specials,
    Phase.SEARCH: _rolls,
    Phase.COWER: _rolls,
    Phase.OVER: lambda _state: (),
}


def attempts(state: State, change: Change) -> Iterator[Action]:
    """What somebody may have tried, legal or not: the room that the pawn stands in now."""
    rooms = {cell_name(room.cell): room.code for room in state.rooms}
    for move in change.moved:
        room = rooms.get(move.after.place)
        if move.before.key == "you" and room is not None:
            yield from (Action(verb, (tile_code(room),)) for verb in ("walk", "retreat"))
