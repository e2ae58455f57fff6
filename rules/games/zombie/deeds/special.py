"""Deeds of special rooms, cowering, and the end of a turn (ZOMB-4.8 to 4.12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.refusal import Facts
from rules.games.zombie.deeds.common import YOU, ZombieDeed, choice_effects, name_of, spot
from rules.games.zombie.night import special_action, tick, turn_over
from rules.games.zombie.opening import GRAVEYARD, STORAGES, TEMPLE, Phase, State, Totem
from rules.pieces import Suit, pawn
from rules.sentence import Joint, say, several


class _SpecialAction(ZombieDeed):
    phases = (Phase.SPECIAL,)

    def legal(self, state: State) -> Iterable[Action]:
        return (self.action,) if special_action(state) == self.verb.name else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        verb = self.verb.name
        if special_action(state) == verb:
            return None
        clause = "ZOMB-4.10" if verb == "search" else "ZOMB-4.9"
        facts: Facts = {"room": state.place, "stayed": state.stayed, "retreated": state.retreated}
        if state.done:
            return Refusal(Code.LIMIT, "ZOMB-4.8", say("there is only one special action per turn"), facts)
        if state.retreated:
            text = say("after a retreat there is no special action in this turn")
            return Refusal(Code.NOT_ALLOWED, "ZOMB-4.8", text, facts)
        places = {"take_totem": (TEMPLE,), "bury": (GRAVEYARD,), "search": STORAGES}[verb]
        if state.place not in places:
            rooms = several(map(name_of, places), Joint.OR)
            text = say("that is done in {rooms}; you are in {room}", rooms=rooms, room=name_of(state.place))
            return Refusal(Code.NOT_ALLOWED, clause, text, facts)
        if state.totem is not (Totem.TEMPLE if verb == "take_totem" else Totem.CARRIED):
            text = say("you do not have the totem") if verb == "bury" else say("the totem is not here any more")
            return Refusal(Code.NO_SUCH_PIECE, clause, text, {**facts, "totem": state.totem.value})
        text = say("you have only just come to {room}; stay there for a turn first", room=name_of(state.place))
        return Refusal(Code.NOT_ALLOWED, clause, text, facts)


class TakeTotem(_SpecialAction):
    verb = Verb.of("take_totem", "take the totem", "ZOMB-4.9")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, totem=Totem.CARRIED, done=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.TAKE, pawn(Suit.SUNS), "totem", spot(before, TEMPLE), seat=YOU, clause="ZOMB-4.9")


class Bury(_SpecialAction):
    verb = Verb.of("bury", "bury the totem", "ZOMB-4.9")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, totem=Totem.BURIED, done=True, phase=Phase.OVER)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        target = spot(before, before.place)
        yield Effect(EffectKind.PLACE, pawn(Suit.SUNS), "totem", None, target, seat=YOU, clause="ZOMB-4.9")
        yield Effect(EffectKind.SCORE, seat=YOU, clause="ZOMB-5.1", facts={"why": "the totem is buried"})


class Search(_SpecialAction):
    verb = Verb.of("search", "search the storage", "ZOMB-4.10")

    def advance(self, state: State, action: Action) -> State:
        after = state if state.options.search == "free" else tick(state)
        return after if after.phase is Phase.OVER else replace(after, phase=Phase.SEARCH, done=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from choice_effects("search", "ZOMB-4.10", before)


class Cower(ZombieDeed):
    verb = Verb.of("cower", "cower", "ZOMB-4.11")
    phases = (Phase.SPECIAL,)

    def advance(self, state: State, action: Action) -> State:
        after = tick(state)
        return after if after.phase is Phase.OVER else replace(after, phase=Phase.COWER)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from choice_effects("cower", "ZOMB-4.11", before)


class EndTurn(ZombieDeed):
    verb = Verb.of("end_turn", "end the turn", "ZOMB-4.12")
    phases = (Phase.SPECIAL,)

    def advance(self, state: State, action: Action) -> State:
        return turn_over(state)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from choice_effects("end of the turn", "ZOMB-4.12", before)
