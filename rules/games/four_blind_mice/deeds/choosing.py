"""A cheese is chosen and uncovered (MICE-4.1); the agreed end (MICE-5.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Now, ParamKind, Refusal, ToldDeed, Verb
from rules.engine.action import Drawn
from rules.engine.refusal import Facts
from rules.games.four_blind_mice.cheese import covered, open_to_choice, possible_suits, shown, with_cheese
from rules.games.four_blind_mice.deeds.common import MAX_ECHO, no_such_seat, no_such_space, spot, what_follows
from rules.games.four_blind_mice.geometry import CELL_OF, NAMES
from rules.games.four_blind_mice.opening import Phase, State
from rules.games.four_blind_mice.rounds import leaders, may_end_by_time, next_chooser, think
from rules.pieces import Kind, parse_suit
from rules.sentence import say, several


class Uncover(ToldDeed[State]):
    verb = Verb.of("uncover", "turn the cheese on {space}", "MICE-4.1", space=ParamKind.PLACE)
    phases = (Phase.CHOOSE,)

    def legal(self, state: State) -> Iterator[Action]:
        for number in open_to_choice(state):
            yield Action("uncover", (NAMES[state.cheeses[number].cell or 0],))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_space(action[0]):
            return refusal
        cell = CELL_OF[action[0]]
        lying = {state.cheeses[number].cell: number for number in covered(state)}
        if cell not in lying:
            return Refusal(
                Code.EMPTY, "MICE-4.1", say("no covered cheese lies on {place}", place=action[0]), {"place": action[0]}
            )
        if lying[cell] in open_to_choice(state):
            return None
        text = say(
            "the cheese on {place} has just been put back; it may not be the next one uncovered", place=action[0]
        )
        return Refusal(Code.NOT_ALLOWED, "MICE-9.1", text, {"place": action[0]})

    def advance(self, state: State, action: Action) -> State:
        cell = CELL_OF[action[0]]
        number = next(number for number in covered(state) if state.cheeses[number].cell == cell)
        after = replace(state, target=number, barred=None)
        if state.cheeses[number].suit is None:
            return replace(after, phase=Phase.REVEAL)
        return think(replace(after, cheeses=with_cheese(state, number, replace(state.cheeses[number], public=True))))

    def tell(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        assert after.target is not None
        piece, place = shown(after, after.target), spot(CELL_OF[action[0]])
        seat = before.to_act
        yield Effect(EffectKind.FLIP, piece, f"cheese{after.target}", target=place, seat=seat, clause="MICE-4.1")
        yield what_follows(after)


class Reveal(ToldDeed[State]):
    verb = Verb.of(
        "reveal", "the coin shows {suit}", "MICE-4.1", drawn=Drawn(Kind.COIN, suit="suit"), suit=ParamKind.SUIT
    )
    phases = (Phase.REVEAL,)

    def legal(self, state: State) -> Iterator[Action]:
        for suit in possible_suits(state):
            yield Action("reveal", (suit.value,))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_seat(state, action):
            return refusal
        possible = possible_suits(state)
        if action[0] in [suit.value for suit in possible]:
            return None
        known = several(possible)
        text = say(
            "the coin cannot be “{given}”; still possible: {possible}", given=action[0][:MAX_ECHO], possible=known
        )
        return Refusal(Code.CONTRADICTS, "MICE-6.1", text, {"possible": [suit.value for suit in possible]})

    def advance(self, state: State, action: Action) -> State:
        assert state.target is not None
        cheese = replace(state.cheeses[state.target], suit=parse_suit(action[0]), public=True)
        return think(replace(state, cheeses=with_cheese(state, state.target, cheese)))

    def tell(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        assert before.target is not None
        cell = before.cheeses[before.target].cell
        assert cell is not None
        piece = shown(after, before.target)
        yield Effect(EffectKind.REVEAL, piece, f"cheese{before.target}", target=spot(cell), clause="MICE-4.1")
        yield what_follows(after)


class TimeUp(ToldDeed[State]):
    verb = Verb.of("time_up", "the time is up", "MICE-5.1")
    phases = (Phase.CHOOSE,)
    elsewhere = Now("MICE-5.1", "the time ends the game only between two rounds; this one is played to its end")
    anytime = True

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("time_up"),) if may_end_by_time(state) else ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := no_such_seat(state, action):
            return refusal
        if may_end_by_time(state):
            return None
        text = say("the final round is on") if state.tied else say("no time limit was agreed")
        return Refusal(Code.NOT_ALLOWED, "MICE-5.1", text, {"time_limit": state.options.time_limit})

    def advance(self, state: State, action: Action) -> State:
        best = leaders(state)
        if len(best) == 1 or state.is_solo:
            return replace(state, phase=Phase.OVER)
        after = replace(state, tied=best)
        chooser = state.chooser if state.chooser in best else next_chooser(after)
        return replace(after, chooser=chooser, to_act=chooser)

    def tell(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        tied = [str(seat) for seat in after.tied]
        facts: Facts = {"phase": "time is up", "final_round": tied} if tied else {"phase": "time is up"}
        yield Effect(EffectKind.PHASE, clause="MICE-5.2" if tied else "MICE-5.1", facts=facts)
        yield what_follows(after)
