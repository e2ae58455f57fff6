"""What a room offers, cowering, and the end of a turn (ZOMB-4.8 to 4.12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, NarratedDeed, Refusal, Verb
from rules.engine.refusal import Facts
from rules.games.zombie.deeds.common import YOU, name_of, next_turn_effect, said, spot
from rules.games.zombie.night import special, tick, turn_over
from rules.games.zombie.opening import GRAVEYARD, STORAGES, TEMPLE, Phase, State, Totem
from rules.pieces import Suit, pawn
from rules.sentence import Joint, say, several


class TakeTotem(NarratedDeed[State]):
    verb = Verb.of("take_totem", "take the totem", "ZOMB-4.9")
    phases = (Phase.SPECIAL,)

    def legal(self, state: State) -> Iterable[Action]:
        return _offered(state, "take_totem")

    def check(self, state: State, action: Action) -> Refusal | None:
        return _not_offered(state, "take_totem")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, totem=Totem.CARRIED, done=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield Effect(EffectKind.TAKE, pawn(Suit.SUNS), "totem", spot(before, TEMPLE), seat=YOU, clause="ZOMB-4.9")
        yield from next_turn_effect(before, action, after)


class Bury(NarratedDeed[State]):
    verb = Verb.of("bury", "bury the totem", "ZOMB-4.9")
    phases = (Phase.SPECIAL,)

    def legal(self, state: State) -> Iterable[Action]:
        return _offered(state, "bury")

    def check(self, state: State, action: Action) -> Refusal | None:
        return _not_offered(state, "bury")

    def advance(self, state: State, action: Action) -> State:
        return replace(state, totem=Totem.BURIED, done=True, phase=Phase.OVER)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        target = spot(before, before.place)
        yield Effect(EffectKind.PLACE, pawn(Suit.SUNS), "totem", None, target, seat=YOU, clause="ZOMB-4.9")
        yield Effect(EffectKind.SCORE, seat=YOU, clause="ZOMB-5.1", facts={"why": "the totem is buried"})
        yield from next_turn_effect(before, action, after)


class Search(NarratedDeed[State]):
    verb = Verb.of("search", "search the storage", "ZOMB-4.10")
    phases = (Phase.SPECIAL,)

    def legal(self, state: State) -> Iterable[Action]:
        return _offered(state, "search")

    def check(self, state: State, action: Action) -> Refusal | None:
        return _not_offered(state, "search")

    def advance(self, state: State, action: Action) -> State:
        after = state if state.options.search == "free" else tick(state)
        return after if after.phase is Phase.OVER else replace(after, phase=Phase.SEARCH, done=True)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from said("search", "ZOMB-4.10", before)
        yield from next_turn_effect(before, action, after)


class Cower(NarratedDeed[State]):
    verb = Verb.of("cower", "cower", "ZOMB-4.11")
    phases = (Phase.SPECIAL,)

    def advance(self, state: State, action: Action) -> State:
        after = tick(state)
        return after if after.phase is Phase.OVER else replace(after, phase=Phase.COWER)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from said("cower", "ZOMB-4.11", before)
        yield from next_turn_effect(before, action, after)


class EndTurn(NarratedDeed[State]):
    verb = Verb.of("end_turn", "end the turn", "ZOMB-4.12")
    phases = (Phase.SPECIAL,)

    def advance(self, state: State, action: Action) -> State:
        return turn_over(state)

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        yield from said("end of the turn", "ZOMB-4.12", before)
        yield from next_turn_effect(before, action, after)


def _offered(state: State, verb: str) -> tuple[Action, ...]:
    return (Action(verb),) if special(state) == verb else ()


def _not_offered(state: State, verb: str) -> Refusal | None:
    if special(state) == verb:
        return None
    clause = "ZOMB-4.10" if verb == "search" else "ZOMB-4.9"
    facts: Facts = {"room": state.place, "stayed": state.stayed, "retreated": state.retreated}
    if state.done:
        return Refusal(Code.LIMIT, "ZOMB-4.8", say("there is only one special action per turn"), facts)
    if state.retreated:
        return Refusal(
            Code.NOT_ALLOWED, "ZOMB-4.8", say("after a retreat there is no special action in this turn"), facts
        )
    places = {"take_totem": (TEMPLE,), "bury": (GRAVEYARD,), "search": STORAGES}[verb]
    if state.place not in places:
        text = say(
            "that is done in {rooms}; you are in {room}",
            rooms=several(map(name_of, places), Joint.OR),
            room=name_of(state.place),
        )
        return Refusal(Code.NOT_ALLOWED, clause, text, facts)
    if state.totem is not (Totem.TEMPLE if verb == "take_totem" else Totem.CARRIED):
        text = say("you do not have the totem") if verb == "bury" else say("the totem is not here any more")
        return Refusal(Code.NO_SUCH_PIECE, clause, text, {**facts, "totem": state.totem.value})
    text = say("you have only just come to {room}; stay there for a turn first", room=name_of(state.place))
    return Refusal(Code.NOT_ALLOWED, clause, text, facts)
