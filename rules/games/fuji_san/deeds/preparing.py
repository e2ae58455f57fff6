"""Deeds before the climb: the reveal of the coins, and the dice rescue (FUJI-3)."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.engine import Action, Code, Effect, EffectKind, Refusal, Verb
from rules.engine.action import DICE, SUIT, WORD, Luck, ParamType
from rules.engine.argument_value import Value, one_of, word
from rules.engine.refusal import Fact
from rules.engine.throws import ThrowDeed
from rules.games.fuji_san.climbs import begin, moves, rescued_to, settle
from rules.games.fuji_san.deeds.common import FujiDeed, spot_of, walk_effect
from rules.games.fuji_san.mountain import NAMES, PRESETS, STEP_SUITS, coin_at, read_layout, write_layout, wrong_suit
from rules.games.fuji_san.opening import State
from rules.pieces import SUITS, Rank, Suit, coin, die, parse_suit
from rules.sentence import InputError, say, several

_NAMED = {layout: name for name, layout in PRESETS.items()}


def _deal(code: str) -> Value:
    """The name of a preset deal; any other deal as its values, row by row."""
    return one_of("deal")(_NAMED[code]) if code in _NAMED else word(code.replace("/", " / "))


class Deal(FujiDeed):
    verb = Verb.of("deal", "deal the coins: {layout}", "FUJI-3.2", luck=Luck.DEAL, layout=ParamType(WORD, _deal))
    phases = ("deal",)
    exhaustive = False
    """There are too many deals to list; the four presets represent them."""

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("deal", (layout,)) for layout in PRESETS.values())

    def sample(self, state: State, rng: random.Random) -> Action | None:
        piles = {suit: rng.sample(range(6), 6) for suit in SUITS}
        return Action("deal", (write_layout(tuple(piles[suit].pop() for suit in STEP_SUITS * 2)),))

    def check(self, state: State, action: Action) -> Refusal | None:
        try:
            values = read_layout(action[0])
        except InputError as error:
            return Refusal(Code.BAD_ARGUMENT, "FUJI-3.5", error.sentence, {"layout": action[0][:60]})
        wrong = wrong_suit(values)
        if wrong is None:
            return None
        suit, shown = wrong
        text = say(
            "the three steps of {suit} show {values}; each value 0 to 5 must come exactly once",
            suit=suit,
            values=several(map(str, shown)),
        )
        facts: dict[str, Fact] = {"suit": suit.value, "shown": [str(value) for value in shown]}
        return Refusal(Code.CONTRADICTS, "FUJI-3.3", text, facts)

    def advance(self, state: State, action: Action) -> State:
        return begin(replace(state, values=read_layout(action[0]), phase="ascent"))

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for name in NAMES:
            number = coin_at(name)
            if number is not None:
                piece = coin(STEP_SUITS[number % 12], Rank(after.values[number]))
                yield Effect(EffectKind.REVEAL, piece, f"coin-{name}", target=spot_of(name), clause="FUJI-3.2")


class Roll(ThrowDeed[State], FujiDeed):
    verb = Verb.of("roll", "the dice show {dice}", "FUJI-3.6", luck=Luck.ROLL, dice=DICE)
    phases = ("roll",)

    def dice(self, state: State) -> tuple[Suit, ...]:
        return SUITS

    def unreadable(self, state: State, action: Action) -> Refusal:
        text = say("say what all four dice show, as in S1+M0+C3+A5")
        return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", text, {"given": action[0][:20]})

    def advance(self, state: State, action: Action) -> State:
        dice = tuple(int(rank) for _, rank in self.thrown(state, action))
        return replace(state, dice=dice, phase="rescue", end="" if any(dice) else "failed")

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        for suit, rank in self.thrown(before, action):
            yield Effect(EffectKind.ROLL, die(suit, rank), f"die-{suit}", amount=int(rank), clause="FUJI-3.6")


class Rescue(FujiDeed):
    verb = Verb.of("rescue", "the {suit} priest follows its die", "FUJI-3.6", suit=SUIT)
    phases = ("rescue",)

    def legal(self, state: State) -> Iterable[Action]:
        return (Action("rescue", (suit.value,)) for suit in SUITS)

    def check(self, state: State, action: Action) -> Refusal | None:
        if action[0] in [suit.value for suit in SUITS]:
            return None
        try:
            text = say("write the suit as {suit}", suit=parse_suit(action[0][:20]))
        except InputError as error:
            text = error.sentence
        return Refusal(Code.BAD_ARGUMENT, "FUJI-3.6", text, {"suit": action[0][:20]})

    def advance(self, state: State, action: Action) -> State:
        seat = SUITS.index(Suit(action[0]))
        number = state.dice[seat]
        priests = list(state.priests)
        priests[seat] = rescued_to(priests[seat], number)
        after = replace(state, priests=tuple(priests), phase="ascent", moves=state.moves + (number > 0))
        return settle(after) if moves(after) else replace(after, end="failed")

    def effects(self, before: State, action: Action, after: State) -> Iterator[Effect]:
        seat = SUITS.index(Suit(action[0]))
        number = before.dice[seat]
        choice: dict[str, Fact] = {"choice": SUITS[seat].value, "die": number}
        yield Effect(EffectKind.CHOOSE, seat=0, clause="FUJI-3.6", facts=choice)
        if number:
            source, target = NAMES[before.priests[seat]], NAMES[after.priests[seat]]
            yield walk_effect(seat, source, target, "FUJI-3.6", {"spaces": number, "moves": after.moves})
