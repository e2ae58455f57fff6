"""Cities are turned and scored; founders note values that only they know (SAND-5.16 to 5.26, SAND-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Deed, Effect, EffectKind, ParamKind, Refusal, Step, Verb
from rules.engine.action import Drawn
from rules.engine.open_grid import cell_of, name_of
from rules.engine.refusal import Facts
from rules.games.san_andreas.deeds.aftermath import keep_null, reveal, ruin_of, swap, swappable
from rules.games.san_andreas.deeds.common import bad, city_on, rank_named
from rules.games.san_andreas.opening import Phase, State
from rules.pieces import Kind, Rank, parse_rank
from rules.sentence import Person, say, several


class Reveal(Deed[State]):
    verb = Verb.of(
        "reveal",
        "the city on {cell} is worth {value}",
        "SAND-5.21",
        drawn=Drawn(Kind.COIN, value="value"),
        cell=ParamKind.PLACE,
        value=ParamKind.RANK,
    )
    phases = (Phase.SCORE,)

    def legal(self, state: State) -> Iterator[Action]:
        for index in state.waiting:
            city = state.cities[index]
            known = city.coin.value
            for value in state.free_values(city.coin.suit) if known is None else (known,):
                yield Action("reveal", (name_of(state.cell(city)), value.digit))

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _city_and_value(state, action):
            return refusal
        index = state.city_at(cell_of(action[0]) or (0, 0))
        if index not in state.waiting:
            return Refusal(
                Code.REPEATS,
                "SAND-5.21",
                say("the city on {place} has been scored", place=action[0]),
                {"place": action[0]},
            )
        return _contradiction(state, index, action[1], "SAND-5.21")

    def do(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        return Step(reveal(state, city_on(state, action[0]), parse_rank(action[1]), story), tuple(story))


class Swap(Deed[State]):
    verb = Verb.of("swap", "exchange the null with a destroyed {value}", "SAND-5.23", value=ParamKind.RANK)
    phases = (Phase.SWAP,)

    def legal(self, state: State) -> Iterator[Action]:
        return (Action("swap", (rank.digit,)) for rank in swappable(state))

    def check(self, state: State, action: Action) -> Refusal | None:
        value = rank_named(action[0])
        suit = state.cities[state.waiting[0]].coin.suit
        if value is None:
            return bad("SAND-5.23", say("a coin is null, ace, 2, 3, 4 or 5"), action[0])
        if value is Rank.NULL:
            text = say("the null is on the board; it is exchanged for a destroyed coin")
            return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word})
        if ruin_of(state, suit, value):
            return None
        known = [ruin.value.word for ruin in state.ruins if ruin.suit is suit and ruin.value is not None]
        text = say(
            "no destroyed coin of {suit} can be the {value}; known to be destroyed: {known}",
            suit=suit,
            value=value,
            known=several(known) if known else say("none"),
        )
        return Refusal(Code.NO_SUCH_PIECE, "SAND-5.23", text, {"value": value.word, "known": known})

    def do(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        return Step(swap(state, parse_rank(action[0]), story), tuple(story))


class Keep(Deed[State]):
    verb = Verb.of("keep", "keep the null", "SAND-5.23")
    phases = (Phase.SWAP,)

    def do(self, state: State, action: Action) -> Step[State]:
        story: list[Effect] = []
        return Step(keep_null(state, story), tuple(story))


class Tell(Deed[State]):
    """A founder enters the value of an own city, for nobody else to see."""

    verb = Verb.of("tell", "note that {cell} is a {value}", "SAND-6.2", cell=ParamKind.PLACE, value=ParamKind.RANK)
    anytime = True

    def legal(self, state: State) -> Iterable[Action]:
        return ()

    def check(self, state: State, action: Action) -> Refusal | None:
        if refusal := _city_and_value(state, action):
            return refusal
        index = state.city_at(cell_of(action[0]) or (0, 0))
        assert index is not None, "_city_and_value has looked"
        coin = state.cities[index].coin
        seat = state.to_act if action.seat is None else action.seat
        if seat != state.owner(coin.suit):
            owner = Person(state.owner(coin.suit))
            text = say("the city on {place} was founded by {owner}", place=action[0], owner=owner)
            return Refusal(Code.NOT_YOURS, "SAND-6.1", text, {"place": action[0], "owner": state.owner(coin.suit)})
        if coin.seen:
            text = say(
                "everybody has seen that {place} is a {value}",
                place=action[0],
                value=coin.value.word if coin.value is not None else "?",
            )
            return Refusal(Code.REPEATS, "SAND-6.2", text, {"place": action[0]})
        return _contradiction(state, index, action[1], "SAND-6.2")

    def do(self, state: State, action: Action) -> Step[State]:
        """The effect does not say the value: it is for everybody to read."""
        index = city_on(state, action[0])
        city = state.cities[index]
        facts: Facts = {"choice": "the founder has entered the value", "place": action[0]}
        seat = state.owner(city.coin.suit)
        told = Effect(EffectKind.CHOOSE, seat=seat, clause="SAND-6.2", facts=facts)
        known = replace(city, coin=replace(city.coin, value=parse_rank(action[1])))
        return Step(replace(state, cities=(*state.cities[:index], known, *state.cities[index + 1 :])), (told,))


def _city_and_value(state: State, action: Action) -> Refusal | None:
    cell = cell_of(action[0])
    if cell is None or state.city_at(cell) is None:
        text = say("there is no city on “{place}”", place=action[0][:20])
        return Refusal(Code.EMPTY, "SAND-5.21", text, {"place": action[0][:20]})
    if rank_named(action[1]) is None:
        return bad("SAND-5.21", say("a coin is null, ace, 2, 3, 4 or 5"), action[1])
    return None


def _contradiction(state: State, index: int, word: str, clause: str) -> Refusal | None:
    """Each value exists once per suit, and a value that was told stays."""
    city = state.cities[index]
    known = city.coin.value
    if known is not None:
        text = say("its founder has entered {known} for this city, not {given}", known=known, given=word)
        facts: Facts = {"known": known.word, "given": word}
        return None if known is rank_named(word) else Refusal(Code.CONTRADICTS, clause, text, facts)
    free = state.free_values(city.coin.suit)
    if rank_named(word) in free:
        return None
    possible = [rank.word for rank in free]
    text = say(
        "the {given} of {suit} is known to be another coin; this one is {possible}",
        given=word,
        suit=city.coin.suit,
        possible=several(possible),
    )
    return Refusal(Code.CONTRADICTS, clause, text, {"given": word, "possible": possible})
