"""Deeds of movement: you stay, walk, or open a door; a wall breaks (ZOMB-4.1 to 4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.action import PIECE, PLACE, ParamType
from rules.engine.argument_value import Value, one_of, thing_of
from rules.engine.refusal import Facts
from rules.games.zombie import house, night
from rules.games.zombie.deeds.common import (
    MAX_ECHO,
    SUPPLY,
    YOU,
    ZombieDeed,
    choice_effects,
    laying_effects,
    move_effects,
    name_of,
    no_such_cell,
    no_such_room,
    not_there,
    spot,
)
from rules.games.zombie.opening import IN, OUT, PATIO, ROOMS, TEMPLE, Phase, Room, State, TileToDraw, Totem, cell_name
from rules.pieces import Suit, parse_piece, pawn
from rules.sentence import say, several


def _room(code: str) -> Value:
    """A room by its tile, or the word for drawing one."""
    return thing_of(code) if code[:1] == "t" else one_of("room")(code)


class Clock(ZombieDeed):
    verb = Verb.of("clock", "the hand of the clock moves on", "ZOMB-4.1")
    phases = (Phase.CLOCK,)

    def advance(self, state: State, action: Action) -> State:
        after = night.tick(state)
        if after.phase is Phase.OVER:
            return after
        return replace(after, phase=Phase.MOVE if state.options.time == "turn" else Phase.EVENT)


class Stay(ZombieDeed):
    verb = Verb.of("stay", "stay put", "ZOMB-4.3a")
    phases = (Phase.MOVE,)

    def advance(self, state: State, action: Action) -> State:
        return night.after_move(replace(state, stayed=True))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from choice_effects("stay", "ZOMB-4.3a", before)


class Walk(ZombieDeed):
    verb = Verb.of("walk", "walk to {room}", "ZOMB-4.3b", room=PIECE)
    phases = (Phase.MOVE,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("walk", (f"t{code}",)) for code in house.walks(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_room(action[0], "ZOMB-4.3b"):
            return refusal
        code = night.code_of(action[0])
        if code in house.walks(state):
            return None
        facts: Facts = {"from": state.place, "to": code, "connected": house.beside(state, state.place)}
        if not house.is_laid(state, code):
            text = say("{room} is not on the map yet", room=name_of(code))
            return Refusal(Code.NO_SUCH_PLACE, "ZOMB-4.3b", text, facts)
        if code in house.beside(state, state.place):
            text = say("only the room you came from may be entered again: {room}", room=name_of(state.previous))
            return Refusal(Code.NOT_ALLOWED, "ZOMB-8.13", text, facts)
        text = say("{room} is not connected to {other}", room=name_of(code), other=name_of(state.place))
        return Refusal(Code.NOT_ADJACENT, "ZOMB-4.3b", text, facts)

    def advance(self, state: State, action: Action) -> State:
        return night.after_move(night.after_entering(state, night.code_of(action[0])))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from move_effects(before, after, "ZOMB-4.3b")


class OpenDoor(ZombieDeed):
    verb = Verb.of(
        "open", "open a door towards {cell}: {choice}", "ZOMB-4.4", cell=PLACE, choice=ParamType("word?", _room)
    )
    phases = (Phase.MOVE,)

    def describe(self, action: Action) -> str:
        leads = {"draw": "and draw a room", "patio": "to the patio"}
        return f"open a door towards {action[0]} {leads.get(night.choice_of(action), night.choice_of(action))}"

    def legal(self, state: State) -> Iterator[Action]:
        for choice in house.open_choices(state, state.place):
            for cell in house.open_cells(state, state.place, choice):
                yield Action("open", (cell_name(cell), choice))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_cell(action[0], "ZOMB-4.4"):
            return refusal
        cell = night.cell_from(action[0])
        choice = night.choice_of(action)
        if choice not in ("draw", "patio"):
            text = say("a door leads to draw or to patio, not to “{choice}”", choice=choice[:MAX_ECHO])
            return Refusal(Code.BAD_ARGUMENT, "ZOMB-4.4", text)
        if choice not in house.open_choices(state, state.place):
            return _door_refusal(state, choice)
        if cell in house.open_cells(state, state.place, choice):
            return None
        return not_there(state, cell, state.place, "ZOMB-4.4")

    def advance(self, state: State, action: Action) -> State:
        cell = night.cell_from(action[0])
        if night.choice_of(action) == "patio":
            doors = house.new_doorways(state, PATIO, cell, state.place, hole=False)
            laid = replace(state, rooms=(*state.rooms, Room(PATIO, cell, "patio")), doors=doors)
            return night.after_move(night.after_entering(laid, PATIO))
        return replace(state, phase=Phase.DRAW, opening=TileToDraw(cell, state.place, False))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        choice = night.choice_of(action)
        facts: Facts = {"choice": f"open a door: {choice}", "place": action[0], "room": ROOMS[before.place].name}
        yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.4", facts=facts)
        if choice == "patio":
            yield from laying_effects(before, after, "ZOMB-4.4b")
            yield from move_effects(before, after, "ZOMB-4.4")


class BreakWall(ZombieDeed):
    verb = Verb.of("break_wall", "zombies break the wall to {cell}", "ZOMB-4.5", cell=PLACE, room="piece?")
    phases = (Phase.MOVE,)

    def legal(self, state: State) -> Iterator[Action]:
        anywhere = state.options.break_where == "any"
        for cell, code in house.breakable(state):
            yield Action("break_wall", (cell_name(cell), f"t{code}") if anywhere else (cell_name(cell),))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_cell(action[0], "ZOMB-4.5"):
            return refusal
        cell = night.cell_from(action[0])
        named = action.args[1] if len(action.args) > 1 else ""
        if named and (refusal := no_such_room(named, "ZOMB-4.5")):
            return refusal
        room = night.code_of(named) or state.place
        if (cell, room) in house.breakable(state):
            return None
        if opening := house.openable_rooms(state):
            rooms = several(map(name_of, opening))
            text = say("a door can still be opened in {rooms}; no wall breaks before that", rooms=rooms)
            return Refusal(Code.NOT_ALLOWED, "ZOMB-4.5", text, {"rooms": opening})
        if room != state.place and (state.options.break_where == "room" or not house.is_laid(state, room)):
            text = say("zombies break a wall of the room you are in, {room}", room=name_of(state.place))
            return Refusal(Code.NOT_ALLOWED, "ZOMB-8.5", text, {"room": room})
        if cell not in house.empty_around(state, room):
            return not_there(state, cell, room, "ZOMB-4.5")
        return Refusal(Code.EMPTY, "ZOMB-4.5", say("the stack for {room} is empty", room=name_of(room)), {"room": room})

    def advance(self, state: State, action: Action) -> State:
        room = night.code_of(action.args[1]) if len(action.args) > 1 and action.args[1] else state.place
        return replace(state, phase=Phase.DRAW, opening=TileToDraw(night.cell_from(action[0]), room, True))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        assert after.opening is not None
        facts: Facts = {"choice": "zombies break a wall", "place": action[0], "room": ROOMS[after.opening.room].name}
        yield Effect(EffectKind.CHOOSE, seat=YOU, clause="ZOMB-4.5", facts=facts)


class Draw(ZombieDeed):
    verb = Verb.of("draw", "{room} is drawn", "ZOMB-4.4a", room=PIECE)
    phases = (Phase.DRAW,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("draw", (f"t{code}",)) for code in _stack_to_draw_from(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_room(action[0], "ZOMB-4.4a"):
            return refusal
        code, left = night.code_of(action[0]), _stack_to_draw_from(state)
        if code in left:
            return None
        tiles = several(f"t{other}" for other in left)
        text = say("{room} cannot be drawn here; still in the stack: {left}", room=name_of(code), left=tiles)
        return Refusal(Code.CONTRADICTS, "ZOMB-4.4a", text, {"room": code, "stack": left})

    def advance(self, state: State, action: Action) -> State:
        opening, code = state.opening, night.code_of(action[0])
        assert opening is not None
        doors = house.new_doorways(state, code, opening.cell, opening.room, hole=opening.hole)
        laid = replace(
            state,
            rooms=(*state.rooms, Room(code, opening.cell, night.next_key(state, ROOMS[opening.room].zone))),
            doors=doors,
            holes=(*state.holes, (opening.room, code)) if opening.hole else state.holes,
            totem=Totem.TEMPLE if code == TEMPLE else state.totem,
            opening=None,
        )
        if not opening.hole:
            return night.after_move(night.after_entering(laid, code))
        if state.options.enter_after_break:
            laid = night.after_entering(laid, code)
        return replace(laid, phase=Phase.MOON, breaking=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        code, room = night.code_of(action[0]), after.rooms[-1]
        assert before.opening is not None
        where = "outdoor" if ROOMS[before.opening.room].zone == OUT else "indoor"
        facts: Facts = {"stack": where, "room": ROOMS[code].name}
        yield Effect(EffectKind.REVEAL, parse_piece(action[0]), room.key, clause="ZOMB-4.4a", facts=facts)
        yield from laying_effects(before, after, "ZOMB-4.5" if before.opening.hole else "ZOMB-4.4")
        if code == TEMPLE:
            target = spot(after, TEMPLE)
            yield Effect(EffectKind.PLACE, pawn(Suit.SUNS), "totem", SUPPLY, target, clause="ZOMB-3.5")
        if after.place != before.place:
            yield from move_effects(before, after, "ZOMB-8.7" if before.opening.hole else "ZOMB-4.4")


def _stack_to_draw_from(state: State) -> list[str]:
    assert state.opening is not None
    return house.stack(state, ROOMS[state.opening.room].zone)


def _door_refusal(state: State, choice: str) -> Refusal:
    room = ROOMS[state.place]
    used = house.used_doorways(state, state.place)
    facts: Facts = {"room": state.place, "doorways": room.doorways, "used": used}
    if used >= room.doorways:
        text = say("all {count} doorways of {room} are used", count=room.doorways, room=name_of(state.place))
        if room.doorways == 1:
            text = say("{room} has one doorway, and it is used", room=name_of(state.place))
        return Refusal(Code.LIMIT, "ZOMB-2.3", text, facts)
    if choice == "patio":
        laid = house.is_laid(state, PATIO)
        text = say("the Patio lies on the map already") if laid else say("only the Dining Room leads to the Patio")
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.4b", text, facts)
    if house.reserves_patio_door(state, state.place) and room.doorways - used == 1:
        text = say("the Dining Room has one doorway left; it must lead to the Patio")
        return Refusal(Code.NOT_ALLOWED, "ZOMB-4.4b", text, facts)
    where = say("indoor") if room.zone == IN else say("outdoor")
    return Refusal(Code.EMPTY, "ZOMB-4.4a", say("the {ground} stack is empty", ground=where), facts)
